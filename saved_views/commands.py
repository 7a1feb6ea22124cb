"""Writes of saved views that are more than a line of Django's."""

from typing import Any

from django.db import transaction

from dynamodb_lists.connection.errors import Conflict
from saved_views.entities import MOST_VIEWS
from saved_views.models import SavedView


@transaction.atomic  # SQLite lets one write at a time, so that a form that is sent twice at once adds one view
def save_view(name: str, address: str, **owner: Any) -> bool:
    """Add a view of a ``user`` or of a ``hotel_id``. Returns false if the owner has one with this name and address.

    Raises :class:`Conflict` if there are too many.
    """
    views = SavedView.objects.filter(**owner)
    if views.filter(name=name, address=address).exists():
        return False
    if views.count() >= MOST_VIEWS:
        raise Conflict(f"There are {MOST_VIEWS} views already. Delete one first.")
    SavedView.objects.create(name=name, address=address, **owner)
    return True
