"""The planner of partitions: which partitions of which index serve a selection that is sorted by time.

Each index holds every item in partitions by some of the facets (none, language, rating, or both), and each partition
is sorted by time. A coarse partition takes one request, but a filter drops the unwanted items. Fine partitions hold
only wanted items, but there is one for each value. The counts say how many items each partition holds and how many of
them are wanted, so the planner can estimate the items and requests of a page.

Pure: counts and selection in, plan out. docs/planner.md explains it with an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
class PlannedPart:
    """One partition to read: the facet values in its key, its items, and how many of them are wanted."""

    values: Combination
    items: int
    wanted: int

    @property
    def density(self) -> float:
        """The share of items that are wanted."""
        return self.wanted / self.items


@dataclass(frozen=True)
class PartitionPlan:
    """Partitions of one index that together hold every wanted item."""

    index: PartitionIndex
    parts: tuple[PlannedPart, ...]

    @property
    def total(self) -> int:
        """The number of wanted items."""
        return sum(part.wanted for part in self.parts)

    @property
    def items(self) -> int:
        """The number of items in all partitions of the plan."""
        return sum(part.items for part in self.parts)

    @property
    def filters(self) -> bool:
        """Whether a filter must drop items."""
        return self.items > self.total

    def cost(self, count: int) -> float:
        """The expected cost of ``count`` rows, in items.

        A shorter list is read to its end, with one request for each partition. Otherwise the page reads the share of
        the partitions that holds so many rows. The merge also reads rows that it does not return: half a standard
        deviation for each partition but one. Some partitions need a second request.
        """
        if count > self.total or not self.total:
            return self.items + REQUEST_ITEMS * len(self.parts)
        read = count * self.items / self.total
        more = len(self.parts) - 1
        unused = more * sqrt(read / len(self.parts)) / 2
        again = SECOND_REQUESTS * more + (SECOND_REQUESTS if self.filters else 0)
        return min(read + unused, self.items) + REQUEST_ITEMS * (len(self.parts) + again)

    def units(self, count: int) -> float:
        """That cost in read units: a request for so many items as it pays for at least is half a unit."""
        return round(self.cost(count) / REQUEST_ITEMS / 2, 1)


def plans(
    counts: Mapping[CombinationT, int], facets: Sequence[str], indexes: Sequence[PartitionIndex], selection: Selection
) -> list[PartitionPlan]:
    """Every plan for a selection, one for each index. Partitions without wanted items are left out.

    ``facets`` names the parts of each combination in ``counts``.
    """
    return [PartitionPlan(index, _parts(counts, facets, index, selection)) for index in indexes]


def cheapest(plans: Sequence[PartitionPlan], count: int) -> PartitionPlan:
    """The plan with the lowest expected cost for a page of ``count`` rows; of equal ones, the first."""
    return min(plans, key=lambda plan: ceil(plan.cost(count)))


def cheapest_exact(plans: Sequence[PartitionPlan], count: int) -> PartitionPlan:
    """The cheapest plan without a filter, for the rest of a page on which a filter drops too much.

    There is one if an index has every facet in its partition key.
    """
    return cheapest([plan for plan in plans if not plan.filters], count)


def _parts(
    counts: Mapping[CombinationT, int], facets: Sequence[str], index: PartitionIndex, selection: Selection
) -> tuple[PlannedPart, ...]:
    part_numbers = [facets.index(facet) for facet in index.facets]
    items: dict[Combination, int] = {}
    wanted: dict[Combination, int] = {}
    for combination, n in counts.items():
        values = tuple(combination[number] for number in part_numbers)
        items[values] = items.get(values, 0) + max(n, 0)
        if selection.allows(facets, combination):
            wanted[values] = wanted.get(values, 0) + max(n, 0)
    return tuple(PlannedPart(values, items[values], n) for values, n in sorted(wanted.items()) if n)
