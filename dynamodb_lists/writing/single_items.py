"""Writes of one item, one request each. If several items change together, use ``transactions``.

DynamoDB refuses a plain write while a transaction holds the item, and the SDK does not retry it. So these writes are
repeated, as transactions are. All raise :class:`~dynamodb_lists.connection.errors.Conflict` if the item does not
meet the condition, and :class:`~dynamodb_lists.connection.errors.Unavailable` after eight attempts.
"""

from collections.abc import Iterable, Sequence

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.writing.transactions import assigned, reasons, repeated, with_kind


def put(item: ItemModel, condition: Condition | None = None) -> None:
    """Write an item, in place of the item with its key if there is one."""
    repeated(lambda: item.save(condition), _codes)


def update(item: ItemModel, actions: Sequence[Action], condition: Condition | None = None) -> None:
    """Change attributes of an item; without a condition, create it if it is missing."""
    repeated(lambda: item.update(with_kind(item, actions), condition), _codes)


def mend(item: ItemModel, names: Iterable[str], condition: Condition) -> None:
    """Set these attributes of the stored item to the values in ``item``. One that ``item`` lacks is removed."""
    update(item, assigned(item, names), condition)


def delete(
    model: type[ItemModel], partition: str, sort_key: str | None = None, *, condition: Condition | None = None
) -> None:
    """Delete an item if it exists."""
    repeated(lambda: model.connection().delete_item(partition, sort_key, condition=condition), _codes)


def _codes(error: Unavailable) -> set[str]:
    """The error's code, if it is one of a conflict. The SDK itself repeats calls that are throttled."""
    return reasons(error) & {"ConditionalCheckFailed", "TransactionConflict"}
