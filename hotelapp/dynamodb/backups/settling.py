"""Read again what changed while a backup was taken, each aggregate as a whole, in one transaction.

After that, each aggregate in the backup is as it was at some moment between its beginning and its end, and the owner of
each is in it, too. Numbers that are derived from items may still differ; they are derived again by a restore.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from hotelapp.dynamodb.backups.aggregates import Aggregate, Changed, aggregates, change_logs
from hotelapp.dynamodb.backups.blocks import Again, Block, BlockKind, again_line, item_of
from hotelapp.dynamodb.backups.files import BackupWriter, NotWritten
from hotelapp.dynamodb.backups.suspects import Suspect, Suspects
from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.retries import wait
from hotelapp.dynamodb.maintenance.scans import patiently
from hotelapp.dynamodb.maintenance.verification import UNREADABLE
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import RawItem
from hotelapp.dynamodb.writing.transactions import MAX_WRITES

ATTEMPTS = 5
"""How often an aggregate is read if its items do not agree. After that, they disagree in the database."""

LINES = 1000


@dataclass
class _Read:
    """What was found of a thing: its items, the keys that it no longer has, and what it has become."""

    items: Sequence[RawItem]
    deleted: Sequence[RawItem]
    successors: Sequence[Changed]
    agrees: bool


@dataclass
class Settled:
    """How many things were read again, and which of them do not agree in the database itself."""

    things: int = 0
    disagreeing: list[str] = field(default_factory=list)


def settle(backup: BackupWriter) -> Iterator[Settled]:
    """Write what is read again after the items; yields the result so far.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable` and
    :class:`~hotelapp.dynamodb.backups.files.NotWritten`.
    """
    try:
        yield from _settle(backup)
    except sqlite3.Error as error:
        raise NotWritten(f"A temporary file cannot be written: {error}.") from error


def _settle(backup: BackupWriter) -> Iterator[Settled]:
    beginning, result = backup.contents.beginning, Settled()
    known = aggregates()
    with Suspects(known) as suspects, ThreadPoolExecutor(beginning.segments) as pool:
        suspects.find(partial(_items, backup), beginning.begun)
        for aggregate in known:
            for batch in suspects.left(aggregate):
                found = list(pool.map(partial(_read, aggregate, beginning.begun), batch))
                _write(backup, aggregate, found)
                for thing, read in zip(batch, found, strict=True):
                    suspects.add_owners(aggregate.model.Meta.table_name, read.items)
                    for successor in read.successors:
                        suspects.add(successor)
                    if not read.agrees:
                        result.disagreeing.append(f"{aggregate.kind} {' '.join(thing.identity)}")
                result.things += len(batch)
                yield result


def _items(backup: BackupWriter) -> Iterator[tuple[str, RawItem]]:
    for block in backup.blocks():
        if block.kind == BlockKind.ITEMS:
            name = tables.table_name(block.facts["table"])
            yield from ((name, item_of(line)) for line in block.lines)


def _write(backup: BackupWriter, aggregate: Aggregate, found: Sequence[_Read]) -> None:
    table = tables.own_name(aggregate.model.Meta.table_name)
    changes = [Again(table, put=item) for read in found for item in read.items]
    changes += [Again(table, delete=key) for read in found for key in read.deleted]
    for start in range(0, len(changes), LINES):
        backup.append(Block(BlockKind.AGAIN, {}, [again_line(change) for change in changes[start : start + LINES]]))


def _read(aggregate: Aggregate, since: datetime, suspect: Suspect) -> _Read:
    """A thing as it is now: what the backup has of it, and what else belongs to it.

    A room that gets another number meanwhile must neither be lost nor be there twice. So the read counts only if the
    history says the same before and after it.
    """
    thing = Changed(aggregate.kind, suspect.identity)
    before: Sequence[Changed] = ()
    for attempt in range(ATTEMPTS):
        items = _read_together(aggregate, sorted({*suspect.keys, *aggregate.keys(suspect.identity)}))
        successors = _successors(aggregate, thing, since)
        agrees = aggregate.is_owner or _agree(aggregate, items)
        if agrees and successors == before:
            break
        if not agrees:
            wait(attempt)
        before = successors
    names = aggregate.model.key_names()
    stored = {tuple(str(next(iter(item[name].values()))) for name in names) for item in items}
    deleted = [_key(aggregate, key) for key in suspect.keys if key not in stored]
    return _Read(items, deleted, successors, agrees)


def _successors(aggregate: Aggregate, thing: Changed, since: datetime) -> Sequence[Changed]:
    """What a thing has become. Owners keep their identity."""
    if aggregate.is_owner:
        return ()
    return tuple(successor for log in change_logs() for successor in log.successors(thing, since))


def _agree(aggregate: Aggregate, items: Sequence[RawItem]) -> bool:
    """Whether items are those of whole things."""
    amounts: dict[Any, int] = {}
    try:
        for entry in (entry for item in items for entry in aggregate.entries(item)):
            group = entry.identity, entry.detail
            amounts[group] = amounts.get(group, 0) + entry.amount
    except UNREADABLE:
        return False
    return not any(amounts.values())


def _read_together(aggregate: Aggregate, keys: Sequence[tuple[str, str]]) -> list[RawItem]:
    """Those items that exist, read in one transaction: all as they are at the same moment."""
    table, items = aggregate.model.Meta.table_name, []
    for start in range(0, len(keys), MAX_WRITES):
        gets: Any = [
            {"Get": {"TableName": table, "Key": _key(aggregate, key)}} for key in keys[start : start + MAX_WRITES]
        ]
        answer: Any = patiently(partial(client().transact_get_items, TransactItems=gets))
        items += [found["Item"] for found in answer["Responses"] if found.get("Item")]
    return items


def _key(aggregate: Aggregate, key: tuple[str, str]) -> RawItem:
    return {name: {"S": value} for name, value in zip(aggregate.model.key_names(), key, strict=True)}
