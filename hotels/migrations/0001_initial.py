from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="HotelPermissions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "permissions": [
                    ("view_hotel", "Can view hotel"),
                    ("add_hotel", "Can add hotel"),
                    ("change_hotel", "Can change hotel"),
                ],
                "managed": False,
                "default_permissions": (),
            },
        ),
    ]
