"""The numbers of accounts that only grow, and usernames that nobody gets again.

Triggers raise the numbers, which :mod:`accounts.changes` makes after the migrations.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("otp_totp", "0003_add_timestamps"),
        ("portal", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountChanges",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        settings.AUTH_USER_MODEL,
                        models.DO_NOTHING,
                        primary_key=True,
                        db_constraint=False,
                        related_name="changes",
                        serialize=False,
                    ),
                ),
                ("rights", models.PositiveBigIntegerField()),
                ("access", models.PositiveBigIntegerField()),
            ],
            options={"default_permissions": (), "verbose_name_plural": "account changes"},
        ),
        migrations.CreateModel(
            name="FormerUsername",
            fields=[
                ("folded", models.CharField(max_length=600, primary_key=True, serialize=False)),
                ("user_id", models.BigIntegerField()),
            ],
            options={"default_permissions": ()},
        ),
    ]
