"""The base of models of word items; see :mod:`~hotelapp.dynamodb.schema.words`."""

from pynamodb.attributes import UnicodeAttribute

from hotelapp.dynamodb.schema.models import PortalModel, Values
from hotelapp.dynamodb.schema.words import Words, joined


class WordModel(PortalModel):
    """A term of an entity, and all words of the entity, so that a Query can drop what several typed words do not find.

    Subclasses add what lists show, so that a list is read from the word items alone.
    """

    words = UnicodeAttribute()
    other_words = UnicodeAttribute()


def word_attributes(words: Words) -> dict[str, str]:
    """The attributes that all word items of an entity have."""
    return {"words": joined(words.name), "other_words": joined(words.others)}


def words_in(values: Values) -> Words:
    """The words in the attributes of a word item."""
    return Words(tuple(values["words"].split()), tuple(values["other_words"].split()))
