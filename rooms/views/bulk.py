"""Pages of bulk changes: choose and preview, then watch the progress."""

import time
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import urlencode
from ulid import ULID

from dynamodb_lists import errors
from dynamodb_lists.schema import entities
from hotels.views import HotelMixin
from portal.access import StaffPage
from portal.forms.parameters import checked
from portal.times import now, today_in
from rooms import commands, queries
from rooms.apps import CHANGE_STATUS, INSPECT_ROOMS, PLAN_ROOMS
from rooms.commands import MAX_ROOMS
from rooms.entities import PLANNING, BulkChange, Room, RoomAction, RoomRefused
from rooms.entities.bulk import RATES, digest
from rooms.forms.bulk import BulkChangeForm, TickedRoomsForm
from rooms.lists import ROOMS

CHANGE_ID, FIRST = (f"{BulkChangeForm.prefix}-{name}" for name in ("id", "first"))
"""The parameters with the id of the change, and with the action that the form begins with."""
PAGE_ROOMS = 50
WORK_SECONDS = 2.0
"""How long one request works. The page sends the next one by itself."""


def permission_for(action: RoomAction) -> str:
    if action == RoomAction.STATUS:
        return CHANGE_STATUS
    return PLAN_ROOMS if action in PLANNING else "rooms.change_room"


class Preview(NamedTuple):
    """A room before and after the change, or before it with the reason why the room cannot be changed."""

    before: Room
    after: Room
    problem: str = ""

    @property
    def fate(self) -> str:
        """The result for the room: changed, same or refused."""
        return "refused" if self.problem else "same" if entities.same(self.before, self.after) else "changed"


class BulkChangePage(HotelMixin, StaffPage):
    """Choose what to change in the selected rooms, see the result for each, and ask for the change."""

    permission = CHANGE_STATUS
    template_name = "rooms/bulk_change.html"
    lists_link_here = True

    def form(self, data: QueryDict | None) -> BulkChangeForm:
        """Return the form of the changes that the user may make. Rates need the hotel's currency.

        A plan is for today, and offers who may set the status of the rooms.
        """
        hotel, allowed = self.hotel, {action for action in RoomAction if self.may(permission_for(action))}
        return BulkChangeForm(
            data,
            actions=frozenset(allowed if hotel.currency else allowed - RATES),
            currency=hotel.currency,
            day=today_in(hotel.time_zone),
            people=queries.cleaners(hotel.hotel_id) if RoomAction.ASSIGN in allowed else {},
            may_inspect=self.may(INSPECT_ROOMS),
            initial={"action": self.request.GET.get(FIRST)},
        )

    @cached_property
    def selected(self) -> TickedRoomsForm:
        return TickedRoomsForm(self.request.GET)

    @cached_property
    def rooms(self) -> list[Room]:
        """The rooms to change, at most one more than a bulk change can have. Raises :class:`BadParameters`."""
        hotel, ticks = self.hotel, self.selected
        data = checked(ticks)
        if not (data["all"] or data["floor"]):
            return queries.rooms_numbered(hotel.hotel_id, {*data["room"]})
        self.require("rooms.view_room")  # or how many match would tell what the rooms cost
        query = ticks.narrowed(ROOMS.query(hotel_id=hotel.hotel_id), hotel.currency)
        try:
            return list(islice(filter(ticks.wants, queries.all_rooms(query)), MAX_ROOMS + 1))
        except errors.UnknownValue as error:
            raise ticks.refuse(error.facet, str(error), error.value) from error

    @property
    def sent(self) -> bool:
        """Whether the address describes a change."""
        return f"{BulkChangeForm.prefix}-action" in self.request.GET

    def signer(self, salt: str = "") -> Signer:
        """Return a signer of values that only this user may send back, for this hotel."""
        return Signer(sep=".", salt="\n".join([self.by, self.kwargs["hotel_id"], salt]))

    @cached_property
    def change_id(self) -> str:
        """The id of the change, which the portal has put into the address of its preview; blank without one."""
        try:
            return self.signer().unsign(self.request.GET.get(CHANGE_ID, ""))
        except BadSignature:
            return ""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form and the preview. A preview that was confirmed leads to its progress, also after Back."""
        if not self.sent:
            return super().get(request, *args, **kwargs)
        if not self.change_id:
            params = request.GET.copy()
            params[CHANGE_ID] = self.signer().sign(str(ULID()))
            return redirect(f"{request.path}?{params.urlencode()}")
        try:
            queries.bulk_progress(self.kwargs["hotel_id"], self.change_id)
        except errors.NotFound:
            return super().get(request, *args, **kwargs)
        return redirect("rooms:bulk_progress", self.kwargs["hotel_id"], self.change_id)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel, rooms = self.hotel, self.rooms
        form = self.form(self.request.GET if self.sent else None)
        preview = self.preview(form) if self.sent and form.is_valid() else {}
        return super().get_context_data(
            **kwargs,
            title=f"Change rooms of {hotel.name}",
            form=form,
            count=len(rooms),
            most=MAX_ROOMS,
            too_many=len(rooms) > MAX_ROOMS,
            selection=self.selection(),
            **preview,
            names=form.names,
            **(queries.room_counts(hotel.hotel_id).suggested if self.may("rooms.change_room") else {}),
            filters=urlencode([each for each in self.selection() if each[0] not in {"all", "room"}]),
        )

    def preview(self, form: BulkChangeForm) -> dict[str, Any]:
        """Return a page of the rooms before and after the change of a valid form, and how many have which fate."""
        params, here = self.request.GET.copy(), self.request.get_full_path()
        seen = {room.number: digest(room) for room in self.rooms}
        change = form.change(self.change_id, seen, self.by, now())
        previews = []
        for room in self.rooms:
            try:
                previews.append(Preview(room, change.of(room)))
            except RoomRefused as error:
                previews.append(Preview(room, room, str(error)))
        params.pop(form.add_prefix("page"), None)
        page = Paginator(previews, PAGE_ROOMS).get_page(form.cleaned_data["page"])
        counts = Counter(each.fate for each in previews)
        token = self.signer(here).sign_object(seen, compress=True)
        shown = {"change": change, "previews": page, "counts": counts, "seen": token}
        return {**shown, "here": params.urlencode()}

    def selection(self) -> list[tuple[str, str]]:
        """Return the parameters of the address that select rooms."""
        known = self.selected.fields
        return [(name, value) for name, values in self.request.GET.lists() for value in values if name in known]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Ask for the change of the rooms that the preview at this address showed, and go to its progress."""
        form = self.form(request.GET)
        try:
            seen = self.signer(request.get_full_path()).unsign_object(request.POST.get("seen", ""))
        except (BadSignature, ValueError):  # the second: it has no signature, and is not of the alphabet
            seen = {}
        if not self.change_id or not form.is_valid() or not 0 < len(seen) <= MAX_ROOMS:
            return redirect(request.get_full_path())
        commands.ask_for(self.kwargs["hotel_id"], form.change(self.change_id, seen, self.by, now()))
        return redirect("rooms:bulk_progress", self.kwargs["hotel_id"], self.change_id)


class BulkProgressPage(HotelMixin, StaffPage):
    """The progress of a bulk change. Each POST works for some seconds; the page sends one after the other."""

    permission = CHANGE_STATUS
    template_name = "rooms/bulk_progress.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel, change = self.hotel, self.change()
        progress = queries.bulk_progress(hotel.hotel_id, change.change_id)
        total = len(change.room_numbers)
        return super().get_context_data(
            **kwargs,
            title=f"Changing rooms of {hotel.name}",
            change=change,
            progress=progress,
            total=total,
            done=progress.tried >= total,
        )

    def change(self) -> BulkChange:
        return queries.bulk_change(self.kwargs["hotel_id"], self.kwargs["change_id"])

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        change, ends = self.change(), time.monotonic() + WORK_SECONDS
        self.require(permission_for(change.action))
        total = len(change.room_numbers)
        if "undo" in request.POST:
            return self._undo(change)
        while commands.take_step_of(kwargs["hotel_id"], change).tried < total and time.monotonic() < ends:
            pass
        return redirect(request.path)

    def _undo(self, change: BulkChange) -> HttpResponse:
        """Ask for the bulk change that takes this one back, if it is done; go to its progress."""
        hotel_id = self.kwargs["hotel_id"]
        if queries.bulk_progress(hotel_id, change.change_id).tried < len(change.room_numbers):
            return redirect(self.request.path)
        undo = replace(change, change_id=change.undo_id, by=self.by, asked_at=now(), undoes=change.change_id, seen="")
        undo = replace(undo, may_inspect=self.may(INSPECT_ROOMS))
        commands.ask_for(hotel_id, undo)
        return redirect("rooms:bulk_progress", hotel_id, undo.change_id)
