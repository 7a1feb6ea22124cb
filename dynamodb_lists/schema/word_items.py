"""Word items: their keys, and the base of their models; see :mod:`~dynamodb_lists.schema.words`."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import ItemModel, Values
from dynamodb_lists.schema.words import Term, Words, joined, parsed, stored_terms


@dataclass(frozen=True)
class WordKeys:
    """The keys of the word items of one kind of entity. Their partitions begin with the ``prefix``."""

    prefix: str

    def partition(self, initials: str) -> str:
        """The partition of the terms with these initials: one for words, two for pairs of words."""
        return keys.compose(self.prefix, initials)

    def key(self, entity_id: str, term: Term) -> tuple[str, str]:
        return self.partition(term.initials), keys.compose(term.text, entity_id)

    def holds(self, partition: str) -> bool:
        return keys.parse(partition)[0] == self.prefix

    def term(self, partition: str, sort_key: str) -> Term:
        return Term(keys.parse(partition)[1], keys.parse(sort_key)[0])

    def entity_id(self, sort_key: str) -> str:
        return keys.parse(sort_key)[1]


class WordModel(ItemModel):
    """A term of an entity, and all words of the entity, which a filter compares with several typed words.

    Subclasses name their keys, and add the fields that lists show, so that a list is read from the word items alone.
    """

    word_keys: ClassVar[WordKeys]
    words = UnicodeAttribute()
    other_words = UnicodeAttribute()

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return cls.word_keys.holds(partition)

    @classmethod
    def of(cls, entity_id: str, words: Words, **shown: str) -> list[Self]:
        """The word items of an entity, each with the fields that lists show."""
        shared: dict[str, Any] = {"words": joined(words.name), "other_words": joined(words.others), **shown}
        return [cls(*cls.word_keys.key(entity_id, term), **shared) for term in sorted(words.terms())]


class TermsModel(ItemModel):
    """The base of an entity that is found by words. ``terms`` are those of its word items.

    An edit deletes the items of terms that were stored, and never composes the key of a stored word item again: the
    rules for words may have changed since.
    """

    terms = UnicodeAttribute(null=True)

    @classmethod
    def item(cls, entity: Any, /, **others: Any) -> Self:
        return super().item(entity, terms=stored_terms(entity.terms), **others)

    @classmethod
    def built(cls, values: Values, /, **others: Any) -> Any:
        return super().built(values, terms=parsed(values.get("terms", "")), **others)


def words_in(values: Values) -> Words:
    return Words(tuple(values["words"].split()), tuple(values["other_words"].split()))
