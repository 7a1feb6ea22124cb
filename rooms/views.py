"""Pages of hotels and rooms: form -> query -> template."""

from collections.abc import Iterable, Sequence
from typing import Any

from hotelapp.dynamodb.facets import Selection
from hotelapp.dynamodb.reading import Listing
from hotelapp.portal.forms import ListForm
from hotelapp.portal.sorting import headers
from hotelapp.portal.views import ListPage, StaffPage
from reviews import queries as reviews
from rooms import keys, queries
from rooms.filters import filters_of
from rooms.forms import RoomsForm
from rooms.values import Hotel, Room

SWITCHER_HOTELS = 100
INDEX_ORDERS = {index.name: ", ".join(index.order) for index in keys.INDEXES}


class HotelsPage(ListPage[ListForm]):
    """All hotels with the number of their rooms."""

    title = "Hotels"
    form_class = ListForm
    template_name = "rooms/hotels.html"
    list_template_name = "rooms/_hotels.html"
    csv_columns = ("hotel_id", "hotel_name", "city", "rooms")

    def listing(self, form: ListForm) -> Listing[Hotel]:
        """All hotels."""
        return queries.hotels()

    def cells(self, row: Hotel) -> Sequence[Any]:
        """A line of the export."""
        return row.hotel_id, row.name, row.city, row.rooms

    def csv_name(self) -> str:
        """File name of the export."""
        return "hotels"


class HotelSwitcher(StaffPage):
    """The links of the hotel switcher, fetched when it is opened, so that a page's cost does not grow with hotels."""

    template_name = "rooms/_switcher.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The first hundred hotels; the list has them all."""
        return {"hotels": queries.first_hotels(SWITCHER_HOTELS)}


class RoomsPage(ListPage[RoomsForm]):
    """A hotel's rooms: filtered, sorted and paged by facets, or found by number."""

    form_class = RoomsForm
    template_name = "rooms/rooms.html"
    list_template_name = "rooms/_rooms.html"
    csv_columns = ("hotel_id", "hotel_name", "city", "number", "view", "size", "type", "rate", "currency")

    def load(self, form: RoomsForm) -> dict[str, Any]:
        """One page of rooms, its filters and their counts."""
        hotel = queries.hotel(self.kwargs["hotel_id"])
        reviewed = reviews.summary(hotel.hotel_id)
        context = {"hotel": hotel, "title": hotel.name, "index_orders": INDEX_ORDERS, "reviewed": reviewed}
        if form.cleaned_data["number"]:
            return {**context, **super().load(form)}
        query = form.query()
        read = queries.rooms(hotel.hotel_id, query)
        sort = headers(keys.FACETS, query.sort, query.then, query.descending, form.params, numeric=[keys.SIZE])
        return {
            **context,
            "page": read.page,
            "query": query,
            "filters": filters_of(read, query),
            "headers": sort,
            "narrowed": query.selection != Selection(),
            "hotel_has_rooms": any(read.counts.counts.values()),
        }

    def listing(self, form: RoomsForm) -> Listing[Room]:
        """The rooms found by number."""
        return queries.rooms_by_number(self.kwargs["hotel_id"], form.cleaned_data["number"])

    def export(self, form: RoomsForm) -> Iterable[Sequence[Any]]:
        """Every room of the selection, in the columns that an import takes."""
        hotel = queries.hotel(self.kwargs["hotel_id"])
        if form.cleaned_data["number"]:
            rooms = self.listing(form).stream()
        else:
            rooms = queries.all_rooms(hotel.hotel_id, form.query())
        named = (hotel.hotel_id, hotel.name, hotel.city)
        return ((*named, r.number, r.view, r.size, r.type, r.rate, r.currency) for r in rooms)

    def csv_name(self) -> str:
        """File name of the export."""
        return f"rooms-{self.kwargs['hotel_id']}"


class RoomPage(StaffPage):
    """All that is known of a room, its six keys included."""

    template_name = "rooms/room.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The room and its hotel."""
        hotel = queries.hotel(kwargs["hotel_id"])
        room = queries.room(hotel.hotel_id, keys.number(kwargs["number"]))
        sort_keys = [
            (index, keys.SORT_KEYS[index.name], keys.room(room.facets, room.number, index.name))
            for index in keys.INDEXES
        ]
        return super().get_context_data(
            **kwargs,
            hotel=hotel,
            reviewed=reviews.summary(hotel.hotel_id),
            room=room,
            title=f"Room {room.number}",
            partition=keys.rooms(hotel.hotel_id),
            sort_keys=sort_keys,
            ledger=self.request.ledger,  # type: ignore[attr-defined]
        )
