"""Lists whose index holds keys alone: a page of entries is read, and then the items of their keys, all at once.

This is the strategy of a list of everything, which all writers add to and few people read. Changes of an item leave its
entry as it is, so the index costs one write unit for each item. A page costs half a read unit more for each row, and
one wave more. Shards spread the writes. They have no periods: a partition of a GSI may have any size, and days are a
range of its sort key, so a list without items for years takes no more requests than another.

An index is a moment behind its table. A row has what lists show of its item now, and an item that is gone has no row.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import islice
from math import ceil
from typing import Any, Self, TypeVar, cast

from dynamodb_lists.planning.request_cost import Charge
from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import BATCH, get_items
from dynamodb_lists.reading.listing import GivenUp, Listing, Row
from dynamodb_lists.schema.entities import stored_fields
from dynamodb_lists.schema.models import ItemModel, Values

T = TypeVar("T")
ITEM_UNITS = 0.5
"""The read units of an item of at most 4 KB in a BatchGetItem, which is eventually consistent."""


@dataclass(frozen=True, kw_only=True)
class ByKeys(Listing[T]):
    """The items of a model whose keys are in a list of ``entries``, in the order of that list.

    An entry has the values that its index holds. If the list goes on in another way (``exact``), that gives the items.
    ``beside`` reads what else is needed for these entries, in the same wave as the items.
    """

    entries: Listing[Any]
    model: type[ItemModel]
    beside: Callable[[Sequence[Values]], object] | None = None

    @classmethod
    def of(cls, entries: Listing[Any], model: type[ItemModel], **others: Any) -> Self:
        """The items of these entries, as a list that differs from theirs in nothing else."""
        shared = {each.name: getattr(entries, each.name) for each in fields(Listing)}
        return cls(entries=entries, model=model, **shared, **others)

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        rows = list[Row[T]]()
        while (missing := count - len(rows)) > 0:
            try:
                found = self.entries.take(missing, cursor, backward)
            except GivenUp as few:
                raise GivenUp([*rows, *self._rows(few.rows)], few.position) from few
            rows += self._rows(found)
            if len(found) < missing:
                break
            cursor = Cursor(found[-1].position, backward)
        return rows

    def expected(self, count: int) -> Charge:
        entries = self.entries.expected(count)
        return Charge(entries.units + ITEM_UNITS * count, entries.requests + ceil(count / BATCH))

    def stream(self) -> Iterator[T]:
        entries = self.entries.stream()
        while batch := list(islice(entries, BATCH)):
            items = self._items(batch)
            yield from (items[key] for key in map(self.model.key_in, batch) if key in items)

    def _rows(self, entries: Sequence[Row[Values]]) -> list[Row[T]]:
        items = self._items([row.value for row in entries if isinstance(row.value, dict)])
        found = (
            items.get(self.model.key_in(row.value)) if isinstance(row.value, dict) else row.value for row in entries
        )
        return [Row(row.position, item) for row, item in zip(entries, found, strict=True) if item is not None]

    def _items(self, entries: Sequence[Values]) -> dict[tuple[str, str], Any]:
        """The items that exist among those of the entries, by key, as lists show them."""
        keys = [*map(self.model.key_in, entries)]
        hidden = {each.name for each in stored_fields(cast(Any, self.model.entity)) if not each.listed}
        found = dict[tuple[str, str], Any]()

        def read(batch: Sequence[tuple[str, str]]) -> None:
            for values in get_items(self.model, batch, consistent=False):
                listed = {name: value for name, value in values.items() if name not in hidden}
                found[self.model.key_in(values)] = self.model.built(listed)

        calls: list[Callable[[], object]] = [
            partial(read, keys[start : start + BATCH]) for start in range(0, len(keys), BATCH)
        ]
        if self.beside and entries:
            calls.insert(0, partial(self.beside, entries))
        in_parallel(calls)
        return found
