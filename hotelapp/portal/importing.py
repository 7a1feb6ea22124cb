"""What every file import shares: check each row with a form, write in batches, keep what was refused.

A bad row goes into ``NAME.rejected.csv`` (or whatever the file's suffix is) with its line and the reason; mended there,
that file can be imported.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, ClassVar, Self

from django import forms
from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper

from hotelapp.dynamodb.errors import DynamoDBError, Refused
from hotelapp.portal.rows import Format, Row

BATCH = 900
STOPPED = 130  # what a shell expects of a command that Ctrl-C has ended


@dataclass(frozen=True)
class Saved:
    """What came of a batch: how many rows were not stored like that already, and why others were refused, by place."""

    written: int
    refused: Mapping[int, str] = field(default_factory=dict)


class Rejects:
    """The file of refused rows, opened at the first of them; the screen, where no file can be written."""

    def __init__(self, source: Path, screen: OutputWrapper) -> None:
        self.path = source.with_name(f"{source.stem}.rejected{source.suffix}")
        self.place = str(self.path)
        self.count = 0
        self._screen = screen
        self._file: IO[str] | OutputWrapper | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Finish the file; if a whole import refused nothing, that of an earlier run is no longer true and goes."""
        if self._file and self._file is not self._screen:
            self._file.close()
        elif not failed and not self._file and self.path.is_file():
            self.path.unlink()

    def add(self, row: Row, reason: str) -> None:
        """Keep a row with the reason."""
        if self._file is None:
            self._file = self._opened()
            if row.heading:
                self._file.write(row.heading)
        self._file.write(row.refused(reason))
        self.count += 1

    def _opened(self) -> IO[str] | OutputWrapper:
        try:
            return self.path.open("w", newline="", encoding="utf-8", errors="surrogateescape")
        except OSError as error:  # a folder that may only be read keeps no good row out
            self._screen.write(f"{self.path} cannot be written ({error.strerror}). The refused rows:")
            self.place = "above"
            return self._screen


class ImportCommand(BaseCommand):
    """An import. Subclasses name the file's format, form class and noun, and give :meth:`identity` and :meth:`save`."""

    format: ClassVar[Format]
    form_class: ClassVar[type[forms.Form]]
    noun: ClassVar[str]
    batch_size: ClassVar[int] = BATCH

    def identity(self, form: Any) -> Hashable:
        """What must not occur twice in a file, as a tuple of the row's values."""
        raise NotImplementedError

    def save(self, batch: Sequence[Any]) -> Saved:
        """Write a batch of valid forms, or refuse those that turn out wrong beside what is stored."""
        raise NotImplementedError

    def add_arguments(self, parser: CommandParser) -> None:
        """The file to read."""
        parser.add_argument("file", type=Path, help=self.format.help)

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file. Raises :class:`CommandError` (exit 1) if any row was refused; the good ones are in."""
        path: Path = options["file"]
        with Rejects(path, self.stderr) as rejects:
            read, written = self._import(path, rejects)
        self.stdout.write(f"{counted(read, self.noun)} read, {written} written, {read - written} left as they are.")
        if rejects.count:
            raise CommandError(f"{counted(rejects.count, 'row')} refused; see {rejects.place}.")

    def _import(self, path: Path, rejects: Rejects) -> tuple[int, int]:
        """How many rows were good, and how many of them were written."""
        read = written = 0
        try:
            for batch in self._batches(path, rejects):
                saved = self.save([form for _, form in batch])
                for place, reason in saved.refused.items():
                    rejects.add(batch[place][0], reason)
                written += saved.written
                read += len(batch) - len(saved.refused)
        except (DynamoDBError, KeyboardInterrupt) as error:
            why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
            known = f"{counted(read, self.noun)} and part of the next {self.batch_size} are in."
            again = "When that is mended, run" if isinstance(error, Refused) else "Run"
            raise CommandError(
                f"{why} {known} {again} the same command again: what is in is left alone.", returncode=code
            ) from error
        return read, written

    def _batches(self, path: Path, rejects: Rejects) -> Iterator[list[tuple[Row, forms.Form]]]:
        batch: list[tuple[Row, forms.Form]] = []
        seen: dict[Hashable, int] = {}
        for row in self.format.read(path):
            form = self.form_class(row.data)
            reason = row.problem or _reason(form) or self._double(form, row, seen)
            if reason:
                rejects.add(row, reason)
                continue
            batch.append((row, form))
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch:
            yield batch

    def _double(self, form: forms.Form, row: Row, seen: dict[Hashable, int]) -> str:
        first = seen.setdefault(self.identity(form), row.line)
        return f"line {first} has the same {self.noun} already" if first != row.line else ""


def counted(number: int, noun: str) -> str:
    """``1 room``, ``2 rooms``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _reason(form: forms.Form) -> str:
    if form.is_valid():
        return ""
    return "; ".join(f"{field}: {' '.join(map(str, texts))}" for field, texts in form.errors.items())
