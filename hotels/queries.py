"""Reads of hotels, of their statistics, and of lists of several hotels; docs/requests.md shows the requests."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from typing import TypeVar, cast

from django.core.cache import cache

from dynamodb_lists import (
    Cursor,
    GivenUp,
    Grounds,
    Listing,
    Position,
    Row,
    Values,
    WordQuery,
    errors,
    get_items,
    in_parallel,
    ledger,
    read_partition,
)
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.keys import HIGHEST, between, parse
from hotels import keys
from hotels.entities import DAYS, ORDERS, ROOMS, TOTAL, Hotel, HotelStatistics, Stored
from hotels.lists import ALL_CACHED, HOTELS, cache_key
from hotels.models import (
    GroupStatisticsModel,
    HotelWordModel,
    StatisticsModel,
    StatisticsShardsModel,
    parse_statistic,
    statistic_key,
)
from portal.people import EVERY_HOTEL, HotelScope
from portal.shards import Sharding

CACHE_SECONDS = 60
MOST_SEEN = 100
"""How many hotels a filter offers, a list of several hotels merges, and one request reads by their keys."""
PATIENCE = 10
"""The most read units of the list of all hotels on a page of many hotels. It has 500 hotels; or 20 are read by key."""


@dataclass(frozen=True, kw_only=True)
class HotelsByKeys(Listing[Hotel]):
    """The hotels of these ids in their order, at half a unit each. The next ids take the place of missing hotels."""

    ids: Collection[str]

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[Hotel]]:
        place, rows = cursor.position if cursor else None, list[Row[Hotel]]()
        left = ids_beyond(self.ids, place.sort_key if place else "", backward)
        while left and (missing := count - len(rows)):
            asked, left = left[:missing], left[missing:]
            found = hotels_as_stored(asked, consistent=False)
            rows += [Row(Position(each), found[each]) for each in asked if each in found]
        return rows

    def stream(self) -> Iterator[Hotel]:
        return (row.value for row in self.take(len(self.ids), None, backward=False))


def hotels(scope: HotelScope = EVERY_HOTEL) -> Listing[Hotel]:
    """Return the hotels of a scope, in the order of their ids.

    For a few ids, a page reads the hotels by their keys, at half a unit each. For many ids, a page reads the list of
    all hotels from the first id to the last one, and drops the others, until this has cost as much.
    """
    query, hotel_ids = scope.of(HOTELS.query()).only(keys.HOTELS).order_by("hotel_id"), scope.hotel_ids
    if hotel_ids is None:
        return query.listing()
    by_keys = HotelsByKeys(name="hotels by keys", selected=str(scope), ids=hotel_ids)
    if len(hotel_ids) <= MOST_SEEN:
        return by_keys
    return query.listing(bounded=True).at_most(PATIENCE, otherwise=lambda: by_keys)


def ids_beyond(ids: Iterable[str], beyond: str, backward: bool) -> list[str]:
    """Return the ids after one or, backward, those before it, in the order of reading; all, if it is blank."""
    return sorted(
        (each for each in ids if not beyond or (each < beyond if backward else each > beyond)), reverse=backward
    )


def seen_hotels(scope: HotelScope = EVERY_HOTEL) -> dict[str, Hotel]:
    """Return the hotels of a scope by id: the first :data:`MOST_SEEN`. A process caches them for a minute."""
    if (hotel_ids := scope.hotel_ids) is not None and len(hotel_ids) <= MOST_SEEN:
        return known_hotels(sorted(hotel_ids))
    key = ALL_CACHED if hotel_ids is None else f"{ALL_CACHED}:{hash(hotel_ids)}"
    with ledger.purpose("hotel"):
        first = cache.get_or_set(key, partial(hotels(scope).first, MOST_SEEN), CACHE_SECONDS)
    return {hotel.hotel_id: hotel for hotel in cast(list[Hotel], first)}


def hotels_found(query: WordQuery, scope: HotelScope = EVERY_HOTEL, *, whole: bool = False) -> Listing[Hotel]:
    """H1: the hotels with a word of the name or city, or an id, that begins as typed; sorted by the word that matched.

    Word items have the name and the city only. ``whole`` hotels take one more request for each page.
    """

    def built(values: Values) -> Hotel:
        return Hotel(hotel_id=HotelWordModel.id_in(values["sk"]), name=values["name"], city=values["city"])

    def refined(found: Sequence[Hotel]) -> list[Hotel | None]:
        allowed = {hotel.hotel_id: hotel for hotel in found if scope.allows(hotel.hotel_id)}
        shown = hotels_as_stored(allowed, consistent=False) if whole else allowed
        return [shown.get(hotel.hotel_id) for hotel in found]

    return found_by_words(HotelWordModel, query, built, name="hotels by words", refine=refined)


def hotel(hotel_id: str) -> Hotel:
    """Return a hotel by its id, at most a minute old, its ``rooms`` too. Raises :class:`NotFound`."""
    if not keys.HOTEL_ID.fullmatch(hotel_id):
        raise errors.NotFound("That is not a hotel's id.")
    read = partial(stored_hotel, hotel_id, consistent=False)
    return cast(Hotel, cache.get_or_set(cache_key(hotel_id), read, CACHE_SECONDS))


def stored_hotel(hotel_id: str, *, consistent: bool = True) -> Hotel:
    """Return a hotel by its id, not from the cache. Raises :class:`NotFound`."""
    with ledger.purpose("hotel"):
        return HOTELS.get(hotel_id=hotel_id, consistent=consistent)


def named_hotel(hotel_id: str) -> Hotel:
    """Return a hotel by its id; without such a hotel, one with the id as its name, without currency and zone."""
    try:
        return hotel(hotel_id)
    except errors.NotFound:
        return Hotel(hotel_id, hotel_id)


def hotel_name(hotel_id: str, read: bool) -> str:
    """Return the name of a hotel for titles. Without ``read``, it is that in the cache or, at no cost, the id."""
    known = named_hotel(hotel_id) if read else cache.get(cache_key(hotel_id))
    return known.name if known else hotel_id


def zone_of(hotel_id: str, scope: HotelScope = EVERY_HOTEL) -> str:
    """Return the time zone of a hotel; with a blank id, that of all hotels of a scope, if they share one."""
    found = [named_hotel(hotel_id)] if hotel_id else seen_hotels(scope).values()
    zones = {hotel.time_zone for hotel in found}
    return zones.pop() if len(zones) == 1 else ""


def known_hotels(hotel_ids: Iterable[str]) -> dict[str, Hotel]:
    """Return the hotels that exist among these ids, by id. Costs: half a unit for each that is not cached."""
    wanted = {hotel_id: cache_key(hotel_id) for hotel_id in hotel_ids}
    cached: dict[str, Hotel] = cache.get_many(wanted.values())
    known = {hotel.hotel_id: hotel for hotel in cached.values()}
    missing = [hotel_id for hotel_id in wanted if hotel_id not in known]
    with ledger.purpose("hotel"):
        read = hotels_as_stored(missing, consistent=False)
    cache.set_many({cache_key(hotel_id): hotel for hotel_id, hotel in read.items()}, CACHE_SECONDS)
    return {**known, **read}


def hotel_names(scope: HotelScope, most: int) -> dict[str, str]:
    """Return the names of the hotels of a scope, by id: the first ones, at most so many."""
    if scope.hotel_ids is not None:
        scope = HotelScope(frozenset(filter(keys.HOTEL_ID.fullmatch, scope.hotel_ids)))
    few = scope.hotel_ids is not None and len(scope.hotel_ids) <= MOST_SEEN
    found = known_hotels(sorted(scope.hotel_ids or ())[:most]).values() if few else hotels(scope).first(most)
    return {hotel.hotel_id: hotel.name for hotel in found}


def hotels_as_stored(hotel_ids: Iterable[str], *, consistent: bool = True) -> dict[str, Hotel]:
    wanted = ({"hotel_id": hotel_id} for hotel_id in hotel_ids)
    return {hotel.hotel_id: hotel for hotel in HOTELS.get_many(wanted, consistent=consistent)}


def twin_of(hotel_id: str) -> str:
    """Return the id of another hotel that differs from this one in capitals alone; blank if there is none."""
    query = WordQuery.of(hotel_id)
    others = (found.hotel_id for found in hotels_found(query).first(MOST_SEEN)) if query else ()
    return next((other for other in others if other != hotel_id and other.casefold() == hotel_id.casefold()), "")


# --- Statistics ----------------------------------------------------------------------------------------

GROUP_SHARDS = Sharding("Each statistic of the group", StatisticsShardsModel, fewest=8, most=128)


def stored_statistics(
    hotel_ids: Collection[str], today: date, days: int = DAYS, *earlier: tuple[date, date]
) -> dict[str, list[Stored]]:
    """S1, S3: the statistics of some hotels, by id, for :meth:`HotelStatistics.of`, with so many days of orders.

    One Query for each hotel and each ``earlier`` range of days, all at the same time. Each costs 1 to 2 units.
    """
    ids = sorted(hotel_ids)
    spans = (_since(today, days), *(between((ORDERS, str(first)), (ORDERS, str(last))) for first, last in earlier))
    asked = [(each, span) for each in ids for span in spans]
    reads = [partial(_stored, StatisticsModel.partition_of(hotel_id=each), span) for each, span in asked]
    found: dict[str, list[Stored]] = {each: [] for each in ids}
    for (each, _), stored in zip(asked, in_parallel(reads), strict=True):
        found[each] += stored
    return found


def room_statuses(hotel_id: str) -> Mapping[str, Decimal]:
    """S1, one item: how many rooms of a hotel have each status; none for a hotel without rooms."""
    return totals_of_hotels([hotel_id], ROOMS).get(hotel_id, {})


def group_statistics(today: date) -> HotelStatistics:
    """S2: the statistics of the group, whatever the number of hotels. A Query for each partition, at the same time."""
    partitions = GroupStatisticsModel.partitions(GROUP_SHARDS.numbers().read)
    found = in_parallel([partial(_stored, each, _since(today, DAYS), -1) for each in partitions])
    return HotelStatistics.of(chain.from_iterable(found), today)


def _since(today: date, days: int) -> Between:
    """The orders of so many days, and every statistic that sorts after orders: totals, reviews and rooms."""
    return between((ORDERS, str(today - timedelta(days=days - 1))), (ROOMS,))


def _stored(partition: str, span: Between, parts: int | None = None) -> list[Stored]:
    with ledger.purpose("statistics"):
        stored = read_partition(StatisticsModel, partition, span=span)
        return [(parse(values["sk"])[:parts], values["numbers"]) for values in stored]


# --- Lists of several hotels ---------------------------------------------------------------------------

T = TypeVar("T")
AT_ONCE = 4
"""How many lists are read at the same time. The first one may have all rows of the page, so it is read alone."""
MOST_WAVES = 5
MOST_READ = 1 + AT_ONCE * (MOST_WAVES - 1)
"""The most hotels in which a page looks for rows where nothing tells which hotels have some."""
MOST_COUNTED = 50
"""The most hotels at which a page looks where statistics tell it. They are half a unit each, in one request."""
FIRST = 1 + 2 * AT_ONCE
"""The lists that it reads before it reads statistics, because they often fill a page."""
Counted = tuple[str, Callable[[Mapping[str, Decimal]], bool]]
"""A statistic, and whether a hotel whose statistic has these numbers has rows."""
WHY = Grounds(why="The list of each hotel follows the list of the hotel before, so a page reads one list or a few.")


@dataclass(frozen=True, kw_only=True)
class HotelByHotel(Listing[T]):
    """The lists of the hotels of a scope, one after the other by their ids. ``of`` gives the list of a hotel by its id.

    No rows are merged, so a page reads the lists of one hotel or of a few, however many hotels there are. Hotels may
    have no rows, so a page looks at a bounded number of hotels. Such a page may be short, and its link to the next page
    goes on with the next hotel. Without ``has_rows``, nothing tells which hotels have rows. The position of a row
    is the hotel's position and the row's position within the hotel's list.
    """

    scope: HotelScope
    of: Callable[[str], Listing[T]]
    has_rows: Counted | None = None
    grounds: Grounds = WHY

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """Return the rows. Raises :class:`GivenUp` if the hotels that a page may read have fewer."""
        place = cursor.position if cursor else None
        rows: list[Row[T]] = []
        if place and place.table_key != _edge(backward):  # rows of its hotel may follow, from the beginning or a place
            is_inside = place.table_key not in {(), (HIGHEST,)}
            within = Position(place.table_key[0], place.table_key[1:]) if is_inside else None
            rows = self._rows(place.sort_key, within, count, backward)
        looked, last = self._next(place.sort_key if place else "", backward)
        left, at_once = self._with_rows(looked), AT_ONCE if rows else 1
        wave: list[str] = []
        for _ in range(MOST_WAVES):
            if (missing := count - len(rows)) == 0:
                return rows
            wave, at_once = [*islice(left, at_once)], AT_ONCE
            found = in_parallel([partial(self._rows, each, None, missing, backward) for each in wave])
            rows += [row for each in found for row in each][:missing]
        reached = last if next(left, None) is None else wave[-1]
        if reached is not None and len(rows) < count:
            raise GivenUp(rows, Position(reached, _edge(backward)))
        return rows

    def stream(self) -> Iterator[T]:
        beyond: str | None = ""
        while beyond is not None:
            found, beyond = self._next(beyond, backward=False)
            for hotel_id in self._with_rows(found):
                yield from self.of(hotel_id).stream()

    def _next(self, beyond: str, backward: bool) -> tuple[list[str], str | None]:
        """Return the next hotels that a page looks at, and the last of them if others follow.

        One request reads the first page of hotels. A scope that names its hotels needs no request.
        """
        most = MOST_COUNTED if self.has_rows else MOST_READ
        if self.scope.hotel_ids is None:
            with ledger.purpose("hotel"):
                rows = hotels().take(most + 1, Cursor(Position(beyond)) if beyond else None, backward)
            found = [row.value.hotel_id for row in rows]
        else:
            found = ids_beyond(self.scope.hotel_ids, beyond, backward)
        return found[:most], found[most - 1] if len(found) > most else None

    def _with_rows(self, ids: Sequence[str]) -> Iterator[str]:
        """The hotels to read: the first ones, and those of the others that have rows, by one read of statistics."""
        yield from ids[: FIRST if self.has_rows else None]
        if self.has_rows:
            what, has = self.has_rows
            totals = totals_of_hotels(ids[FIRST:], what)
            yield from (each for each in ids[FIRST:] if has(totals.get(each, {})))

    def _rows(self, hotel_id: str, within: Position | None, count: int, backward: bool) -> list[Row[T]]:
        """Return the rows of a hotel's list from a position on; without one, from the first or, backward, the last."""
        start = Cursor(within, backward) if within or backward else None
        found = self.of(hotel_id).take(count, start, backward)
        return [Row(Position(hotel_id, (place.sort_key, *place.table_key)), value) for place, value in found]


def _edge(backward: bool) -> tuple[str, ...]:
    """Return the position of the end of a hotel's list in the direction of reading."""
    return () if backward else (HIGHEST,)


def totals_of_hotels(hotel_ids: Iterable[str], what: str) -> dict[str, Mapping[str, Decimal]]:
    """Return the totals of a statistic of some hotels, by id. Costs: one request, half a unit for each hotel."""
    wanted = [statistic_key(hotel_id, (what, TOTAL)) for hotel_id in hotel_ids]
    with ledger.purpose("statistics"):
        stored = get_items(StatisticsModel, wanted, consistent=False)
        return {parse_statistic(each["pk"], each["sk"])[0]: each["numbers"] for each in stored}
