from django.db import models


class NotePermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_note", f"Can {action} note") for action in ("view", "add", "change", "delete")]
