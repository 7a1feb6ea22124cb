"""Saved views, in SQL beside the accounts that they belong to. Their limits, reads and writes are here, too."""

from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.urls import reverse

from dynamodb_lists import errors
from dynamodb_lists.schema import keys

MOST_VIEWS = 50
"""The most views of one owner, so that the sidebar stays short."""

NAME_LENGTH = 64

EVERYONE = ":all"
"""Stands for all hotels in place of a hotel's id, which it is not. Whoever is bound to hotels does not change these."""


class SavedViews(models.QuerySet["SavedView"]):
    @transaction.atomic  # SQLite lets one write at a time, so that a form that is sent twice at once adds one view
    def keep(self, name: str, address: str, **owner: Any) -> bool:
        """Add a view of a ``user`` or of a ``hotel_id``. Returns false if the owner has one like it.

        Raises :class:`Conflict` if there are too many.
        """
        views = self.filter(**owner)
        if views.filter(name=name, address=address).exists():
            return False
        if views.count() >= MOST_VIEWS:
            raise errors.Conflict(f"There are already {MOST_VIEWS} saved views. Delete one first.")
        self.create(name=name, address=address, **owner)
        return True


class SavedView(models.Model):
    """A list with its filters and sort under a name: the address of the list, without the host and the cursor.

    It is for a member of staff, or for everyone at a hotel or, with ``EVERYONE``, in the group.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    hotel_id = models.CharField(max_length=keys.SLUG_LENGTH, blank=True)
    name = models.CharField(max_length=NAME_LENGTH)
    address = models.TextField()
    objects = SavedViews.as_manager()

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
