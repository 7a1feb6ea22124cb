"""The SQL tables of how often accounts have changed, and of the usernames that they had; the rules for usernames."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.signals import post_delete, pre_save

from dynamodb_lists import folded
from portal.history.entities import MACHINES


class AccountChanges(models.Model):
    """How often an account has changed. Triggers of the database count: see :mod:`accounts.change_numbers`.

    ``rights`` counts every change of what the account is or may do, and ``access`` those that end its sessions. An
    account without a row has not changed. A row outlives its account, so that its numbers never come back.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, primary_key=True, db_constraint=False, related_name="changes"
    )
    rights = models.PositiveBigIntegerField()
    access = models.PositiveBigIntegerField()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "account changes"

    def __str__(self) -> str:
        return f"changes of account {self.user_id}"


class FormerUsername(models.Model):
    """A username that an account had until it was renamed or deleted, in small letters and without accents.

    Histories, orders and uploads name people by it for ever, so no other account gets it: see :func:`check_username`.
    """

    folded = models.CharField(max_length=600, primary_key=True)
    user_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.folded


def check_username(username: str, user_id: Any = None) -> None:
    """Raise :class:`ValidationError` for a name that the account may not have, in any case or Unicode form.

    A name that another account had before is refused: whoever got it would get its history, and could undo what it did.
    """
    check_form(username)
    if FormerUsername.objects.filter(folded=folded(username)).exclude(user_id=user_id).exists():
        raise ValidationError(f"“{username}” was the username of another account. Choose another one.")


def check_form(username: str) -> None:
    """Raise :class:`ValidationError` for a name that no account may have.

    The names of the history's own authors are refused. The names ``.`` and ``..`` are refused, too, because browsers
    take them out of the address of the account's history.
    """
    if username in {".", ".."}:
        raise ValidationError("A username needs a letter or a digit.")
    if folded(username) in MACHINES:
        raise ValidationError(f"“{username}” cannot be a username, because the portal uses it in histories.")


def check_all_names() -> None:
    """Check the name of each account that is added or renamed, and keep the names that go.

    A validator of the field does not know whose name it checks, so former names are looked up when the account is
    saved. ``createsuperuser --noinput`` does not even call validators.
    """
    User._meta.get_field("username").validators.append(check_form)
    pre_save.connect(_check_new, User, dispatch_uid="new usernames")
    post_delete.connect(_keep_former, User, dispatch_uid="former usernames")


def _check_new(instance: User, update_fields: Collection[str] | None = None, **_: Any) -> None:
    if update_fields is not None and "username" not in update_fields:
        return  # as at each login
    before = User.objects.filter(pk=instance.pk).first()
    if before is None or before.username != instance.username:
        check_username(instance.username, instance.pk)
        if before is not None:
            _keep_former(before)


def _keep_former(instance: User, **_: Any) -> None:
    FormerUsername.objects.get_or_create(folded=folded(instance.username), defaults={"user_id": instance.pk})
