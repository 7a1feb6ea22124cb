"""Reads of bulk changes."""

from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.entities import build
from rooms import keys
from rooms.entities import BulkChange, BulkProgress
from rooms.models import BulkChangeModel, BulkProgressModel


def bulk_change(hotel_id: str, change_id: str) -> BulkChange:
    """A bulk change as it was asked for. Raises :class:`~hotelapp.dynamodb.connection.errors.NotFound`."""
    item = get_item(BulkChangeModel, keys.bulk_changes(hotel_id), keys.bulk_change(change_id), consistent=True)
    return build(BulkChange, item)


def bulk_progress(hotel_id: str, change_id: str) -> BulkProgress:
    """How far a bulk change is. Raises :class:`~hotelapp.dynamodb.connection.errors.NotFound`."""
    item = get_item(BulkProgressModel, keys.bulk_changes(hotel_id), keys.bulk_progress(change_id), consistent=True)
    return build(BulkProgress, item)
