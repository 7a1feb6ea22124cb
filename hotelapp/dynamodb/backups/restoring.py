"""Write a backup into empty tables, in parallel and block by block; and continue a restore that was interrupted.

Every write puts or deletes a whole item under its key, so writing a block twice does no harm. How far the restore is,
is in ``FILE.progress``, together with the digest of the backup and the ids of the tables.
"""

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hotelapp.dynamodb.backups.blocks import Block, BlockKind, read_blocks
from hotelapp.dynamodb.backups.checking import RestoreRefused, changes_of
from hotelapp.dynamodb.backups.contents import Contents
from hotelapp.dynamodb.maintenance import scans
from hotelapp.dynamodb.maintenance.batches import write
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import RawItem


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


def require_tables() -> None:
    """Raises :class:`RestoreRefused` unless every table exists."""
    if missing := [name for name in tables.names() if tables.described_schema(name) is None]:
        raise RestoreRefused(f"The table {missing[0]} is missing. Run manage.py create_tables first.")


def require_empty(contents: Contents) -> None:
    """Raises :class:`RestoreRefused` unless the tables of the backup have no items."""
    names = [tables.table_name(name) for name in contents.beginning.tables]
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
    for change in changes_of(block):
        name = tables.table_name(change.table)
        named: RawItem = change.put or change.delete or {}
        key = {attribute: named[attribute] for attribute in tables.key_names(name)}
        request = {"PutRequest": {"Item": change.put}} if change.put else {"DeleteRequest": {"Key": key}}
        writes[name][repr(key)] = request
    for name, requests in writes.items():
        write(name, list(requests.values()))
    return len(block.lines)
