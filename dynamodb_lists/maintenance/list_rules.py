"""What ``verify_data`` checks of a declared list: the items, the keys of their indexes, counts and words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import UNREADABLE
from dynamodb_lists.declared.counts import Count
from dynamodb_lists.declared.modelled import Modelled
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists.counting import ListCounts, label_actions
from dynamodb_lists.lists.list import List
from dynamodb_lists.maintenance.rules import (
    CountRule,
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    KeysRule,
    Observation,
    Observed,
    PackedCountsRule,
    Progress,
    WordsRule,
    text,
)
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import ItemModel, RawItem

INDEX_SECONDS = 2.0
"""How long an index may be behind that finds the items which a count of a model has."""


def keys_rule(declared: List[Any]) -> KeysRule:
    """The rule that an item of a list has the keys of its values."""
    shards = getattr(declared.declaration, "shards", None)
    return KeysRule(model=declared.model, compose=declared.item, shards=shards)


def rules(declared: List[Any]) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a list: an item has the keys of its values, and each count is the number of its items.

    Of a list that spells its own keys, what the table has is read once.
    """
    if isinstance(declared.declaration, Modelled):
        return tuple(_rules_of_model(declared, declared.declaration))
    declared = copy(declared)
    declared.reader = declared.reader.now
    declared.declaration = declared.reader.declaration
    head, owner_of = declared.models.head, _owner_of(declared)
    packed_rule = PackedCountsRule(
        model=head,
        store=partial(ListCounts, declared.reader),
        owner=lambda item: owner_of(item) if head.key_of(item)[1] == PACKED else None,
    )
    words_rules = [_words_rule(declared)] if declared.declaration.word_fields else []
    if declared.declaration.expires:
        return (keys_rule(declared),)
    return keys_rule(declared), _counts_rule(declared), packed_rule, *words_rules


def _rules_of_model(declared: List[Any], declaration: Modelled) -> Iterator[ItemRule | GroupRule]:
    model, counter_model, words = declaration.model, declaration.counted_by, declaration.worded_by
    names = [*declaration.owner, *declaration.facets]

    def group(item: RawItem) -> Identity:
        entity = model.entity_of(item)
        return tuple(str(getattr(entity, name)) for name in names)

    def count(*identity: str) -> Mapping[str, int]:
        values = {name: declaration.types[name](text) for name, text in zip(names, identity, strict=True)}
        return {"": sum(1 for _ in declared.query(**values).listing(counts={}).stream())}

    def stored_entity(_: str, sort_key: str) -> Any:
        return declared.get(**{declared.ids[-1]: keys.parse(sort_key)[1]}, consistent=True)

    yield keys_rule(declared)
    if counter_model:
        (number,) = counter_model.changing()
        yield CountRule(
            model=model,
            numbers={"": number},
            counter_model=counter_model,
            group=group,
            count=count,
            name="the count of {rest} of {0}",
            noun=declaration.name,
            settle_seconds=INDEX_SECONDS,
        )
    if words:
        yield WordsRule(model=model, word_model=words, words=words.of, stored_entity=stored_entity)


class Recount(NamedTuple):
    """What an owner's counts should be, as they were counted at a revision of the counts.

    It is ``settled`` if they had this revision a moment before, too, so that no transaction was seen in half.
    """

    revision: str
    right: Mapping[Identity, Count] = MappingProxyType({})
    settled: bool = False


@dataclass(eq=False, kw_only=True)
class ListCountsRule(GroupRule):
    """Each combination of facets has the number of its items, and the head of an owner's counts that of all.

    One consistent read of an owner's items counts for all suspects, and serves as long as the revision stays.
    """

    model: type[ItemModel]
    declared: List[Any]
    of_all: CountRule
    of_each: CountRule
    known: dict[Identity, Recount]
    """The last recount of each owner."""

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if self.model.holds(item):
            entity, declaration = self.model.entity_of(item), self.declared.declaration
            owner = declaration.owner_of(entity)
            yield Entry(owner, "", 1)
            yield Entry(owner + declaration.combination(entity), "", 1)
        else:
            yield from (*self.of_all.entries(item), *self.of_each.entries(item))

    def observed(self, identities: Iterable[Identity], progress: Progress) -> Iterator[Observed]:
        for owner, group in groupby(identities, key=self._owner):
            some = [*group]
            try:
                found = self._of_owner(owner, some, progress)
            except UNREADABLE:  # a rule of single items reports the item
                found = {}
            yield from ((each, found.get(each)) for each in some)

    def _of_owner(self, owner: Identity, some: Sequence[Identity], progress: Progress) -> dict[Identity, Observation]:
        before, revision = self._stored(owner)
        last = self.known.get(owner)
        if last and not (last.settled and last.revision == revision):
            last = Recount(revision, self._counted(owner, some, progress), settled=last.revision == revision)
        after, now = self._stored(owner)
        right = last.right if last else {}
        self.known[owner] = last if last and now == revision else Recount(now, right)
        found = {}
        for each in some if right else ():
            old, new, number = before.get(each, {}), after.get(each, {}), right[each].number
            low, high = sorted(amounts.get("", 0) for amounts in (old, new))
            if old == new:
                found[each] = Observation(old, {"": number})
            elif low <= number <= high:  # it changed meanwhile, and is right as far as one can tell
                found[each] = Observation()
        return found

    def _stored(self, owner: Identity) -> tuple[dict[Identity, Mapping[str, int]], str]:
        """The counts as they are stored, and their revision."""
        model, partition = self.declared.models.count, self.declared.declaration.counts_partition(owner)
        shown = ("sk", "number", "items", "counts_revision")
        found = {
            text(each, "sk"): each for each in read_partition(model, partition, shown, decode=dict, consistent=True)
        }
        named = {owner + (() if key == HEAD else keys.parse(key)): item for key, item in found.items()}
        amounts = {each: self._rule(each).amounts(item) for each, item in named.items()}
        return amounts, repr(found.get(HEAD, {}).get("counts_revision"))

    def _counted(self, owner: Identity, some: Iterable[Identity], progress: Progress) -> dict[Identity, Count]:
        counts = ListCounts(self.declared.reader, owner).counted_anew(progress)
        total = Count(sum(each.number for each in counts.values()))
        return {each: counts.get(each[len(owner) :], Count(0)) if each != owner else total for each in some}

    def stored(self, identity: Identity) -> Mapping[str, int]:
        return self._stored(self._owner(identity))[0].get(identity, {})

    def counted(self, identity: Identity) -> Mapping[str, int]:
        return {"": self._counted(self._owner(identity), [identity], lambda _: None)[identity].number}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        return self._rule(identity).wrong(identity, seen)

    def repair(self, identity: Identity, seen: Observation) -> bool:
        return self._rule(identity).repair(identity, seen)

    def finish(self, repaired: Sequence[Identity]) -> None:
        self.known.clear()
        for owner in dict.fromkeys(self._owner(each) for each in repaired if each != self._owner(each)):
            self.declared.repack(owner)

    def _owner(self, identity: Identity) -> Identity:
        return identity[: len(self.declared.declaration.owner)]

    def _rule(self, identity: Identity) -> CountRule:
        return self.of_all if identity == self._owner(identity) else self.of_each


def _counts_rule(declared: List[Any]) -> ListCountsRule:
    declaration, models, owner_of = declared.declaration, declared.models, _owner_of(declared)
    owners, noun, known = len(declaration.owner), declaration.name, dict[Identity, Recount]()

    def labels(*identity: str) -> Iterable[Action]:
        """The labels of a restored count, which one of its items tells."""
        return label_actions(models.count, known[identity[:owners]].right[identity].labels)

    def counter(*identity: str) -> Any:
        model, sort_key = (models.count, keys.compose(*identity[owners:])) if identity[owners:] else (models.head, HEAD)
        return model(declaration.counts_partition(identity[:owners]), sort_key)

    shared: Any = {"model": models.item, "group": owner_of, "count": lambda *_: {}, "counter": counter, "noun": noun}
    of_all = CountRule(
        **shared,
        numbers={"": "items"},
        counter_model=models.head,
        counter_group=owner_of,
        name=" ".join(["the number of all", noun, *(f"{{{n}}}" for n in range(owners))]),
    )
    of_each = CountRule(
        **shared,
        numbers={"": "number"},
        counter_model=models.count,
        counter_group=lambda item: owner_of(item) + keys.parse(text(item, "sk")),
        name=f"the count of {noun} {{0}} {{rest}}",
        more=labels,
    )
    return ListCountsRule(model=models.item, declared=declared, of_all=of_all, of_each=of_each, known=known)


def _words_rule(declared: List[Any]) -> WordsRule:
    """Each word of an item has a word item."""

    def stored_entity(partition: str, sort_key: str) -> Any:
        told = declared.declaration.of_words.values(partition)
        owner = tuple(str(told[name]) for name in declared.declaration.owner)
        return declared.reader.item(owner, keys.parse(sort_key)[1], consistent=True)

    models = declared.models
    return WordsRule(model=models.item, word_model=models.word, words=models.word.of, stored_entity=stored_entity)


def _owner_of(declared: List[Any]) -> Callable[[RawItem], Identity]:
    """What tells the owner of an item of counts."""
    return lambda item: declared.declaration.owner_counted_in(text(item, "pk"))
