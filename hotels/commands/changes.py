"""The writes of a change of a hotel: its item, and the items of its words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from hotelapp.dynamodb.schema.entities import stored_values
from hotelapp.dynamodb.schema.words import Term, stored
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write
from hotelapp.history.commands import RecordedWriter
from hotels import keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel, word_items


class HotelWriter(RecordedWriter[Hotel]):
    """Writes hotels with their word items. Hotels share no item. The number of rooms is not among what it changes."""

    kind = HotelModel.kind

    def ids(self, entity: Hotel) -> tuple[str, ...]:
        return (entity.hotel_id,)

    def hotel_id(self, entity: Hotel) -> str:
        return entity.hotel_id

    def own_writes(self, change: Change[Hotel]) -> list[Write]:
        before, hotel = change.before, change.entity
        puts = [Put(item) for item in word_items(hotel)]
        if before is None:
            return [Put(_item(hotel), HotelModel.pk.does_not_exist()), *puts]
        update = Update(hotel_key(hotel.hotel_id), _as_seen(before), _actions(hotel))
        if (before.terms, before.name, before.city) == (hotel.terms, hotel.name, hotel.city):
            return [update]
        stale = [Delete(_word_key(hotel.hotel_id, term)) for term in sorted(before.terms - hotel.terms)]
        return [update, *puts, *stale]

    def shared_writes(self, changes: Sequence[Change[Hotel]]) -> list[Write]:
        return []

    def apply(self, changes: Sequence[Change[Hotel]], also: Sequence[Write] = ()) -> None:
        """Write the changes, and remove these hotels from this process's cache.

        They are removed after an error, too: if an answer is lost, the changes may be made.
        """
        try:
            super().apply(changes, also)
        finally:
            for change in changes:
                queries.forget_hotel(change.entity.hotel_id)


def to_store(hotel: Hotel, **changes: Any) -> Hotel:
    """The hotel with these changes as it is to be written, with the terms that its values give."""
    changed = replace(hotel, **changes)
    return replace(changed, terms=frozenset(changed.words.terms()))


def _item(hotel: Hotel) -> HotelModel:
    return HotelModel(keys.HOTELS, keys.hotel(hotel.hotel_id), terms=stored(hotel.terms), **stored_values(hotel))


def _actions(hotel: Hotel) -> list[Action]:
    """The update of everything in a hotel's item but the number of rooms."""
    item, names = _item(hotel), [name for name in HotelModel.changing() if name != "rooms"]
    pairs = [(HotelModel.attribute(name), getattr(item, name)) for name in names]
    return [attribute.remove() if value is None else attribute.set(value) for attribute, value in pairs]


def _word_key(hotel_id: str, term: Term) -> HotelWordModel:
    return HotelWordModel(*keys.WORDS.key(hotel_id, term))


def _as_seen(before: Hotel) -> Condition:
    """The condition that the hotel has the revision that its editor saw. Hotels of earlier releases have none."""
    revision = HotelModel.attribute("revision")
    condition: Condition = revision == before.revision
    return condition if before.revision else HotelModel.pk.exists() & revision.does_not_exist()


def hotel_key(hotel_id: str) -> HotelModel:
    """A hotel's item with nothing but its key, for updates."""
    return HotelModel(keys.HOTELS, keys.hotel(hotel_id))
