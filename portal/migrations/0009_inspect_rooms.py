"""The permission to say that a room is inspected, which supervisors and managers get."""

from functools import partial

from django.db import migrations

from portal.groups import grant

GRANTED = dict.fromkeys(["Manager", "Supervisor"], ["rooms.inspect_room"])


class Migration(migrations.Migration):
    dependencies = [("portal", "0008_plan_rooms"), ("rooms", "0003_inspect_room")]

    operations = [migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop)]
