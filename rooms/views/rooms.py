"""Pages of rooms: form -> query -> template."""

from collections.abc import Iterable, Sequence
from typing import Any

from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.lists.filters import Filter, filter_of
from hotelapp.portal.lists.views import ListPage
from hotelapp.portal.views import StaffPage
from hotels import queries as hotels
from hotels.entities import Hotel
from rooms import keys, queries
from rooms.entities import Room, RoomQuery
from rooms.forms.lists import NumberSearchForm, RoomsForm
from rooms.queries import FilteredRooms
from rooms.statuses import STATUSES, status_words

INDEX_ORDERS = {index.name: ", ".join(index.order) for index in keys.INDEXES} | {
    keys.BY_RATE: "currency, rate",
    keys.NEEDING_ATTENTION: "time since when they need attention",
}


class RoomsPage(ListPage[RoomsForm]):
    """A hotel's rooms: filtered, sorted and paged by facets, or found by number."""

    permission = "rooms.view_room"
    form_class = RoomsForm
    template_name = "rooms/rooms.html"
    list_template_name = "rooms/_rooms.html"
    entity = Room
    noun = "rooms"

    def hotel(self) -> Hotel:
        """The hotel in the address."""
        return hotels.hotel(self.kwargs["hotel_id"])

    def load(self, form: RoomsForm) -> dict[str, Any]:
        hotel = self.hotel()
        context = {"hotel": hotel, "title": hotel.name, "index_orders": INDEX_ORDERS}
        if form.cleaned_data["number"]:
            return {**context, **super().load(form)}
        query = form.query(hotel.currency)
        filtered = queries.rooms(hotel.hotel_id, query)
        return {
            **context,
            "page": filtered.page,
            "query": query,
            "filters": [_filter(facet, filtered, query) for facet in keys.FACETS],
            "narrowed": query.selection != Selection() or not query.counted,
            "statuses": [(status.value, status_words(status), status in query.statuses) for status in STATUSES],
            "counted": query.counted,
            "other_currencies": query.by_rate and any(room.currency != hotel.currency for room in filtered.page.rows),
            "hotel_has_rooms": any(filtered.counts.counts.values()),
        }

    def listing(self, form: RoomsForm) -> Listing[Room]:
        return queries.rooms_by_number(self.kwargs["hotel_id"], form.cleaned_data["number"])

    def export(self, form: RoomsForm) -> Iterable[Room]:
        hotel = self.hotel()
        if form.cleaned_data["number"]:
            return queries.exported_rooms(self.listing(form).stream())
        return queries.exported_rooms(queries.all_rooms(hotel.hotel_id, form.query(hotel.currency)))

    def columns(self) -> Sequence[str]:
        return *entities.columns(Hotel, computed=False), *entities.columns(Room)

    def cells(self, entity: Room) -> Sequence[str]:
        return *entities.cells(self.hotel(), computed=False), *entities.cells(entity)

    def csv_name(self) -> str:
        return f"rooms-{self.kwargs['hotel_id']}"


class RoomPage(StaffPage):
    """A room with its six keys."""

    permission = "rooms.view_room"
    template_name = "rooms/room.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel = hotels.hotel(kwargs["hotel_id"])
        room = queries.room(hotel.hotel_id, keys.number(kwargs["number"]))
        sort_keys = [
            (index, keys.sort_key(index.name), keys.room(room.facets, room.number, index.name))
            for index in keys.INDEXES
        ]
        return super().get_context_data(
            **kwargs,
            hotel=hotel,
            room=room,
            title=f"Room {room.number}",
            form=NumberSearchForm(auto_id="%s"),
            partition=keys.rooms(hotel.hotel_id),
            sort_keys=sort_keys,
            rate_key=keys.rate(room.currency, room.rate, room.number),
            attention_key=room.attention_since and keys.attention(room.attention_since, room.number),
        )


def _filter(facet: str, filtered: FilteredRooms, query: RoomQuery) -> Filter:
    selected = query.selection.values.get(facet, frozenset())
    counts = {keys.plain_part(facet, part): count for part, count in filtered.choices[facet].items()}
    words = {keys.plain_part(facet, part): filtered.counts.label(facet, part) for part in filtered.choices[facet]}
    return filter_of(
        facet,
        entities.field(Room, facet).label,
        counts,
        selected={keys.plain_part(facet, part) for part in selected},
        words=words.__getitem__,
    )
