from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="OrderPermissions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "permissions": [
                    ("view_guest", "Can view guest"),
                    ("add_guest", "Can add guest"),
                    ("change_guest", "Can change guest"),
                    ("erase_guest", "Can erase guest"),
                    ("view_order", "Can view order"),
                    ("add_order", "Can place an order"),
                    ("move_order", "Can move an order on"),
                    ("cancel_order", "Can cancel an order"),
                ],
                "managed": False,
                "default_permissions": (),
            },
        ),
    ]
