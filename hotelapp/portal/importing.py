"""What every file import shares: stream, check each row with a form, write in batches, keep what was refused.

A bad row goes into ``NAME.rejected.csv`` with its line and the reason; mended there, that file can be imported.
"""

import csv
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, ClassVar

from django import forms
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.errors import DynamoDBError

BATCH = 900
REJECT_COLUMNS = ("line", "reason")


@dataclass(frozen=True)
class Row:
    """A record of the file: the line on which it begins, its cells as they stand, and why it is no row, if so."""

    line: int
    header: Sequence[str]
    cells: Sequence[str]
    problem: str = ""

    @property
    def data(self) -> dict[str, str]:
        """The cells by their columns."""
        return dict(zip(self.header, self.cells, strict=False))


class Rejects:
    """The file of refused rows, opened at the first of them. Each keeps all its cells, after line and reason."""

    def __init__(self, source: Path) -> None:
        self.path = source.with_name(f"{source.stem}.rejected{source.suffix}")
        self.count = 0
        self._file: IO[str] | None = None
        self.path.unlink(missing_ok=True)  # of an earlier run

    def add(self, row: Row, reason: str) -> None:
        """Keep a row with the reason."""
        if self._file is None:
            self._file = self.path.open("w", newline="", encoding="utf-8", errors="surrogateescape")
            csv.writer(self._file).writerow([*REJECT_COLUMNS, *row.header])
        csv.writer(self._file).writerow([row.line, reason, *row.cells])
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
        rejects = Rejects(path)
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
            form = self.form_class(row.data)
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
        # Bytes that are no UTF-8 survive as surrogates, so that one bad row does not end the file.
        with path.open("rb") as source, _progress(path) as bar:
            file = TextIOWrapper(source, newline="", encoding="utf-8-sig", errors="surrogateescape")
            records = _records(_Lines(file))
            _, header, _ = next(records, (0, [], ""))
            if missing := [column for column in self.columns if column not in header]:
                raise CommandError(f"{path} has no column {', '.join(missing)}.")
            skip = len(REJECT_COLUMNS) if tuple(header[:2]) == REJECT_COLUMNS else 0
            for line, cells, problem in records:
                bar.update(source.tell() - bar.n)
                yield Row(line, header[skip:], cells[skip:], problem or _shape_problem(header, cells))


class _Lines:
    """A file's lines, those of the record being read kept: what is no CSV is kept as it stands."""

    def __init__(self, file: Iterable[str]) -> None:
        self._lines = iter(file)
        self.record: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.record.append(next(self._lines))
        return self.record[-1]


def _records(lines: _Lines) -> Iterator[tuple[int, list[str], str]]:
    """Each record's first line, its cells, and why it is no CSV, if so. Blank lines are passed over."""
    reader = csv.reader(lines, strict=True)
    while True:
        line, lines.record = reader.line_num + 1, []
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, ["".join(lines.record).rstrip("\r\n")], f"not CSV: {error}"
        else:
            if cells:
                yield line, cells, ""


def _shape_problem(header: Sequence[str], cells: Sequence[str]) -> str:
    if len(cells) != len(header):
        return f"{len(cells)} cells, the header has {len(header)}"
    if any("\udc80" <= char <= "\udcff" for cell in cells for char in cell):
        return "not UTF-8"
    return ""


def _reason(form: forms.Form) -> str:
    return "" if form.is_valid() else "; ".join(_problems(form))


def _problems(form: forms.Form) -> Iterable[str]:
    for field, texts in form.errors.items():
        yield f"{field}: {' '.join(map(str, texts))}"


def _progress(path: Path) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None)
