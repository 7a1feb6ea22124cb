from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="RoomPermissions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "permissions": [
                    ("view_room", "Can view room"),
                    ("add_room", "Can add room"),
                    ("change_room", "Can change room"),
                    ("delete_room", "Can delete room"),
                    ("change_room_status", "Can change the status of a room"),
                    ("inspect_room", "Can set rooms to inspected"),
                    ("plan_room", "Can plan who cleans rooms, and how urgent they are"),
                ],
                "managed": False,
                "default_permissions": (),
            },
        ),
    ]
