"""Pages of the status of rooms: the rooms that need attention, and a change."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import QueryDict
from django.urls import reverse

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.keys import time_part
from hotelapp.portal.forms.parameters import rewrite
from hotelapp.portal.forms.views import FormPage
from hotelapp.portal.lists.views import ListPage
from hotels import queries as hotels
from rooms import commands, keys, queries
from rooms.entities import Room
from rooms.forms.lists import AttentionForm, NumberSearchForm, RoomsForm
from rooms.forms.statuses import StatusForm
from rooms.statuses import status_words
from rooms.views.rooms import INDEX_ORDERS


class AttentionPage(ListPage[AttentionForm]):
    """A hotel's rooms that are dirty or out of order, the oldest first."""

    permission = "rooms.view_room"
    form_class = AttentionForm
    template_name = "rooms/attention.html"
    list_template_name = "rooms/_attention.html"
    entity = Room
    noun = "rooms"

    def load(self, form: AttentionForm) -> dict[str, Any]:
        """One page of rooms, and the hotel."""
        hotel = hotels.hotel(self.kwargs["hotel_id"])
        title = f"Rooms of {hotel.name} that need attention"
        search = NumberSearchForm(auto_id="%s")
        return {
            **super().load(form),
            "hotel": hotel,
            "title": title,
            "search": search,
            "index_orders": INDEX_ORDERS,
        }

    def listing(self, form: AttentionForm) -> Listing[Room]:
        """R7: the rooms that need attention."""
        hotel = hotels.hotel(self.kwargs["hotel_id"])
        return queries.rooms_needing_attention(hotel.hotel_id, descending=form.order.descending)

    def export(self, form: AttentionForm) -> Iterable[Room]:
        """Every room that needs attention."""
        return queries.exported_rooms(self.listing(form).stream())

    def columns(self) -> Sequence[str]:
        """The columns of the export: the room, and since when it needs attention, in UTC."""
        return *entities.columns(Room), "attention_since"

    def cells(self, entity: Room) -> Sequence[str]:
        """A row of the export."""
        return *entities.cells(entity), time_part(entity.attention_since) if entity.attention_since else ""

    def csv_name(self) -> str:
        """File name of the export."""
        return f"attention-{self.kwargs['hotel_id']}"


class StatusPage(FormPage[StatusForm]):
    """A form to change a room's status. Each button beside a room in a list sends a part of this form."""

    permission = "rooms.change_room_status"
    form_class = StatusForm
    template_name = "rooms/edit_status.html"

    def room(self) -> Room:
        """The room as stored."""
        return queries.room(self.kwargs["hotel_id"], keys.number(self.kwargs["number"]), consistent=True)

    def get_initial(self) -> dict[str, Any]:
        """The room's status."""
        room = self.room()
        return {name: getattr(room, name) for name in ("housekeeping", "service", "reason", "until")}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and the room."""
        hotel = hotels.hotel(self.kwargs["hotel_id"])
        title = f"Status of room {self.kwargs['number']} of {hotel.name}"
        return super().get_context_data(**kwargs, title=title, back=self._room_address())

    def save(self, form: StatusForm) -> str:
        """Change the status; go back to the list that the button was in, or to the room's page."""
        number = keys.number(self.kwargs["number"])
        change = form.change()
        self._require_seen(form)
        commands.set_status(self.kwargs["hotel_id"], number, change, self.request.user.get_username())
        if "list" not in form.data:
            messages.success(self.request, f"The status of room {number} was saved.")
            return self._room_address()
        if change.housekeeping:
            messages.success(self.request, f"Room {number} is {change.housekeeping}.")
        return self._list_address(form.cleaned_data["list"])

    def _require_seen(self, form: StatusForm) -> None:
        """Raise :class:`ChangedMeanwhile` if the service is not what the user saw. Saving again replaces it.

        If the room already has the form's status, the form was sent before.
        """
        room = self.room()
        if entities.same(room, form.change().of(room)):
            return
        now = {"service": room.service, "reason": room.reason or "", "until": str(room.until or "")}
        if all(form.seen(name) in {None, value} for name, value in now.items()):
            return
        for name, value in now.items():
            rewrite(form, f"initial-{name}", value)
        words = ", ".join(filter(None, (status_words(room.service), room.reason, now["until"])))
        raise ChangedMeanwhile(f"Somebody else has set this room meanwhile: {words}. Save again to replace that.")

    def _room_address(self) -> str:
        return reverse("rooms:room", args=[self.kwargs["hotel_id"], self.kwargs["number"]])

    def _list_address(self, query: str) -> str:
        """The address of the list, with those of its parameters that are valid."""
        name, _, query = query.partition("?")
        attention = name == "attention"
        form = (AttentionForm if attention else RoomsForm)(QueryDict(query))
        address = reverse("rooms:attention" if attention else "rooms:rooms", args=[self.kwargs["hotel_id"]])
        return f"{address}?{form.address}" if form.is_valid() and form.address else address
