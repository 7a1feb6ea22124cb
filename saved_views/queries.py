"""Reads of saved views; docs/access-patterns.md shows the request."""

from collections.abc import Sequence

from dynamodb_lists.reading.items import get_items
from dynamodb_lists.schema.entities import build
from saved_views import keys
from saved_views.entities import SavedViews
from saved_views.models import SavedViewsModel


def views_of(owners: Sequence[str], *, consistent: bool = True) -> dict[str, SavedViews]:
    """S4: the views of these owners, the partitions of :mod:`saved_views.keys`, in their order. One BatchGetItem."""
    wanted = [(owner, keys.VIEWS) for owner in owners]
    stored = {values["pk"]: values for values in get_items(SavedViewsModel, wanted, consistent=consistent)}
    return {owner: build(SavedViews, stored.get(owner, {}), owner=owner) for owner in owners}
