"""What must agree about hotels in the table ``hotel-app``: hotels and the items of their words."""

from hotelapp.dynamodb.maintenance.rules import WordsRule
from hotels import commands, queries
from hotels.models import HotelModel, HotelWordModel, word_items

RULES = (
    WordsRule(
        model=HotelModel,
        word_model=HotelWordModel,
        entity=queries.hotel_in,
        stored_entity=queries.stored_hotel,
        items=word_items,
        mend=commands.mend_words,
    ),
)
"""A hotel is found by each of its words."""
