"""Lists that an index keeps: each of its partitions is one, and several are merged.

This is the strategy of lists that need no plan: the loans of a reader, of a branch, of some branches, of all shards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.reading.fetching import Ranges, fetcher
from dynamodb_lists.reading.listing import Fetch, Grounds
from dynamodb_lists.reading.merging import Merged, Part
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import ItemModel, Values

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class KeptLists(Generic[T]):
    """The lists that an index of a model keeps; those of the table, for a blank ``index``.

    ``why`` says why they are read as they are, for who wants to see it, and ``item_bytes`` about how many bytes an item
    has. ``more`` are attributes that a list asks for beside those that lists show, and ``build`` gives the value of an
    item, by default its entity.
    """

    name: str
    model: type[ItemModel]
    index: str = ""
    why: str = Grounds.why
    item_bytes: float = Grounds.item_bytes
    more: tuple[str, ...] = ()
    build: Callable[[Values], T] | None = None

    def fetch(self, partition: str, keep: Condition | None = None, *, consistent: bool = False) -> Fetch[T]:
        """Reads ranges of a partition. ``keep`` drops items, which DynamoDB reads and charges."""
        told = self.model.told_by(partition, self.index)

        def build(values: Values) -> T:
            found: T = self.model.built({**told, **values})
            return found

        return fetcher(
            self.model,
            partition,
            self.build or build,
            attributes=[*self.model.shown_in(self.index), *self.more],
            index=self.index,
            keep=keep,
            consistent=consistent,
        )

    def of(
        self,
        partition: str,
        span: KeyRange,
        *,
        descending: bool = False,
        keep: Condition | None = None,
        consistent: bool = False,
        selected: str = "",
        **others: Any,
    ) -> Ranges[T]:
        """The list of a partition, or of a ``span`` of its sort keys. ``selected`` tells what else is asked for.

        ``others`` are fields of the listing. A span that ends before it begins gives no rows, and no request.
        """
        return Ranges(
            name=self.name,
            selected=f"{(partition, span, descending)!r}{selected}",
            index=self.index,
            descending=descending,
            ranges=[PlannedRange(span)] if span.low <= span.high else [],
            fetch=self.fetch(partition, keep, consistent=consistent),
            grounds=Grounds(why=self.why, item_bytes=self.item_bytes),
            **others,
        )

    def merged(
        self,
        spans: Mapping[str, KeyRange],
        span: KeyRange,
        *,
        descending: bool = False,
        keep: Condition | None = None,
        selected: str = "",
        **others: Any,
    ) -> Merged[T]:
        """The lists of several partitions as one. Each is read in its range of ``spans``; ``span`` has them all."""
        return Merged(
            name=self.name,
            selected=f"{(sorted(spans.items()), descending)!r}{selected}",
            index=self.index,
            descending=descending,
            parts=[Part(self.fetch(name, keep), span=each) for name, each in spans.items() if each.low <= each.high],
            span=span,
            minimum=items_paid(self.item_bytes),
            grounds=Grounds(why=self.why, item_bytes=self.item_bytes),
            **others,
        )
