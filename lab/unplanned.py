"""Reads without a plan: whole partitions, and tables from the first item on. They show what a plan saves.

No list is read so. Each function sends a number of requests at most; a request reads at most 1 MB.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import and_, attrgetter
from typing import Any, Generic, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.reading.items import index_keys, query, scan_page
from dynamodb_lists.schema.models import ItemModel, Values

T = TypeVar("T")
Found = tuple[Sequence[T], bool]
"""The rows of a selection, sorted; and whether items are left because the requests were used up."""


@dataclass(frozen=True, kw_only=True)
class Unplanned(Generic[T]):
    """A list as a reader without the planner sees it: a partition of a table or of an ``index``, and a selection.

    An attribute has one of some ``values``, or is between ``bounds``, both included; ``None`` is no limit. ``sort``
    names attributes. ``items`` is how many items the partition has, if they are counted.
    """

    model: type[ItemModel]
    partition: str
    index: str = ""
    build: Callable[[Values], T]
    attributes: Sequence[str]
    values: Mapping[str, Collection[Any]] = field(default_factory=dict)
    bounds: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    sort: Sequence[str]
    descending: bool
    items: int | None = None

    def filtered(self, requests: int) -> Found[T]:
        """The list from Queries of the partition with the selection as a FilterExpression."""
        return self._all(requests, partial(query, self.model, self.partition, index=self.index, keep=self._keep()))

    def whole(self, requests: int) -> Found[T]:
        """The list from Queries of the partition. The selection is made in Python."""
        rows, stopped = self._all(requests, partial(query, self.model, self.partition, index=self.index))
        return [*filter(self._matches, rows)], stopped

    def scanned(self, requests: int) -> Found[T]:
        """The list from a Scan of the table with a filter for the partition and the selection."""
        key = index_keys(self.model, self.index)
        mine = (self.model.attribute(key.partition) == self.partition) & self.model.attribute(key.sort).exists()
        return self._all(requests, partial(scan_page, self.model, keep=self._keep(mine)))

    def _conditions(self) -> Iterator[Condition]:
        for name, values in self.values.items():
            yield self.model.attribute(name).is_in(*sorted(values))
        for name, (low, high) in self.bounds.items():
            if low is not None:
                yield self.model.attribute(name) >= low
            if high is not None:
                yield self.model.attribute(name) <= high

    def _keep(self, *others: Condition) -> Condition | None:
        conditions = [*others, *self._conditions()]
        return reduce(and_, conditions) if conditions else None

    def _matches(self, row: T) -> bool:
        def between(value: Any, low: Any, high: Any) -> bool:
            return (low is None or low <= value) and (high is None or value <= high)

        within = all(between(getattr(row, name), *ends) for name, ends in self.bounds.items())
        return within and all(getattr(row, name) in values for name, values in self.values.items())

    def _all(self, requests: int, ask: Callable[..., Answer]) -> Found[T]:
        rows, start, key = list[T](), None, index_keys(self.model, self.index)
        shown = list(dict.fromkeys([*self.attributes, key.sort, *key.table]))
        for _ in range(requests):
            answer = ask(attributes=shown, start=start)
            rows += [self.build(self.model.decoded(item)) for item in answer["Items"]]
            if (start := answer.get("LastEvaluatedKey")) is None:
                break
        return sorted(rows, key=attrgetter(*self.sort), reverse=self.descending), start is not None
