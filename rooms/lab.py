"""The rooms in the cost lab."""

from functools import partial

from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.schema.entities import listed
from hotels import queries as hotels
from lab.measured import MeasuredList
from lab.unplanned import Unplanned
from rooms import keys, queries
from rooms.apps import VIEW_ROOMS
from rooms.entities import Room, RoomQuery
from rooms.forms.room_queries import RoomsForm
from rooms.models import RoomModel


def _query(form: RoomsForm, hotel_id: str) -> RoomQuery:
    return form.query(hotels.hotel(hotel_id).currency)


def _planned(hotel_id: str, query: RoomQuery) -> Listing[Room]:
    return queries.rooms(hotel_id, query, queries.hotel_and_counts(hotel_id)[1])


def _unplanned(hotel_id: str, query: RoomQuery) -> Unplanned[Room]:
    """A hotel's rooms as a reader without the planner sees them: facets and rates as items have them, in words."""
    counts = queries.room_counts(hotel_id)
    words = {
        facet: {keys.square_metres(part) if facet == keys.SIZE else counts.label(facet, part) for part in parts}
        for facet, parts in query.selection.values.items()
    }
    sizes = {facet: tuple(map(keys.square_metres, ends)) for facet, ends in query.selection.bounds.items()}
    wanted = query.rates
    return Unplanned(
        model=RoomModel,
        partition=RoomModel.partition_of(hotel_id=hotel_id),
        build=partial(RoomModel.built, hotel_id=hotel_id),
        attributes=listed(Room),
        values={**words, **({"currency": {wanted.currency}} if wanted else {})},
        bounds={**sizes, **({keys.RATE: (wanted.low, wanted.high)} if wanted else {})},  # type: ignore[dict-item]
        sort=list(dict.fromkeys(filter(None, [query.sort, query.then, keys.NUMBER]))),
        descending=query.descending,
        items=counts.counts.total,
    )


ROOMS = MeasuredList(
    name="rooms",
    permission=VIEW_ROOMS,
    form=RoomsForm,
    drawn=("view", "type", "size_min", "size_max", "rate_min", "rate_max", "sort"),
    refused=("number", "status"),
    query=_query,
    planned=_planned,
    unplanned=_unplanned,
    example={"sort": "-size"},
    example_words="the largest first",
)
