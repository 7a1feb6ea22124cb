"""Delete the log of changes in SQL: the history in DynamoDB replaces it. Entries in Django's own admin log stay."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0002_audit")]

    operations = [
        migrations.RunSQL("DROP TABLE IF EXISTS reviews_reviewlogentry", migrations.RunSQL.noop),
        migrations.RenameModel("AuditedReview", "ReviewPermissions"),
        migrations.RemoveField("ReviewPermissions", "words"),
        migrations.RemoveField("ReviewPermissions", "review_id"),
        migrations.AddField(
            "ReviewPermissions",
            "id",
            models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
        ),
    ]
