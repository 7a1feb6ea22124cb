"""Reads of single items by their keys, and of whole partitions.

They go through a PynamoDB model's connection and return the item's values as the model declares them; see
:meth:`~dynamodb_lists.schema.models.PortalModel.decoded`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from dynamodb_lists.connection.errors import Conflict, NotFound, Unavailable
from dynamodb_lists.connection.retries import MOST_ATTEMPTS, wait
from dynamodb_lists.reading.requests import Key, get_batch, get_one, key_of, query
from dynamodb_lists.schema.entities import lists_lack
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import KIND, PortalModel, RawItem, Values

T = TypeVar("T")
K = TypeVar("K")
BATCH = 100
"""The most keys that DynamoDB takes in one BatchGetItem."""


def get_item(
    model: type[PortalModel], partition: str, sort_key: str | None = None, *, consistent: bool = False
) -> Values:
    """One item by its key. A ``consistent`` read sees every acknowledged write. Raises :class:`NotFound`."""
    item = get_one(model, key_of(model, partition, sort_key), consistent=consistent)
    if item is None:
        raise NotFound(f"There is no {' '.join(filter(None, (model.__name__, partition, sort_key)))}.")
    return model.decoded(item)


def find_item(
    model: type[PortalModel], partition: str, sort_key: str | None = None, *, consistent: bool = False
) -> Values:
    """Like :func:`get_item`, but if the item is missing, it is read again, consistently.

    So the page that follows a write never says that the item is missing. Only pages of missing items cost more.
    """
    try:
        return get_item(model, partition, sort_key, consistent=consistent)
    except NotFound:
        if consistent:
            raise
        return get_item(model, partition, sort_key, consistent=True)


def refusing(model: type[PortalModel], refusal: Conflict) -> Iterator[RawItem]:
    """The items of a model among those that refused a transaction, as they were then. This sends no request."""
    return (item for item in refusal.items if item.get(KIND) == {"S": model.kind})


def get_items(
    model: type[PortalModel],
    wanted: Iterable[tuple[str, str]],
    *,
    consistent: bool = True,
    decode: Callable[[RawItem], Values] | None = None,
) -> Iterator[Values]:
    """The items with these keys (partition and sort key) that exist, in any order.

    ``decode`` is for items of several models in one table; by default ``model`` decodes them.

    An item is charged as one GetItem would be: one read unit for 4 KB, or half of it if the read is not ``consistent``.
    Their order is DynamoDB's. Keys that DynamoDB hands back as unprocessed are asked for again after a short wait.
    Raises :class:`~dynamodb_lists.connection.errors.Unavailable` if DynamoDB processes no key of eight requests in a
    row.
    """
    left = iter(dict.fromkeys(wanted))
    while keys := [key_of(model, *pair) for pair in islice(left, BATCH)]:
        yield from map(decode or model.decoded, _batch(model, keys, consistent))


def exported(rows: Iterable[T], key: Callable[[T], K], read: Callable[[Iterable[K]], Mapping[K, T]]) -> Iterator[T]:
    """The rows of a list with every column of an export. If the list lacks a column, the rows come from ``read``.

    ``read`` returns entities as stored, by ``key``; it is asked for a hundred at a time. A row that it does not find
    stays as it is.
    """
    remaining = iter(rows)
    for first in remaining:
        if not lists_lack(type(first)):
            yield first
            yield from remaining
            return
        batch = [first, *islice(remaining, BATCH - 1)]
        stored = read(map(key, batch))
        yield from (stored.get(key(row), row) for row in batch)


def read_partition(
    model: type[PortalModel],
    partition: str,
    attributes: Sequence[str] = (),
    *,
    span: KeyRange | None = None,
    index: str = "",
    decode: Callable[[RawItem], Values] | None = None,
    consistent: bool = False,
) -> Iterator[Values]:
    """Every item of a partition, or of a ``span`` of its sort keys, in key order. A Query returns at most 1 MB.

    Without ``attributes``, items are whole.
    ``decode`` is for partitions that hold items of several models; by default ``model`` decodes them.
    """
    start: Key | None = None
    while True:
        answer = query(
            model,
            partition,
            index=index,
            span=span,
            attributes=attributes,
            start=start,
            ConsistentRead=consistent or None,
        )
        yield from map(decode or model.decoded, answer["Items"])
        if (start := answer.get("LastEvaluatedKey")) is None:
            return


def _batch(model: type[PortalModel], keys: Sequence[Key], consistent: bool) -> Iterator[RawItem]:
    """The existing items among at most a hundred keys. Raises the same as :func:`get_items`."""
    fruitless = 0
    while True:
        items, unprocessed = get_batch(model, keys, consistent=consistent)
        yield from items
        if not unprocessed:
            return
        fruitless = 0 if len(unprocessed) < len(keys) else fruitless + 1
        if fruitless == MOST_ATTEMPTS:
            raise Unavailable(f"The database left {len(unprocessed)} items of a batch unread.", "UnprocessedKeys")
        wait(max(fruitless - 1, 0))
        keys = unprocessed
