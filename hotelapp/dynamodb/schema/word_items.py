"""What word items are: their keys, and the base of their models; see :mod:`~hotelapp.dynamodb.schema.words`."""

from dataclasses import dataclass
from typing import ClassVar

from pynamodb.attributes import UnicodeAttribute

from hotelapp.dynamodb.schema import keys
from hotelapp.dynamodb.schema.models import PortalModel, Values
from hotelapp.dynamodb.schema.words import Term, Words, joined


@dataclass(frozen=True)
class WordKeys:
    """The keys of the word items of one kind of entity. Their partitions begin with the ``prefix``."""

    prefix: str

    def partition(self, initials: str) -> str:
        """The partition of the terms with these initials: one for words, two for pairs of words."""
        return keys.compose(self.prefix, initials)

    def key(self, entity_id: str, term: Term) -> tuple[str, str]:
        """The partition and the sort key of an entity's word item."""
        return self.partition(term.initials), keys.compose(term.text, entity_id)

    def holds(self, partition: str) -> bool:
        """Whether a partition is that of word items."""
        return keys.parse(partition)[0] == self.prefix

    def term(self, partition: str, sort_key: str) -> Term:
        """The term in a word item's key."""
        return Term(keys.parse(partition)[1], keys.parse(sort_key)[0])

    def entity_id(self, sort_key: str) -> str:
        """The entity's id in a word item's sort key."""
        return keys.parse(sort_key)[1]


class WordModel(PortalModel):
    """A term of an entity, and all words of the entity, so that a Query can drop what several typed words do not find.

    Subclasses name their keys, and add what lists show, so that a list is read from the word items alone.
    """

    word_keys: ClassVar[WordKeys]
    words = UnicodeAttribute()
    other_words = UnicodeAttribute()

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return cls.word_keys.holds(partition)


def word_attributes(words: Words) -> dict[str, str]:
    """The attributes that all word items of an entity have."""
    return {"words": joined(words.name), "other_words": joined(words.others)}


def words_in(values: Values) -> Words:
    """The words in the attributes of a word item."""
    return Words(tuple(values["words"].split()), tuple(values["other_words"].split()))
