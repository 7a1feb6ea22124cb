"""Add the permission to reply to reviews."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviews", "0002_audit")]

    operations = [
        migrations.AlterModelOptions(
            name="auditedreview",
            options={
                "managed": False,
                "default_permissions": (),
                "permissions": [
                    ("add_review", "Can add review"),
                    ("change_review", "Can change review"),
                    ("delete_review", "Can delete review"),
                    ("reply_review", "Can reply to review"),
                ],
            },
        ),
    ]
