"""Saved views for tests."""

from typing import Any

from saved_views.models import SavedView
from tests.helpers.pages import EXAMPLES
from tests.helpers.rooms import ABC

SUITES = f"/hotels/{ABC}/rooms/?type=suite"


def keep_examples(user_id: Any, name: str = "Example") -> None:
    """A view of the hotel, and one of an account under the id that is the example in addresses."""
    SavedView.objects.create(hotel_id=ABC, name=name, address=SUITES)
    SavedView.objects.create(pk=EXAMPLES["view_id"], user_id=user_id, name=name, address=SUITES)
