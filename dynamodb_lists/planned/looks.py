"""Looks at ranges of which nothing counts the items, such as a range of days: they may be short.

If a look reaches the ends of ranges that hold all that is wanted, what matches is sorted in memory. If it does not, at
least so many items are in them, so a walk in the order of the list finds a page in about as many items again. See
:mod:`~dynamodb_lists.planning.walk_planner`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from time import monotonic
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.planned.ways import Kind, ListPlanner, Way
from dynamodb_lists.planning import walk_planner
from dynamodb_lists.planning.request_cost import items_for, items_paid
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.lists import Fetch
from dynamodb_lists.schema.keys import KeyRange

T = TypeVar("T")
MOST_VAIN, VAIN_SECONDS = 1000, 60.0
"""How many looks in vain a process remembers, and for how long."""
MOST_SOURCES, MOST_RANGES = 2, 4
"""The most sources that are looked at, and ranges of each."""

Vain = dict[Any, tuple[float, int]]
"""Until when a look is remembered that found too much, and how many items it found to match."""


@dataclass(frozen=True)
class Source:
    """Ranges that hold all that is wanted, and how many items of each are worth a look."""

    name: str
    spans: Sequence[KeyRange]
    limit: int
    again: bool = True
    """Whether more may be read if few of the first items match."""


class Looks(Generic[T]):
    """The looks for one page; ``fetch`` gives what reads a source, and ``best`` is the cheapest way that reads all."""

    def __init__(
        self, planner: ListPlanner, best: Way, fetch: Callable[[str], Fetch[T]], matches: Callable[[T], bool]
    ) -> None:
        self.planner, self.best, self.fetch, self.matches = planner, best, fetch, matches
        self.items, self.rows = planner.counts.total, planner.wanted.rows
        self.matching: int | None = None
        """How many items match at least, if a look, now or in the last minute, did not reach an end."""

    def sources(self, order: Way) -> Iterator[Source]:
        """Where a look is worth its request: not where the list is read in order in any case.

        If the order of the list reads a range of what nothing counts itself, a look costs at most twice a page of it.
        """
        most = walk_planner.look(self.items, self.rows)
        if order.narrowed:
            most = min(most, ceil(2 * self.rows / order.density))
        besides = order.index if order.kind is Kind.IN_ORDER else None
        for name, spans in self.planner.narrow(MOST_RANGES)[:MOST_SOURCES]:
            limit = max(most // len(spans), items_paid(self.planner.item_bytes(name)))
            if name != besides and limit * len(spans) < self.best.items:
                yield Source(name, spans, limit, not order.narrowed)

    def found(self, sources: Sequence[Source], vain: Vain, key: Any) -> tuple[Source, list[T]] | None:
        """A source whose end a look reaches, and its items; ``None`` if there is none."""
        until, self.matching = vain.get(key, (0.0, None))
        if until > monotonic():
            return None
        self.matching = 0
        for source in sources:
            with ledger.purpose("list"):
                items, ended = self.look(source)
            if ended:
                return source, items
            self.matching = max(self.matching, sum(map(self.matches, items)))
        if len(vain) > MOST_VAIN:
            vain.clear()
        vain[key] = monotonic() + VAIN_SECONDS, self.matching
        return None

    def look(self, source: Source) -> tuple[list[T], bool]:
        """The items of ranges that a look or two reach the ends of, or the first ones; and whether these are all.

        If few of the first items of a range match, a walk would be long. Then more of it are read instead.
        """
        fetch = self.fetch(source.name)
        batches = in_parallel([partial(fetch, span, None, True, source.limit) for span in source.spans])
        found = [row.value for batch in batches for row in batch.rows]
        stopped = batches[0].stopped
        more = walk_planner.second_look(sum(map(self.matches, found)), self.items, self.rows)
        most = items_for(self.best.cost.units, self.planner.item_bytes(source.name))
        more = min(more, most - len(found))  # both looks cost at most what reading all that may match costs
        if source.again and len(source.spans) == 1 and stopped and more > 0:
            batches = [fetch(source.spans[0], stopped, True, more)]
            found += [row.value for row in batches[0].rows]
        return found, not any(batch.stopped for batch in batches)
