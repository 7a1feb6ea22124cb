"""Lists of orders of several hotels, whose days begin at different times.

``spans`` says for each hotel, by its id, when the first day begins, and when the day after the last one begins.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import index_keys
from dynamodb_lists.reading.key_lists import ByKeys
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing
from dynamodb_lists.reading.merging import Merged
from dynamodb_lists.reading.partitions import KeptLists
from dynamodb_lists.schema.keys import HIGHEST, Days, KeyRange, day_part, on_days
from dynamodb_lists.schema.models import Values
from hotels import queries as hotels
from orders import keys
from orders.entities import Order, OrderQuery
from orders.models import OrderModel
from orders.queries.orders import SHARDS, HotelIds, Spans, room_orders
from orders.statuses import UNFINISHED, Status

DROPS = "the orders of other hotels are read, too, and nobody counts how many these are"
MOST_COUNTED, NEWEST = 50, 10
"""The most unfinished orders of a room that are counted, and how many orders of either state its page shows."""

MOST_ENTRIES = 5_000
"""About how many entries of all hotels a page of some hotels reads before it ends: 90 read units."""

MOST_MERGED = 24
"""The orders of so many hotels are merged: a page of 25 takes 12 read units and a wave, and by keys 13.5 and two."""

NAME = "orders of hotels"
WHY = "Each hotel has a partition, sorted by time. A page is merged from those that are chosen."
OF_HOTELS, OF_HOTELS_BY_STATUS = (
    KeptLists[Order](name=NAME, model=OrderModel, index=index, why=WHY, item_bytes=keys.ENTRY_BYTES)
    for index in (keys.HOTEL_ORDERS, keys.HOTEL_ORDERS_BY_STATUS)
)
OF_ALL = KeptLists[Values](
    name=NAME,
    model=OrderModel,
    index=keys.BY_TIME,
    why="Shards hold the keys of all orders, sorted by time. A page of keys is merged from them, and its orders read.",
    item_bytes=keys.KEY_BYTES,
    build=dict,
)
OF_ALL_BY_STATUS = replace(OF_ALL, index=keys.BY_STATUS)


def all_known(spans: Spans, hotel_ids: HotelIds) -> bool:
    """Whether ``spans`` has every hotel of a list, and not its first hundred alone."""
    return len(spans) < hotels.MOST_SEEN if hotel_ids is None else len(hotel_ids) <= hotels.MOST_SEEN


def orders_of_hotels(
    spans: Spans, query: OrderQuery, hotel_ids: HotelIds = None, *, whole: bool = False
) -> Listing[Order]:
    """A10g and A13: orders of these hotels, or of all of them, by status and day.

    Those of a few hotels are merged from the partition of each hotel; if the ``whole`` list is read, those of a
    hundred. All others are read from the index of all hotels, and what belongs to other hotels is dropped. If ``spans``
    does not have every hotel, the days are those of ``query``.
    """
    if not all_known(spans, hotel_ids):
        return _of_hotels({}, query, hotel_ids, spans.keys(), by_hotel=False)
    few = whole or len(spans) <= MOST_MERGED
    read = partial(_of_hotels, spans, query, hotel_ids, spans.keys())
    candidates = partial(_ways, read, few, MOST_MERGED, drops=hotel_ids is not None)
    return replace(read(by_hotel=few), grounds=Grounds(candidates=candidates))


def _of_hotels(
    spans: Spans, query: OrderQuery, hotel_ids: HotelIds, named: Collection[str], *, by_hotel: bool
) -> Listing[Order]:
    """Orders of hotels: from a partition for each, or from all orders. The names of ``named`` hotels are not read."""
    ranges = {
        hotel_id: span_of(replace(query, first=first, before=before)) for hotel_id, (first, before) in spans.items()
    }
    lists, selected = (
        OF_HOTELS_BY_STATUS if query.status else OF_HOTELS,
        f"{query!r}{hotel_ids is not None and sorted(hotel_ids)}",
    )
    merged = partial(lists.merged, ranges, span_of(query), descending=query.descending)
    if by_hotel:
        return replace(merged(), selected=selected)
    first, before = _widest(spans) if spans else (query.first, query.before)
    entries = _entries(replace(query, first=first, before=before))
    if hotel_ids is not None or len({*ranges.values()}) > 1:
        entries = replace(
            entries,
            keep=partial(_is_wanted, index_keys(OrderModel, entries.index).sort, ranges, hotel_ids),
            exact=merged if spans else None,
            budget=len(spans) * entries.minimum or MOST_ENTRIES,
        )
    listing = ByKeys[Order].of(entries, OrderModel, beside=partial(_read_names, named))
    return replace(listing, selected=selected)


def _ways(
    listing: Callable[..., Listing[Order]], few: bool, most: int, rows: int, *, drops: bool = True
) -> list[Candidate]:
    """The two ways to read the orders of some hotels, the chosen one first: from their partitions, or from shards.

    ``few`` hotels have at ``most`` so many partitions.
    """
    found = []
    for by_hotel in (few, not few):
        read = partial(listing, by_hotel=by_hotel)
        way, chosen = read(), by_hotel is few
        words = f"Merges shards of all hotels{', and drops other hotels' if drops else ''}."
        words = "Merges the partitions of the hotels." if by_hotel else words
        why = "" if chosen or (few and not drops) else DROPS if few else f"the hotels have more than {most} partitions"
        found.append(Candidate(source_name(way.index), words, way.expected(rows), read, chosen, why))
    return found


def span_of(query: OrderQuery) -> KeyRange:
    """The range that serves a query: of the time of placing or, with a status, of that of entering it."""
    if query.status:
        return entered_on(query.status, query.first, query.before)
    return on_days(query.first, query.before)


def entered_on(status: str, first: date | None, before: date | None) -> KeyRange:
    """Orders that entered a status on or after the day ``first`` and before the day ``before``; ``None``: no limit.

    Both ends begin with the status. Without it at the lower end, "shipped before" would also return all CANCELLED,
    DELIVERED, PLACED and PROCESSING orders, because these sort before SHIPPED.
    """
    form = OrderModel.template_of("order_status_date")
    return form.span(day_part(first), day_part(before) or HIGHEST, status=status)


def _entries(query: OrderQuery) -> Merged[Any]:
    """The entries of all orders: their keys and hotels."""
    lists, name = (OF_ALL_BY_STATUS, "status_shard") if query.status else (OF_ALL, "time_shard")
    partitions = [OrderModel.key_for(name, status=query.status, shard=shard) for shard in range(SHARDS.numbers().read)]
    span = span_of(query)
    return lists.merged(dict.fromkeys(partitions, span), span, descending=query.descending)


def _is_wanted(sort: str, ranges: Mapping[str, KeyRange], hotel_ids: HotelIds, entry: Values) -> bool:
    """Whether an entry is of one of the hotels, and on its days, as far as they are known."""
    hotel_id = entry["hotel_id"]
    return (hotel_ids is None or hotel_id in hotel_ids) and (hotel_id not in ranges or entry[sort] in ranges[hotel_id])


def _read_names(named: Collection[str], entries: Sequence[Values]) -> None:
    """Let the cache have the hotels of these entries, whose names the page shows."""
    hotels.known_hotels({entry["hotel_id"] for entry in entries}.difference(named))


def newest_of_room(hotel_id: str, number: str) -> list[Order]:
    """The newest orders for a room, the unfinished ones first; at most :data:`NEWEST` of either."""
    states = UNFINISHED, [status for status in Status if status not in UNFINISHED]
    lists = [room_orders(hotel_id, number, statuses) for statuses in states]
    found = in_parallel([partial(each.take, NEWEST, None, backward=False) for each in lists])
    return [row.value for rows in found for row in rows]


def orders_of_room(hotel_id: str, number: str) -> str:
    """How many unfinished orders are for a room, in words; blank if none is."""
    found = len(room_orders(hotel_id, number, UNFINISHED).take(MOST_COUNTED + 1, None, backward=False))
    if not found:
        return ""
    return ("at least " if found > MOST_COUNTED else "") + counted(min(found, MOST_COUNTED), "unfinished order")


def _widest(spans: Spans) -> Days:
    firsts, ends = zip(*spans.values(), strict=True) if spans else ((None,), (None,))
    return (None if None in firsts else min(firsts)), (None if None in ends else max(ends))
