"""A list in partitions of facets: each index has all items, in a partition for each combination of some facets.

All partitions have the same order, such as time. A page is read from the partitions that cost the least: from a coarse
one, of which a filter drops what is not wanted, or from several fine ones, which are merged.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import and_
from typing import Generic, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.planning import partition_planner
from dynamodb_lists.planning.partition_planner import REQUEST_ITEMS, PartitionIndex, PartitionPlan
from dynamodb_lists.planning.request_cost import Charge
from dynamodb_lists.planning.selection import CombinationT, Selection
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.fetching import fetcher
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing
from dynamodb_lists.reading.merging import Merged, Part
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import ItemModel, Values

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Partitioned(Generic[T]):
    """What is wanted of an owner's items in such partitions: a selection, in a range of their common sort key.

    ``owner`` has the values that all partitions' keys begin with, and ``facets`` the type of each facet's attribute.
    ``selected`` says in a text what is wanted, for cursors. ``counts_all`` says that the counts give the total, because
    the range leaves nothing out.
    """

    name: str
    model: type[ItemModel]
    owner: Mapping[str, str]
    facets: Mapping[str, type]
    indexes: Sequence[PartitionIndex]
    selection: Selection
    span: KeyRange
    selected: str
    descending: bool = False
    counts_all: bool = True

    def cheapest(self, counts: Mapping[CombinationT, int], rows: int) -> Listing[T]:
        """The list, read from the partitions that cost the least for a page of so many rows.

        If a filter drops too much, the rest of the page is read from partitions that need none. There are such ones if
        an index has every facet in its partition key.
        """
        plans = self._plans(counts)
        plan = partition_planner.cheapest(plans, rows)
        exact = partition_planner.cheapest((each for each in plans if not each.filters), rows)
        rest = self._merged(self._parts(exact, filtered=False))

        def read(plan: PartitionPlan) -> Listing[T]:
            return replace(
                self._merged(self._parts(plan)),
                selected=self.selected,
                index=plan.index.name,
                total=plan.total if self.counts_all else None,
                exact=(lambda: rest) if plan.filters else None,
            )

        return replace(read(plan), grounds=Grounds(candidates=partial(_candidates, plans, plan, read)))

    def _plans(self, counts: Mapping[CombinationT, int]) -> list[PartitionPlan]:
        return partition_planner.plans(counts, [*self.facets], self.indexes, self.selection)

    def whole(self, counts: Mapping[CombinationT, int], more: Sequence[str]) -> Listing[T] | None:
        """All of the list with further attributes, which the first index has. A filter drops what is not wanted of it.

        ``None`` if the list is so short that reading each item by its key costs less.
        """
        plans = self._plans(counts)
        plan = partition_planner.cheapest(plans, sum(counts.values()) + 1)
        if plans[0].all_items > plan.all_items + REQUEST_ITEMS * plan.total:
            return None
        return self._merged(self._parts(plans[0], more))

    def condition(self, covered: Collection[str] = ()) -> Condition | None:
        """The part of the selection that a partition's key does not cover, as a FilterExpression."""
        conditions = [
            self.model.attribute(facet).is_in(*map(kind, sorted(self.selection.values[facet])))
            for facet, kind in self.facets.items()
            if self.selection.values.get(facet) and facet not in covered
        ]
        return reduce(and_, conditions) if conditions else None

    def _merged(self, parts: Iterable[Part[T]]) -> Merged[T]:
        return Merged(name=self.name, descending=self.descending, parts=[*parts], span=self.span)

    def _parts(self, plan: PartitionPlan, more: Sequence[str] = (), *, filtered: bool = True) -> Iterator[Part[T]]:
        index, keep = plan.index.name, self.condition(plan.index.facets) if filtered else None
        shown = [*self.model.shown_in(index), *more]
        for parts, wanted in plan.wanted.items():
            values, items = dict(zip(plan.index.facets, parts, strict=True)), plan.items[parts]
            partition = self.model.partition_of(index, **self.owner, **values)
            build = partial(self._built, self.model.told_by(partition, index))
            drops = keep if items > wanted else None
            fetch = fetcher(self.model, partition, build, attributes=shown, index=index, keep=drops)
            yield Part(fetch, wanted, wanted / items)

    def _built(self, told: Values, values: Values) -> T:
        found: T = self.model.built({**told, **values})
        return found


def _candidates(
    plans: Iterable[PartitionPlan], chosen: PartitionPlan, read: Callable[[PartitionPlan], Listing[T]], rows: int
) -> list[Candidate]:
    """The plans that were compared, the chosen one first and then the cheapest."""
    found = []
    for plan in sorted(plans, key=lambda plan: (plan is not chosen, plan.cost(rows))):
        partitions = counted(len(plan.wanted), "partition")
        words = f"Reads {partitions} in order{', and drops what does not match' if plan.filters else ''}."
        units = round(plan.cost(rows) / REQUEST_ITEMS / 2, 1)  # a request for what it pays for at least is half a unit
        name, cost = source_name(plan.index.name), Charge(units, len(plan.wanted))
        found.append(Candidate(name, words, cost, partial(read, plan), plan is chosen))
    return found
