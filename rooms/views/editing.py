from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property

from dynamodb_lists import errors, in_parallel
from dynamodb_lists.schema import entities
from hotels.app_config import hotel_pages
from hotels.views import HotelMixin
from portal.form_pages import SAVED_ALREADY, DeletePage, EditPage, FormPage, RemarkPage
from portal.forms.parameters import rewrite
from portal.history.entities import What
from portal.history.undoing import address_of
from portal.history.views import say_done
from portal.money import decimals
from rooms import commands, keys, queries
from rooms.entities import Room
from rooms.forms.rooms import DeleteRoomForm, EditRoomForm, NewRoomForm

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

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotel": self.hotel}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel_id = self.hotel.hotel_id
        back = reverse("rooms:rooms", args=[hotel_id])
        return super().get_context_data(**kwargs, **queries.room_counts(hotel_id).suggested, back=back)

    def save(self, form: NewRoomForm) -> str:
        ask(form, self.hotel.hotel_id, form.cleaned_data["number"], "They will belong to the new room.")
        room = commands.create_room(form.new(hotel_id=self.hotel.hotel_id), self.by)
        say_done(self, f"Room {room.number} was added.", room, What.CREATED)
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

    def list_address(self) -> str:
        return reverse("rooms:rooms", args=[self.hotel.hotel_id])
