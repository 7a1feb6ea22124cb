"""Writes the rejected rows of an import to a file."""

import os
from pathlib import Path
from typing import IO, Self

from django.core.management.base import OutputWrapper

from hotelapp.portal.imports.file_rows import FileRow


class Rejects:
    """The file of rejected rows, created with the first one. If it cannot be written, they are printed to stderr."""

    def __init__(self, source: Path, screen: OutputWrapper) -> None:
        self.path = source.with_name(f"{source.stem}.rejected{source.suffix}")
        self.location = str(self.path)
        self.count = 0
        self._screen = screen
        self._file: IO[str] | OutputWrapper | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Close the file. If a complete import rejected nothing, delete the file of an earlier run."""
        if self._file and self._file is not self._screen:
            self._file.close()
        elif not failed and not self._file and self.path.is_file():
            self.path.unlink()

    def resume(self, count: int, size: int) -> None:
        """Go on after ``count`` rows, which an earlier run kept in the first ``size`` bytes of the file."""
        self.count = count
        if size and self.path.is_file() and os.access(self.path, os.W_OK):
            os.truncate(self.path, min(size, self.path.stat().st_size))
            self._file = self._opened("a")

    @property
    def size(self) -> int:
        """The bytes of the file, all rows so far included."""
        if self._file is None or self._file is self._screen:
            return 0
        self._file.flush()
        return self.path.stat().st_size

    def add(self, row: FileRow, reason: str) -> None:
        """Write a row with the reason."""
        if self._file is None:
            self._file = self._opened("w")
            if row.heading:
                self._file.write(row.heading)
        self._file.write(row.rejected(reason))
        self.count += 1

    def _opened(self, mode: str) -> IO[str] | OutputWrapper:
        try:
            return self.path.open(mode, newline="", encoding="utf-8", errors="surrogateescape")
        except OSError as error:  # good rows are imported from a read-only folder, too
            self._screen.write(f"{self.path} cannot be written ({error.strerror}). The rejected rows:")
            self.location = "above"
            return self._screen
