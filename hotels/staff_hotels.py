"""Which hotels staff see: the SQL table that says it, and who sees a hotel."""

from collections.abc import Callable, Collection
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Q

from dynamodb_lists.schema import keys
from portal.people import HotelScope, full_name, person_id

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
MAX_HOTELS = 100
"""The most hotels that a form binds a member of staff to. Whoever has more, from SQL, keeps them."""

EVERY = ":all"
"""Stands for every hotel, also those added later, in place of a hotel's id, which it is not."""


class StaffHotel(models.Model):
    """A hotel that a member of staff sees, or :data:`EVERY` hotel. A member of staff without any sees none.

    Hotels are in DynamoDB, so the id is no foreign key. The form of an account checks it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_hotels")
    hotel_id = models.CharField("hotel", max_length=keys.SLUG_LENGTH)

    class Meta:
        default_permissions = ()
        verbose_name = "hotel of a member of staff"
        verbose_name_plural = "hotels of a member of staff"
        constraints = [models.UniqueConstraint(fields=["user", "hotel_id"], name="staff_hotel_once")]

    def __str__(self) -> str:
        return self.hotel_id


def scope_of(user: Any) -> HotelScope:
    """Return the hotels that an account sees, in one SQL query. Superusers see every hotel.

    :mod:`accounts.backends` reads the hotels of a request's user together with the user.
    """
    if user.is_superuser:
        return HotelScope()
    return scope_with(StaffHotel.objects.filter(user=user.pk).values_list("hotel_id", flat=True))


def scope_with(hotel_ids: Collection[str]) -> HotelScope:
    """Return what an account sees that has these hotels."""
    return HotelScope(None if EVERY in hotel_ids else frozenset(hotel_ids))


def staff_of(hotel_id: str, permission: str, words: Callable[[Any], str] = full_name) -> dict[str, str]:
    """Return the names, or ``words``, of the active staff who see a hotel and have a permission, by :func:`person_id`.

    One SQL query reads them, so people who have just lost the account, the hotel or the role are missing.
    """
    sees = Q(is_superuser=True) | Q(staff_hotels__hotel_id__in=[hotel_id, EVERY])
    allowed = get_user_model().objects.with_perm(permission, backend=MODEL_BACKEND)
    names = {person_id(user): words(user) for user in allowed.filter(sees, is_staff=True).distinct()}
    return dict(sorted(names.items(), key=lambda pair: pair[1].casefold()))
