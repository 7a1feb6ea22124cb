"""SQL tables about staff, besides Django's accounts: the hotels that they are bound to, and permissions."""

from django.conf import settings
from django.db import models

from dynamodb_lists.schema.keys import SLUG_LENGTH

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

    Hotels are in DynamoDB, so the id is no foreign key. The hotels app's admin form checks it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_hotels")
    hotel_id = models.CharField("hotel", max_length=SLUG_LENGTH)

    class Meta:
        default_permissions = ()
        verbose_name = "hotel of a member of staff"
        verbose_name_plural = "hotels of a member of staff"
        constraints = [models.UniqueConstraint(fields=["user", "hotel_id"], name="portal_staff_hotel_once")]

    def __str__(self) -> str:
        return self.hotel_id


class PortalPermissions(models.Model):
    """Permissions that concern every app; granted on ``/admin/``. It has no SQL table."""

    class Meta:
        managed = False
        default_permissions = ()
        permissions = [
            ("export_data", "Can export lists as CSV"),
            ("view_history", "Can view the history of others"),
            ("share_views", "Can save views for all of a hotel"),
            ("view_costs", "Can view how pages are read, and what that costs"),
            ("open_lab", "Can compare what ways to read cost, on the real tables"),
        ]
