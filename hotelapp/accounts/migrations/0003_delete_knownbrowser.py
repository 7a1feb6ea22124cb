"""Known browsers have signed cookies now."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_pending_entry"),
    ]

    operations = [
        migrations.DeleteModel(name="KnownBrowser"),
    ]
