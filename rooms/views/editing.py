"""Pages to add, edit and delete a room."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.fields import RevisionForm
from hotelapp.portal.forms.views import SAVED_ALREADY, DeletePage, EditPage, FormPage, StoredPage
from hotelapp.portal.messages import saved_before
from hotelapp.portal.money import decimals
from hotelapp.portal.views import StaffMixin
from hotels import queries as hotels
from hotels.entities import Hotel
from rooms import commands, keys, queries
from rooms.entities import Room
from rooms.forms.rooms import EditRoomForm, NewRoomForm


class RoomFormMixin(StaffMixin):
    """A form of a room. It suggests the views and types of the hotel's rooms."""

    kwargs: dict[str, Any]

    def hotel(self) -> Hotel:
        """The hotel in the address."""
        return hotels.hotel(self.kwargs["hotel_id"])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        counts = queries.room_counts(self.kwargs["hotel_id"])
        return super().get_context_data(**kwargs, views=counts.labels_of(keys.VIEW), types=counts.labels_of(keys.TYPE))


class AddRoomPage(RoomFormMixin, FormPage[NewRoomForm]):
    """A form to add a room."""

    permission = "rooms.add_room"
    form_class = NewRoomForm
    template_name = "rooms/edit_room.html"

    def get_form(self, form_class: type[NewRoomForm] | None = None) -> NewRoomForm:
        """The form. Prices are in the hotel's currency."""
        form: NewRoomForm = super().get_form(form_class)
        form.hotel = self.hotel()
        return form

    def get_initial(self) -> dict[str, Any]:
        return {"currency": self.hotel().currency}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel = self.hotel()
        title, back = f"Add a room to {hotel.name}", reverse("rooms:rooms", args=[hotel.hotel_id])
        return super().get_context_data(**kwargs, title=title, back=back)

    def save(self, form: NewRoomForm) -> str:
        room = commands.create_room(form.room(self.kwargs["hotel_id"]), self.request.user.get_username())
        messages.success(self.request, f"Room {room.number} was added.")
        return room_address(room)


class StoredRoomPage(StoredPage[Any]):
    """A form about a room that exists."""

    def load(self) -> Room:
        return queries.room(self.kwargs["hotel_id"], keys.number(self.kwargs["number"]), consistent=True)


class EditRoomPage(RoomFormMixin, StoredRoomPage, EditPage[EditRoomForm]):
    """A form to change a room, even its number."""

    permission = "rooms.change_room"
    form_class = EditRoomForm
    template_name = "rooms/edit_room.html"

    def get_initial(self) -> dict[str, Any]:
        room = self.stored
        return {**super().get_initial(), "rate": round(room.rate, decimals(room.currency))}

    def get_form(self, form_class: type[EditRoomForm] | None = None) -> EditRoomForm:
        """The form. Prices are in the hotel's currency, or in that which the room has."""
        form: EditRoomForm = super().get_form(form_class)
        form.hotel, form.room_before = self.hotel(), self.stored
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, title=f"Edit room {self.stored.number} of {self.hotel().name}")

    def edited(self, form: EditRoomForm) -> Room:
        """The room with the form's values. Its status stays."""
        return form.room(self.kwargs["hotel_id"]).with_status_of(self.stored)

    def change(self, before: Room, after: Room) -> None:
        commands.edit_room(before, after, self.request.user.get_username())

    def address(self, entity: Room) -> str:
        return room_address(entity)

    def gone(self) -> HttpResponse:
        form = EditRoomForm(self.request.POST)
        if form.is_valid():
            renumbered = queries.rooms_as_stored([(self.kwargs["hotel_id"], form.cleaned_data["number"])])
            sent = form.room(self.kwargs["hotel_id"])
            if any(entities.same(room, sent.with_status_of(room)) for room in renumbered.values()):
                saved_before(self.request, SAVED_ALREADY)
                return redirect(self.address(sent))
        return super().gone()


class DeleteRoomPage(StoredRoomPage, DeletePage[RevisionForm]):
    """Asks whether to delete a room, and deletes it."""

    permission = "rooms.delete_room"
    form_class = RevisionForm
    template_name = "rooms/delete_room.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        room, hotel = self.stored, hotels.hotel(self.kwargs["hotel_id"])
        title = f"Delete room {room.number} of {hotel.name}"
        return super().get_context_data(**kwargs, title=title, room=room, hotel=hotel, back=room_address(room))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Delete the room. If it is already deleted, redirect to the hotel's rooms."""
        hotels.hotel(self.kwargs["hotel_id"])
        try:
            return super().post(request, *args, **kwargs)
        except NotFound:
            saved_before(request, f"There is no room {self.kwargs['number']} any more.")
            return redirect(self.list_address())

    def delete(self, entity: Room) -> None:
        commands.delete_room(entity, self.request.user.get_username())
        messages.success(self.request, f"Room {entity.number} was deleted.")

    def list_address(self) -> str:
        return reverse("rooms:rooms", args=[self.kwargs["hotel_id"]])


def room_address(room: Room) -> str:
    """The address of a room's page."""
    return reverse("rooms:room", args=[room.hotel_id, room.number])
