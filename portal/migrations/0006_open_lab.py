"""The permission to open the cost lab. No group has it: it is for who runs the portal."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("portal", "0005_share_views")]

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
                    ("open_lab", "Can compare what ways to read cost, on the real tables"),
                ],
            },
        ),
    ]
