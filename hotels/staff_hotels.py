"""Which hotels staff see: the SQL tables that say it, and who sees a hotel."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import Q

from dynamodb_lists.schema.keys import SLUG_LENGTH
from portal.people import full_name, person_id
from portal.scopes import HotelScope

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
MAX_HOTELS = 100
"""The most hotels that a form binds a member of staff to. Whoever has more, from SQL, keeps them."""


class EveryHotel(models.Model):
    """The choice that a member of staff sees every hotel. Without it, the hotels are those of :class:`StaffHotel`."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="every_hotel"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"every hotel for {self.user}"


class StaffHotel(models.Model):
    """A hotel that a member of staff is bound to. A member of staff without any sees none.

    Hotels are in DynamoDB, so the id is no foreign key. The form of an account checks it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_hotels")
    hotel_id = models.CharField("hotel", max_length=SLUG_LENGTH)

    class Meta:
        default_permissions = ()
        verbose_name = "hotel of a member of staff"
        verbose_name_plural = "hotels of a member of staff"
        constraints = [models.UniqueConstraint(fields=["user", "hotel_id"], name="staff_hotel_once")]

    def __str__(self) -> str:
        return self.hotel_id


def scope_of(user: Any) -> HotelScope:
    """The hotels that an account sees, in one SQL query. Superusers see every hotel.

    That of the user of a request is read with the user, by :mod:`accounts.staff`.
    """
    if user.is_superuser:
        return HotelScope()
    rows = get_user_model().objects.filter(pk=user.pk).values_list("every_hotel", "staff_hotels__hotel_id")
    if any(every for every, _ in rows):
        return HotelScope()
    return HotelScope(frozenset(filter(None, (hotel_id for _, hotel_id in rows))))


def staff_of(hotel_id: str, permission: str, words: Callable[[Any], str] = full_name) -> dict[str, str]:
    """The names, or other ``words``, of the active staff who see a hotel and have a permission, by :func:`person_id`.

    It is one SQL query, so whoever is ended or loses a hotel or a role is not among them any more.
    """
    sees = Q(is_superuser=True) | Q(every_hotel__isnull=False) | Q(staff_hotels__hotel_id=hotel_id)
    allowed = get_user_model().objects.with_perm(permission, backend=MODEL_BACKEND)
    names = {person_id(user): words(user) for user in allowed.filter(sees, is_staff=True).distinct()}
    return dict(sorted(names.items(), key=lambda pair: pair[1].casefold()))
