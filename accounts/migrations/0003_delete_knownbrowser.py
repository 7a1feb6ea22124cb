"""Known browsers have signed cookies now. An earlier release had a table of them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_pending_entry"),
    ]

    operations = [
        migrations.RunSQL("DROP TABLE IF EXISTS accounts_knownbrowser", migrations.RunSQL.noop),
    ]
