"""What imports share: rows, the file of rejected rows, lines with a progress bar, and the base of an import."""

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, Generic, Self, TypeVar

from dynamodb_lists.connection.errors import WrongValue

REJECT_NAMES = ("line", "reason")
"""The columns in front of a rejected row."""

MAX_CHARACTERS = 1_000_000
"""The most characters of a row. An item of DynamoDB has at most 400 KB, and a file without line ends must not fill the
memory."""

TOO_LONG = f"longer than {MAX_CHARACTERS:,} characters"

WORKBOOKS = ("PK\x03\x04", "\xd0\xcf\x11\xe0", "\udcd0\udccf\x11\udce0")
"""How files of Excel begin, today's and, read in two ways, those until 2003."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f]")  # no text has them: pictures, archives and UTF-16 do at their beginning
T = TypeVar("T")

Saved = tuple[int, Mapping[Any, str]]
"""The result of a batch: how many rows were new or different, and why others were refused, by identity."""


@dataclass(frozen=True)
class FileRow:
    """A row of a file: its first line, the data for a form, and the ``problem`` of a refused row.

    ``content`` is what the format needs to write the row again: the cells of a CSV file under the ``header``, or the
    members of an object. ``entity`` is the entity of a checked row.
    """

    line: int
    data: Mapping[str, Any]
    problem: str
    content: Any
    header: Sequence[str] = ()
    entity: Any = None


class Rejects:
    """The file of rejected rows, created with the first one."""

    def __init__(self, source: Path) -> None:
        self.path = source.with_name(f"{source.stem}.rejected{source.suffix}")
        self.count = 0
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Close the file. If a complete import rejected nothing, delete the file of an earlier run."""
        if self._file:
            self._file.close()
        elif not failed and self.path.is_file():
            self.path.unlink()

    def add(self, row: str, heading: str) -> None:
        """Write a rejected row; the first one under the ``heading``. Raises: :class:`WrongValue` if it cannot."""
        if self._file is None:
            try:
                self._file = self.path.open("w", newline="", encoding="utf-8", errors="surrogateescape")
            except OSError as error:
                raise WrongValue(f"{self.path}, for rejected rows, cannot be written ({error.strerror}).") from error
            row = heading + row
        self._file.write(row)
        self.count += 1


def check_is_text(first: str, name: str, instead: str) -> None:
    """Raise :class:`WrongValue` if a file does not begin as a text in UTF-8 does; it says what to give ``instead``."""
    if first.startswith(WORKBOOKS):
        raise WrongValue(f"{name} is an Excel workbook. {instead}")
    if _CONTROLS.search(first):
        raise WrongValue(f"{name} is not text in UTF-8. {instead}")


def lines_of(path: Path, newline: str) -> Generator[str, None, None]:
    """Yield a file's lines, with a progress bar; ``newline`` as in :func:`open`. Raises :class:`WrongValue`.

    The line of a JSON array comes in pieces, which are no longer than other lines may be. Another line that is too long
    is cut: its rest is not read into memory.
    """
    from tqdm import tqdm  # noqa: PLC0415 (a server that imports files needs no progress bar)

    if not path.is_file():
        raise WrongValue(f"There is no file {path}.")
    try:
        opened = path.open("rb")
    except OSError as error:
        raise WrongValue(f"{path} cannot be read ({error.strerror}).") from error
    with (
        opened as source,
        # Bytes that are not UTF-8 become surrogates, so that one bad row does not stop the import.
        TextIOWrapper(source, newline=newline, encoding="utf-8-sig", errors="surrogateescape") as lines,
        tqdm(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=None) as bar,
    ):
        is_array = begun = False
        while line := lines.readline(MAX_CHARACTERS + 1):
            is_array = is_array if begun else line.lstrip().startswith("[")
            begun = begun or bool(line.strip())
            if len(line) > MAX_CHARACTERS and not is_array:
                rest = line
                while rest and not rest.endswith("\n" if newline else ("\n", "\r")):
                    rest = lines.readline(MAX_CHARACTERS)
            bar.update(source.tell() - bar.n)
            yield line


def is_unicode(text: str) -> bool:
    """Return whether every byte of a text was valid UTF-8, and it has no half of a surrogate pair."""
    return not _SURROGATE.search(text)


class Importer(Generic[T]):
    """An import. A subclass names a ``format``, like :class:`~dynamodb_lists.lists.files.Csv`, and the ``noun``
    of a row, and says what to do with each entity. A batch has at most ``batch_size`` entities.
    """

    format: Any
    noun: str
    batch_size: int

    def checked(self, row: FileRow) -> FileRow:
        """Return a row with its entity, or with its problem."""
        raise NotImplementedError

    def once(self, row: FileRow, first: int) -> FileRow:
        """Return the row, refused if an earlier line, ``first``, has the same identity."""
        return row if first == row.line else replace(row, problem=f"line {first} already has the same {self.noun}")

    def identity(self, entity: T) -> Any:
        """Return the identity of an entity, which must be unique in a file."""
        raise NotImplementedError

    def lane(self, entity: T) -> str:
        """Return the owner of the counts that an entity changes. Entities of one lane are written one after another."""
        raise NotImplementedError

    def prepare(self, batch: Sequence[T]) -> None:
        """Write the entities that those of a batch depend on. Called in the order of the file, before :meth:`save`."""

    def save(self, batch: Sequence[T]) -> Saved:
        """Write a batch, in any thread. A second call with the same batch changes nothing."""
        raise NotImplementedError

    def finish(self) -> None:
        """Finish the import. Called after the last batch, also if the import was stopped."""
