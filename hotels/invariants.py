"""What must agree about hotels in the table ``hotel-app``: hotels and the items of their words."""

from hotelapp.dynamodb.maintenance.rules import WordsRule
from hotelapp.history.entities import REPAIR
from hotels import queries
from hotels.commands import HotelWriter

RULES = (WordsRule(writer=HotelWriter(REPAIR), entity=queries.hotel_in, stored_entity=queries.stored_hotel),)
"""A hotel is found by each of its words."""
