"""Reads of single items and of partitions, and the requests of all reads. Items are as their model declares them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.client import SDK_ERRORS, Operation, read, translation
from dynamodb_lists.connection.errors import NotFound, Unavailable
from dynamodb_lists.connection.scope import MOST_ATTEMPTS, wait
from dynamodb_lists.schema.conditions import Begins, Between
from dynamodb_lists.schema.entities import lists_lack
from dynamodb_lists.schema.keys import HIGHEST, LOWEST, text_range
from dynamodb_lists.schema.models import ItemModel, RawItem, Values

T = TypeVar("T")
K = TypeVar("K")
BATCH = 100
"""The most keys that DynamoDB takes in one BatchGetItem."""
Typed = Mapping[str, Any]
"""A value as DynamoDB takes it."""
Key = Mapping[str, Mapping[str, str]]
"""The key of an item, as DynamoDB takes it."""


def get_item(
    model: type[ItemModel], partition: str, sort_key: str | None = None, *, consistent: bool = False
) -> Values:
    """Return the values of one item. A ``consistent`` read sees every acknowledged write.

    Raises: :class:`NotFound`, ``Unreadable``.
    Costs: half a read unit for each 4 KB, twice that if consistent.
    """
    item = one_item(model.Meta.table_name, key_of(model, partition, sort_key), consistent=consistent)
    if item is None:
        raise NotFound(f"There is no {' '.join(filter(None, (model.__name__, partition, sort_key)))}.")
    return model.decoded(item)


def get_items(
    model: type[ItemModel], wanted: Iterable[tuple[str, str]], *, consistent: bool = True
) -> Iterator[Values]:
    """Yield the values of the items with these partition and sort keys, in any order; missing items are left out.

    Keys that DynamoDB returns as unprocessed are asked for again after a short wait.

    Raises: ``Unavailable`` if DynamoDB processes no key of eight requests in a row.
    Costs: one request for each 100 keys, one read unit for each 4 KB of an item; half if not ``consistent``.
    """
    left = iter(dict.fromkeys(wanted))
    while asked := [key_of(model, *pair) for pair in islice(left, BATCH)]:
        yield from map(model.decoded, read_batch(model.Meta.table_name, asked, consistent=consistent))


def exported(
    rows: Iterable[T],
    key: Callable[[T], K],
    stored: Callable[[Iterable[K]], Mapping[K, T]],
    lacking: Callable[[T], bool] = lambda _: True,
) -> Iterator[T]:
    """Yield the rows of a list with every column of an export. If lists lack a column, ``stored`` reads rows as they
    are stored.

    ``stored`` gets, from each hundred rows, those that are ``lacking`` something, and returns stored entities by
    ``key``. A row that ``stored`` does not return stays as it is.
    """
    remaining = iter(rows)
    for first in remaining:
        if not lists_lack(type(first)):
            yield first
            yield from remaining
            return
        batch = [first, *islice(remaining, BATCH - 1)]
        whole = stored(map(key, filter(lacking, batch)))
        yield from (whole.get(key(row), row) for row in batch)


def read_partition(  # noqa: PLR0913
    model: type[ItemModel],
    partition: str,
    attributes: Sequence[str] = (),
    *,
    span: Between | Begins | None = None,
    index: str = "",
    decode: Callable[[RawItem], Values] | None = None,
    consistent: bool = False,
    most: int | None = None,
) -> Iterator[Values]:
    """Yield every item of a partition, or of a ``span`` of its sort keys, in key order, read as it is consumed.

    Without ``attributes``, items are whole. ``most`` limits the items of the first Query; each further Query reads
    twice as many. ``decode`` decodes items of several models; by default ``model`` does.

    Costs: half a read unit for each 4 KB, twice that if ``consistent``; at most 1 MB a request.
    """
    names = [*dict.fromkeys([*model.keys_in(index), *model.key_names()])]
    if isinstance(span, Begins):
        span = text_range(span.text)
    ends = [{"S": span.low or LOWEST}, {"S": span.high or HIGHEST}] if span else []
    asked: Any = {"attributes": attributes, "IndexName": index or None, "ConsistentRead": consistent or None}
    start: Key | None = None
    while True:
        key = model.Meta.table_name, names, {"S": partition}
        answer = query(*key, *ends, ExclusiveStartKey=start, Limit=most, **asked)
        yield from map(decode or model.decoded, answer["Items"])
        if (start := answer.get("LastEvaluatedKey")) is None:
            return
        most = most and 2 * most


def read_batch(table: str, asked: Sequence[Key], *, consistent: bool = False) -> Iterator[RawItem]:
    """Yield the existing items among at most a hundred keys. Raises: the errors of :func:`get_items`."""
    options, fruitless = {"ConsistentRead": True} if consistent else {}, 0
    while True:
        answer = sent("BatchGetItem", {"RequestItems": {table: {**options, "Keys": asked}}})
        yield from answer["Responses"].get(table, [])
        unprocessed = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
        if not unprocessed:
            return
        fruitless = 0 if len(unprocessed) < len(asked) else fruitless + 1
        if fruitless == MOST_ATTEMPTS:
            raise Unavailable(f"The database left {len(unprocessed)} items of a batch unread.", "UnprocessedKeys")
        wait(max(fruitless - 1, 0))
        asked = unprocessed


# --- Requests ----------------------------------------------------------------------------------------------


def query(
    table: str,
    key: Sequence[str],
    partition: Typed,
    low: Typed | None = None,
    high: Typed | None = None,
    *,
    attributes: Sequence[str] = (),
    keep: Condition | None = None,
    **more: Any,
) -> Answer:
    """Send a Query of a partition, or of a range of its sort keys, and return DynamoDB's answer.

    ``key`` names the partition key, the sort key, and the rest of the table's key. A range has ``low``, ``high`` or
    both. Without ``attributes``, items are whole. ``keep`` is a FilterExpression: DynamoDB charges the items that it
    drops. ``more`` are other parameters of DynamoDB; those that are ``None`` are left out.

    Raises: ``Unavailable``.
    """
    names, condition = {key[0]: "#0"}, "#0 = :0"
    values: dict[str, Any] = {":0": partition}
    if low or high:
        names[key[1]] = "#1"
        values |= {name: end for name, end in ((":1", low), (":2", high)) if end}
        condition += f" AND #1 {'BETWEEN :1 AND :2' if low and high else '>= :1' if low else '<= :2'}"
    more["FilterExpression"] = None if keep is None else keep.serialize(names, values)
    shown = [names.setdefault(name, f"#{len(names)}") for name in attributes]
    more |= {"TableName": table, "KeyConditionExpression": condition, "ProjectionExpression": ", ".join(shown) or None}
    more["ExpressionAttributeNames"] = dict(zip(names.values(), names, strict=True))
    more["ExpressionAttributeValues"] = values
    answer = sent("Query", {name: value for name, value in more.items() if value is not None})
    stopped = answer.get("LastEvaluatedKey")
    if stopped and stopped.keys() != {*key}:
        raise Unavailable("The database stopped at a key that is none of the list.", "LastEvaluatedKey")
    return answer


def get_one(model: type[ItemModel], *key: str | None, consistent: bool) -> RawItem | None:
    """Return the item with a key; ``None`` if there is none."""
    return one_item(model.Meta.table_name, key_of(model, *key), consistent=consistent)


def one_item(table: str, key: Key, *, consistent: bool) -> RawItem | None:
    """Return the item of a table with a key; ``None`` if there is none."""
    return sent("GetItem", {"TableName": table, "Key": key, "ConsistentRead": consistent}).get("Item")


def key_of(model: type[ItemModel], *values: str | None) -> Key:
    """Return the key of an item of a model's table. The keys of all tables are texts."""
    return {name: {"S": value} for name, value in zip(model.key_names(), values, strict=False) if value is not None}


def sent(operation: Operation, request: dict[str, Any]) -> Answer:
    """Send a request and return DynamoDB's answer. Raises: ``Unavailable``."""
    try:
        return read(operation, {**request, "ReturnConsumedCapacity": "TOTAL"})
    except SDK_ERRORS as error:
        tables = [request["TableName"]] if "TableName" in request else request["RequestItems"]
        raise translation(error, *tables) from error
