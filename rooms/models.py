"""The items of the table ``hotel-app``. All four kinds share it; :class:`Room` declares its keys and indexes."""

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, LocalSecondaryIndex

from hotelapp.dynamodb.models import DecimalAttribute, PortalModel
from hotelapp.dynamodb.tables import register, table_name

TABLE = table_name("hotel-app")


class Hotel(PortalModel):
    """A hotel, with the number of its rooms, so that the list of hotels needs no count of its own."""

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    hotel_id = UnicodeAttribute()
    name = UnicodeAttribute()
    city = UnicodeAttribute(default="")
    rooms = NumberAttribute(default=0)


def _order(number: int) -> Any:
    """The LSI ``lsi<number>`` on ``lsi<number>sk``, holding whole rooms: a page never goes back to the table."""
    meta = type("Meta", (), {"index_name": f"lsi{number}", "projection": AllProjection()})
    attributes = {
        "Meta": meta,
        "pk": UnicodeAttribute(hash_key=True),
        f"lsi{number}sk": UnicodeAttribute(range_key=True),
    }
    return type(f"RoomOrder{number}", (LocalSecondaryIndex,), attributes)()


class RoomFields(PortalModel):
    """What is known of a room besides its keys. Sizes in m2, the rate a night in major units of ``currency``."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    number = UnicodeAttribute()
    view = UnicodeAttribute()
    size = NumberAttribute()
    type = UnicodeAttribute()
    rate = DecimalAttribute()
    currency = UnicodeAttribute()
    revision = NumberAttribute()


@register
class Room(RoomFields):
    """A room under its six sort keys: the same facets in all six orders."""

    class Meta:
        table_name = TABLE

    lsi1sk = UnicodeAttribute()
    lsi2sk = UnicodeAttribute()
    lsi3sk = UnicodeAttribute()
    lsi4sk = UnicodeAttribute()
    lsi5sk = UnicodeAttribute()
    lsi1 = _order(1)
    lsi2 = _order(2)
    lsi3 = _order(3)
    lsi4 = _order(4)
    lsi5 = _order(5)


class RoomNumber(RoomFields):
    """The guard of a room's number: unique in its hotel. It repeats the room, so that finding a room by its
    number, or listing by number, is one read."""

    class Meta:
        table_name = TABLE


class RoomCount(PortalModel):
    """How many rooms there are of one combination of view, size and type.

    A label is kept only where the key's slug cannot give it back (``View ban công, biển``).
    """

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    rooms = NumberAttribute(default=0)
    view = UnicodeAttribute(null=True)
    type = UnicodeAttribute(null=True)
