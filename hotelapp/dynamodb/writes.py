"""Writes of one item, one request each. Where several items change together, see ``transactions``."""

from collections.abc import Iterator
from contextlib import contextmanager

from pynamodb.exceptions import PynamoDBException
from pynamodb.expressions.condition import Condition

from hotelapp.dynamodb.errors import Conflict, translated
from hotelapp.dynamodb.models import PortalModel


def put(item: PortalModel, condition: Condition | None = None) -> None:
    """Write an item in place of what is there. Raises :class:`Conflict` if that does not meet the condition."""
    with _conditional():
        item.save(condition)


def delete(
    model: type[PortalModel], partition: str, sort_key: str | None = None, *, condition: Condition | None = None
) -> None:
    """Delete an item, if it is there. Raises :class:`Conflict` if it does not meet the condition."""
    with _conditional():
        model.connection().delete_item(partition, sort_key, condition=condition)


@contextmanager
def _conditional() -> Iterator[None]:
    with translated():
        try:
            yield
        except PynamoDBException as error:
            if error.cause_response_code == "ConditionalCheckFailedException":
                raise Conflict("The item is not as it was seen.") from error
            raise
