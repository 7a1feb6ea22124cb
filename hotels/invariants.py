"""What must agree about hotels in the table ``hotel-app``: hotels and the items of their words."""

from hotelapp.dynamodb.maintenance.invariants import register, text
from hotelapp.dynamodb.maintenance.word_rules import Owner, WordsRule
from hotelapp.dynamodb.schema.models import RawItem
from hotelapp.dynamodb.schema.words import Term
from hotels import commands, keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel, word_items


@register
class HotelWordsRule(WordsRule):
    """A hotel is found by each of its words."""

    model = HotelModel
    word_model = HotelWordModel

    def owner(self, item: RawItem) -> Owner | None:
        hotel = queries.hotel_in(item)
        return _owner(hotel) if hotel else None

    def stored_owner(self, owner_id: str) -> Owner:
        return _owner(queries.stored_hotel(owner_id))

    def word(self, item: RawItem) -> tuple[str, Term] | None:
        partition, sort_key = text(item, "pk"), text(item, "sk")
        if not keys.is_word(partition):
            return None
        return keys.hotel_of_word(sort_key), keys.term(partition, sort_key)

    def key(self, owner_id: str, term: Term) -> tuple[str, str]:
        return keys.word(owner_id, term)

    def mend(self, owner_id: str, surplus: Term) -> None:
        commands.mend_words(owner_id, surplus)

    def delete(self, owner_id: str, term: Term) -> None:
        commands.delete_word(owner_id, term)


def _owner(hotel: Hotel) -> Owner:
    items = {keys.term(item.pk, item.sk): item for item in word_items(hotel)}
    return Owner(hotel.hotel_id, hotel.terms, items)
