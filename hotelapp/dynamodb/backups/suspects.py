"""Which aggregates a backup must read again, found in what it has written so far, with bounded memory.

Those are the aggregates whose items do not agree in the backup, and those that the history says have changed meanwhile.
The sums of :mod:`~hotelapp.dynamodb.maintenance.verification` find the first kind. They need at most 65,536 numbers for
each kind of aggregate. Everything that grows with the data is in a temporary SQLite file.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from hotelapp.dynamodb.backups.aggregates import Aggregate, Changed, ChangeLog, change_logs
from hotelapp.dynamodb.maintenance.invariants import Entry, Identity
from hotelapp.dynamodb.maintenance.verification import UNREADABLE, Sums, add_up, bucket_of
from hotelapp.dynamodb.schema.models import RawItem

CACHE_KB = 16_000
AT_ONCE = 1000
_SCHEMA = """
CREATE TABLE entries (aggregate INTEGER, identity TEXT, detail TEXT, amount INTEGER);
CREATE TABLE members (aggregate INTEGER, identity TEXT, item_key TEXT);
CREATE TABLE suspects (aggregate INTEGER, identity TEXT, done INTEGER, PRIMARY KEY (aggregate, identity));
"""
_SUSPECT = "INSERT OR IGNORE INTO suspects VALUES (?, ?, 0)"
_DISAGREEING = """
INSERT OR IGNORE INTO suspects
SELECT aggregate, identity, 0 FROM entries GROUP BY aggregate, identity, detail HAVING SUM(amount) <> 0
"""

Items = Callable[[], Iterator[tuple[str, RawItem]]]
"""A function that reads the backup: each item with its table, which is named in full."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A thing to read again, and the keys that its items have in the backup: pairs of partition and sort key."""

    identity: Identity
    keys: Sequence[tuple[str, str]]


class Suspects:
    """The things to read again, of all aggregates. Use it as a context manager."""

    def __init__(self, aggregates: Sequence[Aggregate]) -> None:
        self._aggregates = aggregates
        self._database = sqlite3.connect("", isolation_level=None)  # a temporary file, which SQLite deletes
        self._database.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        self._database.executescript(_SCHEMA)
        self._database.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def find(self, items: Items, since: datetime) -> None:
        """Find them in a backup that began at ``since``: one pass to find which sums differ, another for their keys."""
        sums: list[Sums] = [defaultdict(int) for _ in self._aggregates]
        logs = {log.model.Meta.table_name: log for log in change_logs()}
        for table, item in items():
            for number, aggregate in self._of(table):
                add_up(sums[number], _entries(aggregate, item))
            if table in logs:
                self._add_changed(logs[table], item, since)
        buckets = [set(found) for found in sums]
        for number, identity in self._database.execute("SELECT aggregate, identity FROM suspects"):
            buckets[number].add(bucket_of(_parsed(identity)))
        if any(buckets):
            self._collect(items, buckets)

    def add(self, changed: Changed) -> None:
        """Add a thing, unless it was read again already. Things that have no aggregate are single items."""
        for number, aggregate in enumerate(self._aggregates):
            if aggregate.kind == changed.kind:
                self._database.execute(_SUSPECT, [number, _text(changed.identity)])

    def add_owners(self, table: str, items: Iterable[RawItem]) -> None:
        """Add the owners of items that were read again: the backup may not have them yet."""
        for number, aggregate in self._of(table):
            if aggregate.is_owner:
                identities = {entry.identity for item in items for entry in _entries(aggregate, item)}
                rows = [(number, _text(identity)) for identity in identities]
                self._database.executemany(_SUSPECT, rows)

    def left(self, aggregate: Aggregate) -> Iterator[list[Suspect]]:
        """The things of an aggregate that were not given before, a thousand at a time, until none is left."""
        number = self._aggregates.index(aggregate)
        query = f"SELECT identity FROM suspects WHERE aggregate = ? AND NOT done LIMIT {AT_ONCE}"  # noqa: S608
        while rows := self._database.execute(query, [number]).fetchall():
            yield [Suspect(_parsed(identity), self._keys(number, identity)) for (identity,) in rows]
            self._database.executemany(
                "UPDATE suspects SET done = 1 WHERE aggregate = ? AND identity = ?",
                [(number, identity) for (identity,) in rows],
            )

    def _add_changed(self, log: ChangeLog, item: RawItem, since: datetime) -> None:
        with suppress(*UNREADABLE):
            for changed in log.changed(item, since):
                self.add(changed)

    def _of(self, table: str) -> Iterator[tuple[int, Aggregate]]:
        return (
            (number, aggregate)
            for number, aggregate in enumerate(self._aggregates)
            if aggregate.model.Meta.table_name == table
        )

    def _collect(self, items: Items, buckets: Sequence[set[int]]) -> None:
        """Collect the entries and the keys of the things in these buckets, and add those that do not agree."""
        execute = self._database.execute
        for table, item in items():
            for number, aggregate in self._of(table):
                for entry in _entries(aggregate, item):
                    if bucket_of(entry.identity) in buckets[number]:
                        row = [number, _text(entry.identity), entry.detail, entry.amount]
                        execute("INSERT INTO entries VALUES (?, ?, ?, ?)", row)
                member = _member(aggregate, item)
                if member and bucket_of(member) in buckets[number]:
                    key = json.dumps([_plain(item[name]) for name in aggregate.model.key_names()])
                    execute("INSERT INTO members VALUES (?, ?, ?)", [number, _text(member), key])
        execute(_DISAGREEING)
        execute("DROP TABLE entries")
        execute("CREATE INDEX by_thing ON members (aggregate, identity)")

    def _keys(self, number: int, identity: str) -> list[tuple[str, str]]:
        query = "SELECT item_key FROM members WHERE aggregate = ? AND identity = ?"
        found = (json.loads(key) for (key,) in self._database.execute(query, [number, identity]))
        return [(partition, sort_key) for partition, sort_key in found]


def _entries(aggregate: Aggregate, item: RawItem) -> list[Entry]:
    """What an item adds; nothing if it cannot be read. ``verify_data`` reports it."""
    try:
        return list(aggregate.entries(item))
    except UNREADABLE:
        return []


def _member(aggregate: Aggregate, item: RawItem) -> Identity | None:
    try:
        return aggregate.member(item)
    except UNREADABLE:
        return None


def _plain(value: Mapping[str, str]) -> str:
    return next(iter(value.values()))


def _text(identity: Identity) -> str:
    return json.dumps(identity)


def _parsed(identity: str) -> Identity:
    return tuple(json.loads(identity))
