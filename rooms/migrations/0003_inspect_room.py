"""The permission to say that a room is inspected: who cleans does not inspect."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rooms", "0002_plan_room")]

    operations = [
        migrations.AlterModelOptions(
            name="roompermissions",
            options={
                "default_permissions": (),
                "managed": False,
                "permissions": [
                    ("view_room", "Can view room"),
                    ("add_room", "Can add room"),
                    ("change_room", "Can change room"),
                    ("delete_room", "Can delete room"),
                    ("change_room_status", "Can change the status of a room"),
                    ("inspect_room", "Can set rooms to inspected"),
                    ("plan_room", "Can plan who cleans rooms, and how urgent they are"),
                ],
            },
        ),
    ]
