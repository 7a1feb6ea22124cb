"""Reads of saved views, from SQL."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from saved_views.entities import EVERYONE
from saved_views.models import SavedView


def views_of(account_id: int | None, hotel_ids: Collection[str]) -> QuerySet[SavedView]:
    """The views of an account, of these hotels, and of the group."""
    return SavedView.objects.filter(Q(user=account_id) | Q(hotel_id__in=[*hotel_ids, EVERYONE]))


def changeable(account_id: int | None, hotel_ids: Collection[str] | None) -> QuerySet[SavedView]:
    """The views of an account, and of these hotels; with ``None`` those of every hotel, and of the group."""
    of_hotels = Q(user=None) if hotel_ids is None else Q(hotel_id__in=hotel_ids)
    return SavedView.objects.filter(Q(user=account_id) | of_hotels)
