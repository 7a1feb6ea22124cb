"""The base of the models of word items; see :mod:`~dynamodb_lists.schema.words`."""

from typing import Any, Self

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import ItemModel, Values
from dynamodb_lists.schema.words import Words, joined


class WordModel(ItemModel):
    """A term of an entity, and all words of the entity, which a filter compares with several typed words.

    Subclasses name their keys, whose templates have the ``initials`` and the ``text`` of a term and the ``id`` of the
    entity, and add the fields that lists show, so that a list is read from the word items alone.
    """

    words = UnicodeAttribute()
    other_words = UnicodeAttribute()

    @classmethod
    def of(cls, entity_id: str, words: Words, **shown: str) -> list[Self]:
        """The word items of an entity, each with the fields that lists show."""
        shared: dict[str, Any] = {"words": joined(words.name), "other_words": joined(words.others), **shown}
        return [cls(*cls.place_of(id=entity_id, **term._asdict()), **shared) for term in sorted(words.terms())]


def words_in(values: Values) -> Words:
    return Words(tuple(values["words"].split()), tuple(values["other_words"].split()))


def id_in(sort_key: str) -> str:
    """The id of the entity in the sort key of a word item."""
    return keys.parse(sort_key)[1]
