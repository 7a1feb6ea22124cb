"""Reads of one item, of a whole partition, and of a page by one Query. (Many by their keys: a model's ``batch_get``.)

They go through a PynamoDB model's connection, so a model's names and types stay in force, and give raw items:
a page of 25 rooms also reads a few hundred counts, for which building model objects would take longer than the Query.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pynamodb.constants import NUMBER
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from hotelapp.dynamodb import keys
from hotelapp.dynamodb.cursors import Position
from hotelapp.dynamodb.errors import NotFound, translated
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.models import PortalModel, RawItem
from hotelapp.dynamodb.reading import Batch, Fetch

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexKeys:
    """The key attributes of an index (or of the table): partition key, sort key, and the table's own besides."""

    partition: str
    sort: str
    numeric: bool
    others: tuple[str, ...]

    def wire(self, sort_key: str) -> dict[str, str]:
        """A sort key as DynamoDB takes it."""
        return {"N": keys.number_of(sort_key)} if self.numeric else {"S": sort_key}

    def start(self, partition: str, position: Position) -> dict[str, dict[str, str]]:
        """The whole key of the row at a position, as ``ExclusiveStartKey`` takes it."""
        others = {name: {"S": value} for name, value in zip(self.others, position[1:], strict=True)}
        return {self.partition: {"S": partition}, self.sort: self.wire(position[0]), **others}

    def position(self, item: RawItem) -> Position:
        """Where an item, or the key that DynamoDB stopped at, stands."""
        sort_key = item[self.sort]["N" if self.numeric else "S"]
        return (keys.number_key(sort_key) if self.numeric else sort_key, *(item[name]["S"] for name in self.others))


@cache
def index_keys(model: type[PortalModel], index: str = "") -> IndexKeys:
    """The key attributes of one of a model's indexes, blank for its table, as the model declares them."""
    table: Any = model.connection().connection.get_meta_table(model.Meta.table_name)
    partition = table.get_index_hash_keyname(index) if index else table.hash_keyname
    sort = str(table.get_index_range_keyname(index) if index else table.range_keyname)
    others = [name for name in table.get_key_names() if name not in {partition, sort}]
    return IndexKeys(partition, sort, table.get_attribute_type(sort) == NUMBER, tuple(others))


def get_item(
    model: type[PortalModel], partition: str, sort_key: str | None = None, *, consistent: bool = False
) -> RawItem:
    """One item by its key; ``consistent`` sees every write that was acknowledged. Raises :class:`NotFound`."""
    with translated():
        answer = model.connection().get_item(partition, sort_key, consistent_read=consistent)
    item: RawItem | None = answer.get("Item")
    if item is None:
        raise NotFound(f"There is no {' '.join(filter(None, (model.__name__, partition, sort_key)))}.")
    return item


def find_item(model: type[PortalModel], partition: str, sort_key: str, *, consistent: bool = False) -> RawItem:
    """As :func:`get_item`; what the cheaper read does not find, it looks for once more with the dearer one.

    So the page that follows a write never says that there is nothing, and only pages of nothing cost more.
    """
    try:
        return get_item(model, partition, sort_key, consistent=consistent)
    except NotFound:
        if consistent:
            raise
        return get_item(model, partition, sort_key, consistent=True)


def read_partition(
    model: type[PortalModel], partition: str, attributes: Sequence[str], *, index: str = ""
) -> Iterator[RawItem]:
    """Every item of a partition, in key order; as many Queries as DynamoDB's 1 MB a Query asks for."""
    start: Mapping[str, Any] | None = None
    while True:
        with translated():
            answer = model.connection().query(
                partition,
                index_name=index or None,
                attributes_to_get=list(attributes),
                exclusive_start_key=start,
            )
        yield from answer["Items"]
        if (start := answer.get("LastEvaluatedKey")) is None:
            return


def fetcher(
    model: type[PortalModel],
    partition: str,
    make: Callable[[RawItem], T],
    *,
    attributes: Sequence[str],
    index: str = "",
    keep: Condition | None = None,
) -> Fetch[T]:
    """How to read one range of a partition of the table or of an index: a single Query, ``make`` for each item.

    ``keep`` is a FilterExpression: what it refuses is read and paid for, but not given.
    """
    names = index_keys(model, index)

    def fetch(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        # The range begins at the position itself: the embedded engine walks from the range's end to the start key.
        here = after[0] if after else None
        low, high = (here or span.low, span.high) if ascending else (span.low, here or span.high)
        condition: Condition = Path([names.sort]).between(names.wire(low), names.wire(high))
        with translated():
            answer = model.connection().query(
                partition,
                range_key_condition=condition,
                filter_condition=keep,
                index_name=index or None,
                exclusive_start_key=names.start(partition, after) if after else None,
                scan_index_forward=ascending,
                limit=limit,
                attributes_to_get=list(dict.fromkeys([*attributes, names.sort, *names.others])),
            )
        stopped = answer.get("LastEvaluatedKey")
        rows = [(names.position(item), make(item)) for item in answer["Items"]]
        return Batch(rows, names.position(stopped) if stopped else None, answer["ScannedCount"])

    return fetch
