"""Saved views, in SQL beside the accounts that they belong to."""

from django.conf import settings
from django.db import models
from django.urls import reverse

from dynamodb_lists.schema.keys import SLUG_LENGTH
from saved_views.entities import NAME_LENGTH


class SavedView(models.Model):
    """A list with its filters and sort under a name: the address of the list, without the host and the cursor.

    It is for a member of staff, or for everyone at a hotel or, with ``EVERYONE``, in the group.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    hotel_id = models.CharField(max_length=SLUG_LENGTH, blank=True)
    name = models.CharField(max_length=NAME_LENGTH)
    address = models.TextField()

    class Meta:
        default_permissions = ()
        ordering = ["hotel_id", "pk"]
        indexes = [models.Index(fields=["hotel_id"], name="saved_views_of_hotel")]

    def __str__(self) -> str:
        return self.name

    @property
    def actions(self) -> list[tuple[str, str]]:
        """What can be done with it: words and addresses."""
        return [(name.title(), reverse(f"saved_views:{name}", args=[self.pk])) for name in ("rename", "delete")]
