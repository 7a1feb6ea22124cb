"""Reads of saved views; docs/access-patterns.md shows the request."""

from collections.abc import Sequence

from dynamodb_lists.reading.items import get_items
from saved_views.entities import SavedViews
from saved_views.models import SavedViewsModel


def views_of(owners: Sequence[str], *, consistent: bool = True) -> dict[str, SavedViews]:
    """S4: the views of these owners, who are those of :mod:`saved_views.keys`, in their order. One BatchGetItem."""
    wanted = [SavedViewsModel.place_of(owner=owner) for owner in owners]
    stored = map(SavedViewsModel.built, get_items(SavedViewsModel, wanted, consistent=consistent))
    return {owner: SavedViews(owner) for owner in owners} | {views.owner: views for views in stored}
