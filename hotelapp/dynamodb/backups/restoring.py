"""Write a backup into empty tables, in parallel and block by block; and continue a restore that was interrupted.

Every write puts or deletes a whole item under its key, so writing a block twice does no harm. How far the restore is,
is in ``FILE.progress``, together with the digest of the backup and the ids of the tables.
"""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hotelapp.dynamodb.backups.blocks import (
    Again,
    BadBackup,
    Block,
    BlockKind,
    StoredBlock,
    again_of,
    item_of,
    read_blocks,
)
from hotelapp.dynamodb.backups.contents import Beginning, Contents
from hotelapp.dynamodb.backups.files import read_backup
from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.dynamodb.deployment.item_sizes import index_entry, item_size
from hotelapp.dynamodb.deployment.table_schemas import TableSchema, table_schema
from hotelapp.dynamodb.maintenance import scans
from hotelapp.dynamodb.maintenance.batches import write
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import KIND, VERSION, RawItem, registered

SAMPLE = 50
"""Of how many items one is measured for the estimate of write units."""

WRITE_UNIT = 1024


class RestoreRefused(DynamoDBError):
    """The tables cannot take the backup. The message says what to do."""


@dataclass
class Checked:
    """What the check of a backup found: its contents, the items of earlier versions, and about how many write units."""

    contents: Contents
    outdated: int = 0
    write_units: int = 0


@dataclass
class _Check:
    """Reads every item of every block once, so that nothing is written before all are known to be whole."""

    progress: Callable[[int], object]

    outdated: int = 0
    sampled_units: int = 0
    _seen: int = 0
    _bytes: int = 0
    _versions: Mapping[str, int] = field(default_factory=lambda: {m.kind: m.version for m in registered()})
    _schemas: dict[str, TableSchema] = field(default_factory=dict)

    def __call__(self, contents: Contents, stored: StoredBlock) -> None:
        block = stored.block
        self.progress(stored.end - self._bytes)
        self._bytes = stored.end
        if block.kind == BlockKind.BEGIN:
            _require_known(contents.beginning)
        if block.kind in {BlockKind.ITEMS, BlockKind.AGAIN}:
            for change in _changes(block):
                if (item := change.put or change.delete) is None or change.table not in contents.beginning.tables:
                    raise BadBackup(f"a line of block {contents.blocks - 1} writes nothing")
                self._add(change.table, item, contents.beginning.tables[change.table])

    def _add(self, table: str, item: RawItem, key: Sequence[str]) -> None:
        if not item.keys() >= set(key):
            raise BadBackup(f"an item of {table} has no key")
        version = int(item.get(VERSION, {}).get("N", 0))
        self.outdated += version < self._versions.get(item.get(KIND, {}).get("S", ""), 1)
        if self._seen % SAMPLE == 0:
            self.sampled_units += SAMPLE * self._units(table, item)
        self._seen += 1

    def _units(self, table: str, item: RawItem) -> int:
        full = tables.table_name(table)
        schema = self._schemas.setdefault(table, table_schema(table, tables.declaring(full)))
        entries = [entry for index in schema.indexes if (entry := index_entry(item, index, schema))]
        return sum(-(-item_size(each) // WRITE_UNIT) for each in (item, *entries))


def checked(path: Path, progress: Callable[[int], object]) -> Checked:
    """Read a whole backup and check it; ``progress`` is called with numbers of bytes. Nothing is written.

    Raises :class:`BadBackup`, and :class:`RestoreRefused` for a backup of a later release.
    """
    check = _Check(progress)
    contents = read_backup(path, check)
    return Checked(contents, check.outdated, check.sampled_units)


def _require_known(beginning: Beginning) -> None:
    """Refuse a backup with tables or versions that this release does not know."""
    known = {model.kind: model.version for model in registered()}
    newer = sorted(kind for kind, version in beginning.kinds.items() if version > known.get(kind, 0))
    names = {tables.own_name(name) for name in tables.names()}
    if unknown := sorted(set(beginning.tables) - names):
        raise RestoreRefused(f"The backup has tables that this release does not have: {', '.join(unknown)}.")
    if newer:
        raise RestoreRefused(f"The backup is of a later release: it has newer items ({', '.join(newer)}).")
    for name, key in beginning.tables.items():
        if tuple(key) != tables.key_names(tables.table_name(name)):
            raise RestoreRefused(f"In the backup the table {name} has another key: {', '.join(key)}.")


class RestoreProgress:
    """How many blocks are written, in ``FILE.progress``. The file is removed when the restore is complete.

    Where it cannot be written, :attr:`is_kept` is false, and an interrupted restore must begin again with empty tables.
    """

    def __init__(self, path: Path, contents: Contents) -> None:
        self._path = path.with_name(f"{path.name}.progress")
        self._source = {"backup": contents.digest, "tables": tables.ids()}
        self.blocks = self._stored()
        self.is_kept = True

    @property
    def is_begun(self) -> bool:
        """Whether this backup was being restored into these tables."""
        return self.blocks is not None

    def save(self, blocks: int) -> None:
        """Keep that the first ``blocks`` blocks are written."""
        self.blocks = blocks
        if self.is_kept:
            draft = self._path.with_name(f"{self._path.name}.new")
            try:
                draft.write_text(json.dumps({**self._source, "blocks": blocks}))
                draft.replace(self._path)
            except OSError:
                self.is_kept = False

    def remove(self) -> None:
        """Remove the file: the restore is complete."""
        if self.is_kept:
            self._path.unlink(missing_ok=True)

    def _stored(self) -> int | None:
        try:
            stored = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return None
        blocks = stored.pop("blocks", None)
        return blocks if stored == self._source else None


def require_empty(contents: Contents) -> None:
    """Raises :class:`RestoreRefused` unless the tables of the backup exist and have no items."""
    names = [tables.table_name(name) for name in contents.beginning.tables]
    if missing := [name for name in names if tables.described_schema(name) is None]:
        raise RestoreRefused(f"The table {missing[0]} is missing. Run manage.py create_tables first.")
    if full := [name for name in names if not scans.is_empty(name)]:
        raise RestoreRefused(
            f"The table {full[0]} has items. A backup is restored into empty tables: set DYNAMODB_TABLE_PREFIX to "
            "another prefix, run manage.py create_tables, and run this command again."
        )


def restore(path: Path, progress: RestoreProgress, writers: int) -> Iterator[int]:
    """Write the blocks that are not written yet, several at the same time; yields the number of lines of each.

    What was read again is written after all items. ``writers`` blocks are in memory at a time, and as many wait.
    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    done = progress.blocks or 0
    pending: deque[tuple[Future[int], int]] = deque()
    again = False
    with path.open("rb") as file, ThreadPoolExecutor(writers) as pool:
        for number, stored in enumerate(read_blocks(file)):
            if number < done or not stored.block.lines:
                continue
            starts_again = not again and stored.block.kind == BlockKind.AGAIN
            again = again or starts_again
            while pending and (starts_again or len(pending) >= 2 * writers):
                yield _finished(*pending.popleft(), progress)
            pending.append((pool.submit(_write, stored.block), number))
        while pending:
            yield _finished(*pending.popleft(), progress)


def _finished(future: Future[int], number: int, progress: RestoreProgress) -> int:
    lines = future.result()
    progress.save(number + 1)
    return lines


def _write(block: Block) -> int:
    """Write a block; returns the number of its lines. A batch takes a key once, so its last line counts."""
    writes: dict[str, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for change in _changes(block):
        name = tables.table_name(change.table)
        named: RawItem = change.put or change.delete or {}
        key = {attribute: named[attribute] for attribute in tables.key_names(name)}
        request = {"PutRequest": {"Item": change.put}} if change.put else {"DeleteRequest": {"Key": key}}
        writes[name][repr(key)] = request
    for name, requests in writes.items():
        write(name, list(requests.values()))
    return len(block.lines)


def _changes(block: Block) -> Iterator[Again]:
    """What the lines of a block write. Blocks of other kinds have no lines."""
    if block.kind == BlockKind.AGAIN:
        return map(again_of, block.lines)
    return (Again(block.facts["table"], put=item_of(line)) for line in block.lines)
