"""The items of bulk changes and of cleanings in the table ``hotel-app``, whose indexes the list of rooms declares."""

from django.db import models

from hotels.models import HotelsItem, NumbersItem
from rooms.entities.bulk import BulkChange, BulkProgress


class BulkChangeModel(HotelsItem):
    """A bulk change as somebody asked for it. It is written once."""

    kind = "bulk-change"
    entity = BulkChange
    key_templates = "hotel#{hotel_id}#bulk-changes", "{change_id}#change"


class BulkProgressModel(HotelsItem):
    """The progress of a bulk change. Each transaction that changes rooms updates it."""

    kind = "bulk-progress"
    entity = BulkProgress
    key_templates = "hotel#{hotel_id}#bulk-changes", "{change_id}#progress"


class CleaningsModel(NumbersItem):
    """What a person cleaned on a day of a hotel: the minutes of each room, by the time of day and the room's number.

    A person cleans some 30 rooms a day, so the day is one item of about 1 KB. ``person`` is a username.
    """

    kind = "cleanings"
    key_templates = "hotel#{hotel_id}#cleanings", "{day}#{person}"


class RoomPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [
            *((f"{action}_room", f"Can {action} room") for action in ("view", "add", "change", "delete")),
            ("change_room_status", "Can change the status of a room"),
            ("inspect_room", "Can set rooms to inspected"),
            ("plan_room", "Can plan who cleans rooms, and how urgent they are"),
        ]
