"""SQL tables about accounts, besides those of Django, django-axes and django-otp."""

from django.db import models


class PendingEntry(models.Model):
    """An entry that waits for the history. It is written with the change that it tells of; ``recording`` sends it."""

    entry = models.JSONField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"an entry about {self.entry['thing']}"
