from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="PortalPermissions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "permissions": [
                    ("export_data", "Can export lists as CSV"),
                    ("view_history", "Can view the history of others"),
                    ("share_views", "Can save views for all of a hotel"),
                    ("view_costs", "Can view how pages are read, and what that costs"),
                    ("open_lab", "Can compare what ways to read cost, on the real tables"),
                ],
                "managed": False,
                "default_permissions": (),
            },
        ),
    ]
