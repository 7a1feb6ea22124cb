"""The permission to save views for all of a hotel, which managers get."""

from functools import partial

from django.db import migrations

from portal.groups import grant

GRANTED = {"Manager": ["portal.share_views"]}


class Migration(migrations.Migration):
    dependencies = [("portal", "0004_view_costs")]

    operations = [
        migrations.AlterModelOptions(
            name="portalpermissions",
            options={
                "default_permissions": (),
                "managed": False,
                "permissions": [
                    ("export_data", "Can export lists as CSV"),
                    ("view_history", "Can view the history of others"),
                    ("share_views", "Can save views for all of a hotel"),
                    ("view_costs", "Can view how pages are read, and what that costs"),
                ],
            },
        ),
        migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop),
    ]
