"""Reads of rooms, one function for each access pattern; docs/requests.md shows the request of each one."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice, product
from operator import itemgetter
from typing import Any, NamedTuple, cast

from dynamodb_lists import (
    EVER,
    Days,
    GivenUp,
    Listing,
    Query,
    Rule,
    SortedRows,
    Values,
    begins,
    between,
    errors,
    get_item,
    in_parallel,
    ledger,
    natural,
    on_days,
    read_partition,
)
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.keys import HIGHEST, in_any_case, parse, prefix
from hotels.entities import ROOMS as TOTALS
from hotels.entities import Hotel
from hotels.queries import HotelByHotel, room_statuses, zone_of
from hotels.staff_hotels import staff_of
from portal.history.entities import HistoryEntry
from portal.history.keys import thing as thing_key
from portal.history.queries import marked
from portal.people import EVERY_HOTEL, HotelScope, full_name, names_of
from portal.times import midnight, today_in
from rooms import keys
from rooms.entities import BulkChange, BulkProgress, FoundRoom, Room, RoomCounts, plain_part, with_status
from rooms.entities.cleanings import Cleaning, Work
from rooms.lists import ROOMS
from rooms.models import BulkChangeModel, BulkProgressModel, CleaningsModel
from rooms.statuses import ATTENTION, CLEAN, Housekeeping, Service

MOST_READ = 99
"""The most rooms that are read by their keys, of each hotel in each spelling: one request."""
Statuses = AbstractSet[Service | Housekeeping]
MOST_TURNS = 20
"""How often a room's page shows that the room went out of order or came back."""


def room(hotel_id: str, number: str, *, consistent: bool = False) -> Room:
    """R5: a room by its number. Raises :class:`NotFound`."""
    return ROOMS.get(hotel_id=hotel_id, number=number, consistent=consistent)


def has_room(hotel_id: str, number: str) -> bool:
    """Return whether a hotel has a room of this number."""
    with ledger.purpose("hotel"):
        return bool(rooms_as_stored([(hotel_id, number)], consistent=False))


def rooms_as_stored(wanted: Iterable[tuple[str, str]], *, consistent: bool = True) -> dict[tuple[str, str], Room]:
    """R5 for many rooms: those that exist among pairs of hotel id and number, read a hundred at a time."""
    places = ({"hotel_id": hotel_id, "number": number} for hotel_id, number in wanted)
    return {(room.hotel_id, room.number): room for room in ROOMS.get_many(places, consistent=consistent)}


def rooms_anywhere(number: str, count: int, scope: HotelScope = EVERY_HOTEL) -> list[FoundRoom]:
    """R5 at all hotels: the first ``count`` rooms with this number, by hotel.

    One Query. In a ``scope`` of a few hotels, one BatchGetItem reads the rooms by their keys instead. In a ``scope`` of
    many hotels, the Query reads from the first hotel's id to the last, and rooms of other hotels are dropped.
    """
    with ledger.purpose("list"):
        spelt, ids, model = in_any_case(number, MOST_READ), scope.hotel_ids, ROOMS.model
        if ids is not None and len(ids) * (len(spelt) or MOST_READ + 1) <= MOST_READ:
            by_key = rooms_as_stored(product(ids, spelt), consistent=False)
            return [FoundRoom(*key, room.view, room.type) for key, room in sorted(by_key.items())][:count]
        span = between(*(model.partition_of(hotel_id=end(ids)) for end in (min, max))) if ids else None
        partition, asked = model.partition_of(keys.BY_NUMBER, number=number), ("pk", "sk", *keys.LABELLED)
        read = read_partition(model, partition, asked, span=span, index=keys.BY_NUMBER, most=count)
        owner_in, labels = ROOMS.declaration.owner_in, itemgetter("sk", *keys.LABELLED)
        found = (FoundRoom(owner_in(each["pk"])[0], *labels(each)) for each in read)
        return [*islice((room for room in found if scope.allows(room.hotel_id)), count)]


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: return the number of rooms of each combination of facets; no counts for an unknown hotel."""
    return RoomCounts(ROOMS.query(hotel_id=hotel_id).counts())


def repairs_of_room(hotel_id: str, number: str) -> list[HistoryEntry]:
    """C4: when a room went out of order and came back, the newest first; at most :data:`MOST_TURNS` times."""
    return marked(thing_key(ROOMS.model.kind, hotel_id, number)).take(MOST_TURNS)


# --- Lists ---------------------------------------------------------------------------------------------

MOST_SORTED = 1000
"""In a hotel of so many rooms, all that need attention are read, to sort them by number."""
MOST_NUMBERED = 50
"""How many rooms whose number begins with a text are read at once, to sort them as people count."""


def require_known(query: Query[Room], counts: RoomCounts) -> None:
    """Raise :class:`~dynamodb_lists.connection.errors.UnknownValue` for a facet value that the hotel does not have."""
    for place, facet in enumerate(keys.FACETS):
        values = query.asked.conditions.get(facet)
        existing = counts.counts.facet_values[place]
        for value in sorted(values.difference(existing)) if isinstance(values, frozenset) else ():
            raise errors.UnknownValue(facet, plain_part(facet, value))


def all_rooms(query: Query[Room]) -> Iterator[Room]:
    """Return every room of a query, as lists show it, read as it is consumed. Raises :class:`UnknownValue` at once."""
    counts = RoomCounts(query.counts())
    require_known(query, counts)
    return query.listing(counts=counts.counted, whole=True).stream()


def rooms_by_number(hotel_id: str, start: str, count: int) -> list[Room]:
    """R5: the first ``count`` rooms whose number begins with a text, without filters and counts.

    One request, unless more than :data:`MOST_NUMBERED` begin with it.
    """
    query = ROOMS.query(hotel_id=hotel_id).where(number=begins(start))
    with ledger.purpose("list"):
        if start:
            found = query.listing(counts={}).first(MOST_NUMBERED)
            if len(found) < MOST_NUMBERED:
                return sorted(found, key=lambda room: natural(room.number))[:count]
        return query.order_by(keys.NUMBER).listing(counts={}).first(count)


def needing_attention(query: Query[Room], statuses: Statuses = ATTENTION) -> Query[Room]:
    """R7: the rooms of a query with one of these statuses. The longest wait comes first; rooms out of order come
    last.
    """
    query = query.only(keys.NEEDING_ATTENTION).showing(keys.SINCE, "steps")
    query = query.order_by("service", keys.SINCE)
    return query if statuses == ATTENTION else with_status(query, statuses)


def rooms_to_clean(hotel_id: str) -> Query[Room]:
    """R7: return the dirty rooms in service, the longest wait first. Nobody cleans a room that is out of order."""
    return needing_attention(ROOMS.query(hotel_id=hotel_id)).where(service=Service.IN_SERVICE)


def attention_of_hotels(
    scope: HotelScope,
    statuses: Statuses,
    since: Callable[[str], Days] = lambda _: EVER,
    *,
    descending: bool = False,
) -> Listing[Room]:
    """R8: the rooms of several hotels that need attention, hotel by hotel, of each as R7 ``since`` some of its days."""

    def of_hotel(hotel_id: str) -> Listing[Room]:
        query = needing_attention(ROOMS.query(hotel_id=hotel_id), statuses)
        return since_days(query, since(hotel_id)).order_by("service", keys.SINCE, descending=descending).listing()

    return HotelByHotel(
        name="rooms that need attention by hotel",
        selected=f"{sorted(statuses)} {since('')} {descending} of {scope}",
        index=keys.NEEDING_ATTENTION,
        descending=descending,
        scope=scope,
        of=of_hotel,
        has_rows=(TOTALS, lambda numbers: any(numbers.get(status, 0) > 0 for status in statuses)),
    )


def since_days(query: Query[Room], days: Days) -> Query[Room]:
    """Return the rooms of a query that need attention since one of these days."""
    return query if days == EVER else query.where(service=[*Service], attention_since=on_days(days))


def rooms_by_status(query: Query[Room], statuses: Statuses, hotel: Hotel) -> Query[Room]:
    """R7 by number: the rooms of a query with some statuses.

    If all statuses need attention and the hotel has at most :data:`MOST_SORTED` rooms, all of them are read and sorted
    in memory, which also counts them.
    """
    few = statuses <= ATTENTION and hotel.rooms <= MOST_SORTED
    return needing_attention(query, statuses) if few else with_status(query, statuses)


def rooms_numbered(hotel_id: str, numbers: Iterable[str]) -> list[Room]:
    """Return the rooms of a hotel with these numbers, as they were a moment ago, in the order of their numbers."""
    with ledger.purpose("list"):
        found = rooms_as_stored(((hotel_id, number) for number in numbers), consistent=False)
        return sorted(found.values(), key=lambda room: natural(room.number))


# --- Plans of a day -------------------------------------------------------------------------------------


MOST_BEGUN = 150
"""The most rooms without a person that are sorted by number, and the most that a tab counts."""
GLANCE = 9
"""How many rooms a tab counts whose list is not shown: their items and one more are half a unit or one."""
UNASSIGNED_UNITS, CLEANED_UNITS = 2.0, 1.5
"""The read units to find rooms without a person, or cleaned ones, which are whole items."""
UNTOUCHED_DAYS = 30
"""After so many days without a guest, a clean room is aired and looked at."""
FEW = "Those of a day are few, so they are read whole, and sorted in memory."


def cleaners(hotel_id: str, words: Callable[[Any], str] = full_name) -> dict[str, str]:
    """Return the names, or other ``words``, of those who may clean in a hotel, by ``person_id``.

    A plan may still name a person whose account has ended, or who has lost the hotel or the role. Every page and file
    then shows that nobody has the room, so that no room waits for this person.
    """
    return staff_of(hotel_id, "rooms.change_room_status", words)


def rooms_of_day(hotel_id: str, day: date, assignee: str = "") -> Listing[Room]:
    """R9: the rooms that a person has on a day of the hotel, the most urgent first; of everybody, person by person."""
    of_day = begins(prefix(*filter(None, (str(day), assignee))))
    query = ROOMS.query(hotel_id=hotel_id).only(keys.ASSIGNED).where(plan=of_day)
    return query.showing("responsible", keys.SINCE, "steps").listing()


def has_rooms_today(hotel_id: str, assignee: str) -> bool:
    """R9: whether a person has rooms today, on the day of the hotel."""
    with ledger.purpose("list"):
        return bool(rooms_of_day(hotel_id, today_in(zone_of(hotel_id)), assignee).first(1))


def unassigned(hotel_id: str, day: date, people: Collection[str], last: str = "") -> Listing[Room]:
    """R7: the rooms to clean that none of ``people`` has on a day, or of these what a ``last`` person had.

    The longest are first. Nothing counts them.
    """

    def is_free(room: Room) -> bool:
        had = not last or bool(room.plan and room.plan.assignee == last)
        return had and room.planned_on(day).assignee not in people and not room.planned_on(day).left_alone

    rule = Rule(f"{last} last, and on {day} none of {sorted(people)}", is_free)
    return rooms_to_clean(hotel_id).ruled(rule).listing(bounded=True).at_most(UNASSIGNED_UNITS)


def cleaned(hotel_id: str, days: Days, *states: Housekeeping) -> Listing[Room]:
    """R9: the rooms that were last cleaned on some days and have one of these states, the longest ago first.

    Clean rooms come before rooms that were inspected after the cleaning. Dirty rooms are left out.
    """
    query = ROOMS.query(hotel_id=hotel_id).only(keys.CLEANED)
    query = query.where(service=Service.IN_SERVICE, housekeeping=[*states], cleaned_at=on_days(days))
    query = query.order_by("housekeeping", "cleaned_at").showing("responsible", keys.SINCE, "steps")
    return query.listing(bounded=True).at_most(CLEANED_UNITS)


class Begun(NamedTuple):
    """The first rooms of a list, whether there may be more, and their number for a tab: "24", or "9+"."""

    listing: Listing[Room]
    rooms: list[Room]
    more: bool
    number: str = ""


class DayOfRooms(NamedTuple):
    """The rooms that have a plan for today; dirty rooms that nobody has; and rooms that were cleaned today and not
    inspected.
    """

    planned: list[Room]
    unassigned: Begun
    to_inspect: Begun


def plan_of_day(hotel: Hotel, people: Collection[str], *, shows_free: bool, shows_cleaned: bool) -> DayOfRooms:
    """R9 and R7 of today, at the same time. Of a list that is not shown, only some rooms are read, or none.

    The hotel's statistics count the dirty rooms, so without a room out of order the number of those free is exact.
    """
    hotel_id, today = hotel.hotel_id, today_in(hotel.time_zone)
    to_inspect = cleaned(hotel_id, (midnight_of(hotel), None), Housekeeping.CLEAN)
    free = unassigned(hotel_id, today, people)
    reads: list[Callable[[], Any]] = [
        partial(_whole, rooms_of_day(hotel_id, today)),
        partial(_begun, free, MOST_BEGUN) if shows_free else lambda: Begun(free, [], more=True),
        partial(_begun, to_inspect, MOST_BEGUN if shows_cleaned else GLANCE),
        partial(room_statuses, hotel_id),
    ]
    planned, begun, cleaned_today, statuses = in_parallel(reads)
    if begun.more:
        plans = (room.plan for room in planned if room.to_clean)
        taken = sum(plan.assignee in people or plan.left_alone for plan in plans)
        broken = statuses.get(Service.OUT_OF_ORDER, 0)
        number = max(statuses.get(Housekeeping.DIRTY, 0) - broken - taken, 0)
        begun = begun._replace(number=f"{number}{'+' * bool(broken)}")
    return DayOfRooms(planned, begun, cleaned_today)


def _begun(listing: Listing[Room], most: int) -> Begun:
    """Read the first rooms of a list. The list keeps them, so that its first page reads no others.

    How many it finds before it gives up changes from time to time, so the number is that of a glance.
    """
    listing = listing.keeping(most + 1)
    with ledger.purpose("list"):
        try:
            found, known, more = listing.first(most + 1), most, False
        except GivenUp as stopped:
            found, known, more = [row.value for row in stopped.rows], GLANCE, True
    more = more or len(found) > most
    return Begun(listing, found[:most], more, f"{min(len(found), known)}{'+' * more}")


def midnight_of(hotel: Hotel, days: int = 0) -> datetime:
    """Return when the present day of a hotel began, or the day so many ``days`` ago."""
    return midnight(today_in(hotel.time_zone) - timedelta(days), hotel.time_zone)


def untouched(hotel: Hotel) -> Listing[Room]:
    """R9: the rooms that nobody has cleaned for :data:`UNTOUCHED_DAYS` days, because nobody has used them."""
    return cleaned(hotel.hotel_id, (None, midnight_of(hotel, UNTOUCHED_DAYS)), *CLEAN)


def cleaned_by(hotel_id: str, first: date, last: date) -> list[Work]:
    """R11: what each person cleaned from a ``first`` to a ``last`` day of the hotel, by name: one Query."""
    found = defaultdict[str, list[Cleaning]](list)
    span = Between(prefix(str(first)), prefix(str(last)) + HIGHEST)
    with ledger.purpose("list"):
        for item in read_partition(CleaningsModel, CleaningsModel.partition_of(hotel_id=hotel_id), span=span):
            day, person = parse(item["sk"])
            found[person] += (Cleaning.named(day, *each) for each in item["numbers"].items())
    names = names_of(found)
    works = (Work.of(hotel_id, person, names[person], each) for person, each in found.items() if each)
    return sorted(works, key=lambda work: work.name.casefold())


def _whole(listing: Listing[Room]) -> list[Room]:
    with ledger.purpose("list"):
        return [*listing.stream()]


def rooms_in_order(selected: str, found: Iterable[Room], begin: Callable[[Room], str] = lambda _: "") -> Listing[Room]:
    """Rooms of a day that were read whole, by the beginning of their order, then by number."""
    placed = (((f"{begin(room)}#{natural(room.number)}",), room) for room in found)
    return SortedRows.of(placed, why=FEW, name="rooms of a day", selected=selected, index=keys.ASSIGNED)


# --- Repairs --------------------------------------------------------------------------------------------


def repairs(hotel_id: str, last: date | None = None) -> Listing[Room]:
    """R10: the rooms that are out of order, by the day until when; up to a ``last`` day, or all of them."""
    query = ROOMS.query(hotel_id=hotel_id).only(keys.REPAIRS).showing("responsible", keys.SINCE)
    return (query.where(until=between(None, last)) if last else query).listing()


def repairs_of_hotels(scope: HotelScope, last: Callable[[str], date] | None = None) -> Listing[Room]:
    """R10 of several hotels, hotel by hotel. ``last`` gives the last day of each, whose days begin at other times."""
    return HotelByHotel(
        name="repairs by hotel",
        selected=f"{last is None} of {scope}",
        index=keys.REPAIRS,
        scope=scope,
        of=lambda hotel_id: repairs(hotel_id, last and last(hotel_id)),
        has_rows=(TOTALS, lambda numbers: numbers.get(Service.OUT_OF_ORDER, 0) > 0),
    )


# --- Bulk changes ---------------------------------------------------------------------------------------


def bulk_change(hotel_id: str, change_id: str) -> BulkChange:
    """Return a bulk change as it was asked for. Raises :class:`NotFound`."""
    key = BulkChangeModel.place_of(hotel_id=hotel_id, change_id=change_id)
    return cast(BulkChange, BulkChangeModel.built(get_item(BulkChangeModel, *key, consistent=True)))


def bulk_progress(hotel_id: str, change_id: str) -> BulkProgress:
    """Return the progress of a bulk change. Raises: :class:`NotFound`."""
    key = BulkProgressModel.place_of(hotel_id=hotel_id, change_id=change_id)
    return cast(BulkProgress, BulkProgressModel.built(get_item(BulkProgressModel, *key, consistent=True)))
