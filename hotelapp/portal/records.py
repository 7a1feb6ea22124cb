"""Reads a CSV file row by row; what is no row is handed on with the reason, and never takes others with it."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from hotelapp.portal.cells import unguarded

REJECT_COLUMNS = ("line", "reason")
MAX_LINES = 100  # of one record: a quote that is not closed must not swallow the rest of the file


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
        return dict(zip(self.header, map(unguarded, self.cells), strict=False))


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Every row of a CSV file that has these columns, with a progress bar. Raises :class:`CommandError`."""
    if not path.is_file():
        raise CommandError(f"{path} is a folder, not a file." if path.is_dir() else f"There is no file {path}.")
    with path.open("rb") as source, _progress(path) as bar:
        # Bytes that are no UTF-8 survive as surrogates, so that one bad row does not end the file.
        lines = _Lines(TextIOWrapper(source, newline="", encoding="utf-8-sig", errors="surrogateescape"))
        header = next(_records(lines, 0), (0, [], ""))[1]
        _check_header(path, header, columns)
        skip = len(REJECT_COLUMNS) if tuple(header[:2]) == REJECT_COLUMNS else 0
        for line, cells, problem in _records(lines, len(header)):
            bar.update(source.tell() - bar.n)
            yield Row(line, header[skip:], cells if problem else cells[skip:], problem)


class _Lines:
    """A file's lines. Those of the record being read are kept, so that they can be given back."""

    def __init__(self, file: Iterable[str]) -> None:
        self._lines = iter(file)
        self._returned: list[str] = []
        self.record: list[str] = []
        self.done = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.record) == MAX_LINES:
            raise csv.Error("a quote is not closed")
        self.record.append(self._returned.pop() if self._returned else next(self._lines))
        return self.record[-1]

    def give_back(self) -> str:
        """Let all lines but the first be read again; gives the first."""
        self._returned += reversed(self.record[1:])
        del self.record[1:]
        return self.record[0].rstrip("\r\n")

    def next_record(self) -> int:
        """Forget the record that was read; gives the number of the next one's first line."""
        self.done += len(self.record)
        self.record = []
        return self.done + 1


def _records(lines: _Lines, width: int) -> Iterator[tuple[int, list[str], str]]:
    """Each record's first line, its cells, and why it is no row, if so. Blank lines are passed over.

    A ``width`` of 0 takes any. A bad record of several lines is most likely a stray quote: its first line is bad, the
    others are read anew.
    """
    while True:
        line = lines.next_record()
        try:
            cells = next(csv.reader(lines, strict=True))
        except StopIteration:
            return
        except csv.Error as error:
            yield line, [lines.give_back()], f"not CSV: {error}"
            continue
        problem = _problem(cells, width)
        if problem and len(lines.record) > 1:
            cells = [lines.give_back()]
        if cells:
            yield line, cells, problem


def _problem(cells: Sequence[str], width: int) -> str:
    if cells and width and len(cells) != width:
        return f"{len(cells)} cells, the header has {width}"
    if any("\udc80" <= char <= "\udcff" for cell in cells for char in cell):
        return "not UTF-8"
    return ""


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    found = ", ".join(header)[:200].encode(errors="replace").decode() or "nothing"
    if missing := [column for column in columns if column not in header]:
        raise CommandError(
            f"{path} has no column {', '.join(missing)}. Its first line must name the columns, "
            f"separated by commas, in UTF-8; it has: {found}"
        )
    if len(set(header)) < len(header):
        raise CommandError(f"{path} names a column twice. Its first line has: {found}")


def _progress(path: Path) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None)
