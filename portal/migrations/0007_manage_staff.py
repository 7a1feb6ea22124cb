"""Managers add and end staff below them: ``accounts.authority`` says who that is."""

from functools import partial

from django.db import migrations

from portal.groups import grant

GRANTED = {"Manager": ["auth.view_user", "auth.add_user", "auth.change_user"]}


class Migration(migrations.Migration):
    dependencies = [("portal", "0006_open_lab"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop)]
