"""The base of every import command: a form checks each row, good rows are written in batches, bad rows are rejected.

A rejected row goes into ``NAME.rejected.csv`` (with the suffix of the file) with its line and the reason. That file can
be corrected and imported. How far the import is, is kept in ``NAME.csv.progress``, so that an interrupted import goes
on when it is run again.

However large the file is, memory holds only the rows that are read and written at the moment: at most two portions of
``writers`` batches.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NoReturn, Self
from zlib import crc32

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError, Refused
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.schema import tables
from portal.imports.file_rows import FileRow, Rejects, lines_of, version_of
from portal.imports.importer import Importer, Saved, same_as
from portal.imports.progress import Point, Progress

STOPPED = 130
"""The usual exit status of a command that was stopped with Ctrl-C."""

WRITERS = {"aws": 4, "embedded": 1}
"""Threads that write, by engine. More do not help the embedded one, which runs one transaction at a time."""

MAX_WRITERS = 16
Portion = tuple[Sequence[tuple[FileRow, Any]], Sequence[Future[Saved]]]
"""Rows that follow each other in the file, each with its entity if it is valid, and the batches being written."""


class Writers:
    """``count`` threads that write batches of at most ``batch_size`` rows.

    ``lane`` gives a text for each row. Rows of the same text change the same counts: one thread writes them all, so
    that its transactions do not wait for those of another thread.
    """

    def __init__(self, save: Callable[[Any], Saved], lane: Callable[[Any], str], count: int, batch_size: int) -> None:
        self._save, self._lane, self._batch_size = save, lane, batch_size
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="import") for _ in range(count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the batches that are being written. Those that have not begun are dropped."""
        for thread in self._threads:
            thread.shutdown(wait=False, cancel_futures=True)
        for thread in self._threads:
            thread.shutdown()

    def start(self, rows: Sequence[Any]) -> list[Future[Saved]]:
        """Begin to write these rows. Each thread first writes the rows that it has already."""
        lanes: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            lanes[crc32(self._lane(row).encode()) % len(self._threads)].append(row)
        return [
            self._threads[number].submit(copy_context().run, self._save, lane[start : start + self._batch_size])
            for number, lane in lanes.items()
            for start in range(0, len(lane), self._batch_size)
        ]


class ImportCommand(BaseCommand):
    """A command that imports a file. Subclasses name the class of their import."""

    importer_class: ClassVar[type[Importer[Any]]]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.importer = self.importer_class()

    def target(self) -> str:
        """The tables that the file is imported into. Progress of an import into other tables does not count."""
        return tables.ids()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help=self.importer.format.help)
        parser.add_argument(
            "--writers",
            type=int,
            choices=range(1, MAX_WRITERS + 1),
            default=WRITERS[settings.DYNAMODB_ENGINE],
            metavar="N",
            help=f"Threads that write, 1 to {MAX_WRITERS} (default: %(default)s)",
        )
        parser.add_argument(
            "--from-start",
            action="store_true",
            help="Begin at the first row, also if this file's last import was interrupted",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file. Raises :class:`CommandError` if a row was rejected; the good rows are written even then."""
        try:
            self._handle(options)
        finally:
            self.importer.finish()

    def _handle(self, options: Mapping[str, Any]) -> None:
        path: Path = options["file"]
        importer, count = self.importer, options["writers"]
        with (
            Progress(path, self._source(path), options["from_start"]) as progress,
            Rejects(path, self.stderr) as rejects,
            Writers(importer.save, importer.lane, count, importer.batch_size) as writers,
        ):
            if line := progress.point.line:
                self.stdout.write(f"The rows up to line {line} are in. The import continues after them.")
                rejects.resume(progress.point.refused, progress.point.rejected_bytes)
            self._import(path, progress, rejects, writers, count * importer.batch_size)
        read, written = progress.point.read, progress.point.written
        left = read - written
        self.stdout.write(f"{counted(read, importer.noun)} read, {written:,} written, {left:,} left as they are.")
        if rejects.count:
            raise CommandError(f"{counted(rejects.count, 'row')} refused; see {rejects.location}.")

    def _source(self, path: Path) -> str:
        version = version_of(path)
        try:
            return f"{self.importer.noun}; {version}; {self.target()}"
        except DynamoDBError as error:
            raise CommandError(f"{error} Nothing was read.") from error

    def _import(self, path: Path, progress: Progress, rejects: Rejects, writers: Writers, size: int) -> None:
        """Read and write portions of ``size`` rows. One portion is being written while the next one is read."""
        done, started = progress.point.line, deque[Portion]()
        checked = (self._checked(row, progress) for row in self._rows(path) if row.line > done)
        try:
            while rows := list(islice(checked, size)):
                entities = [entity for _, entity in rows if entity is not None]
                self.importer.prepare(entities)
                started.append((rows, writers.start(entities)))
                if len(started) > 1:
                    self._finish(started[0], progress, rejects)
                    started.popleft()
            while started:
                self._finish(started[0], progress, rejects)
                started.popleft()
        except (DynamoDBError, KeyboardInterrupt) as error:
            self._stop(error, progress, [row.line for rows, _ in started for row, _ in rows])

    def _finish(self, portion: Portion, progress: Progress, rejects: Rejects) -> None:
        """Wait until a portion is written, and keep that it is. Rejected rows stay in the order of their lines."""
        (rows, batches), form = portion, self.importer.format
        read, written, refused = progress.point.read, progress.point.written, dict[Any, str]()
        for batch in batches:
            count, reasons = batch.result()
            written += count
            refused |= reasons
        for row, entity in rows:
            if refusal := row.problem or refused.get(self.importer.identity(entity), ""):
                rejects.add(form.rejected(row, refusal), form.heading(row))
            else:
                read += 1
        progress.save(Point(rows[-1][0].line, read, written, rejects.count, rejects.size))

    def _stop(self, error: DynamoDBError | KeyboardInterrupt, progress: Progress, begun: Sequence[int]) -> NoReturn:
        """Say how many rows are in, which of the ``begun`` lines may be, and that the import can be repeated."""
        why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
        are_in = f"{counted(progress.point.read, self.importer.noun)} {'is' if progress.point.read == 1 else 'are'} in."
        again = "When that is corrected, run" if isinstance(error, Refused) else "Run"
        where = f" to continue after line {progress.point.line}" if progress.is_kept else ""
        then = f"{again} the same command again{where}: rows that are in are left alone."
        raise CommandError(f"{why} {are_in}{_doubt(begun)} {then}", returncode=code) from error

    def _rows(self, path: Path) -> Iterator[FileRow]:
        return self.importer.format.read(lines_of(path, self.importer.format.newline), str(path))

    def _checked(self, row: FileRow, progress: Progress) -> tuple[FileRow, Any]:
        """A row with its entity, or with its problem, which may be that an earlier row has the same identity."""
        row, entity = self.importer.checked(row)
        if entity is None:
            return row, None
        first = progress.first_line(repr(self.importer.identity(entity)), row.line)
        return (row, entity) if first == row.line else (replace(row, problem=same_as(first, self.importer.noun)), None)


def _doubt(lines: Sequence[int]) -> str:
    """The part of a message about rows that may be in or not."""
    if not lines:
        return ""
    if lines[0] == lines[-1]:
        return f" Nobody knows whether the row of line {lines[0]} is in."
    return f" Nobody knows which rows of lines {lines[0]} to {lines[-1]} are in."
