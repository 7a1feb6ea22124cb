"""Pages of the status of rooms: the rooms that need attention, repairs by the day until when, and a change."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse

from dynamodb_lists import Listing, Page, errors
from dynamodb_lists.schema import entities
from hotels.app_config import RoomPart
from hotels.templatetags.hotels import pages_beside
from hotels.views import OfHotelsPage
from portal.form_pages import EditPage
from portal.forms.parameters import checked
from portal.history.subjects import thing_at
from portal.history.undoing import NotUndone, address_of, undo
from portal.jinja import part
from portal.lists.forms import ListForm
from portal.lists.origins import list_at
from portal.lists.views import Column
from portal.people import author_name
from portal.times import today_in
from rooms import commands, keys, queries
from rooms.apps import CHANGE_STATUS, INSPECT_ROOMS, VIEW_ROOMS
from rooms.entities import Room, becomes_inspected
from rooms.entities.rooms import by_floor
from rooms.forms.room_queries import (
    DRAWN_TABS,
    REPAIR_TABS,
    TABS_OF_HOTELS,
    AttentionForm,
    AttentionOfHotelsForm,
    RepairsForm,
    statuses_of,
)
from rooms.forms.statuses import StatusForm, TapForm
from rooms.lists import ROOMS
from rooms.statuses import LEFT_ALONE, Housekeeping, Priority, Service, status_words
from rooms.views.editing import OfStoredRoom
from rooms.views.rooms import TYPE_AND_VIEW, HousekeepingPage, RoomListPage, names_in

OF_ROOM = RoomPart("rooms/_repairs_of_room.html", VIEW_ROOMS, queries.repairs_of_room)
BACK_IN_SERVICE = Column("back", "Back in service", heard=True)
LISTS = ("rooms", "attention", "repairs", "my_rooms", "plan")
"""The lists whose rows have buttons, by the names of their URLs."""
OWN_PAGE = "room"
"""What a button on the page of a room names instead of a list."""


def nothing_in(form: ListForm) -> str:
    return "No room is dirty." if form.cleaned_data["status"] == Housekeeping.DIRTY else "No room has this status."


class AttentionPage(HousekeepingPage[AttentionForm]):
    """A hotel's housekeeping list: its dirty rooms by floor and number, or those with another status."""

    title = "Housekeeping of {page.hotel.name}"
    form_class, tabs = AttentionForm, DRAWN_TABS
    csv_name, list_template_name = "attention", "rooms/_attention.html"
    filters, dated, days_of = ("days",), "attention_since", "Since"

    def empty(self, form: AttentionForm) -> tuple[str, str]:
        return nothing_in(form), ""

    def listing(self, form: AttentionForm) -> Listing[Room]:
        """R7: the rooms with the statuses of the tab, by number or by the time since when they have one."""
        days, order = form.span(self.hotel.time_zone), form.order
        query = form.narrowed(queries.since_days(ROOMS.query(hotel_id=self.hotel.hotel_id), days))
        if order.column == keys.NUMBER:
            by_status = queries.rooms_by_status(query, form.statuses, self.hotel)
            by_number = by_status.order_by(keys.NUMBER, descending=order.descending)
            return by_number.listing(*form.position, whole=form.exporting)
        waiting = queries.needing_attention(query, form.statuses).where(service=[*Service])  # in one order of time
        return waiting.order_by(keys.SINCE, descending=order.descending).listing(*form.position)

    def context(self, form: AttentionForm, page: Page[Room]) -> dict[str, Any]:
        numbered = form.order.column == keys.NUMBER
        return {
            **super().context(form, page),
            "narrowed": bool(form.cleaned_data["number"] or form.days_set),
            "groups": by_floor(page.rows, descending=form.order.descending) if numbered else [("", page.rows)],
            "names": names_in(page.rows, self.hotel),
            "kept": form.kept,
            "names_all": not form.days_set,
        }


class AttentionOfHotelsPage(RoomListPage[AttentionOfHotelsForm], OfHotelsPage[AttentionOfHotelsForm]):
    title = "Housekeeping"
    form_class, tabs = AttentionOfHotelsForm, TABS_OF_HOTELS
    list_template_name = "rooms/_attention_of_hotels.html"
    columns = ("hotel_id", "number", Column("service", "Status"), "attention_since", TYPE_AND_VIEW)
    filters, dated, days_of = ("hotel", "days"), "attention_since", "Since"
    file_columns = ("hotel_id", "hotel_name", *entities.columns(Room), "responsible", "attention_since")
    csv_name = "attention"

    def listing(self, form: AttentionOfHotelsForm) -> Listing[Room]:
        asked, descending = (self.narrowed(form), statuses_of(form.cleaned_data["status"])), form.order.descending
        if not form.days_set:
            return queries.attention_of_hotels(*asked, descending=descending)
        zone_at = self.zone_at(form)
        return queries.attention_of_hotels(*asked, lambda each: form.span(zone_at(each)), descending=descending)

    def empty(self, form: AttentionOfHotelsForm) -> tuple[str, str]:
        return nothing_in(form), ""

    def context(self, form: AttentionOfHotelsForm, page: Page[Room]) -> dict[str, Any]:
        others = {reverse("rooms:repairs_of_hotels"): "Repairs"}
        return {**super().context(form, page), "others": others, "each_hotel": not self.zone}


class RepairsPage(RoomListPage[RepairsForm], OfHotelsPage[RepairsForm]):
    """R10: the rooms of a hotel that are out of order, or of several, each with its own days; what is overdue first."""

    title, noun = "Repairs{page.of}", "repairs"
    form_class, tabs = RepairsForm, REPAIR_TABS
    list_template_name = "rooms/_repairs.html"
    columns = ("hotel_id", "number", Column("until", "Until"), "reason", "responsible", TYPE_AND_VIEW, BACK_IN_SERVICE)
    noted, filters = True, ("hotel",)
    file_columns = ("hotel_id", "hotel_name", *entities.columns(Room), "responsible")

    @property
    def shown(self) -> Sequence[Column]:
        several, *of_room, back = super().shown
        if not self.hotel_id:
            return [several, *of_room]
        return [*of_room, back] if self.may(CHANGE_STATUS) else of_room

    def listing(self, form: RepairsForm) -> Listing[Room]:
        zone_at, overdue = self.zone_at(form), form.cleaned_data["status"]
        last = (lambda hotel_id: today_in(zone_at(hotel_id)) - timedelta(days=1)) if overdue else None
        if self.hotel_id:
            return queries.repairs(self.hotel_id, last and last(self.hotel_id))
        return queries.repairs_of_hotels(self.narrowed(form), last)

    def empty(self, form: RepairsForm) -> tuple[str, str]:
        return "No repair is overdue." if form.cleaned_data["status"] else "No room is out of order.", ""

    def context(self, form: RepairsForm, page: Page[Room]) -> dict[str, Any]:
        others = {reverse("rooms:attention_of_hotels"): "Housekeeping"}
        if self.hotel_id:
            others = pages_beside("rooms:repairs", self.request.user, self.hotel_id)
        return {**super().context(form, page), "others": others, "zone_at": self.zone_at(form)}


class HotelRepairsPage(RepairsPage):
    file_columns = RepairsPage.file_columns[2:]


class Outcome(NamedTuple):
    """The result of a tap: the room now, words for it, and the state that Undo sets; blank if there is no Undo.

    ``short`` is for the row of the room, which need not name the room.
    """

    room: Room
    text: str
    short: str
    was: str = ""
    refused: bool = False


class StatusPage(OfStoredRoom, EditPage[StatusForm]):
    """A form to change a room's status. Each button beside a room in a list sends a :class:`TapForm`."""

    title = "Status of room {page.kwargs[number]} of {page.hotel.name}"
    permission = CHANGE_STATUS
    form_class = StatusForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._tapped() if request.POST.get("list") else super().post(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "may_inspect": self.may(INSPECT_ROOMS), "today": today_in(self.zone)}

    def parts(self, entity: Room) -> dict[str, Any]:
        return {**super().parts(entity), **({"rejected": entity.steps.rejected} if self.may(INSPECT_ROOMS) else {})}

    def joined(self, entity: Any, parts: Mapping[str, Any]) -> Any:
        fields = {**parts}
        steps = replace(entity.steps, rejected=fields.pop("rejected", entity.steps.rejected))
        return replace(entity, **fields, steps=steps)

    def edited(self, form: StatusForm) -> Room:
        room: Room = super().edited(form)
        if becomes_inspected(self.stored, room):
            self.require(INSPECT_ROOMS)
        return room

    def _tapped(self) -> HttpResponse:
        """Change the status; answer htmx with the room's status, and a browser without scripts with its list."""
        form = TapForm({**self.request.GET.dict(), **self.request.POST.dict()})
        checked(form)
        outcome = self._outcome(form)
        name, _, query = form.cleaned_data["list"].partition("?")
        name = name if name in LISTS else "rooms"
        back = reverse(f"rooms:{name}", args=[self.kwargs["hotel_id"]])
        query = listed.form.address if (listed := list_at(self.request, f"{back}?{query}")) else ""
        turned = bool(form.cleaned_data["service"]) or form.cleaned_data["undo"] in {*Service}
        context = {"view": self, "hotel": self.hotel, "list": name, "query": query, "back": back, "turned": turned}
        context |= outcome._asdict()
        context["wanted"] = form.cleaned_data["priority"]
        context["stays"] = not any(form.cleaned_data[name] for name in ("undo", "started", "priority"))
        if getattr(self.request, "htmx", False):
            status = HTTPStatus.CONFLICT if outcome.refused else HTTPStatus.OK
            return render(self.request, "rooms/_tapped.html", context, status=status)
        text = part("rooms/_tap_message.html", {**context, "csrf_token": get_token(self.request)})
        messages.add_message(self.request, messages.ERROR if outcome.refused else messages.SUCCESS, text)
        if form.cleaned_data["list"] == OWN_PAGE:
            return redirect(address_of(outcome.room))
        return redirect(f"{back}?{query}".removesuffix("?") + f"#row-{quote(outcome.room.number)}")

    def _outcome(self, form: TapForm) -> Outcome:
        """Change the status, and return the result. If somebody else has changed the room first, change nothing."""
        if form.cleaned_data["undo"]:
            return self._undo(form.cleaned_data["tap_revision"], form.cleaned_data["undo"])
        change = form.change(today_in(self.hotel.time_zone))
        if change.housekeeping == Housekeeping.INSPECTED != form.seen:  # what was seen must be what is stored
            self.require(INSPECT_ROOMS)
        hotel_id, number = self.kwargs["hotel_id"], keys.number(self.kwargs["number"])
        try:
            before, after = commands.set_status(hotel_id, number, change, self.by, form.seen)
        except errors.ChangedMeanwhile:
            room = self.load()
            text = f"Room {number} is {room.housekeeping} now, because somebody else was quicker. Nothing was changed."
            return Outcome(room, text, text, refused=True)
        if change.service:
            return Outcome(after, f"Room {number} is back in service.", "Back in service.", Service.OUT_OF_ORDER)
        if change.priority or (change.started and after.steps.started_at):
            return self._started(after) if change.started else self._wished(after, change.priority)
        words, text = status_words(after.housekeeping), f"Room {number} is {after.housekeeping}"
        if before.housekeeping == after.housekeeping:  # as after a second tap; the Undo stays if nobody came between
            is_last = form.cleaned_data["tap_revision"] == after.revision
            return Outcome(after, f"{text}.", f"{words}.", form.cleaned_data["was"] if is_last else "")
        may_undo = not becomes_inspected(after, before) or self.may(INSPECT_ROOMS)
        was = before.housekeeping if may_undo else ""
        return Outcome(after, f"{text}.", f"{words}, was {before.housekeeping}.", was)

    def _wished(self, room: Room, wish: Priority | None) -> Outcome:
        words = status_words(wish) if wish in LEFT_ALONE else "Clean as usual"
        return Outcome(room, f"Room {room.number} today: {words}.", f"{words}.")

    def _started(self, room: Room) -> Outcome:
        """Say that the user is in the room now, or who has started with it before."""
        if room.steps.started_by != self.by:
            text = f"{author_name(room.steps.started_by)} has started with room {room.number} already."
            return Outcome(room, text, text, refused=True)
        return Outcome(room, f"Room {room.number} is in progress.", "In progress.")

    def _undo(self, version: int, was: str) -> Outcome:
        """Undo a tap, or say who has changed the room since."""
        try:
            thing = thing_at("room", f"{self.kwargs['hotel_id']}/{self.kwargs['number']}")
            room: Any = undo(thing, version, self.by, self.may).entity
        except NotUndone as error:
            room = self.load()
            text = f"{error} Room {room.number} is {room.housekeeping} now. Nothing was undone."
            return Outcome(room, text, text, refused=True)
        again = f"{status_words(room.service if was in {*Service} else room.housekeeping).lower()} again."
        return Outcome(room, f"Room {room.number} is {again}", again.capitalize())
