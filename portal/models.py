"""The permissions that concern every app."""

from django.db import models


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
