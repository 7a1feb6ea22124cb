"""How ranges of partitions are read: one Query for each, resumed at any position, and several at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pynamodb.constants import NUMBER
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from hotelapp.dynamodb.connection import deadlines, scope
from hotelapp.dynamodb.connection.client import translated
from hotelapp.dynamodb.connection.errors import BadCursor, Overdue
from hotelapp.dynamodb.planning.request_cost import MINIMUM_BYTES
from hotelapp.dynamodb.reading.cursors import Position
from hotelapp.dynamodb.reading.lists import Batch, Fetch, Row
from hotelapp.dynamodb.schema import keys
from hotelapp.dynamodb.schema.keys import KeyRange
from hotelapp.dynamodb.schema.models import PortalModel, RawItem, Values

T = TypeVar("T")

_pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="dynamodb")


@dataclass(frozen=True, slots=True)
class IndexKeys:
    """The key attributes of an index or a table: partition key, sort key, and the rest of the table's key."""

    partition: str
    sort: str
    numeric: bool
    table: tuple[str, ...]

    def wire(self, sort_key: str) -> dict[str, str]:
        """A sort key as DynamoDB takes it."""
        return {"N": keys.number_of(sort_key)} if self.numeric else {"S": sort_key}

    def start(self, partition: str, position: Position) -> dict[str, dict[str, str]]:
        """The key of the row at a position, as ``ExclusiveStartKey`` takes it.

        Raises :class:`BadCursor` for a position in an index of another shape, from an older release.
        """
        if len(position.table_key) != len(self.table):
            raise BadCursor("The cursor is from an older release. Start at the first page.")
        table_key = {name: {"S": value} for name, value in zip(self.table, position.table_key, strict=True)}
        return {self.partition: {"S": partition}, self.sort: self.wire(position.sort_key), **table_key}

    def position(self, item: RawItem) -> Position:
        """The position of an item, or of the key at which DynamoDB stopped."""
        sort_key = item[self.sort]["N" if self.numeric else "S"]
        return Position(
            keys.number_key(sort_key) if self.numeric else sort_key, tuple(item[name]["S"] for name in self.table)
        )


REMEMBERED_SIZES = 10_000
sizes: dict[tuple[str, bool], tuple[float, float]] = {}
"""Between how many bytes an item of a partition is: of the table, or of the indexes, which project much the same."""


def item_bytes(partition: str, index: str, usual: float) -> float:
    """About how many bytes an item of a partition has in an index: the usual size, if no answer says otherwise."""
    low, high = sizes.get((partition, bool(index)), (usual, usual))
    return min(max(usual, low), high)


def _learn(partition: str, index: str, items: int, units: float) -> None:
    """Note between which sizes an average item must be. A charge says how many bytes the items have, to 4 KB."""
    if not items or not units:
        return
    if len(sizes) >= REMEMBERED_SIZES:
        sizes.clear()
    low, high = (charges * MINIMUM_BYTES / items for charges in (2 * units - 1, 2 * units))
    least, most = sizes.get((partition, bool(index)), (low, high))
    narrowed = max(least, low), min(most, high)
    sizes[partition, bool(index)] = narrowed if narrowed[0] <= narrowed[1] else (low, high)


@cache
def index_keys(model: type[PortalModel], index: str = "") -> IndexKeys:
    """The key attributes of one of a model's indexes as the model declares them; of its table, for a blank index."""
    table: Any = model.connection().connection.get_meta_table(model.Meta.table_name)
    partition = table.get_index_hash_keyname(index) if index else table.hash_keyname
    sort = str(table.get_index_range_keyname(index) if index else table.range_keyname)
    rest = [name for name in table.get_key_names() if name not in {partition, sort}]
    return IndexKeys(partition, sort, table.get_attribute_type(sort) == NUMBER, tuple(rest))


def fetcher(
    model: type[PortalModel],
    partition: str,
    build: Callable[[Values], T],
    *,
    attributes: Sequence[str],
    index: str = "",
    keep: Condition | None = None,
    consistent: bool = False,
) -> Fetch[T]:
    """A function that reads ranges of a partition, one Query for each; ``build`` gives the value of each item.

    ``keep`` is a FilterExpression: DynamoDB reads and charges the items that it drops.
    """
    names = index_keys(model, index)

    def fetch(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        # The range begins at the position, because the embedded engine reads all keys from the range's end to the
        # start key.
        start = after.sort_key if after else None
        low, high = (start or span.low, span.high) if ascending else (span.low, start or span.high)
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
                consistent_read=consistent,
                attributes_to_get=list(dict.fromkeys([*attributes, names.sort, *names.table])),
            )
        stopped = answer.get("LastEvaluatedKey")
        _learn(partition, index, answer["ScannedCount"], answer.get("ConsumedCapacity", {}).get("CapacityUnits", 0))
        rows = [Row(names.position(item), build(model.decoded(item))) for item in answer["Items"]]
        return Batch(rows, names.position(stopped) if stopped else None, answer["ScannedCount"])

    return fetch


def in_parallel(calls: Sequence[Callable[[], T]]) -> list[T]:
    """The results of the calls, in order. The calls run at the same time, and use the same ledger.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Overdue` at the page's deadline, even if calls of other pages
    still occupy the threads.
    """
    if len(calls) <= 1:
        return [call() for call in calls]
    contexts, futures = [], []
    for call in calls:
        contexts.append(copy_context())
        futures.append(_pool.submit(contexts[-1].run, call))
    try:
        results = [future.result(deadlines.timeout()) for future in futures]
    except TimeoutError as error:
        raise Overdue("The page's time is over before parallel reads have ended.") from error
    finally:
        for future in futures:
            future.cancel()
    scope.join(contexts)
    return results
