"""The rule of every inverted index of words: word items and the entities that they are of agree."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import Entry, GroupRule, Identity, Observation
from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.models import KIND, VERSION, RawItem
from hotelapp.dynamodb.schema.word_items import WordModel
from hotelapp.dynamodb.schema.words import Term


class Owner(NamedTuple):
    """An entity with words: its id, the terms that it says to have, and the word items that it should have."""

    owner_id: str
    terms: frozenset[Term]
    items: Mapping[Term, WordModel]


class WordsRule(GroupRule):
    """Each term of an entity has a word item that repeats the entity, and each word item has its entity.

    A group is the id of an entity and a term.
    """

    word_model: type[WordModel]

    @abstractmethod
    def owner(self, item: RawItem) -> Owner | None:
        """The entity that an item is; ``None`` if it is something else."""

    @abstractmethod
    def stored_owner(self, owner_id: str) -> Owner:
        """The entity of this id, read consistently. Raises :class:`NotFound`."""

    @abstractmethod
    def word(self, item: RawItem) -> tuple[str, Term] | None:
        """The entity's id and the term of a word item; ``None`` for another item."""

    @abstractmethod
    def key(self, owner_id: str, term: Term) -> tuple[str, str]:
        """The key of a word item."""

    @abstractmethod
    def mend(self, owner_id: str, surplus: Term) -> None:
        """Write an entity's words anew; if it does not have this term, delete the word item."""

    @abstractmethod
    def delete(self, owner_id: str, term: Term) -> None:
        """Delete the word item of an entity that does not exist."""

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if found := self.word(item):
            owner_id, term = found
            yield Entry((owner_id, *term), self._detail(item), -1)
        elif owner := self.owner(item):
            for identity, detail in self._wanted(owner):
                yield Entry(identity, detail, 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        partition, sort_key = self.key(identity[0], Term(*identity[1:]))
        try:
            values = get_item(self.word_model, partition, sort_key, consistent=True)
        except NotFound:
            return {}
        return {self._detail(self.word_model(**values).to_dynamodb_dict()): 1}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        try:
            owner = self.stored_owner(identity[0])
        except NotFound:
            return {}
        return {detail: 1 for wanted, detail in self._wanted(owner) if wanted == identity}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        owner_id, _, text = identity
        if not seen.stored:
            return f"{owner_id} has no word item {text!r}"
        return f"the word item {text!r} of {owner_id} {'differs from it' if seen.counted else 'is surplus'}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        owner_id, term = identity[0], Term(*identity[1:])
        try:
            self.mend(owner_id, term)
        except NotFound:
            self.delete(owner_id, term)
        return True

    def _wanted(self, owner: Owner) -> Iterator[tuple[Identity, str]]:
        """The groups of an entity. An edit deletes only the terms that the entity names, so it must name them all."""
        for term, item in owner.items.items():
            missing = "" if term in owner.terms else " not among the terms of its owner"
            yield (owner.owner_id, *term), self._detail(item.to_dynamodb_dict()) + missing

    def _detail(self, item: RawItem) -> str:
        """What a word item repeats of its entity, as one text."""
        return repr(sorted((name, value) for name, value in item.items() if name not in {KIND, VERSION}))
