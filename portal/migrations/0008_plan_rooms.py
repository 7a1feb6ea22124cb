"""The permission to plan who cleans which rooms, and a group for those who do nothing else beside housekeeping."""

from functools import partial

from django.db import migrations

from portal.groups import grant

PLAN = "rooms.plan_room"
GRANTED = {
    "Manager": [PLAN],
    "Front desk": [PLAN],
    "Supervisor": ["hotels.view_hotel", "rooms.view_room", "rooms.change_room_status", PLAN],
}


class Migration(migrations.Migration):
    dependencies = [("portal", "0007_manage_staff"), ("rooms", "0002_plan_room")]

    operations = [migrations.RunPython(partial(grant, GRANTED), migrations.RunPython.noop)]
