"""The permission to see the engineers' panel. No group has it: it is for who runs the portal."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("portal", "0003_every_hotel")]

    operations = [
        migrations.AlterModelOptions(
            name="portalpermissions",
            options={
                "default_permissions": (),
                "managed": False,
                "permissions": [
                    ("export_data", "Can export lists as CSV"),
                    ("view_history", "Can view the history of others"),
                    ("view_costs", "Can view how pages are read, and what that costs"),
                ],
            },
        ),
    ]
