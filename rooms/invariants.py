"""What must agree in the table ``hotel-app``: rooms, number guards, facet counts and the totals of hotels."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import (
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    Observation,
    different,
    register,
    text,
)
from hotelapp.dynamodb.reading.items import count_items, get_item
from hotelapp.dynamodb.schema.entities import build, stored_fields
from hotelapp.dynamodb.schema.models import PortalModel, RawItem, Values
from hotels import commands as hotel_commands
from hotels import queries as hotels
from rooms import commands, keys
from rooms.entities import Room
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel

NO_TIME = "needs attention, but has no time since when"
NO_NEED = "needs no attention, but has a time since when"


def _kind(item: RawItem) -> str:
    partition = keys.parse_partition(text(item, "pk"))
    return partition.kind if partition else ""


def _hotel_id(item: RawItem) -> str:
    partition = keys.parse_partition(text(item, "pk"))
    return partition.hotel_id if partition else ""


def _facets(item: RawItem) -> keys.RoomFacets:
    return keys.facets(text(item, "view"), int(text(item, "size")), text(item, "type"))


def _room(item: RawItem) -> Room:
    return build(Room, RoomModel.decoded(item), hotel_id=_hotel_id(item), room_key=text(item, "sk"))


def _fields(values: Values) -> str:
    """What a room and its guard both hold, as one text."""
    return repr([values.get(field.name) for field in stored_fields(Room)])


@register
class RoomKeysRule(ItemRule):
    """A room's sort keys are those of its facets, rate and number, and the keys of a guard are the number.

    A room has a sort key in the index of rooms that need attention as long as it does.
    """

    model = RoomModel

    def wrong(self, item: RawItem) -> str:
        kind = _kind(item)
        if kind == keys.NUMBERS:
            return _wrong_guard(item)
        if kind != keys.ROOMS:
            return ""
        number, facets = text(item, "number"), _facets(item)
        wanted = {keys.sort_key(index.name): {"S": keys.room(facets, number, index.name)} for index in keys.INDEXES}
        wanted["rate_key"] = {"S": keys.rate(text(item, "currency"), Decimal(text(item, "rate")), number)}
        if since := RoomModel.decoded(item).get("attention_since"):
            wanted["attention_key"] = {"S": keys.attention(since, number)}
        wrong = different(item, wanted, keys.INDEX_KEYS)
        return f"room {number} of {_hotel_id(item)} has wrong keys: {', '.join(wrong)}" if wrong else ""

    def repair(self, item: RawItem) -> bool:
        """Set the keys of the indexes. The table's own key cannot be changed."""
        if _kind(item) == keys.NUMBERS and text(item, "sk") == keys.guard(text(item, "number")):
            commands.mend_guard(_hotel_id(item), text(item, "number"))
            return True
        if _kind(item) != keys.ROOMS or text(item, "sk") != keys.room(_facets(item), text(item, "number")):
            return False
        commands.mend_keys(_room(item))
        return True


def _wrong_guard(guard: RawItem) -> str:
    """The key of a number guard that is not that of its number."""
    number, key = text(guard, "number"), text(guard, "sk")
    if key != keys.guard(number):
        return f"number guard {key} of {_hotel_id(guard)} has the number {number}"
    in_index = guard.get("any_hotel") == {"S": keys.any_hotel(number)}
    return "" if in_index else f"number guard {key} of {_hotel_id(guard)} has wrong any_hotel"


@register
class RoomAttentionRule(ItemRule):
    """A room has a time since when it needs attention as long as it is dirty or out of order, and no longer."""

    model = RoomModel

    def wrong(self, item: RawItem) -> str:
        if _kind(item) != keys.ROOMS:
            return ""
        room = _room(item)
        if room.needs_attention == bool(room.attention_since):
            return ""
        name = f"room {room.number} of {room.hotel_id}"
        return f"{name} {NO_TIME}" if room.needs_attention else f"{name} {NO_NEED}"

    def repair(self, item: RawItem) -> bool:
        return commands.mend_attention(_room(item))


@register
class RoomGuardsRule(GroupRule):
    """Every room has a guard that repeats it, and every guard has its room. A group is a room's key."""

    model = RoomModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        kind = _kind(item)
        if kind == keys.ROOMS:
            yield Entry((_hotel_id(item), text(item, "sk")), _fields(RoomModel.decoded(item)), 1)
        elif kind == keys.NUMBERS:
            key = keys.room(_facets(item), text(item, "number"))
            yield Entry((_hotel_id(item), key), _fields(RoomNumberModel.decoded(item)), -1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        hotel_id, key = identity
        guard = _found(RoomNumberModel, keys.numbers(hotel_id), keys.guard(keys.parse_room(key).number))
        if not guard or keys.room(keys.facets(guard["view"], guard["size"], guard["type"]), guard["number"]) != key:
            return {}
        return {_fields(guard): 1}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        hotel_id, key = identity
        room = _found(RoomModel, keys.rooms(hotel_id), key)
        return {_fields(room): 1} if room else {}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        hotel_id, key = identity
        number = keys.parse_room(key).number
        if not seen.stored:
            return f"room {number} of {hotel_id} has no number guard that agrees with it"
        if not seen.counted:
            return f"number guard {number} of {hotel_id} has no room {key}"
        return f"room {number} of {hotel_id} and its number guard differ"


@register
class RoomCountsRule(GroupRule):
    """Each facet count is the number of the rooms of its combination. A group is a hotel and a combination."""

    model = RoomModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        kind = _kind(item)
        if kind == keys.ROOMS:
            yield Entry((_hotel_id(item), *keys.parse_room(text(item, "sk")).facets), "", 1)
        elif kind == keys.COUNTS:
            yield Entry((_hotel_id(item), *keys.counted(text(item, "sk"))), "", -int(text(item, "rooms")))

    def stored(self, identity: Identity) -> Mapping[str, int]:
        hotel_id, facets = identity[0], keys.RoomFacets(*identity[1:])
        count = _found(RoomCountModel, keys.counts(hotel_id), keys.count(facets))
        return {} if count is None else {"": count["rooms"]}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        span = keys.rooms_of(keys.RoomFacets(*identity[1:]))
        return {"": count_items(RoomModel, keys.rooms(identity[0]), span, consistent=True)}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        hotel_id, *facets = identity
        count, rooms = seen.stored.get("", "missing"), seen.counted[""]
        return f"the count of {' '.join(facets)} of {hotel_id} is {count}; the number of rooms is {rooms}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        commands.mend_count(identity[0], keys.RoomFacets(*identity[1:]), seen.stored.get(""), seen.counted[""])
        return True


@register
class HotelTotalsRule(GroupRule):
    """The total of each hotel is the number of its rooms. A group is a hotel."""

    model = RoomModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if _kind(item) == keys.ROOMS:
            yield Entry((_hotel_id(item),), "", 1)
        elif hotel := hotels.hotel_in(item):
            yield Entry((hotel.hotel_id,), "", -hotel.rooms)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        hotel = hotels.hotels_as_stored(identity).get(identity[0])
        return {"": hotel.rooms} if hotel else {}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        return {"": count_items(RoomModel, keys.rooms(identity[0]), consistent=True)}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        (hotel_id,), rooms = identity, seen.counted[""]
        if not seen.stored:
            return f"there is no hotel {hotel_id}, but there are {rooms} rooms of it"
        return f"the total of hotel {hotel_id} is {seen.stored['']}; the number of rooms is {rooms}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Set the total. A missing hotel must be added by somebody who knows its name."""
        if not seen.stored:
            return False
        hotel_commands.mend_rooms(identity[0], seen.stored[""], seen.counted[""])
        return True


def _found(model: type[PortalModel], partition: str, sort_key: str) -> Values | None:
    try:
        return get_item(model, partition, sort_key, consistent=True)
    except NotFound:
        return None
