"""Check every registered rule of a table, with one Scan and bounded memory, while others write.

Rules of single items are checked as the items stream by. Rules of groups are checked by sums: each item adds an amount
to its group, and in a group that agrees the amounts add up to zero. A temporary file holds the sums of all groups. A
rule may read further items in another table, which takes a Scan of that table.

The sums can be wrong while others write. So what they point at is read again, consistently and several times; see
:func:`confirmed`.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.errors import UNREADABLE, Conflict, Unreadable
from dynamodb_lists.maintenance.rules import GroupRule, Identity, ItemRule, Observation, Progress, Unread, mend_unread
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.reading.items import get_one
from dynamodb_lists.schema.models import RawItem

SCHEMA = """
PRAGMA cache_size = -64000;
CREATE TABLE sums (rule, identity, detail, amount, PRIMARY KEY (rule, identity, detail)) WITHOUT ROWID;
BEGIN;
"""
"""The sums of all groups, in a file that SQLite deletes: a table has more groups than memory holds."""
ADD = "INSERT INTO sums VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount"
DIFFER = "SELECT DISTINCT identity FROM sums WHERE rule = ? AND amount != 0 ORDER BY identity"
SUSPECTS = 10_000
"""How many groups are confirmed together, and so are in memory."""

MOST_AMOUNT = 2**62  # a larger one, which no right item has, is cut: it is wrong in any case
ALIKE = 5
"""How many observations in a row must show the same disagreement."""

ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that does not hold, as a text. ``repaired`` tells whether it holds now."""

    text: str
    repaired: bool = False


class TableCheck:
    """The check of a table by its own rules among ``rules``. With ``repair``, it repairs faults."""

    def __init__(
        self,
        table: str,
        rules: Iterable[ItemRule | GroupRule],
        *,
        repair: bool,
        unread: Unread | None = None,
        bounded: Callable[[Iterable[Answer]], Iterable[Answer]] = iter,
    ) -> None:
        of_table = [rule for rule in rules if rule.model.Meta.table_name == table]
        self.items = [rule for rule in of_table if isinstance(rule, ItemRule)]
        self.groups = [rule for rule in of_table if isinstance(rule, GroupRule)]
        self.model = of_table[0].model
        self.repair, self.unread, self.bounded = repair, unread, bounded
        self.read = 0
        self.unsettled = 0
        """How many groups kept changing, so that nobody knows whether they agree."""
        self._reset = list[RawItem]()
        """Items that could not be read, as they are now."""

    def faults(self, progress: Progress, confirming: Progress = lambda _: None) -> Iterator[Fault]:
        """Yield every fault of the table as it is found. ``progress`` is called with the number of items read,
        ``confirming`` with the number of groups that are read again.
        """
        with closing(sqlite3.connect("")) as sums:
            sums.executescript(SCHEMA)
            for page in self.bounded(scan(self.model.Meta.table_name)):
                for item in page["Items"]:
                    yield from self._item_faults(item)
                for number, rule in enumerate(self.groups):
                    sums.executemany(ADD, _rows(number, rule, page["Items"]))
                self.read += page["ScannedCount"]
                progress(page["ScannedCount"])
            for number, rule in enumerate(self.groups):
                beside, others = rule.beside, iter(())
                if beside and beside.Meta.table_name != self.model.Meta.table_name:  # the Scan reads all of that table
                    others = (item for page in scan(beside.Meta.table_name, beside.kind) for item in page["Items"])
                sums.executemany(ADD, _rows(number, rule, chain(self._reset, others)))
                differing = sums.execute(DIFFER, [number])
                while rows := differing.fetchmany(SUSPECTS):
                    confirming(len(rows))
                    yield from self._group_faults(rule, [tuple(json.loads(each)) for (each,) in rows], progress)

    def _group_faults(self, rule: GroupRule, suspects: Sequence[Identity], progress: Progress) -> Iterator[Fault]:
        repaired = list[Identity]()
        try:
            for identity, seen in confirmed(rule, suspects, progress):
                if seen is None:
                    self.unsettled += 1
                    continue
                words = rule.wrong(identity, seen)
                if is_repaired := self._repaired(partial(rule.repair, identity, seen)):
                    repaired.append(identity)
                if words:
                    yield Fault(words, is_repaired)
        finally:
            rule.finish(repaired)

    def _item_faults(self, item: RawItem) -> Iterator[Fault]:
        """Yield the faults of an item. If several rules cannot read it, this is one fault."""
        told: set[str] = set()
        for rule in self.items:
            if not _wrong(rule, item):
                continue
            stored = get_one(self.model, *self.model.key_of(item), consistent=True)
            if stored and (words := _wrong(rule, stored)):
                repaired = self._repaired(partial(self._mended, rule, stored))
                if words not in told:
                    yield Fault(words, repaired)
                told.add(words)

    def _mended(self, rule: ItemRule, stored: RawItem) -> bool:
        """Repair an item. If it cannot be read, reset it with its keys, or delete it."""
        if not (self.unread and rule.model.unread(stored)):
            return rule.repair(stored)
        mended = mend_unread(rule.model, stored, self.unread)
        now = get_one(self.model, *self.model.key_of(stored), consistent=True) if mended else None
        self._reset += [now] if now else []
        return mended and (not now or not _wrong(rule, now) or rule.repair(now))

    def _repaired(self, repair: Callable[[], bool]) -> bool:
        """Repair a fault, and return whether it is repaired. A fault that has changed is left to the next run."""
        try:
            return self.repair and repair()
        except (Conflict, *UNREADABLE):
            return False


def confirmed(
    rule: GroupRule, suspects: Sequence[Identity], progress: Progress = lambda _: None
) -> Iterator[tuple[Identity, Observation | None]]:
    """Yield the suspected groups that do not agree, each as it is stored; ``None`` for a group that keeps changing.

    All suspects are observed in rounds. A group that agrees once is in order. A group is confirmed by five observations
    in a row that show the same disagreement: writers that keep adding and removing can make one look wrong, or two, but
    hardly five alike. A group that still changes after twenty rounds is left to the next run.
    """
    alike: dict[Identity, tuple[Observation | None, int]] = dict.fromkeys(suspects, (None, 0))
    for _ in range(ROUNDS):
        for identity, seen in rule.observed([*alike], progress):
            before, times = alike[identity]
            alike[identity] = (seen, times + 1 if seen and seen == before else 1)
            if seen and seen.agrees:
                del alike[identity]
            elif seen and alike[identity][1] == ALIKE:
                del alike[identity]
                yield identity, seen
        if not alike:
            return
        time.sleep(rule.settle_seconds)
    yield from dict.fromkeys(alike).items()


def _wrong(rule: ItemRule, item: RawItem) -> str:
    try:
        return rule.wrong(item) if rule.model.holds(item) else ""
    except Unreadable as error:
        return f"{str(error).rstrip('.')}: reset or delete it, with --unread"
    except UNREADABLE as error:
        return f"{' '.join(filter(None, rule.model.key_of(item)))} cannot be read: {type(error).__name__} {error}"


def _rows(number: int, rule: GroupRule, items: Iterable[RawItem]) -> Iterator[tuple[int, str, str, int]]:
    """Yield what items add to the sums of a rule. An item that cannot be read adds nothing."""
    for item in items:
        with suppress(*UNREADABLE):
            for identity, detail, amount in [*rule.entries(item)]:
                yield number, json.dumps(identity), detail, max(-MOST_AMOUNT, min(amount, MOST_AMOUNT))
