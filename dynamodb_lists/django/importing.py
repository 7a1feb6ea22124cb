"""The base of every import command: each row is checked, good rows are written in batches, bad rows are rejected.

A rejected row goes into ``NAME.rejected.csv`` (with the suffix of the file) with its line and the reason. That file can
be corrected and imported. An import that was interrupted is run again: rows that are in are left alone.

However large the file is, memory holds only the rows that are read and written at the moment: at most two portions of
a batch for each writer.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NoReturn
from zlib import crc32

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError, Refused, WrongValue
from dynamodb_lists.lists.file_rows import FileRow, Rejects, lines_of
from dynamodb_lists.lists.importer import Importer, Saved, same_as
from dynamodb_lists.planning.wording import counted

STOPPED = 130
"""The usual exit status of a command that was stopped with Ctrl-C."""

WRITERS = {"aws": 4, "embedded": 1, "": 1}
"""Threads that write, by engine. More do not help the embedded one, which runs one transaction at a time."""

Rows = Sequence[tuple[FileRow, Any]]
"""Rows that follow each other in the file, each with its entity if it is valid."""


class Identities:
    """The first line of each identity of a file, kept by SQLite in a temporary file: memory does not grow with it."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("CREATE TABLE identities (identity TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def close(self) -> None:
        """Remove the file."""
        self._database.close()

    def first_line(self, identity: str, line: int) -> int:
        """The first line that has the identity; ``line`` itself if it is new."""
        added = "INSERT INTO identities VALUES (?, ?) ON CONFLICT DO UPDATE SET line = line RETURNING line"
        return int(self._database.execute(added, [identity, line]).fetchone()[0])


class ImportCommand(BaseCommand):
    """A command that imports a file. Subclasses name the class of their import."""

    importer_class: ClassVar[type[Importer[Any]]]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help=self.importer_class.format.help)

    def importer_of(self, options: Mapping[str, Any]) -> Importer[Any]:
        """The import that the command is to run."""
        return self.importer_class()

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file. Raises :class:`CommandError` if a row was rejected; the good rows are written even then."""
        self.importer = self.importer_of(options)
        counts = Counter[str]()
        with Rejects(options["file"]) as rejects:
            try:
                self._import(options["file"], rejects, counts)
            except WrongValue as error:
                raise CommandError(str(error)) from error
            except (DynamoDBError, KeyboardInterrupt) as error:
                self._stop(error, counts["read"])
            finally:
                self.importer.finish()
        left = counts["read"] - counts["written"]
        read = counted(counts["read"], self.importer.noun)
        self.stdout.write(f"{read} read, {counts['written']:,} written, {left:,} left as they are.")
        if rejects.count:
            raise CommandError(f"{counted(rejects.count, 'row')} refused; see {rejects.path}.")

    def _import(self, path: Path, rejects: Rejects, counts: Counter[str]) -> None:
        """Read and write portions of a batch for each writer. One is being written while the next one is read."""
        writers = WRITERS[getattr(settings, "DYNAMODB_ENGINE", "")]
        size, rows, batches = writers * self.importer.batch_size, list[tuple[FileRow, Any]](), list[Future[Saved]]()
        with ThreadPoolExecutor(writers, thread_name_prefix="import") as pool, closing(Identities()) as identities:
            lines = lines_of(path, self.importer.format.newline)
            checked = (self._checked(row, identities) for row in self.importer.format.read(lines, str(path)))
            while following := list(islice(checked, size)):
                self.importer.prepare([entity for _, entity in following if entity is not None])
                self._finish(rows, batches, rejects, counts)
                rows, batches = following, self._start(pool, following, writers)
            self._finish(rows, batches, rejects, counts)

    def _start(self, pool: ThreadPoolExecutor, rows: Rows, writers: int) -> list[Future[Saved]]:
        """Begin to write rows. Those of one lane change the same counts, so one thread writes them all."""
        lanes: dict[int, list[Any]] = defaultdict(list)
        for _, entity in rows:
            if entity is not None:
                lanes[crc32(self.importer.lane(entity).encode()) % writers].append(entity)
        return [pool.submit(copy_context().run, self._save, lane) for lane in lanes.values()]

    def _save(self, entities: Sequence[Any]) -> Saved:
        written, refused, size = 0, dict[Any, str](), self.importer.batch_size
        for start in range(0, len(entities), size):
            number, reasons = self.importer.save(entities[start : start + size])
            written += number
            refused |= reasons
        return written, refused

    def _finish(self, rows: Rows, batches: Sequence[Future[Saved]], rejects: Rejects, counts: Counter[str]) -> None:
        """Wait until rows are written, and count them. Rejected rows stay in the order of their lines."""
        form, refused = self.importer.format, dict[Any, str]()
        for batch in batches:
            written, reasons = batch.result()
            counts["written"] += written
            refused |= reasons
        for row, entity in rows:
            if refusal := row.problem or refused.get(self.importer.identity(entity), ""):
                rejects.add(form.rejected(row, refusal), form.heading(row))
            else:
                counts["read"] += 1

    def _stop(self, error: DynamoDBError | KeyboardInterrupt, read: int) -> NoReturn:
        """Say how many rows are in for certain, and that the import can be repeated."""
        why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
        are_in = f"{counted(read, self.importer.noun)} {'is' if read == 1 else 'are'} in, perhaps more."
        again = "When that is corrected, run" if isinstance(error, Refused) else "Run"
        then = f"{again} the same command again: rows that are in are left alone."
        raise CommandError(f"{why} {are_in} {then}", returncode=code) from error

    def _checked(self, row: FileRow, identities: Identities) -> tuple[FileRow, Any]:
        """A row with its entity, or with its problem, which may be that an earlier row has the same identity."""
        row, entity = self.importer.checked(row)
        if entity is None:
            return row, None
        first = identities.first_line(repr(self.importer.identity(entity)), row.line)
        return (row, entity) if first == row.line else (replace(row, problem=same_as(first, self.importer.noun)), None)
