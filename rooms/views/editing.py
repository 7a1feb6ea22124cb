"""Pages that add, change and delete a room, set its status, and assign it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse

from dynamodb_lists import errors, in_parallel
from dynamodb_lists.schema import entities
from hotels.app_config import hotel_pages
from hotels.views import HotelMixin
from portal.form_pages import SAVED_ALREADY, DeletePage, EditPage, FormPage, RemarkPage
from portal.forms.parameters import checked, rewrite
from portal.history.subjects import thing_at
from portal.history.undoing import NotUndone, address_of, undo
from portal.history.views import say_added
from portal.jinja import part
from portal.lists.origins import list_at
from portal.money import decimals
from portal.people import author_name
from portal.times import today_in
from rooms import commands, keys, queries
from rooms.apps import CHANGE_STATUS, INSPECT_ROOMS, PLAN_ROOMS
from rooms.entities import Plan, Room, RoomRefused, StatusChange, becomes_inspected
from rooms.forms.rooms import (
    DeleteRoomForm,
    EditRoomForm,
    NewRoomForm,
    PlanRoomForm,
    StatusForm,
    TapForm,
)
from rooms.statuses import LEFT_ALONE, Housekeeping, Priority, Service, status_words

LISTS = ("rooms", "attention", "repairs", "my_rooms", "plan")
"""The lists whose rows have buttons, by the names of their URLs."""
OWN_PAGE = "room"
"""What a button on the page of a room names instead of a list."""
CONFIRMED = "confirmed"


def naming(hotel_id: str, number: str) -> str:
    """Return the unfinished orders and the reviews that name a room, in words: how many; blank if there are none."""
    found = in_parallel([partial(app.naming, hotel_id, number) for app in hotel_pages() if app.naming])
    return " and ".join(filter(None, found))


def ask(form: Any, hotel_id: str, number: str, text: str) -> None:
    """Raise :class:`Conflict` until the user confirms, if orders or reviews name a room of this number.

    A new number that is taken is no question: the command refuses it.
    """
    new = form.cleaned_data["number"]
    if CONFIRMED not in form.data and (found := naming(hotel_id, number)) and not queries.has_room(hotel_id, new):
        form.fields[CONFIRMED] = forms.BooleanField(label="Save it anyway", required=False)
        raise errors.Conflict(f"Room {number} is named by {found}. {text} If that is right, select the box below.")


class AddRoomPage(HotelMixin, FormPage[NewRoomForm]):
    title = "Add a room to {page.hotel.name}"
    permission = "rooms.add_room"
    form_class = NewRoomForm
    template_name = "rooms/edit_room.html"
    list_url = "rooms:rooms"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotel": self.hotel}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, **queries.room_counts(self.hotel.hotel_id).suggested)

    def save(self, form: NewRoomForm) -> str:
        ask(form, self.hotel.hotel_id, form.cleaned_data["number"], "They will belong to the new room.")
        room = commands.create_room(form.new(hotel_id=self.hotel.hotel_id), self.by)
        say_added(self, f"Room {room.number}", room)
        return address_of(room)


class OfStoredRoom(HotelMixin):
    context_object_name = "room"

    def load(self) -> Room:
        return queries.room(self.kwargs["hotel_id"], keys.number(self.kwargs["number"]), consistent=True)


class EditRoomPage(OfStoredRoom, EditPage[EditRoomForm]):
    title = "Edit room {page.stored.number} of {page.hotel.name}"
    permission = "rooms.change_room"
    form_class = EditRoomForm
    template_name = "rooms/edit_room.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, **queries.room_counts(self.kwargs["hotel_id"]).suggested)

    def get_initial(self) -> dict[str, Any]:
        room = self.stored
        return {**super().get_initial(), "rate": round(room.rate, decimals(room.currency))}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {"hotel": self.hotel, "before": self.stored, **super().get_form_kwargs()}

    def write(self, form: EditRoomForm) -> str:
        old, new = self.stored.number, form.cleaned_data["number"]
        if old != new:
            ask(form, self.hotel.hotel_id, old, f"They stay with the number {old}, not with room {new}.")
            ask(form, self.hotel.hotel_id, new, "They will belong to this room.")
        return super().write(form)

    def gone(self) -> HttpResponse:
        """Redirect to the room, if the form was sent before and has changed the room's number."""
        form = EditRoomForm(self.request.POST)
        if form.is_valid():
            number = self.kwargs["hotel_id"], form.cleaned_data["number"]
            renumbered = queries.rooms_as_stored([number]).get(number)
            if renumbered and entities.same(renumbered, form.changed(renumbered)):
                messages.success(self.request, SAVED_ALREADY)
                return redirect(address_of(renumbered))
        return super().gone()


class RoomNotePage(OfStoredRoom, RemarkPage):
    title = "Remark on room {page.stored.number} of {page.hotel.name}"
    permission = "rooms.change_room_status"


class DeleteRoomPage(OfStoredRoom, DeletePage):
    """Asks whether to delete a room, and deletes it. If orders or reviews name it meanwhile, it asks again."""

    title = "Delete room {page.stored.number} of {page.hotel.name}"
    thing = "Room {page.kwargs[number]}"
    permission = "rooms.delete_room"
    template_name = "rooms/delete_room.html"
    form_class = DeleteRoomForm
    list_url = "rooms:rooms"

    @cached_property
    def naming(self) -> str:
        return naming(self.stored.hotel_id, self.stored.number)

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "naming": self.naming}

    def write(self, form: Any) -> str:
        if form.cleaned_data["naming"] != self.naming:
            rewrite(form, "naming", self.naming)
            raise errors.Conflict(f"What names room {self.stored.number} has changed meanwhile. {self.changed_text}")
        return super().write(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, naming=self.naming)


class PlanRoomPage(OfStoredRoom, EditPage[PlanRoomForm]):
    title = "Assign room {page.stored.number} of {page.hotel.name}"
    permission = PLAN_ROOMS
    form_class = PlanRoomForm

    @cached_property
    def people(self) -> dict[str, str]:
        return queries.cleaners(self.hotel.hotel_id)

    def plan(self, room: Room) -> Plan:
        return room.planned_on(today_in(self.hotel.time_zone))

    def parts(self, entity: Room) -> dict[str, Any]:
        plan = self.plan(entity)
        return {"assignee": plan.assignee if plan.assignee in self.people else "", "priority": plan.priority}

    def joined(self, entity: Any, parts: Mapping[str, Any]) -> Room:
        return StatusChange(day=self.plan(entity).day, **parts).of(entity)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "people": self.people, "day": self.plan(self.stored).day}


# --- Its status -----------------------------------------------------------------------------------------


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
        except (errors.ChangedMeanwhile, RoomRefused) as error:
            room = self.load()
            is_now = "out of order" if isinstance(error, RoomRefused) else room.housekeeping
            text = f"Room {number} is {is_now} now, because somebody else was quicker. Nothing was changed."
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
