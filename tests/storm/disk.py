"""The disk that holds the portal's data, and that can become full: a small file system in memory.

Only root can mount one. Otherwise a limit on the size of files stands in for it, but only for the engine.
"""

import errno
import os
import resource
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SIZE = "512m"
BLOCKS = (2**20, 2**12, 1)
"""Bytes that a full disk is filled up with: large blocks first, then what is left."""


class Disk:
    """A folder for data. ``real`` says whether it is a file system of its own, which can be filled up."""

    def __init__(self, folder: Path, engine_pid: Callable[[], int]) -> None:
        self.folder = folder
        self._engine_pid = engine_pid
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", str(folder)]
        self.real = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0

    @property
    def description(self) -> str:
        """What stands for the disk, for the report."""
        if self.real:
            return f"a file system of its own ({SIZE} of memory), for the engine and for SQL"
        return (
            "a limit on the size of the engine's files, because no file system could be mounted here; SQL has no limit"
        )

    def fill(self) -> None:
        """Let every write fail that needs more room."""
        if not self.real:
            self._limit(1)
            return
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            for size in BLOCKS:
                with suppress(OSError):
                    while filler.write(b"\0" * size):
                        pass

    def free(self) -> None:
        """Let writes work again."""
        if self.real:
            (self.folder / "filler").unlink(missing_ok=True)
        else:
            self._limit(resource.RLIM_INFINITY)

    def unmount(self) -> None:
        """Remove the file system and all that is in it."""
        self.free()
        if self.real:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)

    def _limit(self, size: int) -> None:
        with suppress(ProcessLookupError):
            resource.prlimit(self._engine_pid(), resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def is_full(folder: Path) -> bool:
    """Whether nothing can be written to the folder."""
    probe = folder / "probe"
    try:
        with probe.open("wb", buffering=0) as file:
            file.write(b"\0" * BLOCKS[0])
    except OSError as error:
        return error.errno == errno.ENOSPC
    finally:
        probe.unlink(missing_ok=True)
    return False
