"""``manage.py backup``: write all tables into one file, while the portal runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.template.defaultfilters import filesizeformat
from tqdm import tqdm

from hotelapp.dynamodb.backups import contents, settling, taking
from hotelapp.dynamodb.backups.blocks import BadBackup
from hotelapp.dynamodb.backups.files import BackupWriter
from hotelapp.dynamodb.backups.settling import Settled
from hotelapp.dynamodb.management.table_command import TableCommand
from hotelapp.dynamodb.schema import tables

SHOWN = 10
LEFT_OUT = """Not in the backup: {tables}, so that a restored backup logs nobody in; and the SQL database with the \
accounts of staff: back that up with the database's own tool (docs/backups.md)."""


class Command(TableCommand):
    """Backs up table by table, and then reads again what changed meanwhile. It may be stopped and continued."""

    help = (
        "Write the items of all tables, without sessions, into one compressed file with checksums, while the portal "
        "runs. If it is stopped, run it again with the same file: it goes on. The SQL database is not in the backup."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, whether to replace it, whether to continue, and the segments."""
        parser.add_argument("file", type=Path, help="The file to write; FILE.partial until it is complete")
        parser.add_argument("--overwrite", action="store_true", help="Replace the file if there is one")
        parser.add_argument("--from-start", action="store_true", help="Do not continue an interrupted backup")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the backup. Raises :class:`CommandError`."""
        path: Path = options["file"]
        if path.exists() and not options["overwrite"]:
            raise CommandError(f"{path} exists. Choose another name, or add --overwrite to replace it.")
        names = taking.backed_up()
        self.stdout.write(LEFT_OUT.format(tables=", ".join(taking.left_out())))
        with self.repeatable():
            fresh = contents.beginning(names, options["segments"])
            try:
                writer = BackupWriter(path, fresh, from_start=options["from_start"])
            except BadBackup as error:
                raise CommandError(f"{path}.partial cannot be continued: {error}. Add --from-start.") from error
            with writer as backup:
                self._back_up(backup, names)
        self._report(backup)

    def _back_up(self, backup: BackupWriter, names: list[str]) -> None:
        begun = backup.contents.beginning.begun
        self.stdout.write(f"{'Continuing the backup of' if backup.is_resumed else 'Begun'} {begun:%Y-%m-%d %H:%M} UTC.")
        for name in names:
            own_name = tables.own_name(name)
            pages = taking.back_up_table(backup, name)
            for _ in self.progress(name, own_name, pages, backup.contents.items[own_name]):
                pass
            self.stdout.write(f"{own_name}: {backup.contents.items[own_name]} items.")
        settled = self._settled(backup)
        self.stdout.write(f"Changed meanwhile, and read again: {settled.things}.")
        for name in settled.disagreeing[:SHOWN]:
            self.stderr.write(f"The items of {name} do not agree in the database. Run manage.py verify_data.")
        backup.finish()

    def _settled(self, backup: BackupWriter) -> Settled:
        settled = Settled()
        with tqdm(unit=" things", desc="Read again", disable=None) as bar:
            for settled in settling.settle(backup):
                bar.update(settled.things - bar.n)
        return settled

    def _report(self, backup: BackupWriter) -> None:
        size = filesizeformat(backup.path.stat().st_size).replace("\xa0", " ")
        items = sum(backup.contents.items.values())
        self.stdout.write(f"{backup.path}: {items} items, {size}, SHA-256 of the contents {backup.contents.digest}.")
