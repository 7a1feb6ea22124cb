"""The base of every import command: each row is checked, good rows are written in batches, bad rows are rejected.

A rejected row goes into ``NAME.rejected.csv`` (with the suffix of the file), with its line and the reason. That file
can be corrected and imported. To continue an interrupted import, run it again: rows that are stored already stay.

Memory holds at most two portions, each a batch for every writer, however large the file is.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError, Refused, WrongValue
from dynamodb_lists.lists.file_rows import FileRow, Importer, Rejects, Saved, lines_of
from dynamodb_lists.planning.wording import counted

STOPPED = 130
"""The usual exit status of a command that was stopped with Ctrl-C."""

WRITERS = {"aws": 4, "embedded": 1, "": 1}
"""Threads that write, by engine. More do not help the embedded one, which runs one transaction at a time."""


LINES = "CREATE TABLE lines (identity TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID"
"""The first line of each identity of a file, kept by SQLite in a temporary file: memory does not grow with it."""
FIRST_LINE = "INSERT INTO lines VALUES (?, ?) ON CONFLICT DO UPDATE SET line = line RETURNING line"


class ImportCommand(BaseCommand):
    """A command that imports a file. A subclass returns its import from :meth:`importer_of`."""

    importer_class: ClassVar[type[Importer[Any]]]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help=self.importer_class.format.help)

    def importer_of(self, options: Mapping[str, Any]) -> Importer[Any]:
        """Return the import that the command runs."""
        return self.importer_class()

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file. Raises: ``CommandError`` if a row was rejected; the good rows are written all the same."""
        self.importer, self.counts = self.importer_of(options), Counter[str]()
        with Rejects(options["file"]) as self.rejects:
            try:
                self._import(options["file"])
            except WrongValue as error:
                raise CommandError(str(error)) from error
            except (DynamoDBError, KeyboardInterrupt) as error:
                why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
                read = self.counts["read"]  # which are written for certain
                are_in = f"{counted(read, self.importer.noun)} {'is' if read == 1 else 'are'} in, perhaps more."
                again = "When that is corrected, run" if isinstance(error, Refused) else "Run"
                then = f"{again} the same command again: rows that are in are left alone."
                raise CommandError(f"{why} {are_in} {then}", returncode=code) from error
            finally:
                self.importer.finish()
        read, written = self.counts["read"], self.counts["written"]
        left = f"{written:,} written, {read - written:,} left as they are."
        self.stdout.write(f"{counted(read, self.importer.noun)} read, {left}")
        if self.rejects.count:
            raise CommandError(f"{counted(self.rejects.count, 'row')} refused; see {self.rejects.path}.")

    def _import(self, path: Path) -> None:
        """Read and write portions, each a batch for every writer. One portion is written while the next one is read."""
        writers = WRITERS[getattr(settings, "DYNAMODB_ENGINE", "")]
        size, rows, batches = writers * self.importer.batch_size, list[FileRow](), list[Future[Saved]]()
        with ThreadPoolExecutor(writers, thread_name_prefix="import") as pool, closing(sqlite3.connect("")) as known:
            known.execute(LINES)
            lines = lines_of(path, self.importer.format.newline)
            checked = (self._checked(row, known) for row in self.importer.format.read(lines, str(path)))
            while following := list(islice(checked, size)):
                self.importer.prepare([row.entity for row in following if not row.problem])
                self._finish(rows, batches)
                rows, batches = following, self._start(pool, following, writers)
            self._finish(rows, batches)

    def _start(self, pool: ThreadPoolExecutor, rows: Sequence[FileRow], writers: int) -> list[Future[Saved]]:
        """Begin to write rows. Rows of one lane change the same counts, so one thread writes all rows of a lane."""
        lanes: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            if not row.problem:
                lanes[crc32(self.importer.lane(row.entity).encode()) % writers].append(row.entity)
        return [pool.submit(copy_context().run, self._save, lane) for lane in lanes.values()]

    def _save(self, entities: Sequence[Any]) -> Saved:
        written, refused, size = 0, dict[Any, str](), self.importer.batch_size
        for start in range(0, len(entities), size):
            number, reasons = self.importer.save(entities[start : start + size])
            written += number
            refused |= reasons
        return written, refused

    def _finish(self, rows: Sequence[FileRow], batches: Sequence[Future[Saved]]) -> None:
        """Wait until rows are written, and count them. Rejected rows stay in the order of their lines."""
        form, refused = self.importer.format, dict[Any, str]()
        for batch in batches:
            written, reasons = batch.result()
            self.counts["written"] += written
            refused |= reasons
        for row in rows:
            if refusal := row.problem or refused.get(self.importer.identity(row.entity), ""):
                self.rejects.add(form.rejected(row, refusal), form.heading(row))
            else:
                self.counts["read"] += 1

    def _checked(self, row: FileRow, known: sqlite3.Connection) -> FileRow:
        """Return a row with its entity or its problem, for example that an earlier row has the same id."""
        row = self.importer.checked(row)
        if row.problem:
            return row
        (first,) = known.execute(FIRST_LINE, [repr(self.importer.identity(row.entity)), row.line]).fetchone()
        return self.importer.once(row, first)
