"""What the formats of imported files share: what a row knows, and a file's lines with a progress bar."""

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from django.core.management.base import CommandError
from tqdm import tqdm

REJECT_NAMES = ("line", "reason")  # what a refused row is given in front
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Row(ABC):
    """A row of a file: the line on which it begins, what a form is given of it, and why it is no row, if so."""

    line: int
    data: Mapping[str, Any]
    problem: str

    @property
    def heading(self) -> str:
        """What stands above such rows in the file of the refused ones."""
        return ""

    @abstractmethod
    def refused(self, reason: str) -> str:
        """The row as it is kept in the file of the refused ones, where it can be mended and read again."""


class Format(Protocol):
    """A kind of file that can be imported."""

    @property
    def help(self) -> str:
        """What the file must be, for the command's help."""

    def read(self, path: Path) -> Iterator[Row]:
        """Every row of a file; a bad one never takes others with it. Raises :class:`CommandError`."""


def lines_of(path: Path, newline: str) -> Generator[str, None, None]:
    """A file's lines, with a progress bar; ``newline`` as in :func:`open`. Raises :class:`CommandError`."""
    with _opened(path) as source, _decoded(source, newline) as lines, _progress(path) as bar:
        for line in lines:
            bar.update(source.tell() - bar.n)
            yield line


def is_unicode(text: str) -> bool:
    """False if it holds a byte that was no UTF-8, or half of a character."""
    return not _SURROGATE.search(text)


def _opened(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{path} is a {'folder' if path.is_dir() else 'device'}, not a file.")
        return path.open("rb")
    except FileNotFoundError as error:
        raise CommandError(f"There is no file {path}.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror}).") from error


def _decoded(source: BinaryIO, newline: str) -> TextIOWrapper:
    # Bytes that are no UTF-8 survive as surrogates, so that one bad row does not end the file.
    return TextIOWrapper(source, newline=newline, encoding="utf-8-sig", errors="surrogateescape")


def _progress(path: Path) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None)
