"""The planner of partitions: which partitions of which index serve a selection that is sorted by time.

Each index holds every item in partitions by some of the facets (none, language, rating, or both), and each partition
is sorted by time. A coarse partition takes one request, but a filter drops the unwanted items. Fine partitions hold
only wanted items, but there is one for each value. The counts say how many items each partition holds and how many of
them are wanted, so the planner can estimate the items and requests of a page.

Pure: counts and selection in, plan out. docs/planner.md explains it with an example.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.planning.selection import Combination, CombinationT, Selection

REQUEST_ITEMS = items_paid(500)
"""A request costs as much as reading this many items. An item is taken to have some 500 bytes."""

SECOND_REQUESTS = 0.3
"""The share of partitions (the first not counted) that need a second request. Fitted to random lists."""


@dataclass(frozen=True)
class PartitionIndex:
    """An index, and the facets in its partition key."""

    name: str
    facets: tuple[str, ...]


@dataclass(frozen=True)
class PartitionPlan:
    """Partitions of one index that together hold every wanted item, and how many of their items are wanted.

    Those without wanted items are left out. Each is named by the values of the facets in its key.
    """

    index: PartitionIndex
    items: Mapping[Combination, int]
    wanted: Mapping[Combination, int]

    @cached_property
    def total(self) -> int:
        """The number of wanted items."""
        return sum(self.wanted.values())

    @cached_property
    def all_items(self) -> int:
        """The number of items in all partitions of the plan."""
        return sum(self.items.values())

    @property
    def filters(self) -> bool:
        """Whether a filter must drop items."""
        return self.all_items > self.total

    def cost(self, count: int) -> float:
        """The expected cost of ``count`` rows, in items.

        A shorter list is read to its end, with one request for each partition. Otherwise the page reads the share of
        the partitions that holds so many rows. The merge also reads rows that it does not return: half a standard
        deviation for each partition but one. Some partitions need a second request.
        """
        parts, items = len(self.wanted), self.all_items
        if count > self.total or not self.total:
            return items + REQUEST_ITEMS * parts
        read = count * items / self.total
        unused = (parts - 1) * sqrt(read / parts) / 2
        again = SECOND_REQUESTS * (parts - 1 + self.filters)
        return min(read + unused, items) + REQUEST_ITEMS * (parts + again)


def plans(
    counts: Mapping[CombinationT, int], facets: Sequence[str], indexes: Sequence[PartitionIndex], selection: Selection
) -> list[PartitionPlan]:
    """Every plan for a selection, one for each index. ``facets`` names the parts of each combination in ``counts``."""
    wanted = {each: max(number, 0) for each, number in counts.items() if selection.allows(facets, each)}
    found = []
    for index in indexes:
        numbers = [*map(facets.index, index.facets)]
        some = {values: number for values, number in sorted(_summed(wanted, numbers).items()) if number}
        items = _summed(counts, numbers)
        found.append(PartitionPlan(index, {values: items[values] for values in some}, some))
    return found


def cheapest(plans: Iterable[PartitionPlan], count: int) -> PartitionPlan:
    """The plan with the lowest expected cost for a page of ``count`` rows; of equal ones, the first."""
    return min(plans, key=lambda plan: ceil(plan.cost(count)))


def _summed(counts: Mapping[CombinationT, int], numbers: Sequence[int]) -> Counter[Combination]:
    """The counts by the facets of these numbers alone."""
    found = Counter[Combination]()
    for combination, number in counts.items():
        found[tuple(map(combination.__getitem__, numbers))] += max(number, 0)
    return found
