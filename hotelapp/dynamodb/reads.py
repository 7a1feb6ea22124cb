"""The three ways in which the project reads: one item, a whole partition, one Query of a page.

They go through a PynamoDB model's connection, so a model's names and types stay in force, and give raw items:
a page of 25 rooms also reads a few hundred counts, for which building model objects would take longer than the Query.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from hotelapp.dynamodb.errors import NotFound, translated
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.models import PortalModel, RawItem
from hotelapp.dynamodb.reading import Batch, Fetch

T = TypeVar("T")


def get_item(model: type[PortalModel], partition: str, sort_key: str) -> RawItem:
    """One item by its key. Raises :class:`NotFound`."""
    with translated():
        item: RawItem | None = model.connection().get_item(partition, sort_key).get("Item")
    if item is None:
        raise NotFound(f"There is no {model.__name__} {partition} {sort_key}.")
    return item


def read_partition(model: type[PortalModel], partition: str, attributes: Sequence[str]) -> Iterator[RawItem]:
    """Every item of a partition, in key order; as many Queries as DynamoDB's 1 MB a Query asks for."""
    start: Mapping[str, Any] | None = None
    while True:
        with translated():
            answer = model.connection().query(partition, attributes_to_get=list(attributes), exclusive_start_key=start)
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
    sort_key: str = "sk",
    start_key: Callable[[str], Mapping[str, str]] | None = None,
) -> Fetch[T]:
    """How to read one range of a partition of the table or of an index: a single Query, ``make`` for each item.

    ``sort_key`` names the index's sort key, which is a row's position; ``start_key`` turns a position into the key
    attributes that ``ExclusiveStartKey`` needs, the partition key left out.
    """
    start_key = start_key or (lambda position: {sort_key: position})

    def fetch(span: KeyRange, after: str | None, ascending: bool, limit: int) -> Batch[T]:
        start = {"pk": partition, **start_key(after)} if after is not None else {}
        # The range begins at the position itself: the embedded engine walks from the range's end to the start key.
        low, high = (after or span.low, span.high) if ascending else (span.low, after or span.high)
        condition: Condition = Path([sort_key]).between({"S": low}, {"S": high})
        with translated():
            answer = model.connection().query(
                partition,
                range_key_condition=condition,
                index_name=index or None,
                exclusive_start_key={name: {"S": value} for name, value in start.items()} or None,
                scan_index_forward=ascending,
                limit=limit,
                attributes_to_get=[*attributes, sort_key],
            )
        rows = [(item[sort_key]["S"], make(item)) for item in answer["Items"]]
        stopped = answer.get("LastEvaluatedKey")
        return Batch(rows, stopped[sort_key]["S"] if stopped else None)

    return fetch
