"""Saved views for tests."""

from django.contrib.auth.models import User

from dynamodb_lists.writing import single_items
from saved_views import keys
from saved_views.entities import SavedView, SavedViews
from saved_views.models import SavedViewsModel
from tests.helpers.pages import EXAMPLES
from tests.helpers.rooms import ABC

SUITES = f"/hotels/{ABC}/rooms/?type=suite"


def keep(owner: str, *views: SavedView) -> None:
    """Store views of an owner as they are."""
    single_items.put(SavedViewsModel.item(SavedViews(owner, views, 1)))


def keep_examples() -> None:
    """A view of the hotel and one of each account, under the id that is the example in addresses."""
    for owner in (keys.of_hotel(ABC), *map(keys.of_account, User.objects.values_list("pk", flat=True))):
        keep(owner, SavedView(EXAMPLES["view_id"], "Example", SUITES))
