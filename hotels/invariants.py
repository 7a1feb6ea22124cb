"""What must agree about hotels in the table ``hotel-app``: hotels, their keys, and the items of their words."""

from hotelapp.dynamodb.maintenance.rules import KeysRule, WordsRule
from hotelapp.history.entities import REPAIR
from hotels import queries
from hotels.commands import HotelWriter
from hotels.models import HotelModel

WRITER = HotelWriter(REPAIR)
RULES = (
    KeysRule(
        model=HotelModel,
        composed=WRITER.item,
        words="the hotel {0.hotel_id} has the key {keys[1]}",
    ),
    WordsRule(writer=WRITER, stored_entity=queries.stored_hotel),
)
"""A hotel can be read, has the key of its id, and is found by each of its words."""
