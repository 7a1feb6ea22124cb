"""What a backup reads again as a whole: rooms with their number guards, hotels, and the progress of bulk changes."""

from collections.abc import Iterator, Sequence

from hotelapp.dynamodb.backups.aggregates import Aggregate, register
from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import Entry, Identity, text
from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.models import RawItem
from hotels import queries as hotels
from rooms import keys
from rooms.invariants import HotelTotalsRule, RoomGuardsRule
from rooms.models import BulkProgressModel, RoomModel, RoomNumberModel


@register
class RoomAggregate(Aggregate):
    """A room and the guard of its number. A thing is a hotel and a number, as in the history."""

    kind = RoomModel.kind
    model = RoomModel
    rule = RoomGuardsRule()

    def entries(self, item: RawItem) -> Iterator[Entry]:
        """A room adds one, and its guard takes one away, if both are the same and the guard names the room's key."""
        for entry in self.rule.entries(item):
            hotel_id, key = entry.identity
            yield Entry((hotel_id, keys.parse_room(key).number), f"{key} {entry.detail}", entry.amount)

    def member(self, item: RawItem) -> Identity | None:
        """The room of a room's item or a guard."""
        return next((entry.identity for entry in self.entries(item)), None)

    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The keys of the guard and of the room that it names."""
        hotel_id, number = identity
        guard_key = keys.numbers(hotel_id), keys.guard(number)
        try:
            guard = get_item(RoomNumberModel, *guard_key, consistent=True)
        except NotFound:
            return []
        facets = keys.facets(guard["view"], guard["size"], guard["type"])
        return [guard_key, (keys.rooms(hotel_id), guard.get("room_key") or keys.room(facets, guard["number"]))]


@register
class BulkProgressAggregate(Aggregate):
    """How far a bulk change is. It is always read again, after the rooms.

    So a bulk change that goes on after a restore changes no room a second time.
    """

    kind = BulkProgressModel.kind
    model = BulkProgressModel
    is_owner = True

    def entries(self, item: RawItem) -> Iterator[Entry]:
        """A progress adds one, so that its sum is never zero."""
        if identity := self.member(item):
            yield Entry(identity, "", 1)

    def member(self, item: RawItem) -> Identity | None:
        """The key of a progress."""
        key = text(item, "pk"), text(item, "sk")
        return key if BulkProgressModel.owns(*key) else None

    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The same key."""
        partition, sort_key = identity
        return [(partition, sort_key)]


@register
class HotelAggregate(Aggregate):
    """A hotel's item. Every room has a hotel."""

    kind = hotels.KIND
    model = RoomModel
    is_owner = True
    rule = HotelTotalsRule()

    def entries(self, item: RawItem) -> Iterator[Entry]:
        """As in the rule: rooms and the hotel's total. Without a hotel they do not agree."""
        yield from self.rule.entries(item)

    def member(self, item: RawItem) -> Identity | None:
        """The id of a hotel."""
        hotel = hotels.hotel_in(item)
        return (hotel.hotel_id,) if hotel else None

    def keys(self, identity: Identity) -> Sequence[tuple[str, str]]:
        """The key of the hotel."""
        (hotel_id,) = identity
        return [hotels.item_key(hotel_id)]
