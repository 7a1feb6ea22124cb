"""Check every registered rule of a table, with a Scan and bounded memory, while others write.

Rules of single items are checked as the items stream by. Rules of groups are checked by sums: each item adds an amount
to its group, and in a group that agrees the amounts add up to zero. Groups share 65,536 buckets. A bucket holds one
number: the amounts weighted by a hash of group and detail, modulo 2**64. So the first Scan needs at most 65,536 numbers
for a rule, however large the table is. If buckets are not zero, another Scan adds up their groups one by one, at most
4,096 buckets at a time. This holds a few groups if little is wrong, and a sixteenth of all groups if everything is.
A rule may read further items in another table, which takes Scans of that table.

The sums can be wrong while others write. So what they point at is read again, consistently and several times; see
:func:`confirmed`.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import chain, islice

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.maintenance.invariants import Entry, GroupRule, Identity, ItemRule, Observation
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.reading.requests import get_one, key_of
from dynamodb_lists.schema.models import RawItem

BUCKET_BYTES, WEIGHT_BYTES = 2, 8
BUCKETS_AT_ONCE = 2**12
MODULUS = 2**64
ALIKE = 5
"""How many observations in a row must show the same disagreement."""

ROUNDS = 20
UNREADABLE = (LookupError, TypeError, ValueError, ArithmeticError)
"""The errors of a rule that reads an item with missing attributes or impossible values."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that does not hold, in words. ``repaired`` says whether it holds now."""

    table: str
    text: str
    repaired: bool = False


Sums = dict[int, int]
Progress = Callable[[int], object]
"""Is called with the number of items of each page that was read."""


class TableCheck:
    """The check of a table by those of the ``rules`` that are its own, which may repair the faults."""

    def __init__(self, table: str, rules: Iterable[ItemRule | GroupRule], *, repair: bool) -> None:
        of_table = [rule for rule in rules if rule.model.Meta.table_name == table]
        self.items = [rule for rule in of_table if isinstance(rule, ItemRule)]
        self.groups = [rule for rule in of_table if isinstance(rule, GroupRule)]
        self.model = of_table[0].model
        self.repair = repair

    def faults(self, progress: Progress) -> Iterator[Fault]:
        """Every fault of the table, as it is found.

        Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
        """
        sums: list[Sums] = [defaultdict(int) for _ in self.groups]
        for page in self._pages():
            for item in page:
                yield from self._item_faults(item)
                for rule, rule_sums in zip(self.groups, sums, strict=True):
                    _add_up(rule_sums, _entries(rule, item))
            progress(len(page))
        for rule, rule_sums in zip(self.groups, sums, strict=True):
            for item in self._items_beside(rule):
                _add_up(rule_sums, _entries(rule, item))
            suspects = iter(sorted(bucket for bucket, value in rule_sums.items() if value))
            while buckets := frozenset(islice(suspects, BUCKETS_AT_ONCE)):
                yield from self._group_faults(rule, buckets)

    def _pages(self) -> Iterator[Sequence[RawItem]]:
        """The items of the table. Eventually consistent, at half the price: a suspect is read again."""
        return (page.result for page in scan(self.model, list, consistent=False))

    def _items_beside(self, rule: GroupRule) -> Iterator[RawItem]:
        """The items of a rule in another table. The Scan reads that table, and returns only these items."""
        model = rule.beside
        if model and model.Meta.table_name != self.model.Meta.table_name:
            for page in scan(model, list, keep=model.item_kind == model.kind, consistent=False):
                yield from page.result

    def _item_faults(self, item: RawItem) -> Iterator[Fault]:
        for rule in self.items:
            if _wrong(rule, item) and (stored := self._read_again(item)) and (words := _wrong(rule, stored)):
                repaired = self._repaired(partial(rule.repair, stored), partial(self._is_right, rule, stored))
                yield Fault(self.model.Meta.table_name, words, repaired)

    def _is_right(self, rule: ItemRule, item: RawItem) -> bool:
        stored = self._read_again(item)
        return stored is not None and not _wrong(rule, stored)

    def _read_again(self, item: RawItem) -> RawItem | None:
        return get_one(self.model, key_of(self.model, *self.model.key_of(item)), consistent=True)

    def _group_faults(self, rule: GroupRule, buckets: Collection[int]) -> Iterator[Fault]:
        """The faults among the groups of these buckets, whose exact sums a second Scan gives."""
        exact: dict[Identity, Counter[str]] = defaultdict(Counter)
        for item in chain(chain.from_iterable(self._pages()), self._items_beside(rule)):
            for entry in _entries(rule, item):
                if _hash(entry.identity, BUCKET_BYTES) in buckets:
                    exact[entry.identity][entry.detail] += entry.amount
        suspects = sorted(identity for identity, amounts in exact.items() if any(amounts.values()))
        for identity, seen in confirmed(rule, suspects):
            words = rule.wrong(identity, seen)
            repaired = self._repaired(partial(rule.repair, identity, seen), partial(_agrees, rule, identity))
            if words:
                yield Fault(self.model.Meta.table_name, words, repaired)

    def _repaired(self, repair: Callable[[], bool], is_right: Callable[[], bool]) -> bool:
        """Whether the fault is repaired. If somebody else changed it, but did not repair it, it stays for the next run.

        A repair whose first answer was lost, and which the SDK has sent again, finds what it has changed itself.
        """
        if not self.repair:
            return False
        try:
            return repair()
        except Conflict:
            return is_right()
        except UNREADABLE:
            return False


def confirmed(rule: GroupRule, suspects: Sequence[Identity]) -> Iterator[tuple[Identity, Observation]]:
    """The groups among the suspects that do not agree, each as it is.

    All suspects are observed in rounds. A group that agrees once is in order. A group is confirmed by five observations
    in a row that show the same disagreement: writers that keep adding and removing can make one look wrong, or two, but
    hardly five alike. A group that still changes after twenty rounds is left to the next run.
    """
    alike: dict[Identity, tuple[Observation | None, int]] = dict.fromkeys(suspects, (None, 0))
    for _ in range(ROUNDS):
        for identity, (before, times) in list(alike.items()):
            seen = _observe(rule, identity)
            alike[identity] = (seen, times + 1 if seen and seen == before else 1)
            if seen and seen.agrees:
                del alike[identity]
            elif seen and alike[identity][1] == ALIKE:
                del alike[identity]
                yield identity, seen
        if not alike:
            return
        time.sleep(rule.settle_seconds)


def _observe(rule: GroupRule, identity: Identity) -> Observation | None:
    """A group as it is; ``None`` if what is stored changed while the items were read, or if an item cannot be read."""
    try:
        before = rule.stored(identity)
        counted = rule.counted(identity)
        return Observation(before, counted) if rule.stored(identity) == before else None
    except UNREADABLE:
        return None  # a rule of single items reports the item


def _agrees(rule: GroupRule, identity: Identity) -> bool:
    seen = _observe(rule, identity)
    return seen is not None and seen.agrees


def _wrong(rule: ItemRule, item: RawItem) -> str:
    try:
        return rule.wrong(item) if rule.model.holds(item) else ""
    except UNREADABLE as error:
        return f"{' '.join(filter(None, rule.model.key_of(item)))} cannot be read: {type(error).__name__} {error}"


def _entries(rule: GroupRule, item: RawItem) -> Sequence[Entry]:
    """The item's entries in its groups; none if it cannot be read, which a rule of single items reports."""
    try:
        return list(rule.entries(item))
    except UNREADABLE:
        return []


def _add_up(sums: Sums, entries: Iterable[Entry]) -> None:
    """Add entries to the sums of their buckets. A bucket whose sum is zero is not kept."""
    for entry in entries:
        bucket = _hash(entry.identity, BUCKET_BYTES)
        value = (sums[bucket] + entry.amount * _hash((*entry.identity, entry.detail), WEIGHT_BYTES)) % MODULUS
        if value:
            sums[bucket] = value
        else:
            del sums[bucket]


def _hash(parts: Sequence[str], size: int) -> int:
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=size).digest())
