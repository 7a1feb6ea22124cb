"""Rename the permissions' model."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]

    operations = [
        migrations.RenameModel("Review", "AuditedReview"),
        migrations.AlterModelOptions(
            name="auditedreview",
            options={
                "managed": False,
                "default_permissions": (),
                "permissions": [
                    ("view_review", "Can view review"),
                    ("add_review", "Can add review"),
                    ("change_review", "Can change review"),
                    ("delete_review", "Can delete review"),
                    ("reply_review", "Can reply to review"),
                ],
            },
        ),
    ]
