"""Django's permissions and admin log for reviews. Reviews themselves are in DynamoDB and have no SQL table.

An entry is written before the change. If the change is refused, the entry is deleted. If the database's answer is lost,
nobody knows whether the change was made. Then the entry is unconfirmed until the change is seen in the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, cast

from django.contrib.admin.models import LogEntry
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.contenttypes.models import ContentType
from django.db import models

from hotelapp.dynamodb.connection.errors import Conflict, NotFound, Refused, Unavailable, UnknownValue
from reviews.entities import Review

OBJECT_REPR_LENGTH = 200


class AuditedReview(models.Model):
    """A review in Django's admin log and permissions. It has no table."""

    review_id = models.CharField(primary_key=True, max_length=64)
    words = models.TextField()

    class Meta:
        app_label = "reviews"
        managed = False
        default_permissions = ()
        permissions = [
            *((f"{action}_review", f"Can {action} review") for action in ("view", "add", "change", "delete")),
            ("reply_review", "Can reply to review"),
        ]

    def __str__(self) -> str:
        return self.words


class ReviewLogEntry(LogEntry):
    """An entry of the admin log about a review. ``confirmed`` is false while nobody knows if the change was made."""

    confirmed = models.BooleanField(default=True)

    objects: ClassVar[models.Manager["ReviewLogEntry"]] = models.Manager()  # type: ignore[assignment]

    class Meta:
        app_label = "reviews"
        default_permissions = ()


@contextmanager
def logged(user: AbstractBaseUser | AnonymousUser, action: int, message: str, review: Review) -> Iterator[None]:
    """Log the change that is made inside the block."""
    words = f"{review.rating} of 5 stars for {review.hotel_id} by {review.author}"
    entry = ReviewLogEntry.objects.create(
        user_id=cast(int, user.pk),  # only people who are signed in change reviews
        content_type=ContentType.objects.get_for_model(AuditedReview),
        object_id=review.review_id,
        object_repr=words[:OBJECT_REPR_LENGTH],
        action_flag=action,
        change_message=message,
    )
    try:
        yield
    except (Conflict, NotFound, UnknownValue, Refused):
        entry.delete()
        raise
    except Unavailable:
        entry.confirmed = False
        entry.save()
        raise


def confirm(action: int, review_id: str) -> None:
    """Confirm the last entry about a review, if it is about this action. Call it when the change is in the database."""
    entry = last_entry(review_id)
    if entry and entry.action_flag == action:
        entry.confirmed = True
        entry.save()


def last_entry(review_id: str) -> ReviewLogEntry | None:
    """The last entry about a review."""
    kind = ContentType.objects.get_for_model(AuditedReview)
    return ReviewLogEntry.objects.filter(content_type=kind, object_id=review_id).order_by("-pk").first()
