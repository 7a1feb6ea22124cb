"""What all formats of imported files share: the row, and reading lines with a progress bar."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError
from tqdm import tqdm

REJECT_NAMES = ("line", "reason")
"""The columns in front of a rejected row."""

MAX_CHARACTERS = 1_000_000
"""The most characters of a row. An item of DynamoDB has at most 400 KB, and a file without line ends must not fill the
memory."""

TOO_LONG = f"longer than {MAX_CHARACTERS:,} characters"

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class FileRow(ABC):
    """A row of a file: its first line, the data for a form, and the ``problem`` of a row that cannot be read.

    A bad row does not affect the others.
    """

    line: int
    data: Mapping[str, Any]
    problem: str

    @property
    def heading(self) -> str:
        """The first line of the file of rejected rows."""
        return ""

    @abstractmethod
    def rejected(self, reason: str) -> str:
        """The row for the file of rejected rows, where it can be corrected and imported again."""


def lines_of(path: Path, newline: str) -> Generator[str, None, None]:
    """A file's lines, with a progress bar; ``newline`` as in :func:`open`. Raises :class:`CommandError`.

    A line that :func:`is_too_long` is cut: its rest is not read into memory.
    """
    with (
        _opened(path) as source,
        # Bytes that are not UTF-8 become surrogates, so that one bad row does not stop the import.
        TextIOWrapper(source, newline=newline, encoding="utf-8-sig", errors="surrogateescape") as lines,
        tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None) as bar,
    ):
        while line := lines.readline(MAX_CHARACTERS + 1):
            if is_too_long(line):
                _skip_rest(lines, line, ("\n",) if newline else ("\n", "\r"))
            bar.update(source.tell() - bar.n)
            yield line


def is_too_long(text: str) -> bool:
    """Whether a row has too many characters to be imported."""
    return len(text) > MAX_CHARACTERS


def version_of(path: Path) -> str:
    """Size and time of change of a file: another text if the file was changed. Raises :class:`CommandError`."""
    with _opened(path) as source:
        stat = os.fstat(source.fileno())
    return f"{stat.st_size} bytes, changed at {stat.st_mtime_ns} ns"


def is_unicode(text: str) -> bool:
    """Whether every byte was valid UTF-8, and the text has no half of a surrogate pair."""
    return not _SURROGATE.search(text)


def _skip_rest(lines: TextIOWrapper, line: str, ends: tuple[str, ...]) -> None:
    """Go to the end of a line whose beginning was read."""
    while line and not line.endswith(ends):
        line = lines.readline(MAX_CHARACTERS)


def _opened(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{path} is a {'folder' if path.is_dir() else 'device'}, not a file.")
        return path.open("rb")
    except FileNotFoundError as error:
        raise CommandError(f"There is no file {path}.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror}).") from error
