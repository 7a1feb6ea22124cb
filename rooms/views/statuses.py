"""Pages of the status of rooms: the rooms that need attention, and a change."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from hotels.views import HotelMixin, OfHotelsPage
from portal.form_pages import FormPage
from portal.forms.parameters import checked, rewrite
from portal.history.subjects import thing_at
from portal.history.undo_views import say_done
from portal.history.undoing import NotUndone, undo
from portal.jinja import part
from portal.lists.forms import ListForm
from rooms import commands, keys, queries
from rooms.apps import INSPECT_ROOMS
from rooms.entities import Room, becomes_inspected
from rooms.entities.floors import by_floor
from rooms.forms.plans import MyRoomsForm, PlanForm
from rooms.forms.room_queries import (
    TABS,
    TABS_OF_HOTELS,
    AttentionForm,
    AttentionOfHotelsForm,
    RepairsForm,
    RoomsForm,
    statuses_of,
)
from rooms.forms.statuses import SERVICE, StatusForm, TapForm
from rooms.statuses import Housekeeping, Service, status_words
from rooms.views.rooms import ROW_COLUMNS, RoomListPage, names_in

LISTS: Mapping[str, type[ListForm]] = {"rooms": RoomsForm, "attention": AttentionForm, "repairs": RepairsForm} | {
    "my_rooms": MyRoomsForm,
    "plan": PlanForm,
}
"""The forms of the lists whose rows have buttons, by the names of their URLs."""


class AttentionPage(HotelMixin, RoomListPage[AttentionForm]):
    """A hotel's housekeeping list: its dirty rooms by floor and number, or those with another status."""

    title = "Housekeeping of {page.hotel.name}"
    fresh = True
    form_class = AttentionForm
    list_template_name = "rooms/_attention.html"
    columns = ROW_COLUMNS
    csv_name = "attention-{hotel_id}"

    def listing(self, form: AttentionForm) -> Listing[Room]:
        """R7: the rooms with the statuses of the tab, by number or by the time since when they have one."""
        hotel_id, query = self.hotel.hotel_id, form.query(self.hotel.time_zone)
        if form.order.column == keys.NUMBER:
            return queries.rooms_by_status(hotel_id, query, whole=form.exporting)
        return queries.rooms_needing_attention(hotel_id, query)

    def context(self, form: AttentionForm, page: Page[Room]) -> dict[str, Any]:
        numbered = form.order.column == keys.NUMBER
        return {
            "hotel": self.hotel,
            "narrowed": bool(form.cleaned_data["number"] or form.days_set),
            "tabs": TABS.items(),
            "floors": by_floor(page.rows, descending=form.order.descending) if numbered else [("", page.rows)],
            "names": names_in(page.rows, self.hotel),
            "kept": form.kept,
            "names_all": not form.days_set,
            "list_name": "attention",
        }


class AttentionOfHotelsPage(RoomListPage[AttentionOfHotelsForm], OfHotelsPage[AttentionOfHotelsForm]):
    """The rooms of several hotels that need attention, hotel by hotel."""

    title = "Housekeeping"
    form_class = AttentionOfHotelsForm
    list_template_name = "rooms/_attention_of_hotels.html"
    columns = ("hotel_id", *entities.columns(Room), "responsible", "attention_since")
    csv_name = "attention"

    def listing(self, form: AttentionOfHotelsForm) -> Listing[Room]:
        asked, descending = (self.hotel_ids(form), statuses_of(form.cleaned_data["status"])), form.order.descending
        if not form.days_set:
            return queries.attention_of_hotels(*asked, descending=descending)
        zone_at = self.zone_at(form)
        return queries.attention_of_hotels(*asked, lambda each: form.span(zone_at(each)), descending=descending)

    def context(self, form: AttentionOfHotelsForm, page: Page[Room]) -> dict[str, Any]:
        shown = {
            "tabs": TABS_OF_HOTELS.items(),
            "other": ("rooms:repairs_of_hotels", "Repairs"),
        }
        return {**super().context(form, page), **shown, "narrowed": bool(form.filters_set)}


class Outcome(NamedTuple):
    """The result of a tap: the room now, words for it, and the state that Undo sets; blank if there is no Undo.

    ``short`` is for the room's row, which needs not say which room it is.
    """

    room: Room
    text: str
    short: str
    was: str = ""
    refused: bool = False


class StatusPage(HotelMixin, FormPage[StatusForm]):
    """A form to change a room's status. Each button beside a room in a list sends a :class:`TapForm`."""

    title = "Status of room {page.kwargs[number]} of {page.hotel.name}"
    permission = "rooms.change_room_status"
    form_class = StatusForm

    def room(self) -> Room:
        """The room as stored."""
        return queries.room(self.kwargs["hotel_id"], keys.number(self.kwargs["number"]), consistent=True)

    def get_initial(self) -> dict[str, Any]:
        """The room's status; nothing for a tap, which sends its own values."""
        if self.get_form_class() is TapForm:
            return {}
        room = self.room()
        return {name: getattr(room, name) for name in ("housekeeping", *SERVICE)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, back=self.carrying(self._room_address()))

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "may_inspect": self.may(INSPECT_ROOMS)}

    def get_form(self, form_class: type[StatusForm] | None = None) -> StatusForm:
        form: StatusForm = super().get_form(form_class)
        form.zone = self.zone
        return form

    def get_form_class(self) -> type[StatusForm]:
        return TapForm if self.request.POST.get("list") else StatusForm

    def form_valid(self, form: Any) -> HttpResponse:
        return self._tapped(form) if isinstance(form, TapForm) else super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form with its errors. For htmx, raise ``BadParameters`` instead: a row has no room for a form."""
        if getattr(self.request, "htmx", False):
            checked(form)
        return super().form_invalid(form)

    def save(self, form: StatusForm) -> str:
        before, room = self._set_status(form)
        text = f"The status of room {room.number} was saved."
        if room is not before and self._may_undo(before, room):
            say_done(self, text, room)
        else:
            messages.success(self.request, text)
        return self.carrying(self._room_address())

    def _set_status(self, form: StatusForm) -> tuple[Room, Room]:
        self._require_seen(form)
        number = keys.number(self.kwargs["number"])
        change, seen = form.change(), form.seen("housekeeping")
        if change.housekeeping == Housekeeping.INSPECTED:
            self.require(INSPECT_ROOMS)
        try:
            return commands.set_status(self.kwargs["hotel_id"], number, change, self.by, seen or None)
        except Conflict as error:
            rewrite(form, "initial-housekeeping", self.room().housekeeping)
            again = "Nothing was changed." if isinstance(form, TapForm) else "Save again to replace that."
            raise Conflict(f"{error} {again}") from error

    def _tapped(self, form: TapForm) -> HttpResponse:
        """Change the status; answer htmx with the room's status, and a browser without scripts with its list."""
        outcome = self._outcome(form)
        name, listed = _list(form.cleaned_data["list"])
        back = reverse(f"rooms:{name}", args=[self.kwargs["hotel_id"]])
        turned = bool(form.cleaned_data["service"]) or form.cleaned_data["undo"] in {*Service}
        context = {"view": self, "hotel": self.hotel, "list": name, "form": listed, "back": back, "turned": turned}
        context |= outcome._asdict()
        if getattr(self.request, "htmx", False):
            status = HTTPStatus.CONFLICT if outcome.refused else HTTPStatus.OK
            return render(self.request, "rooms/_tapped.html", context, status=status)
        text = part("rooms/_tap_message.html", {**context, "csrf_token": get_token(self.request)})
        messages.add_message(self.request, messages.ERROR if outcome.refused else messages.SUCCESS, text)
        return redirect(f"{back}?{listed.address}".removesuffix("?") + f"#row-{quote(outcome.room.number)}")

    def _outcome(self, form: TapForm) -> Outcome:
        """Change the status. If somebody else was quicker, nothing is changed."""
        if form.undone is not None:
            return self._undo(form.undone, form.cleaned_data["undo"])
        try:
            before, after = self._set_status(form)
        except Conflict as error:
            return Outcome(self.room(), str(error), str(error), refused=True)
        if form.cleaned_data["service"]:
            return Outcome(after, f"Room {after.number} is back in service.", "Back in service.", Service.OUT_OF_ORDER)
        words, text = status_words(after.housekeeping), f"Room {after.number} is {after.housekeeping}"
        if before.housekeeping == after.housekeeping:  # as after a second tap
            return self._unchanged(form, after, f"{text}.", f"{words}.")
        was = before.housekeeping if self._may_undo(before, after) else ""
        return Outcome(after, f"{text}.", f"{words}, was {before.housekeeping}.", was)

    def _may_undo(self, before: Room, after: Room) -> bool:
        """Whether the user may take back what this page has changed."""
        return not becomes_inspected(after, before) or self.may(INSPECT_ROOMS)

    def _unchanged(self, form: TapForm, room: Room, text: str, short: str) -> Outcome:
        """The outcome of a tap on what the row showed already. Undo stays only for the user's own last change."""
        if form.cleaned_data["housekeeping"] not in {"", room.housekeeping}:
            text = f"Room {room.number} is {room.housekeeping} now, because somebody else was quicker."
            text += " Nothing was changed."
            return Outcome(room, text, text, refused=True)
        is_last = form.cleaned_data["tap_revision"] == room.revision
        return Outcome(room, text, short, form.cleaned_data["was"] if is_last else "")

    def _undo(self, version: int, was: str) -> Outcome:
        """Undo a tap, or say who has changed the room since."""
        try:
            thing = thing_at("room", f"{self.kwargs['hotel_id']}/{self.kwargs['number']}")
            room: Any = undo(thing, version, self.by, self.may).entity
        except NotUndone as error:
            room = self.room()
            text = f"{error} Room {room.number} is {room.housekeeping} now. Nothing was undone."
            return Outcome(room, text, text, refused=True)
        again = f"{status_words(room.service if was in {*Service} else room.housekeeping).lower()} again."
        return Outcome(room, f"Room {room.number} is {again}", again.capitalize())

    def _require_seen(self, form: StatusForm) -> None:
        """Raise :class:`Conflict` if the service is not what the user saw. Saving again replaces it.

        If the room already has the form's status, the form was sent before.
        """
        if not form.changes_service:
            return
        room = self.room()
        if entities.same(room, form.change().of(room)):
            return
        now = {name: str(getattr(room, name) or "") for name in SERVICE}
        if all(form.seen(name) in {None, value} for name, value in now.items()):
            return
        for name, value in now.items():
            rewrite(form, f"initial-{name}", value)
        words = ", ".join(filter(None, (status_words(room.service), *[now[name] for name in SERVICE[1:]])))
        raise Conflict(f"Somebody else has set this room meanwhile: {words}. Save again to replace that.")

    def _room_address(self) -> str:
        return reverse("rooms:room", args=[self.kwargs["hotel_id"], self.kwargs["number"]])


def _list(query: str) -> tuple[str, ListForm]:
    """The name of a list and its form; that of the whole list if the query string is not valid."""
    name, _, query = query.partition("?")
    name = name if name in LISTS else "rooms"
    form_class = LISTS[name]
    form = form_class(QueryDict(query))
    if not form.is_valid():
        form = form_class(QueryDict())
        form.is_valid()
    return name, form
