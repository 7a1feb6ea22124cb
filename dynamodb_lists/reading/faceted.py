"""Reads of a faceted list: one item, the counts of the facets, and the list by any filter in any order.

There are two ways to read a filtered page: walk the index that has the order and drop what does not match, or read
what matches from the index of its facets and sort it in memory. The counts say which one costs less.
See :mod:`~dynamodb_lists.planning.walk_planner`.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UnknownValue
from dynamodb_lists.planning import range_planner
from dynamodb_lists.planning.range_planner import Comparison, FacetIndex, Plan, PlannedRange
from dynamodb_lists.planning.request_cost import OVERRUN, Charge, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts, Selection
from dynamodb_lists.planning.walk_planner import walk_items
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import fetcher, item_bytes
from dynamodb_lists.reading.items import exported, find_item, get_items, read_partition
from dynamodb_lists.reading.lists import Candidate, Fetch, Listing, Row
from dynamodb_lists.reading.ranges import LARGEST, Ranges, whole_range, whole_ranges
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import build, listed
from dynamodb_lists.schema.faceted import FacetedModel

T = TypeVar("T")
ENTRY_BYTES = 300
"""About how many bytes an item has in an index, until answers tell better."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FacetedQuery:
    """A query of a faceted list, sorted by a field. With ``begins``, only the items whose field begins so."""

    sort: str
    selection: Selection = field(default_factory=Selection)
    descending: bool = False
    begins: str = ""
    page_size: int = 25


class FacetedReader(Generic[T]):
    """Reads the items of a model, which it returns as entities."""

    def __init__(self, model: type[FacetedModel]) -> None:
        self.model, self.keys = model, model.keys
        self.entity: Any = model.entity

    def item(self, item_id: str, *, consistent: bool = False) -> T:
        """One item by its id: GetItem. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list"):
            values = find_item(self.model, self.keys.name, keys.compose(item_id), consistent=consistent)
            found: T = build(self.entity, values)
            return found

    def items(self, item_ids: Iterable[str]) -> dict[str, T]:
        """The items that exist among these ids, by id, read a hundred at a time."""
        stored = get_items(self.model, ((self.keys.name, item_id) for item_id in item_ids))
        return {values["sk"]: build(self.entity, values) for values in stored}

    def counts(self, *, consistent: bool = False) -> FacetCounts[Combination]:
        """How many items there are of each combination of facets: one Query."""
        with ledger.purpose("counts"):
            items = read_partition(self.model.counts, self.keys.counts, ("sk", "number"), consistent=consistent)
            return FacetCounts(self.keys.facets, {keys.parse(item["sk"]): item["number"] for item in items})

    def listing(self, query: FacetedQuery, counts: FacetCounts[Combination], *, whole: bool = False) -> Listing[T]:
        """The list that a query asks for, read in the way that costs the least for a page, or for the ``whole`` list.

        Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for a value of a facet that no item has had.
        """
        for number, facet in enumerate(self.keys.facets):
            known = {combination[number] for combination in counts}
            for value in sorted(query.selection.values.get(facet, frozenset()) - known):
                raise UnknownValue(facet, value)
        return FacetedList(self, query, counts).cheapest(whole=whole)

    def exported(self, rows: Iterator[T]) -> Iterator[T]:
        """The rows of a list with every column of an export."""
        return exported(rows, self.keys.item_id, self.items)


class FacetedList(Generic[T]):
    """A list, and the ways to read it. Cursors are positions in the index of its order, whichever way it is read."""

    def __init__(self, reader: FacetedReader[T], query: FacetedQuery, counts: FacetCounts[Combination]) -> None:
        self.reader, self.model, self.keys, self.query, self.counts = reader, reader.model, reader.keys, query, counts
        self.order = self.keys.index_of(query.sort)
        self.matching = sum(counts[each] for each in counts.allowed(query.selection))
        self.rows = query.page_size + 1
        self.chosen = ""
        self.size = partial(item_bytes, self.keys.name, usual=ENTRY_BYTES)
        indexes = [FacetIndex(name, order, self.size(name)) for name, order in self.keys.facet_orders.items()]
        self.plans = range_planner.plans(counts, indexes, query.selection) if self.filtered else []

    @property
    def filtered(self) -> bool:
        """Whether some facet is filtered."""
        return self.query.selection != Selection()

    @property
    def page_cost(self) -> Charge:
        """What a page costs that is read in the order of the list."""
        return query_cost([walk_items(self.matching, self.counts.total, self.rows)], self.size(self.order))

    def cheapest(self, *, whole: bool = False) -> Listing[T]:
        """The list, read in the cheapest way for a page, or for all of it."""
        walk = query_cost([self.counts.total], self.size(self.order)) if whole else self.page_cost
        best = min(self.plans, key=attrgetter("cost.weight"), default=None)
        too_many = whole and self.matching > LARGEST  # a file of any length must not fill the memory
        if best is None or too_many or best.cost.weight >= walk.weight:
            return self.in_order(best if not whole else None)
        self.chosen = best.index.name
        with ledger.purpose("list"):
            return self.in_memory(best)

    def in_order(self, otherwise: Plan | None) -> Listing[T]:
        """The list, read from the index that has its order. A filter drops items after they were read.

        If it drops far more than the counts say, because the matching items are elsewhere, the rest is read
        ``otherwise``.
        """
        density = max(self.matching, 1) / max(self.counts.total, 1)
        begins = self.query.begins and self.keys.beginning(self.query.sort, self.query.begins)
        return Ranges(
            **self.listed,
            total=None if begins else self.matching,
            ranges=[PlannedRange(begins or self.keys.everything())],
            fetch=self._fetch(self.order),
            keep=self.matches,
            density=min(density, 1),
            budget=int(OVERRUN * self.rows / density),
            otherwise=partial(self.in_memory, otherwise) if otherwise else None,
        )

    def in_memory(self, plan: Plan) -> Listing[T]:
        """The list of all items that match, sorted in memory. If the counts are wrong, the whole list is read."""
        entities = whole_ranges(self._fetch(plan.index.name), plan.ranges)
        if differ := entities is None:
            logger.warning("The counts of %s and its items differ. Run verify_data.", self.keys.name)
            entities = whole_range(self._fetch(self.order), self.keys.everything())
        rows = [Row(self._position(entity), entity) for entity in entities if self.matches(entity)]
        rows.sort(key=attrgetter("position"))
        return SortedRows(**self.listed, rows=rows, total=len(rows), counts_differ=differ)

    @property
    def listed(self) -> dict[str, Any]:
        """What is the same in whichever way the list is read."""
        query = self.query
        return {
            "name": self.keys.name,
            "selected": repr((query.selection.text, query.sort, query.begins, query.descending)),
            "index": self.order,
            "descending": query.descending,
            "candidates": self.candidates,
            "compared": self.compared if self.plans else None,
        }

    def compared(self) -> Comparison:
        """The ranges of every index, for a picture."""
        return Comparison(self.counts, self.query.selection, self.plans, self.chosen or None)

    def candidates(self, rows: int) -> list[Candidate]:
        """The ways that were compared for so many rows, the chosen one first and then the cheapest."""
        words = f"Walks the items by {self.query.sort}" + " and drops those that do not match" * self.filtered
        walk = partial(self.in_order, None)
        found = [Candidate(source_name(self.order), f"{words}.", self.page_cost, walk, not self.chosen)]
        for plan in self.plans:
            index, ranges = plan.index.name, counted(len(plan.groups), "range")
            words = f"Reads the {plan.total:,} items that match from {ranges}, and sorts them."
            read = partial(self.in_memory, plan)
            found.append(Candidate(source_name(index), words, plan.cost, read, index == self.chosen))
        return sorted(found, key=lambda way: (not way.chosen, way.cost.units))

    def matches(self, entity: T) -> bool:
        """Whether an item is in the list. Each row is checked, so an outdated count never shows a wrong one."""
        return self.query.selection.allows(self.keys.facets, self.keys.combination(entity))

    def _fetch(self, index: str) -> Fetch[T]:
        make, names = partial(build, self.reader.entity), listed(self.reader.entity)
        return fetcher(self.model, self.keys.name, make, attributes=names, index=index)

    def _position(self, entity: T) -> Position:
        rest = (self.keys.item_id(entity),) if self.order else ()
        return Position(self.keys.sort_key(self.order, entity), rest)
