"""Copies of the SQLite files of a portal on one machine: the embedded engine's, and that of the staff accounts."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management.base import CommandError

from dynamodb_lists.connection import private_files

PARTS = ("", "-wal", "-journal")
"""The suffixes of a database's files. All move together: SQLite would play an old log into a new database."""

ELSEWHERE = """This copies the files of the embedded engine, which is not in use here. On AWS, use point-in-time \
recovery and AWS Backup: docs/backups.md."""


def own_files() -> Mapping[str, Path]:
    """This portal's files by their names in a backup. Raises :class:`CommandError` for another engine."""
    if settings.DYNAMODB_NAMED_ENDPOINT or settings.DYNAMODB_ENGINE != "embedded":
        raise CommandError(ELSEWHERE)
    database, files = settings.DATABASES["default"], {"engine.sqlite3": settings.DYNAMODB_ENGINE_FILE}
    return files | ({"portal.sqlite3": Path(database["NAME"])} if database["ENGINE"].endswith("sqlite3") else {})


def copy_all(copies: Mapping[Path, Path]) -> None:
    """Copy databases, sources to targets. Raises :class:`CommandError`; it never overwrites data."""
    for source, target in copies.items():
        if not source.is_file():
            raise CommandError(f"{source} is missing.")
        files = [target.with_name(f"{target.name}{part}") for part in PARTS]
        if occupied := [str(file) for file in files if file.exists() and file.stat().st_size]:
            raise CommandError(f"Nothing is overwritten. Move away first: {' '.join(occupied)}")
    for source, target in copies.items():
        try:
            _copy(source, target)
        except (OSError, sqlite3.Error) as error:
            raise CommandError(f"{source} cannot be copied to {target}: {error}") from error


def _copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, also while others write to it. The target is whole or not there."""
    target.parent.mkdir(private_files.FOLDER_MODE, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".copy-", dir=target.parent) as folder:
        draft = Path(folder) / target.name
        private_files.make_file(draft)
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(draft)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read from a read-only medium
            if new.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("it is damaged")
        os.replace(draft, target)
