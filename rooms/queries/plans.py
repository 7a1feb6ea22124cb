"""How a hotel's list of rooms is read: every way that serves it, what each one costs, and the cheapest.

:mod:`~dynamodb_lists.planning.range_planner` finds the ranges of every index,
:mod:`~dynamodb_lists.planning.waves` what a page of them costs, and
:mod:`~dynamodb_lists.planning.walk_planner` what a walk costs. docs/planner.md explains it with an example.
"""

import logging
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from functools import partial
from hashlib import sha256
from math import ceil
from operator import attrgetter
from typing import Any, Self

from django.core.cache import cache

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.planning import range_planner, walk_planner
from dynamodb_lists.planning.range_planner import Comparison, FacetIndex, Plan, PlannedRange
from dynamodb_lists.planning.request_cost import OVERRUN, Charge, query_cost
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.planning.walk_planner import UNKNOWN_DENSITY
from dynamodb_lists.planning.waves import wave_cost
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import item_bytes
from dynamodb_lists.reading.lists import Batch, CountsDiffer, Listing, Row
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.reading.ranges import Ranges, whole_range, whole_ranges
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import KeyRange
from hotelapp.portal.lists.page_sizes import DEFAULT_PAGE_SIZE
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.queries.candidates import IN_MEMORY, IN_ORDER, SMALL_RANGE, WHOLE_HOTEL, candidates
from rooms.queries.orders import MOST_NUMBERED, WALKED, everything, fetch_in, numbered, position, walked_bytes
from rooms.queries.rooms import room_fetcher
from rooms.statuses import ATTENTION

LIST = "rooms"
LOOK_SECONDS = 60
logger = logging.getLogger(__name__)


class RoomList:
    """A hotel's list of rooms, and the ways to read it.

    The order of the list is that of one index, ``order``. Cursors are positions there, whichever way a page is read.
    Raises :class:`BadCursor`.
    """

    def __init__(self, hotel_id: str, query: RoomQuery) -> None:
        self.hotel_id, self.query = hotel_id, query
        self.filters = query.selection.text, query.rates, sorted(query.statuses), query.number
        self.selected = repr((hotel_id, *self.filters, query.sort, query.then, query.descending))
        self.cursor = opened(query.cursor, LIST, self.selected, query.page_size)
        self.rows = query.page_size + 1
        self.orders = self._orders()
        self.ahead: dict[tuple[Any, ...], Batch[Room]] = {}
        self.chosen = IN_ORDER
        """The kind of the way that was chosen, for :mod:`rooms.queries.candidates`."""
        self.matching: int | None = None
        """How many rooms match at least, if a filter that nothing counts was looked at."""

    def _orders(self) -> list[FacetIndex]:
        """The indexes that give the sort: that of the cursor alone, and without a filter the smallest.

        Raises :class:`BadCursor` for a cursor of an index that gives another sort.
        """
        query, kept = self.query, self.cursor and self.cursor.index
        walked = [WALKED[query.walk]] if query.walk else []
        indexes = walked or range_planner.orders(keys.INDEXES, query.selection, query.sort_facets)
        if kept is not None:
            indexes = [index for index in indexes if index.name == kept]
        if not indexes:
            raise BadCursor("The cursor is from an older release. Start at the first page.")
        return indexes if query.selection != Selection() else [min(indexes, key=attrgetter("item_bytes"))]

    def read_ahead(self) -> None:
        """Send the one request of a page without filters. It needs no counts, so it need not wait for them.

        Only the length of the last page depends on the counts.
        """
        start, backward = (self.cursor.position, self.cursor.backward) if self.cursor else (None, False)
        if start or not backward:
            self.order = self.orders[0].name
            request = (everything(self.order), start, self.query.descending == backward, self.rows)
            with ledger.purpose("list"):
                self.ahead[request] = self.fetch(*request)

    def fetch(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[Room]:
        """A request in the order of the list, unless it was sent ahead."""
        sent = self.ahead.pop((span, after, ascending, limit), None)
        return sent or fetch_in(self.order, self.hotel_id)(span, after, ascending, limit)

    # --- The choice of a way ----------------------------------------------------------------------------

    def planned(self, counts: RoomCounts) -> Self:
        """This list, planned with the counts of its hotel."""
        self.counts, self.items = counts, counts.counts.total
        self.size = partial(item_bytes, keys.rooms(self.hotel_id))
        entry = walked_bytes(keys.NUMBERED, self.hotel_id)  # a guard's entry is about as large as a room's
        sizes = {index: self.size(index.name, entry if index.name else keys.ITEM_BYTES) for index in keys.INDEXES}
        indexes = [replace(index, item_bytes=size) for index, size in sizes.items()]
        plans = range_planner.plans(counts.counts, indexes, self.query.selection, (keys.ROOM,))
        self.plans = {plan.index.name: plan for plan in plans}
        self.whole = min(plans, key=attrgetter("cost.weight"))
        """The cheapest plan to read all rooms that the facets allow, in whatever order."""
        self.order = self.orders[0].name if len(self.orders) == 1 else self._order()
        return self

    def _order(self) -> str:
        """The index with the cheapest first page, as if nothing was learned: the order of a list must not change."""
        plans = range_planner.plans(self.counts.counts, self.orders, self.query.selection, (keys.ROOM,))
        return min(plans, key=lambda plan: wave_cost(plan, DEFAULT_PAGE_SIZE + 1).weight).index.name

    def cheapest(self) -> Listing[Room]:
        """The list, read in the way that costs the least for this page."""
        if self.counts.differ:
            return self.without_counts()
        if not self.query.counted and (rooms := self.looked()) is not None:
            return self.in_memory(rooms)
        if self.ahead or self.whole.cost.weight >= self.page_cost.weight:
            return self.streaming()
        self.chosen = IN_MEMORY
        return self.sorted_by_plan(self.whole)

    def looked(self) -> list[Room] | None:
        """The rooms of a small range that holds the list; ``None`` if there is none, or if reading all is as cheap.

        A look that finds too many items tells how many rooms match at least. The process keeps this for a minute.
        """
        key = sha256(repr((self.hotel_id, *self.filters)).encode()).hexdigest()
        self.matching = cache.get(key)
        if (self.whole.total <= self.look and not self.query.number) or self.matching is not None:
            return None
        for number, source in enumerate(self.sources()):
            rooms, ended = self.few(*source)
            if ended:
                self.chosen = f"{SMALL_RANGE} {number}"
                return rooms
            self.matching = max(self.matching or 0, sum(map(self.query.matches, rooms)))
        cache.set(key, self.matching, LOOK_SECONDS)
        return None

    @property
    def look(self) -> int:
        """How many items of a range to read, to see whether it ends before."""
        return MOST_NUMBERED if self.query.number else walk_planner.look(self.items, self.rows)

    @property
    def density(self) -> float:
        """The share of rooms that match, among those that the plan reads in the order of the list."""
        query, total = self.query, self.whole.total
        if not total:
            return 1
        read = self.items if query.walk else total
        if self.matching is not None:
            return max(self.matching, 1) / read
        unknown = query.statuses or (query.rates and not query.by_rate) or (query.number and not query.by_number)
        return total / read * (UNKNOWN_DENSITY if unknown else 1)

    @property
    def page_cost(self) -> Charge:
        """The expected cost of this page, read in the order of the list.

        Where nothing counts what a filter drops, it is that of the first page, so that all pages are read in one way.
        A walk that drops rooms may be unlucky, so it counts one request more.
        """
        rows = ceil(self.rows / self.density)
        if self.query.walk:
            walked = query_cost([min(self.items, rows)], walked_bytes(self.order, self.hotel_id))
            return replace(walked, requests=1 + (rows > self.rows))
        if not self.cursor or not self.query.counted:
            return wave_cost(self.plans[self.order], rows, ascending=not self.query.descending)
        start, backward = self.cursor.position, self.cursor.backward
        if start is None and self.whole.total:
            rows = (self.whole.total - 1) % self.query.page_size + 2
        place = start and start.sort_key, self.cursor.passed(self.whole.total)
        return wave_cost(self.plans[self.order], rows, *place, ascending=self.query.descending == backward)

    # --- In the order of an index -----------------------------------------------------------------------

    def in_order_of(self, index: str) -> Self:
        """This list, with nothing read yet, in the order of an index that gives its sort. Equal rows may swap."""
        other = copy(self)
        other.order, other.ahead = index, {}
        return other

    def streaming(self) -> Listing[Room]:
        """The list, read from the index that has its order."""
        density = self.density
        return Ranges(
            **self.listed,
            total=self.whole.total if self.query.counted else None,
            ranges=[*map(PlannedRange, self.walks)] if self.query.walk else self.plans[self.order].ranges,
            fetch=self.fetch,
            keep=self.query.matches,
            density=density,
            budget=int(OVERRUN * self.rows / density),
            otherwise=(lambda: self.in_memory(self.facet_rooms(self.whole))) if density < 1 else None,
            uncounted=self.without_counts,
        )

    def without_counts(self) -> Listing[Room]:
        """The list from one Query of the whole hotel, sorted in memory: the counts do not say where its rooms are."""
        logger.warning("The counts of the rooms of %s and its rooms differ. Run verify_data.", self.hotel_id)
        self.chosen = WHOLE_HOTEL
        smallest = min(keys.INDEXES, key=attrgetter("item_bytes")).name
        rooms = whole_range(room_fetcher(self.hotel_id, smallest), keys.all_rooms())
        return replace(self.in_memory(rooms), counts_differ=True)

    @property
    def listed(self) -> dict[str, Any]:
        """What is the same in whichever way the list is read."""
        return {
            "name": LIST,
            "selected": self.selected,
            "cursor": self.cursor,
            "index": self.order,
            "descending": self.query.descending,
            "revision": self.counts.rates_revision if self.query.by_rate else None,
            "candidates": lambda _: candidates(self),
            "compared": self.compared,
        }

    def compared(self) -> Comparison:
        """The ranges of every index, for a picture."""
        name = {IN_ORDER: None if self.query.walk else self.order, IN_MEMORY: self.whole.index.name}.get(self.chosen)
        return Comparison(self.counts.counts, self.query.selection, [*self.plans.values()], name)

    # --- Whole, sorted in memory ------------------------------------------------------------------------

    def in_memory(self, rooms: Iterable[Room]) -> Listing[Room]:
        """The list of those rooms that match, sorted in memory."""
        rows = [Row(position(room, self.order), room) for room in rooms if self.query.matches(room)]
        return SortedRows(**self.listed, rows=sorted(rows, key=attrgetter("position")), total=len(rows))

    def sorted_by_plan(self, plan: Plan) -> Listing[Room]:
        """The list from every room that the facets allow, as a plan reads them."""
        try:
            return self.in_memory(self.facet_rooms(plan))
        except CountsDiffer:
            return self.without_counts()

    def of_few(self, index: str, span: KeyRange) -> Listing[Room] | None:
        """The list from a range that holds all its rooms; ``None`` if the range is longer than a look."""
        rooms, ended = self.few(index, span)
        return self.in_memory(rooms) if ended else None

    def facet_rooms(self, plan: Plan) -> list[Room]:
        """Every room that the facets allow: all ranges of a plan at the same time.

        Raises :class:`CountsDiffer` if a range holds more or fewer rooms than the counts say.
        """
        rooms = whole_ranges(room_fetcher(self.hotel_id, plan.index.name), plan.ranges)
        if rooms is None:
            raise CountsDiffer(self.without_counts)
        return rooms

    def sources(self) -> Iterator[tuple[str, KeyRange]]:
        """Ranges that hold every room of the list, and others, and may be small enough to read whole."""
        if self.query.number:
            yield numbered(self.query.number)
            return
        if self.query.statuses and self.query.statuses <= ATTENTION:
            yield keys.NEEDING_ATTENTION, keys.all_attention()
        if self.query.rates and not self.query.by_rate:
            yield keys.BY_RATE, self.rates

    @property
    def walks(self) -> list[KeyRange]:
        """The ranges of a walk, in its order."""
        if self.query.by_rate:
            return [self.rates]
        return keys.numbered_from(self.query.number) if self.query.number else [everything(self.order)]

    @property
    def rates(self) -> KeyRange:
        """The keys of the selected rates; of all rates if the list has none."""
        rates = self.query.rates
        return keys.rates(rates.currency, rates.low, rates.high) if rates else keys.all_rates()

    def few(self, index: str, span: KeyRange) -> tuple[list[Room], bool]:
        """The rooms of a range that a look or two reach the end of, or the first ones; and whether these are all.

        If few of the first items match, a walk would be long. Then more of the range are read instead.
        """
        fetch = fetch_in(index, self.hotel_id)
        batch = fetch(span, None, True, self.look)
        rooms = [row.value for row in batch.rows]
        matching = sum(map(self.query.matches, rooms))
        if batch.stopped and (more := walk_planner.second_look(matching, self.items, self.rows)):
            batch = fetch(span, batch.stopped, True, more)
            rooms += [row.value for row in batch.rows]
        return rooms, not batch.stopped
