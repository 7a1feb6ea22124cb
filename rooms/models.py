"""The items of rooms in the table ``hotel-app``. :class:`RoomModel` declares the table's keys and indexes."""

from typing import Any

from django.db import models
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from dynamodb_lists.declared.models import ListItem
from dynamodb_lists.schema.attributes import IntegerAttribute, KeyAttribute, TextKeyAttribute, global_index, local_index
from dynamodb_lists.schema.entities import build, listed
from dynamodb_lists.schema.models import ItemModel, RawItem, Values
from dynamodb_lists.schema.tables import register, table_name
from hotels.keys import TABLE
from hotels.models import ALL_HOTELS
from rooms import keys
from rooms.entities import FoundRoom, Room
from rooms.entities.bulk import BulkChange, BulkProgress
from rooms.room_list import ROOMS

BY_NUMBER = global_index(
    keys.BY_NUMBER, "any_hotel", "pk", projected=listed(FoundRoom), words="the guards of all hotels"
)
"""The number guards of all hotels by number, sorted by hotel. The rate is not projected: its change costs no write."""


class RoomsItem(ItemModel):
    class Meta:
        table_name = table_name(TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


@register
class RoomModel(RoomsItem, ListItem):
    """A room under its six sort keys: the same facets in all six orders.

    It has a seventh one by its rate and, as long as it needs attention, an eighth by the time since when. The
    declaration composes them.
    """

    declaration = ROOMS
    key_templates = keys.ROOMS_OF_HOTEL, "room#{view:slug}#{size:4m}#{type:slug}#{natural_number}#{number}"
    by_number = BY_NUMBER
    all_hotels = ALL_HOTELS

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        """By its partition, which is not that of a declared list's own keys."""
        return cls.template_of("pk").fits(partition)

    @classmethod
    def built(cls, values: Values, /, **owner: Any) -> Any:
        """The room of an item. The table's sort key, which is in every index, is not its number alone."""
        return build(Room, values, room_key=values["sk"], **owner)

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        return super(ListItem, cls).entity_of(item, hotel_id=keys.hotel_of(item["pk"]["S"]), **others)


class RoomNumberModel(RoomsItem):
    """The guard that keeps a room's number unique in its hotel.

    It repeats the room, so that a room is found by its number, and listed by number, in one read. ``room_key`` is the
    sort key of the room's own item. Edits and deletes use it, and never compose the key of a stored room again: the
    rules for keys may have changed since the room was written.
    """

    kind = "room-number"
    entity = Room
    key_templates = keys.NUMBERS_OF_HOTEL, "{number}"
    room_key = TextKeyAttribute("stored_key")
    any_hotel = KeyAttribute("{number:folded}")
    lsi1sk = KeyAttribute("{natural_number}#{stored_key:parts}")
    lsi1 = local_index("lsi1", "pk", keys.sort_key("lsi1"), projected=listed(Room), words="guards by number")
    by_number = BY_NUMBER


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
