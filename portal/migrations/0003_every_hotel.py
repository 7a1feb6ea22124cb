"""Store the choice "every hotel". Until now, an account without hotels saw every hotel; it keeps that."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_every_hotel(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Choose every hotel for each account that is bound to none."""
    database = schema_editor.connection.alias
    users = apps.get_model(settings.AUTH_USER_MODEL).objects.using(database).filter(staff_hotels=None)
    every_hotel = apps.get_model("portal", "EveryHotel").objects.using(database)
    every_hotel.bulk_create([every_hotel.model(user_id=pk) for pk in users.values_list("pk", flat=True)])


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("portal", "0002_groups"),
    ]

    operations = [
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
        migrations.RunPython(keep_every_hotel, migrations.RunPython.noop),
    ]
