"""Check a backup before anything of it is written: that the file is whole, and that this release can take it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hotelapp.dynamodb.backups.blocks import Again, BadBackup, Block, BlockKind, StoredBlock, again_of, item_of
from hotelapp.dynamodb.backups.contents import Beginning, Contents
from hotelapp.dynamodb.backups.files import read_backup
from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.dynamodb.deployment.item_sizes import index_entry, item_size
from hotelapp.dynamodb.deployment.table_schemas import TableSchema, table_schema
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
        for change in changes_of(block):
            item: RawItem = change.put or change.delete or {}
            if not item.keys() >= set(contents.beginning.tables[change.table]):
                raise BadBackup(f"block {contents.blocks - 1} has a line without a key")
            if change.put:
                self._add(change.table, change.put)

    def _add(self, table: str, item: RawItem) -> None:
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


def changes_of(block: Block) -> Iterator[Again]:
    """What the lines of a block write. Only blocks of items and of what was read again have lines."""
    if block.kind == BlockKind.AGAIN:
        return map(again_of, block.lines)
    return (Again(block.facts["table"], put=item_of(line)) for line in block.lines)
