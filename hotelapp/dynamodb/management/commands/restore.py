"""``manage.py restore``: write a backup into empty tables."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.backups import checking, restoring
from hotelapp.dynamodb.backups.blocks import BadBackup
from hotelapp.dynamodb.backups.checking import Checked, RestoreRefused
from hotelapp.dynamodb.backups.contents import Contents
from hotelapp.dynamodb.backups.files import partial_of
from hotelapp.dynamodb.backups.restoring import RestoreProgress
from hotelapp.dynamodb.maintenance import verification
from hotelapp.dynamodb.management.table_command import MAX_SEGMENTS, TableCommand

WRITERS = 4
SHOWN = 10
UPGRADE = """{outdated} items are of an earlier release. Run manage.py upgrade_items, and after it manage.py \
verify_data --repair, which derives counts again."""


class Command(TableCommand):
    """Checks the whole file, writes it, and derives numbers again. It may be stopped and continued."""

    help = (
        "Write a backup into the tables, which must be empty, and derive counts again. The whole file is checked "
        "before anything is written. If it is stopped, run it again: it goes on. Nothing may use the tables meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, whether only to check it, and how much to write at once."""
        parser.add_argument("file", type=Path, help="The backup")
        parser.add_argument("--check", action="store_true", help="Check the file, and write nothing")
        parser.add_argument(
            "--writers",
            type=int,
            choices=range(1, MAX_SEGMENTS + 1),
            default=WRITERS,
            metavar="N",
            help=f"How many blocks to write at once, 1 to {MAX_SEGMENTS} (default: {WRITERS})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and restore. Raises :class:`CommandError`."""
        path: Path = options["file"]
        found = self._checked(path)
        if options["check"]:
            return
        try:
            with self.repeatable(RestoreRefused):
                restoring.require_tables()
                progress = RestoreProgress(path, found.contents)
                self._write(path, found.contents, progress, options["writers"])
                left = 0 if found.outdated else sum(map(self._derive, verification.checked_tables()))
                progress.remove()
        except RestoreRefused as error:
            raise CommandError(str(error)) from error
        if found.outdated:
            self.stdout.write(UPGRADE.format(outdated=found.outdated))
        if left:
            raise CommandError(f"All items are restored. Faults that were in the data when they were saved: {left}.")
        self.stdout.write("All items are restored. Run manage.py verify_data to check them once more.")

    def _checked(self, path: Path) -> Checked:
        """What a whole and unaltered file holds. Raises :class:`CommandError` for another one."""
        size = path.stat().st_size if path.is_file() else 0
        try:
            with tqdm(total=size, unit="B", unit_scale=True, desc="Check", disable=None) as bar:
                found = checking.checked(path, bar.update)
        except RestoreRefused as error:
            raise CommandError(str(error)) from error
        except BadBackup as error:
            hint = (
                f" {partial_of(path)} is incomplete: run manage.py backup again." if partial_of(path).exists() else ""
            )
            raise CommandError(f"{path} cannot be restored: {error}. Nothing was written.{hint}") from error
        contents = found.contents
        counts = ", ".join(f"{table} {contents.items[table]}" for table in contents.beginning.tables)
        self.stdout.write(f"{path} is whole: begun {contents.beginning.begun:%Y-%m-%d %H:%M} UTC; items: {counts}.")
        self.stdout.write(f"On AWS, restoring it takes about {found.write_units:,} write units.")
        return found

    def _write(self, path: Path, contents: Contents, progress: RestoreProgress, writers: int) -> None:
        if progress.is_begun:
            self.stdout.write(f"Continuing after {progress.blocks} of {contents.blocks} blocks.")
        else:
            restoring.require_empty(contents)
            progress.save(0)
        if not progress.is_kept:
            self.stderr.write(
                f"Nothing can be written beside {path}. If this is stopped, begin again with empty tables."
            )
        total = sum(contents.items.values()) + contents.again
        with tqdm(total=total, unit=" items", desc="Restore", disable=None) as bar:
            for lines in restoring.restore(path, progress, writers):
                bar.update(lines)

    def _derive(self, table: str) -> int:
        """Derive the numbers and words of a table again; returns how many faults are left."""
        repaired, left = 0, []
        for fault in verification.check_of(table, lambda items: None, repair=True).faults():
            if not fault.repaired:
                left.append(fault.text)
            elif (repaired := repaired + 1) <= SHOWN:
                self.stdout.write(f"  derived again, was: {fault.text}")
        self.stdout.write(f"{table}: derived again: {repaired}, faults left: {len(left)}.")
        for text in left[:SHOWN]:
            self.stderr.write(f"  {text}")
        return len(left)
