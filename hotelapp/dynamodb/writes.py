"""Writes of one item, one request each. Where several items change together, see ``transactions``.

Each waits its turn: DynamoDB refuses a plain write, too, while a transaction holds the item, and the SDK does not try
that again. All raise :class:`~hotelapp.dynamodb.errors.Unavailable` if it is held through eight attempts.
"""

from collections.abc import Callable

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from hotelapp.dynamodb.errors import Conflict, Unavailable, translated
from hotelapp.dynamodb.models import PortalModel
from hotelapp.dynamodb.transactions import ATTEMPTS, wait


def put(item: PortalModel, condition: Condition | None = None) -> None:
    """Write an item in place of what is there. Raises :class:`Conflict` if that does not meet the condition."""
    _write(lambda: item.save(condition))


def update(item: PortalModel, actions: list[Action], condition: Condition | None = None) -> None:
    """Change some attributes of an item, which is made if it is not there.

    Raises :class:`Conflict` if it does not meet the condition.
    """
    _write(lambda: item.update(actions, condition))


def delete(
    model: type[PortalModel], partition: str, sort_key: str | None = None, *, condition: Condition | None = None
) -> None:
    """Delete an item, if it is there. Raises :class:`Conflict` if it does not meet the condition."""
    _write(lambda: model.connection().delete_item(partition, sort_key, condition=condition))


def _write(write: Callable[[], object]) -> None:
    for attempt in range(ATTEMPTS):
        try:
            with translated():
                write()
            return
        except Unavailable as error:
            if error.code == "ConditionalCheckFailedException":
                raise Conflict("The item is not as it was seen.") from error
            if error.code != "TransactionConflictException" or attempt == ATTEMPTS - 1:
                raise
        wait(attempt)
