"""What SQL holds about logins beside the tables of django-axes and django-otp."""

from django.conf import settings
from django.db import models


class KnownBrowser(models.Model):
    """A browser in which a user has logged in before. Its cookie is stored as a SHA-256."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="known_browsers")
    digest = models.CharField(max_length=64)
    last_used = models.DateField()

    class Meta:
        app_label = "accounts"
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["user", "digest"], name="accounts_known_browser_once")]

    def __str__(self) -> str:
        return f"a browser of {self.user}"


class PendingEntry(models.Model):
    """An entry that waits for the history. It is written with the change that it tells of; ``recording`` sends it."""

    entry = models.JSONField()

    class Meta:
        app_label = "accounts"
        default_permissions = ()

    def __str__(self) -> str:
        return f"an entry about {self.entry['thing']}"
