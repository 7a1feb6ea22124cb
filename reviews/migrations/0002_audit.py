"""Rename the permissions' model, and keep the state of log entries in a field."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("reviews", "0001_initial"),
    ]

    operations = [
        migrations.RenameModel("Review", "AuditedReview"),
        migrations.AlterModelOptions(
            name="auditedreview",
            options={
                "managed": False,
                "default_permissions": (),
                "permissions": [
                    ("add_review", "Can add review"),
                    ("change_review", "Can change review"),
                    ("delete_review", "Can delete review"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewLogEntry",
            fields=[
                (
                    "logentry_ptr",
                    models.OneToOneField(
                        auto_created=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        parent_link=True,
                        primary_key=True,
                        serialize=False,
                        to="admin.logentry",
                    ),
                ),
                ("confirmed", models.BooleanField(default=True)),
            ],
            options={"default_permissions": ()},
            bases=("admin.logentry",),
        ),
    ]
