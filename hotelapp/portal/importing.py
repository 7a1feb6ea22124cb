"""What every file import shares: stream, check each row with a form, write in batches, keep what was refused.

A bad row goes into ``NAME.rejected.csv`` with its line and the reason; mended there, that file can be imported.
"""

import csv
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar

from django import forms
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.errors import DynamoDBError

BATCH = 90


@dataclass(frozen=True)
class Row:
    """A record of the file: the line on which it begins, its cells, and what is wrong with it as text."""

    line: int
    cells: dict[str, str]
    problem: str = ""


class Rejects:
    """The file of refused rows, opened at the first of them."""

    def __init__(self, source: Path, columns: Sequence[str]) -> None:
        self.path = source.with_name(f"{source.stem}.rejected{source.suffix}")
        self.columns = ["line", "reason", *columns]
        self.count = 0
        self._file: IO[str] | None = None
        self.path.unlink(missing_ok=True)  # of an earlier run

    def add(self, row: Row, reason: str) -> None:
        """Keep a row with the reason."""
        if self._file is None:
            self._file = self.path.open("w", newline="", encoding="utf-8")
            csv.writer(self._file).writerow(self.columns)
        cells = [row.cells.get(column, "") for column in self.columns[2:]]
        csv.writer(self._file).writerow([row.line, reason, *cells])
        self.count += 1

    def close(self) -> None:
        """Finish the file, if there is one."""
        if self._file:
            self._file.close()


class ImportCommand(BaseCommand):
    """A CSV import. Subclasses name ``columns``, ``required`` and ``form_class``, and give :meth:`save`."""

    columns: ClassVar[Sequence[str]]
    form_class: ClassVar[type[forms.Form]]
    noun: ClassVar[str]

    def identity(self, form: Any) -> Hashable:
        """What must not occur twice in a file, as a tuple of the row's values."""
        raise NotImplementedError

    def save(self, batch: Sequence[Any]) -> int:
        """Write a batch of valid forms; gives how many rows were not stored like that already."""
        raise NotImplementedError

    def add_arguments(self, parser: CommandParser) -> None:
        """The file to read."""
        parser.add_argument("file", type=Path, help=f"CSV with the columns {', '.join(self.columns)}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file. Raises :class:`CommandError` (exit 1) if any row was refused; the good ones are in."""
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        read = written = 0
        rejects = Rejects(path, self.columns)
        try:
            for batch in self._batches(path, rejects):
                written += self.save(batch)
                read += len(batch)
        except DynamoDBError as error:
            raise CommandError(
                f"{error} {read} {self.noun} are in. Run the same command again: what is in is left alone."
            ) from error
        finally:
            rejects.close()
        self.stdout.write(f"{read} {self.noun} read, {written} written, {read - written} already as in the file.")
        if rejects.count:
            raise CommandError(f"{rejects.count} rows were refused; see {rejects.path}.")

    def _batches(self, path: Path, rejects: Rejects) -> Iterator[list[forms.Form]]:
        batch: list[forms.Form] = []
        seen: dict[Hashable, int] = {}
        for row in self._rows(path):
            form = self.form_class(row.cells)
            reason = row.problem or _reason(form)
            if not reason:
                first = seen.setdefault(hash(self.identity(form)), row.line)
                reason = f"line {first} has the same {self.noun[:-1]} already" if first != row.line else ""
            if reason:
                rejects.add(row, reason)
                continue
            batch.append(form)
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    def _rows(self, path: Path) -> Iterator[Row]:
        with path.open(newline="", encoding="utf-8-sig") as file, _progress(path) as bar:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            if missing := [column for column in self.columns if column not in header]:
                raise CommandError(f"{path} has no column {', '.join(missing)}.")
            for line, cells, problem in _records(reader, path):
                bar.update(file.buffer.tell() - bar.n)
                if not problem and len(cells) != len(header):
                    problem = f"{len(cells)} cells, the header has {len(header)}"
                yield Row(line, dict(zip(header, cells, strict=False)), problem)


def _records(reader: Any, path: Path) -> Iterator[tuple[int, list[str], str]]:
    """The reader's records with the line each begins on; one that is no CSV has a problem instead of cells."""
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, [], str(error)
            continue
        except UnicodeDecodeError as error:
            raise CommandError(f"{path} is not UTF-8 near line {line}: {error}. Save it as UTF-8.") from error
        if cells:
            yield line, cells, ""


def _reason(form: forms.Form) -> str:
    return "" if form.is_valid() else "; ".join(_problems(form))


def _problems(form: forms.Form) -> Iterable[str]:
    for field, texts in form.errors.items():
        yield f"{field}: {' '.join(map(str, texts))}"


def _progress(path: Path) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None)
