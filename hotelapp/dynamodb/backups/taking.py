"""Read every table into a backup, in parallel segments, while others write."""

from collections.abc import Iterator, Sequence

from hotelapp.dynamodb.backups.aggregates import change_logs
from hotelapp.dynamodb.backups.blocks import Block, BlockKind, item_line
from hotelapp.dynamodb.backups.files import BackupWriter
from hotelapp.dynamodb.maintenance.scans import ScannedPage, scan
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import RawItem


def backed_up() -> list[str]:
    """The full names of the tables that a backup has, in the order in which it reads them: change logs last."""
    logs = {log.model.Meta.table_name for log in change_logs()}
    included = [name for name in tables.names() if getattr(tables.declaring(name), "in_backups", True)]
    return sorted(included, key=lambda name: name in logs)


def left_out() -> list[str]:
    """The tables that no backup has, by their apps' names."""
    return [tables.own_name(name) for name in tables.names() if name not in backed_up()]


def back_up_table(backup: BackupWriter, name: str) -> Iterator[ScannedPage[list[bytes]]]:
    """Write the items of a table that the backup does not have yet; yields the pages.

    The read is consistent: it sees every write that was acknowledged before. A page is written together with the
    position after it. Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable` and
    :class:`~hotelapp.dynamodb.backups.files.NotWritten`.
    """
    own_name, segments = tables.own_name(name), backup.contents.beginning.segments
    for page in scan(name, _lines, segments=segments, starts=backup.contents.starts(own_name)):
        position = {"table": own_name, "segment": page.segment, "next": page.next}
        backup.append(Block(BlockKind.ITEMS, position, page.result))
        yield page


def _lines(items: Sequence[RawItem]) -> list[bytes]:
    return [item_line(item) for item in items]
