"""Files and folders that only their owner may read. The module uses only the standard library, for
``demo/env_file.py``.

Without it, everybody on the machine may read the accounts and the data: SQLite creates its files with the mode 644.
"""

import errno
import os
import stat
import tempfile
from contextlib import ExitStack
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
OTHERS = 0o077
"""The rights of group and others. As a umask, it keeps them from every new file."""


def make_folder(folder: Path) -> None:
    """Create the folder if it is missing, and close it to other users, who then cannot reach its content."""
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    close(folder)


def make_file(file: Path) -> None:
    """Create the file if it is missing, and close it to other users. SQLite creates its other files with its mode."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE_MODE))
    close(file)


def close(path: Path) -> None:
    """Take the rights of group and others away.

    Three things stay as they are: files of another user, read-only mounts, and folders such as ``/tmp`` in which
    everybody may create files.
    """
    try:
        status = path.stat()
        if status.st_mode & OTHERS and status.st_uid == os.geteuid() and not status.st_mode & stat.S_ISVTX:
            path.chmod(stat.S_IMODE(status.st_mode) & ~OTHERS)
    except OSError as error:
        if error.errno not in {errno.EROFS, errno.ENOENT}:  # the second: SQLite removed it meanwhile
            raise


def write(file: Path, text: str) -> None:
    """Replace the file's content. After a crash or on a full disk, the file has the old content or the new one."""
    file = file.resolve()  # keep a symbolic link
    number, name = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)  # with mode 0600
    with ExitStack() as undo:
        undo.callback(os.unlink, name)
        with open(number, "w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        os.replace(name, file)
        undo.pop_all()
