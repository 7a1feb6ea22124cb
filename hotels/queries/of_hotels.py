"""Lists of several hotels that are read hotel by hotel, in the order of the list of hotels: that of their ids."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import TypeVar

from dynamodb_lists import at_least, at_most
from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.chained import AT_ONCE, MOST_WAVES, Chained, Owners
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.reading.listing import Grounds, Listing
from hotels import keys
from hotels.entities import TOTAL
from hotels.lists import HOTELS
from hotels.models import StatisticsModel, parse_statistic, statistic_key
from hotels.queries.stored import HotelIds

T = TypeVar("T")
MOST_READ = 1 + AT_ONCE * (MOST_WAVES - 1)
"""The most hotels in which a page looks for rows where nothing tells which hotels have some."""
MOST_COUNTED = 50
"""The most hotels at which a page looks where statistics tell it. They are half a unit each, in one request."""
FIRST = 1 + 2 * AT_ONCE
"""The lists that it reads before it reads statistics, because they often fill a page."""
Counted = tuple[str, Callable[[Mapping[str, Decimal]], bool]]
"""A statistic, and whether a hotel whose statistic has these numbers has rows."""
WHY = "The list of each hotel follows that of the hotel before, so a page reads the lists of one hotel or of a few."


def lists_of_hotels(
    hotel_ids: HotelIds,
    of: Callable[[str], Listing[T]],
    *,
    name: str,
    selected: str,
    index: str,
    descending: bool,
    has_rows: Counted | None = None,
) -> Chained[T]:
    """The lists of hotels, which ``of`` gives by the hotel's id, one after the other.

    Without ``has_rows``, nothing tells which hotels have rows.
    """
    owners = partial(_next_counted, has_rows) if has_rows else partial(_next, MOST_READ)
    return Chained(
        name=name,
        selected=f"{selected} of {hotel_ids if hotel_ids is None else sorted(hotel_ids)}",
        index=index,
        descending=descending,
        owners=partial(owners, hotel_ids),
        of=of,
        grounds=Grounds(why=WHY),
    )


def _next(most: int, hotel_ids: HotelIds, beyond: str, backward: bool) -> Owners:
    """The next hotels, at most so many, by one request for the first page of them, and none for chosen ones."""
    if hotel_ids is None:
        found = _stored(most + 1, beyond, backward)
    else:
        ids = sorted(hotel_ids, reverse=backward)
        found = [each for each in ids if not beyond or (each < beyond if backward else each > beyond)]
    return Owners(found[:most], found[most - 1] if len(found) > most else None)


def _next_counted(has_rows: Counted, hotel_ids: HotelIds, beyond: str, backward: bool) -> Owners:
    """The next hotels. Of those after the first ones, only those that have rows."""
    found = _next(MOST_COUNTED, hotel_ids, beyond, backward)
    ids = [*found.ids]
    return Owners(chain(ids[:FIRST], _with_rows(has_rows, ids[FIRST:])), found.last)


def _with_rows(has_rows: Counted, ids: Sequence[str]) -> Iterator[str]:
    """Those of some hotels that have rows. One request reads their statistics, when the first one is asked for."""
    what, has = has_rows
    totals = totals_of_hotels(ids, what)
    yield from (hotel_id for hotel_id in ids if hotel_id in totals and has(totals[hotel_id]))


def totals_of_hotels(hotel_ids: Iterable[str], what: str) -> dict[str, Mapping[str, Decimal]]:
    """The totals of a statistic of those of some hotels that have one, by id. One request, for half a unit each."""
    wanted = [statistic_key(hotel_id, (what, TOTAL)) for hotel_id in hotel_ids]
    with ledger.purpose("statistics"):
        stored = get_items(StatisticsModel, wanted, consistent=False)
        return {parse_statistic(each["pk"], each["sk"])[0]: each["numbers"] for each in stored}


def _stored(count: int, beyond: str, backward: bool) -> list[str]:
    """The ids of the first ``count`` hotels beyond one."""
    query = HOTELS.query().only(keys.HOTELS).order_by("hotel_id", descending=backward)
    if beyond:
        query = query.where(hotel_id=at_most(beyond) if backward else at_least(beyond))
    with ledger.purpose("hotel"):
        found = query.first(count + bool(beyond))
    return [hotel.hotel_id for hotel in found if hotel.hotel_id != beyond][:count]
