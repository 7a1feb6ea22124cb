"""The other planner: which partitions, of which index, serve a selection whose order is time.

Each index holds every item, in partitions by some of the facets (by hotel, by language, by rating, by both), and in
each partition by time. A coarse partition is one request, but a filter throws away what is not wanted; fine ones give
just what is wanted, but are as many as there are values. The counts say how many items each partition holds and how
many of them are wanted, so what a page will read, and in how many requests, is known beforehand.

Pure: counts and selection in, plan out. docs/planner.md explains it by an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from hotelapp.dynamodb.facets import Combination, Selection

REQUEST_ITEMS = 8
"""A request costs as much as reading this many items: what fits into the 4 KB that it is charged for at least."""

AGAIN = 0.3
"""Of the parts but one, those that are asked a second time: fitted to random lists, see tests/test_partitions.py."""


@dataclass(frozen=True)
class PartitionIndex:
    """An index, and the facets whose values are in its partition key."""

    name: str
    facets: tuple[str, ...]


@dataclass(frozen=True)
class PlannedPart:
    """One partition to read: the values in its key, the items that lie in it, and how many of them are wanted."""

    values: Combination
    items: int
    wanted: int

    @property
    def density(self) -> float:
        """The share of its items that is wanted."""
        return self.wanted / self.items


@dataclass(frozen=True)
class PartitionPlan:
    """The partitions of one index that hold all that is wanted."""

    index: PartitionIndex
    parts: tuple[PlannedPart, ...]

    @property
    def total(self) -> int:
        """Items of the selection."""
        return sum(part.wanted for part in self.parts)

    @property
    def items(self) -> int:
        """Items in all its partitions."""
        return sum(part.items for part in self.parts)

    @property
    def filters(self) -> bool:
        """Whether something must be thrown away."""
        return self.items > self.total

    def cost(self, count: int) -> float:
        """What ``count`` rows are expected to cost, in items.

        A list that ends before is read whole, with one request a part. Else that share of the partitions is read
        which holds so many rows, and what the merge still holds at the end: half of the deviation of what a part
        gives. Some parts must be asked again, because they give more than on average.
        """
        if count > self.total or not self.total:
            return self.items + REQUEST_ITEMS * len(self.parts)
        read = count * self.items / self.total
        more = len(self.parts) - 1
        held = more * sqrt(read / len(self.parts)) / 2
        again = AGAIN * more + (AGAIN if self.filters else 0)
        return min(read + held, self.items) + REQUEST_ITEMS * (len(self.parts) + again)


def plans(
    counts: Mapping[Combination, int], facets: Sequence[str], indexes: Sequence[PartitionIndex], selection: Selection
) -> list[PartitionPlan]:
    """Every way to serve a selection: one for each index, without partitions that hold nothing wanted.

    ``facets`` names the parts of each combination in ``counts``.
    """
    return [PartitionPlan(index, _parts(counts, facets, index, selection)) for index in indexes]


def plan(
    counts: Mapping[Combination, int],
    facets: Sequence[str],
    indexes: Sequence[PartitionIndex],
    selection: Selection,
    count: int,
) -> PartitionPlan:
    """The way that is expected to be the cheapest for a page of ``count`` rows; of equal ones, the first."""
    return min(plans(counts, facets, indexes, selection), key=lambda made: ceil(made.cost(count)))


def exact(
    counts: Mapping[Combination, int],
    facets: Sequence[str],
    indexes: Sequence[PartitionIndex],
    selection: Selection,
    count: int,
) -> PartitionPlan:
    """The cheapest way that throws nothing away: where a filter turns out to throw away too much.

    There is one if an index has all the facets.
    """
    ways = (made for made in plans(counts, facets, indexes, selection) if not made.filters)
    return min(ways, key=lambda made: ceil(made.cost(count)))


def _parts(
    counts: Mapping[Combination, int], facets: Sequence[str], index: PartitionIndex, selection: Selection
) -> tuple[PlannedPart, ...]:
    places = [facets.index(facet) for facet in index.facets]
    items: dict[Combination, int] = {}
    wanted: dict[Combination, int] = {}
    for combination, n in counts.items():
        values = tuple(combination[place] for place in places)
        items[values] = items.get(values, 0) + max(n, 0)
        if selection.allows(facets, combination):
            wanted[values] = wanted.get(values, 0) + max(n, 0)
    return tuple(PlannedPart(values, items[values], n) for values, n in sorted(wanted.items()) if n)
