"""The file of a backup: written block by block under another name until it is complete, and continued if interrupted.

Where each segment of a table continues is in the file's own blocks. So the items and the position that belongs to them
are written together, and nothing else has to be kept. A block that was not written to its end is cut off.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from hotelapp import private_files
from hotelapp.dynamodb.backups.blocks import BadBackup, Block, BlockKind, StoredBlock, compressed, read_blocks
from hotelapp.dynamodb.backups.contents import Beginning, Contents, beginning_of
from hotelapp.dynamodb.connection.errors import DynamoDBError


class NotWritten(DynamoDBError):
    """A file cannot be written: the disk is full, the folder is missing, or somebody else writes it."""


def partial_of(path: Path) -> Path:
    """The name of an incomplete backup."""
    return path.with_name(f"{path.name}.partial")


class BackupWriter:
    """Writes a backup into ``FILE.partial``; :meth:`finish` gives the file its name. Use it as a context manager.

    If there is such a file, the backup continues where it was interrupted, unless ``from_start`` is true. ``fresh`` is
    the beginning of a new one. Only the owner may read the file, because it holds the data of guests.
    Raises :class:`NotWritten`, and :class:`BadBackup` if the interrupted backup is of other tables or another release.
    """

    def __init__(self, path: Path, fresh: Beginning, *, from_start: bool = False) -> None:
        self.path, self.partial = path, partial_of(path)
        with self._errors(), ExitStack() as stack:
            # Without a buffer, so that closing the file writes nothing: on a full disk, that would fail once more.
            descriptor = os.open(self.partial, os.O_RDWR | os.O_CREAT, private_files.FILE_MODE)
            self._file = stack.enter_context(os.fdopen(descriptor, "r+b", buffering=0))
            self._lock()
            resumed = None if from_start else self._resumed()
            self.is_resumed = resumed is not None
            self.contents = resumed or Contents(fresh)
            if not self.contents.beginning.is_of_the_same(fresh):
                raise BadBackup("it is of other tables, or of another release")
            if not self.is_resumed:
                self._cut(0)
                self.append(fresh.block)
            stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, block: Block) -> None:
        """Write a block. Raises :class:`NotWritten`."""
        text = block.text(self.contents.blocks)
        with self._errors():
            left = memoryview(compressed(text))
            while left:
                left = left[self._file.write(left) :]
        self.contents.add(block, text)

    def blocks(self) -> Iterator[Block]:
        """The blocks that are written, read from the file."""
        with self.partial.open("rb") as file:
            for stored in read_blocks(file):
                yield stored.block

    def finish(self) -> None:
        """Write the last block, and give the file its name. Raises :class:`NotWritten`."""
        end = self.contents.end
        self.append(end)
        with self._errors():
            os.fsync(self._file.fileno())
            self.partial.replace(self.path)
            folder = os.open(self.path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NotWritten(f"Another backup writes {self.partial}.") from error
        if not self.partial.exists() or not os.path.samestat(self.partial.stat(), os.fstat(self._file.fileno())):
            raise NotWritten(f"Another backup has just completed {self.path}.")
        os.fchmod(self._file.fileno(), private_files.FILE_MODE)

    def _resumed(self) -> Contents | None:
        """What an interrupted backup has written, without a last block that is cut short; ``None`` if it is nothing.

        Items that it had read again are cut off, too: they are read again once more.
        """
        contents: Contents | None = None
        end = 0
        for stored in self._whole_blocks():
            if stored.block.kind in {BlockKind.AGAIN, BlockKind.END}:
                break
            contents = contents or Contents(beginning_of(stored.block))
            contents.add(stored.block, stored.text)
            end = stored.end
        self._cut(end)
        return contents

    def _cut(self, end: int) -> None:
        self._file.truncate(end)
        self._file.seek(end)

    def _whole_blocks(self) -> Iterator[StoredBlock]:
        self._file.seek(0)
        try:
            yield from read_blocks(self._file)
        except BadBackup:
            return

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NotWritten(f"{self.partial} cannot be written: {error.strerror}.") from error


def read_backup(path: Path, check: Callable[[Contents, StoredBlock], None] = lambda contents, stored: None) -> Contents:
    """Read a whole backup and check it; returns what it holds. ``check`` is called with each block.

    One block is in memory at a time. Raises :class:`BadBackup` for a file that is not as it was written.
    """
    contents: Contents | None = None
    try:
        with path.open("rb") as file:
            for stored in read_blocks(file):
                contents = contents or Contents(beginning_of(stored.block))
                contents.add(stored.block, stored.text)
                check(contents, stored)
    except OSError as error:
        raise BadBackup(f"it cannot be read: {error.strerror}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadBackup(f"a block lacks what it should say: {error!r}") from error
    if contents is None or not contents.ended:
        raise BadBackup("it has no end: it was cut short")
    return contents
