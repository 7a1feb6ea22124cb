"""How far an import is, and the identities of its rows, in an SQLite file: none of them stays in memory."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Self

from django.core.management.base import CommandError

CACHE_KB = 16_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS identities (identity TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress (
    source TEXT, line INTEGER, read INTEGER, written INTEGER, refused INTEGER, rejected_bytes INTEGER
);
"""


@dataclass(frozen=True, slots=True)
class Point:
    """Up to this line every row is stored or refused. The counts are those up to there."""

    line: int = 0
    read: int = 0
    written: int = 0
    refused: int = 0
    rejected_bytes: int = 0


class Progress:
    """``NAME.progress`` beside the imported file. It is removed when the import is complete.

    ``source`` describes the file and the tables. If it is not the one that the progress is of, or ``from_start`` is
    true, the import begins at the first row. If another import holds the file, or it cannot be written, SQLite keeps
    the identities in a temporary file, and the import cannot be continued later.
    """

    def __init__(self, imported: Path, source: str, from_start: bool = False) -> None:
        self.point = Point()
        self._path: Path | None = imported.with_name(f"{imported.name}.progress")
        self._source = source
        try:
            self._database = _opened(str(self._path))
        except sqlite3.Error:
            self._path = None
            self._database = _opened("")
        self._begin(from_start)

    def _begin(self, from_start: bool) -> None:
        execute = self._database.execute
        execute("BEGIN")
        stored = execute("SELECT * FROM progress WHERE source = ?", [self._source]).fetchone()
        if stored and not from_start:
            self.point = Point(*stored[1:])
        execute("DELETE FROM identities WHERE line > ?", [self.point.line])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        self._database.close()
        if self._path and not (failed and self.point.line):
            self._path.unlink(missing_ok=True)

    @property
    def is_kept(self) -> bool:
        """Whether the same command, run again, goes on after :attr:`point`."""
        return bool(self._path and self.point.line)

    def first_line(self, identity: str, line: int) -> int:
        """The first line that has the identity; ``line`` itself if it is new. Raises :class:`CommandError`."""
        with self._errors():
            added = self._database.execute(
                "INSERT INTO identities VALUES (?, ?) ON CONFLICT DO NOTHING", [identity, line]
            )
            if added.rowcount:
                return line
            query = "SELECT line FROM identities WHERE identity = ?"
            return int(self._database.execute(query, [identity]).fetchone()[0])

    def save(self, point: Point) -> None:
        """Keep that the import is complete up to this row. Raises :class:`CommandError`."""
        with self._errors():
            self._database.execute("DELETE FROM progress")
            self._database.execute("INSERT INTO progress VALUES (?, ?, ?, ?, ?, ?)", [self._source, *astuple(point)])
            self._database.execute("COMMIT")
            self._database.execute("BEGIN")
        self.point = point

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise CommandError(f"{self._path or 'A temporary file'} cannot be written ({error}).") from error


def _opened(path: str) -> sqlite3.Connection:
    """An SQLite database of this process's own; ``""`` is a temporary one. Raises :class:`sqlite3.Error`."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        database.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")  # so that a crash leaves a point and the identities up to it
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database
