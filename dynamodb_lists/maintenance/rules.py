"""Rules that must hold in the tables: rules of single items, and rules of groups of items that must agree."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from enum import StrEnum
from functools import reduce
from operator import and_
from typing import Any, ClassVar, NamedTuple

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import UNREADABLE, NotFound
from dynamodb_lists.reading.items import get_one
from dynamodb_lists.schema.entities import defaults
from dynamodb_lists.schema.models import KIND, ItemModel, RawItem
from dynamodb_lists.writing.changes import as_seen
from dynamodb_lists.writing.transactions import Delete, Put, Update, assigned, commit

Identity = tuple[str, ...]
"""The identity of a group: a combination of facets, a username, an order's id."""

Progress = Callable[[int], object]
"""Is told of so many more items, or groups, that were read."""


class Entry(NamedTuple):
    """An amount that an item adds to its group. If the group agrees, the amounts of each ``detail`` sum to zero."""

    identity: Identity
    detail: str
    amount: int


@dataclass(frozen=True)
class Observation:
    """A group as it was read: for each detail, the stored amount, and the amount that its items give."""

    stored: Mapping[str, int] = field(default_factory=dict)
    counted: Mapping[str, int] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether stored and counted amounts are equal. An amount of zero equals none."""
        return self.differences == []

    @property
    def differences(self) -> list[str]:
        return [
            detail
            for detail in sorted({*self.stored, *self.counted})
            if self.stored.get(detail, 0) != self.counted.get(detail, 0)
        ]


Observed = tuple[Identity, Observation | None]


class ItemRule(ABC):
    """A rule of single items of the ``model``, such as keys that are composed from fields."""

    model: type[ItemModel]

    @abstractmethod
    def wrong(self, item: RawItem) -> str:
        """Return the fault of the item as a text; a blank if there is none."""

    def repair(self, item: RawItem) -> bool:
        """Repair an item; return ``False`` if a person must do it. Raises: ``Conflict`` if somebody has changed it."""
        return False


class Unread(StrEnum):
    """What a repair does with an item that cannot be read: reset or delete it."""

    RESET = "reset"
    """The fields that cannot be read get their defaults."""
    DELETE = "delete"


def mend_unread(model: type[ItemModel], item: RawItem, how: Unread) -> bool:
    """Reset or delete an unreadable item; ``False`` if a field has no default. Raises: ``Conflict`` if it changed."""
    wrong, key = model.unread(item), model.key_of(item)
    is_as_read = reduce(and_, (Path([name]) == item[name] for name in [*model.key_names(), *wrong]))
    if how is Unread.DELETE:
        Delete(model(*key), is_as_read).send()
        return True
    usual = {model.renames.get(name, name): default for name, default in defaults(model.entity).items()}
    values = {name: usual.get(name, MISSING) for name in wrong.values()}
    if MISSING in values.values():
        return False
    mended = model(*key, **values)
    Update(mended, is_as_read, assigned(mended, values)).send()
    return True


class GroupRule(ABC):
    """A rule on groups of items that must agree, such as items and the counts of their facets.

    ``settle_seconds`` is how long to wait between two observations: longer than a transaction takes, and, if
    :meth:`counted` reads a GSI, longer than the GSI is usually behind. ``beside`` is the model of further items that
    the rule reads, if they are in another table. A rule that observes several groups at once has :meth:`observed`, and
    needs no :meth:`stored` and :meth:`counted`.
    """

    model: type[ItemModel]
    settle_seconds: float = 0.2
    beside: ClassVar[type[ItemModel] | None] = None

    @abstractmethod
    def entries(self, item: RawItem) -> Iterable[Entry]:
        """Return the item's entries in its groups; no entry for an item of another kind."""

    def stored(self, identity: Identity) -> Mapping[str, int]:
        """Return the stored amounts of the group, read consistently."""
        raise NotImplementedError

    def counted(self, identity: Identity) -> Mapping[str, int]:
        """Return the amounts that the items of the group give, read consistently."""
        raise NotImplementedError

    def observed(self, identities: Iterable[Identity], progress: Progress) -> Iterator[Observed]:
        """Yield groups as they are; ``None`` for a group that changed during the read, or cannot be read."""
        for identity in identities:
            progress(1)
            try:
                before = self.stored(identity)
                counted = self.counted(identity)
                yield identity, Observation(before, counted) if self.stored(identity) == before else None
            except UNREADABLE:
                yield identity, None  # a rule of single items reports the item

    @abstractmethod
    def wrong(self, identity: Identity, seen: Observation) -> str:
        """Return the fault of a group that does not agree; a blank if nothing relies on the stored amounts."""

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Repair amounts as seen; return ``False`` if a person must. Raises: ``Conflict`` if they have changed."""
        return False

    def finish(self, repaired: Sequence[Identity]) -> None:  # noqa: B027 (most rules derive nothing)
        """Update the items that are derived from the repaired groups, such as packed counts."""


def text(item: RawItem, name: str) -> str:
    """Return a String or Number of an item. Raises: ``KeyError`` if the item lacks it."""
    return str(next(iter(item[name].values())))


# --- The rules that several apps have -------------------------------------------------------------------------

STORED = "stored"
"""The detail, with the amount 0, that says that the item with the counts exists."""


def stored_numbers(item: RawItem, numbers: Mapping[str, str]) -> Mapping[str, int]:
    """Return the numbers in an item of counts, by detail. ``numbers`` has the attribute of each detail."""
    return {STORED: 0} | {detail: int(text(item, name)) for detail, name in numbers.items() if name in item}


def set_numbers(counter: ItemModel, numbers: Mapping[str, str], seen: Observation, more: Iterable[Action] = ()) -> None:
    """Set the numbers of an item of counts, or create it with ``more``. Raises: ``Conflict`` if they have changed."""
    attributes = {detail: counter.attribute(name) for detail, name in numbers.items()}
    actions: list[Action] = [attribute.set(seen.counted.get(detail, 0)) for detail, attribute in attributes.items()]
    is_as_seen: Condition
    if STORED in seen.stored:
        is_as_seen = counter.attribute("pk").exists()
        for detail, attribute in attributes.items():
            number = seen.stored.get(detail)
            is_as_seen &= attribute.does_not_exist() if number is None else attribute == number
    else:
        is_as_seen = counter.attribute("pk").does_not_exist()
        actions += more
    Update(counter, is_as_seen, actions).send()


@dataclass(eq=False, kw_only=True)
class KeysRule(ItemRule):
    """A rule: an item has the keys that its model composes from its values.

    A wrong key of the table cannot be repaired; a wrong index key can, if the revision is as it was read.
    """

    model: type[ItemModel]
    others: Sequence[str] = ()
    """Further attributes, which are keys of indexes that another model of the table declares."""
    compose: Callable[[Any], ItemModel] | None = None
    """What gives the item that is written of an entity, if that is not for the model alone."""
    shards: Callable[[], int] | None = None
    """How many shards are read: an item may be in any of them, where keys have a ``{shard}``."""

    def composed(self, entity: Any, item: RawItem) -> ItemModel:
        """Return the item that commands would write for an entity; ``item`` is the stored one."""
        return self.compose(entity) if self.compose else self.model.item(entity)

    def wrong(self, item: RawItem) -> str:
        names = self.wrong_names(item, self.model.entity_of(item))
        place = " ".join(filter(None, self.model.key_of(item)))
        return f"the {self.model.kind} {place} has wrong {', '.join(names)}" if names else ""

    def repair(self, item: RawItem) -> bool:
        """Set or remove the index keys of an item."""
        entity = self.model.entity_of(item)
        names = self.wrong_names(item, entity)
        if not {*self.model.key_names()}.isdisjoint(names):
            return False
        mended = self.composed(entity, item)
        Update(mended, as_seen(self.model, entity), assigned(mended, names)).send()
        return True

    def wrong_names(self, item: RawItem, entity: Any) -> list[str]:
        """Return the names of the keys that differ from those that the entity would have."""
        wanted = self.composed(entity, item).to_dynamodb_dict()
        names = (*self.model.key_names(), *self.model.index_keys(), *self.others)
        wrong = [name for name in names if item.get(name) != wanted.get(name)]
        return [name for name in wrong if not self._differs_in_shard(name, item, wanted)]

    def _differs_in_shard(self, name: str, item: RawItem, wanted: RawItem) -> bool:
        """Return whether a key names another shard that is read. The number of shards grows, and stored items stay."""
        key = self.model.composed_keys().get(name)
        if not (self.shards and key and "shard" in key.template.names and name in item and name in wanted):
            return False
        found, right = (key.template.values(text(each, name)) for each in (item, wanted))
        return {**found, "shard": ""} == {**right, "shard": ""} and int(found["shard"]) in range(self.shards())


@dataclass(eq=False, kw_only=True)
class CountRule(GroupRule):
    """A rule: stored counts are the numbers of items. A group is an item with counts, the counter, and what it counts.

    ``numbers`` has the counter's attribute for each detail. A counter with one attribute has a blank detail.
    """

    model: type[ItemModel]
    numbers: Mapping[str, str]
    counter_model: type[ItemModel]
    """The model of the items that have the numbers. ``model`` is that of the items that are counted."""
    group: Callable[[RawItem], Identity]
    """The group in which an item is counted."""
    detail: Callable[[RawItem], str] = lambda _: ""
    """The detail in which an item is counted."""
    count: Callable[..., Mapping[str, int]]
    """Counts the items of a group again, consistently, by detail."""
    name: str
    """The name of the counts in faults, with parts of the identity in braces; ``{rest}`` is all but the first."""
    noun: str
    without: str = ""
    """The fault if the counter is missing; blank if a repair may create it."""
    repaired: Callable[..., object] = lambda *_: None
    """Is called with the group after a repair, and removes what was derived from the counts, as in a cache."""
    settle_seconds: float = 0.2

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if self.model.holds(item):
            yield Entry(self.group(item), self.detail(item), 1)
        elif self.counter_model.holds(item):
            group = tuple(self.counter_model.values_in(*self.counter_model.key_of(item)).values())
            for detail, name in self.numbers.items():
                if name in item:
                    yield Entry(group, detail, -int(text(item, name)))

    def stored(self, identity: Identity) -> Mapping[str, int]:
        counter: Any = self._counter(identity)
        item = get_one(self.counter_model, counter.pk, counter.sk, consistent=True)
        return stored_numbers(item, self.numbers) if item else {}

    def _counter(self, identity: Identity) -> ItemModel:
        return self.counter_model.keyed(**dict(zip(self.counter_model.told_names(), identity, strict=True)))

    def counted(self, identity: Identity) -> Mapping[str, int]:
        return self.count(*identity)

    def wrong(self, identity: Identity, seen: Observation) -> str:
        number = sum(seen.counted.values())
        name = self.name.format(*identity, rest=" ".join(identity[1:]))
        if STORED not in seen.stored and self.without:
            return self.without.format(*identity, number=number)
        if len(self.numbers) == 1:
            return f"{name} is {seen.stored.get('', 'missing')}; the number of {self.noun} is {number}"
        pairs = ((detail, seen.stored.get(detail, 0), seen.counted.get(detail, 0)) for detail in seen.differences)
        return f"{name} counts {', '.join(f'{detail} {stored} instead of {right}' for detail, stored, right in pairs)}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        if STORED not in seen.stored and self.without:
            return False
        set_numbers(self._counter(identity), self.numbers, seen)
        return True

    def finish(self, repaired: Sequence[Identity]) -> None:
        for identity in repaired:
            self.repaired(*identity)


@dataclass(eq=False, kw_only=True)
class WordsRule(GroupRule):
    """A rule: each word of an entity has a word item that repeats the entity, and each word item has its entity.

    A group is the key of a word item. ``stored_entity`` reads the entity of such a key consistently, and raises
    :class:`NotFound`.
    """

    model: type[ItemModel]
    word_model: type[Any]
    stored_entity: Callable[..., Any]

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if self.word_model.holds(item):
            yield Entry(self.word_model.key_of(item), _detail(item), -1)
        elif self.model.holds(item):
            for word in self._words_of(self.model.entity_of(item)):
                yield Entry(self.word_model.key_of(word), _detail(word), 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        word = get_one(self.word_model, *identity, consistent=True)
        return {} if word is None else {_detail(word): 1}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        try:
            words = self._words_of(self.stored_entity(*identity))
        except NotFound:
            return {}
        return {_detail(word): 1 for word in words if self.word_model.key_of(word) == identity}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        fault = ("is missing" if not seen.stored else "is wrong") if seen.counted else "is surplus"
        return f"the word item {' '.join(identity)} {fault}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Write the word item anew, or delete it. Raises: :class:`Conflict` if the entity changes meanwhile."""
        word = Delete(self.word_model(*identity))
        try:
            entity = self.stored_entity(*identity)
        except NotFound:
            commit([word])
            return True
        item = self.model.item(entity)
        as_it_is = Update(item, as_seen(self.model, entity), assigned(item, ["revision"]))
        commit([as_it_is, next((put for put in map(Put, self.word_model.of(entity)) if put.key == word.key), word)])
        return True

    def _words_of(self, entity: Any) -> list[RawItem]:
        return [word.to_dynamodb_dict() for word in self.word_model.of(entity)]


def _detail(item: RawItem) -> str:
    """Return the fields that a word item repeats of its entity, as one text."""
    return repr(sorted((name, value) for name, value in item.items() if name != KIND))
