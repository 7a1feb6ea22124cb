"""What a sample of an owner's items says of ranges and rules whose items nothing counts.

An estimate may be wrong: it decides what a page costs, never its rows.
"""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.declared.asked import Wanted
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.samples import Sample
from dynamodb_lists.planning.request_cost import Charge, items_for, items_paid, query_cost
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import Fetch
from dynamodb_lists.ways.list_planner import UNKNOWN_DENSITY, Narrow

T = TypeVar("T")


class Uncounted(Generic[T]):
    """Estimates of what is wanted of an owner's items and nothing counts."""

    def __init__(self, declaration: Declaration, wanted: Wanted, sample: Sample[T]) -> None:
        self.declaration, self.wanted, self.sample = declaration, wanted, sample

    def share(self, names: Collection[str]) -> float:
        """About which share of the items that the facets allow meets some ranges and rules."""
        known = self.sample.share(partial(self._meets, names), self._allowed)
        return UNKNOWN_DENSITY if known is None else known

    def length(self, narrow: Narrow) -> float | None:
        """About how many items are in the ranges of a source; ``None`` if nothing tells."""
        rules = {rule.name: rule.inside for rule in self.wanted.rules}
        share = self.sample.share(rules.get(narrow.field, partial(self._meets, [narrow.field])))
        return None if share is None else share * narrow.among

    def _meets(self, names: Collection[str], item: T) -> bool:
        ranges = self.wanted.ranges
        parts = zip(ranges, self.declaration.parts(item, ranges), strict=True)
        if not all(part in ranges[name] for name, part in parts if name in names):
            return False
        return all(rule.holds(item) for rule in self.wanted.rules if rule.name in names)

    def _allowed(self, item: T) -> bool:
        chosen = self.wanted.selection
        facets = [*chosen.values, *chosen.bounds]
        return all(map(chosen.admits, facets, self.declaration.parts(item, facets)))


class Sources(list[Narrow], Generic[T]):
    """The ranges that hold all that is wanted; ``fetch`` gives what reads a source."""

    def __init__(
        self,
        found: Iterable[Narrow],
        uncounted: Uncounted[T],
        item_bytes: Callable[[str], float],
        fetch: Callable[[str], Fetch[T]],
    ) -> None:
        super().__init__(found)
        self.uncounted, self.item_bytes, self.fetch = uncounted, item_bytes, fetch

    def cost(self, narrow: Narrow) -> Charge:
        """The expected cost of all items of a source."""
        each = (self.uncounted.length(narrow) or 0) / len(narrow.spans)
        return query_cost([each] * len(narrow.spans), self.item_bytes(narrow.source))

    def cheaper(self, than: Charge) -> list[tuple[Charge, Narrow]]:
        """The sources that are expected to cost less ``than`` another way, the cheapest first, each with its cost.

        Without a sample none is.
        """
        found = [(self.cost(narrow), narrow) for narrow in self if self.uncounted.length(narrow) is not None]
        return sorted((pair for pair in found if pair[0].weight < than.weight), key=lambda pair: pair[0].weight)

    def read(self, narrow: Narrow, units: float) -> list[T] | None:
        """All items of a source; ``None`` if they cost more than so many read units."""
        size, spans, fetch = self.item_bytes(narrow.source), narrow.spans, self.fetch(narrow.source)
        limit = max(items_paid(size), items_for(units / len(spans), size))
        with ledger.purpose("list"):
            batches = in_parallel([partial(fetch, span, None, True, limit) for span in spans])
        if any(batch.stopped for batch in batches):
            return None
        return [row.value for batch in batches for row in batch.rows]
