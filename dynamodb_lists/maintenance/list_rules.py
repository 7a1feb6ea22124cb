"""The rules of a declared list that ``verify_data`` checks: items, index keys, counts and words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from dynamodb_lists.connection.errors import UNREADABLE
from dynamodb_lists.declared.counts import Count, Counts, copied
from dynamodb_lists.declared.modelled import Modelled
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists.counting import ListCounts, label_actions, pack_counts, values_in
from dynamodb_lists.lists.list import List
from dynamodb_lists.maintenance.rules import (
    STORED,
    CountRule,
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    KeysRule,
    Observation,
    Observed,
    Progress,
    WordsRule,
    set_numbers,
    stored_numbers,
    text,
)
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import RawItem

INDEX_SECONDS = 2.0
"""How long an index may be behind that finds the items which a count of a model has."""

REVISION = "revision"
"""The detail, in the group of an owner's packed counts, of the revision of the counts."""


def keys_rule(declared: List[Any]) -> KeysRule:
    """Return the rule that an item of a list has the keys of its values."""
    shards = getattr(declared.declaration, "shards", None)
    return KeysRule(model=declared.model, compose=declared.item, shards=shards)


def rules(declared: List[Any]) -> tuple[ItemRule | GroupRule, ...]:
    """Return the rules of a list: an item has the keys of its values, and each count is the number of its items."""
    declaration: Any = declared.declaration
    if isinstance(declaration, Modelled):
        words = [_words_rule(declared, declaration.worded_by)] if declaration.worded_by else []
        counts: list[GroupRule] = [_count_rule(declared, declaration)] if declaration.counted_by else []
        return keys_rule(declared), *counts, *words
    declared = copy(declared)
    declared.reader = declared.reader.now
    declared.declaration = declaration = declared.reader.declaration
    if declaration.expires:
        return (keys_rule(declared),)
    words = [_words_rule(declared, declared.models.word)] if declaration.word_fields else []
    return keys_rule(declared), ListCountsRule(declared), PackedCountsRule(declared), *words


def _count_rule(declared: List[Any], declaration: Modelled) -> CountRule:
    """Return the rule that each count of a model is the number of its items."""
    model, counter_model, names = declaration.model, declaration.counted_by, (*declaration.owner, *declaration.facets)
    assert counter_model is not None

    def group(item: RawItem) -> Identity:
        entity = model.entity_of(item)
        return tuple(str(getattr(entity, name)) for name in names)

    def count(*identity: str) -> Mapping[str, int]:
        values = {name: declaration.types[name](text) for name, text in zip(names, identity, strict=True)}
        return {"": sum(1 for _ in declared.query(**values).listing(counts={}).stream())}

    return CountRule(
        model=model,
        numbers={"": counter_model.changing()[0]},
        counter_model=counter_model,
        group=group,
        count=count,
        name="the count of {rest} of {0}",
        noun=declaration.name,
        settle_seconds=INDEX_SECONDS,
    )


def _words_rule(declared: List[Any], word_model: Any) -> WordsRule:
    """Return the rule that each word of an item has a word item, whose key has the owner and the id."""

    def stored_entity(*key: str) -> Any:
        told = word_model.values_in(*key)
        *owner, item_id = declared.ids
        return declared.get(**{name: told[name] for name in owner}, **{item_id: told["id"]}, consistent=True)

    return WordsRule(model=declared.model, word_model=word_model, stored_entity=stored_entity)


class Recount(NamedTuple):
    """What the groups of an owner should have, as counted at a revision. ``settled``: it was the same before, too."""

    revision: str
    counts: Counts = MappingProxyType({})
    right: Mapping[Identity, Mapping[str, int]] = MappingProxyType({})
    settled: bool = False


class ListCountsRule(GroupRule):
    """Counts have the numbers of their items, and heads of counts those of all items and of values counted alone.

    A group is an owner, or an owner and a combination. One consistent read of an owner's items counts for all suspects,
    and serves as long as the revision stays.
    """

    def __init__(self, declared: List[Any]) -> None:
        self.declared, self.model = declared, declared.models.item
        self.of_head = {"": "items", **{each: each for each in declared.declaration.of_values.values()}}
        """The attribute of each detail of a head."""
        self.known: dict[Identity, Recount] = {}
        """The last recount of each owner."""

    def entries(self, item: RawItem) -> Iterator[Entry]:
        models, declaration = self.declared.models, self.declared.declaration
        if self.model.holds(item):
            entity = self.model.entity_of(item)
            owner = declaration.owner_of(entity)
            yield Entry(owner, "", 1)
            yield from (Entry(owner, each, 1) for each in values_in(declaration, entity))
            yield Entry(owner + declaration.combination(entity), "", 1)
        elif models.head.holds(item) or models.count.holds(item):
            group, amounts = self._amounts(item)
            yield from (Entry(group, each, -number) for each, number in amounts.items())

    def _amounts(self, item: RawItem) -> tuple[Identity, Mapping[str, int]]:
        """Return the group of an item of counts, and the amounts that it has."""
        declaration = self.declared.declaration
        partition, sort_key = self.declared.models.count.key_of(item)
        owner = declaration.owner_in(partition, declaration.of_counts)
        if sort_key == HEAD:
            return owner, stored_numbers(item, self.of_head)
        return owner + keys.parse(sort_key), stored_numbers(item, {"": "number"})

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
        if last is None:  # the next round sees whether the counts stay as they are
            self.known[owner] = Recount(revision)
            return {}
        if not (last.settled and last.revision == revision):
            counts, of_values = ListCounts(self.declared.reader, owner).counted_anew(progress)
            right = {owner + each: {"": count.number} for each, count in counts.items()}
            right[owner] = {"": sum(count.number for count in counts.values()), **of_values}
            last = Recount(revision, counts, right, settled=last.revision == revision)
        after, now = self._stored(owner)
        self.known[owner] = last if now == revision else last._replace(revision=now, settled=False)
        found = {}
        for each in some:
            old, new, wanted = before.get(each, {}), after.get(each, {}), last.right.get(each, {"": 0})
            if old == new:
                found[each] = Observation(old, wanted)
                continue
            ends = ((number, sorted((old.get(name, 0), new.get(name, 0)))) for name, number in wanted.items())
            if all(low <= number <= high for number, (low, high) in ends):
                found[each] = Observation()  # it changed meanwhile, and is right as far as one can tell
        return found

    def _stored(self, owner: Identity) -> tuple[dict[Identity, Mapping[str, int]], str]:
        model, partition = self.declared.models.count, self.declared.declaration.counts_partition(owner)
        revision = "counts_revision", "values_changed"
        shown = ("pk", "sk", "number", *self.of_head.values(), *revision)
        items = [*read_partition(model, partition, shown, decode=dict, consistent=True)]
        head = next((item for item in items if text(item, "sk") == HEAD), {})
        return dict(map(self._amounts, items)), repr([*map(head.get, revision)])

    def wrong(self, identity: Identity, seen: Observation) -> str:
        noun, detail = self.declared.declaration.name, seen.differences[0]
        what = f"the number of all {noun}" if identity == self._owner(identity) else f"the count of {noun}"
        what = f"the number of {noun} of {detail}" if detail else what
        stored, right = seen.stored.get(detail, "missing"), seen.counted.get(detail, 0)
        return f"{' '.join([what, *identity])} is {stored}; the number of {noun} is {right}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        """Repair a count. A missing count gets its labels, too, from one of its items."""
        owner, models = self._owner(identity), self.declared.models
        partition, combination = self.declared.declaration.counts_partition(owner), identity[len(owner) :]
        if combination:
            labels = label_actions(models.count, self.known[owner].counts.get(combination, Count(0)).labels)
            set_numbers(models.count(partition, keys.compose(*combination)), {"": "number"}, seen, labels)
        else:
            set_numbers(models.head(partition, HEAD), self.of_head, seen)
        return True

    def finish(self, repaired: Sequence[Identity]) -> None:
        self.known.clear()
        for owner in dict.fromkeys(self._owner(each) for each in repaired if each != self._owner(each)):
            self.declared.repack(owner)

    def _owner(self, identity: Identity) -> Identity:
        return identity[: len(self.declared.declaration.owner)]


class PackedCountsRule(GroupRule):
    """A packed copy of the revision of an owner's counts repeats these counts. A group is an owner who has a copy.

    Pages do not use a copy of another revision. So it is no fault, but a repair packs the counts. Nothing is known of a
    copy before its counts are read: each is a suspect.
    """

    def __init__(self, declared: List[Any]) -> None:
        self.declared, self.model = declared, declared.models.head

    def entries(self, item: RawItem) -> Iterator[Entry]:
        partition, sort_key = self.model.key_of(item)
        if sort_key == PACKED:
            declaration = self.declared.declaration
            yield Entry(declaration.owner_in(partition, declaration.of_counts), STORED, 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        copy = self._store(identity).heads()[1]
        counts = copied(copy, self.declared.declaration.facets)
        return {} if counts is None else {REVISION: copy.get("counts_revision", 0), **_details(counts)}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        store = self._store(identity)
        revision, copy = store.heads()
        used = copy.get("counts_revision", 0) == revision
        return {REVISION: revision, **_details(store.counts() if used else {})}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        used = seen.stored.get(REVISION) == seen.counted[REVISION]
        what = " of ".join([self.declared.declaration.name, *identity])
        return f"the packed counts of {what} are not its counts" if used else ""

    def repair(self, identity: Identity, seen: Observation) -> bool:
        pack_counts(self._store(identity))
        return self.stored(identity) == self.counted(identity)

    def _store(self, owner: Identity) -> ListCounts[Any]:
        return ListCounts(self.declared.reader, owner)


def _details(counts: Counts) -> dict[str, int]:
    return {repr((tuple(combination), tuple(count))): 1 for combination, count in counts.items()}
