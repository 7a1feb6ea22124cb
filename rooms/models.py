"""The items of rooms in the table ``hotel-app``. :class:`RoomModel` declares the table's keys and indexes."""

from django.db import models
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from dynamodb_lists.declared.models import ListItem
from dynamodb_lists.schema.attributes import IntegerAttribute, KeyAttribute, global_index
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import register, table_name
from hotels.keys import TABLE
from hotels.models import ALL_HOTELS
from rooms import keys
from rooms.entities.bulk import BulkChange, BulkProgress
from rooms.room_list import ROOMS


class RoomsItem(ItemModel):
    class Meta:
        table_name = table_name(TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


@register
class RoomModel(RoomsItem, ListItem):
    """A room. Its number is the sort key, so it is unique in its hotel; its declaration composes the keys of indexes.

    The list of one number at all hotels has no rate, so a change of that costs it no write.
    """

    declaration = ROOMS
    any_hotel = KeyAttribute("{number:folded}")
    by_number = global_index(
        keys.BY_NUMBER, "any_hotel", "pk", projected=[keys.VIEW, keys.TYPE], words="the rooms of a number, by hotel"
    )
    all_hotels = ALL_HOTELS


class RoomCountModel(RoomsItem):
    """The number of rooms of one combination of view, size and type.

    A label is stored only if it differs from the key's slug, such as ``View ban công, biển``.
    """

    kind = "room-count"
    key_templates = "hotel#{hotel_id}#room-counts", "{view}#{size}#{type}"
    rooms = IntegerAttribute(default=0)
    view = UnicodeAttribute(null=True)
    type = UnicodeAttribute(null=True)


class PackedCountsModel(RoomsItem):
    """A copy of all counts of a hotel, which is right as long as the hotel has the same ``counts_revision``.

    Beside it is a sample of the rooms. ``packings`` counts how often they were packed, so that only one of two writers
    at a time replaces the copy.
    """

    kind = "packed-counts"
    key_templates = "hotel#{hotel_id}#packed-counts", "all"
    counts_revision = IntegerAttribute()
    packings = IntegerAttribute()
    packed = BinaryAttribute(legacy_encoding=False)
    sample = BinaryAttribute(legacy_encoding=False, null=True)
    sampled_of = IntegerAttribute(null=True)


class BulkChangeModel(RoomsItem):
    """A bulk change as somebody asked for it. It is written once."""

    kind = "bulk-change"
    entity = BulkChange
    key_templates = "hotel#{hotel_id}#bulk-changes", "{change_id}#change"


class BulkProgressModel(RoomsItem):
    """How far a bulk change is. Each transaction that changes rooms moves it on."""

    kind = "bulk-progress"
    entity = BulkProgress
    key_templates = "hotel#{hotel_id}#bulk-changes", "{change_id}#progress"


class RoomPermissions(models.Model):
    """Permissions for rooms; granted on ``/admin/``. It has no SQL table."""

    class Meta:
        managed = False
        default_permissions = ()
        permissions = [
            *((f"{action}_room", f"Can {action} room") for action in ("view", "add", "change", "delete")),
            ("change_room_status", "Can change the status of a room"),
            ("inspect_room", "Can set rooms to inspected"),
            ("plan_room", "Can plan who cleans rooms, and how urgent they are"),
        ]
