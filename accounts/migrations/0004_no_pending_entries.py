"""Entries go to the history with their change. The table of an earlier release, where they waited, stays."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_delete_knownbrowser"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("PendingEntry")]),
    ]
