import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

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
        migrations.CreateModel(
            name="StaffHotel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hotel_id", models.CharField(max_length=64, verbose_name="hotel")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_hotels",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "hotel of a member of staff",
                "verbose_name_plural": "hotels of a member of staff",
                "default_permissions": (),
                "constraints": [models.UniqueConstraint(fields=("user", "hotel_id"), name="portal_staff_hotel_once")],
            },
        ),
        migrations.CreateModel(
            name="EveryHotel",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="every_hotel",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"default_permissions": ()},
        ),
    ]
