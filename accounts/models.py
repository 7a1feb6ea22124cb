"""The SQL tables of how often accounts have changed, and of the usernames that they had."""

from django.conf import settings
from django.db import models


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

    Histories, orders and uploads name people by it for ever, so no other account gets it: see :mod:`accounts.names`.
    """

    folded = models.CharField(max_length=600, primary_key=True)
    user_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.folded
