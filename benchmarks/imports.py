"""``python -m benchmarks.imports``: the import of a room file, against plain batch writes of the same items.

The import reads and checks a file, and writes rooms, number guards, counts and the hotel's total in transactions. The
plain writes put only rooms and guards, which are serialised beforehand. Each writes into its own engine file.
"""

import csv
import io
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management import call_command

from benchmarks import common, data
from benchmarks.common import Target
from dynamodb_lists.connection.client import client
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import Put
from portal.history.entities import IMPORT as IMPORTER
from rooms import queries
from rooms.commands.rooms import RoomWriter
from rooms.entities import Room
from rooms.models import RoomModel

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestUnionTypeDef

COLUMNS = ("hotel_id", "hotel_name", "city", "number", "view", "size", "type", "rate", "currency")
BATCH = 25  # the most items of a BatchWriteItem
WARM_UP_ROOMS = 500
IMPORT, PLAIN = "import", "plain batch writes"
TARGETS = (Target(IMPORT, PLAIN, 0.8, at_least=True),)

Items = Sequence[dict[str, Any]]
Rates = dict[str, list[float]]
Requests = Mapping[str, Sequence["WriteRequestUnionTypeDef"]]


def main() -> None:
    """Time both in several rounds, in alternating order."""
    options = common.options("Time the import of rooms.", rooms=(20_000, 100), rounds=(3, 1))
    _round(WARM_UP_ROOMS, 0, {IMPORT: [], PLAIN: []})
    rates: Rates = {IMPORT: [], PLAIN: []}
    for number in range(options.rounds):
        _round(options.rooms, number, rates)
    _report(rates)
    common.finish(options)


def _report(rates: Rates) -> None:
    medians = common.medians(rates)
    rows = [
        (name, f"{medians[name]:.0f}", f"{min(values):.0f}", f"{max(values):.0f}") for name, values in rates.items()
    ]
    common.print_table(("rooms a second", "median", "lowest", "highest"), rows)
    common.print_targets(medians, TARGETS)


def _round(how_many: int, number: int, rates: Rates) -> None:
    rooms = list(data.rooms(how_many))
    file = _write(rooms)
    items = _items(rooms)
    steps: list[Callable[[], None]] = [lambda: _import(file, how_many, rates), lambda: _plain(items, how_many, rates)]
    for step in steps if number % 2 == 0 else reversed(steps):
        with common.fresh_tables():
            client().list_tables()  # opens a new connection, because those of the last engine are closed
            step()


def _import(file: Path, how_many: int, rates: Rates) -> None:
    rates[IMPORT].append(how_many / _seconds(lambda: call_command("import_rooms", file, stdout=io.StringIO())))
    _check(how_many)


def _plain(items: Items, how_many: int, rates: Rates) -> None:
    rates[PLAIN].append(how_many / _seconds(lambda: _put_all(items)))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _check(how_many: int) -> None:
    """Check that every room was counted once."""
    counted = sum(queries.room_counts(data.HOTEL.hotel_id).counts.values())
    if counted != how_many:
        raise SystemExit(f"{how_many} rooms were imported, but {counted} are counted.")


def _write(rooms: Sequence[Room]) -> Path:
    file = common.WORK / f"rooms-{len(rooms)}.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        for r in rooms:
            hotel = (data.HOTEL.hotel_id, data.HOTEL.name, data.HOTEL.city)
            writer.writerow([*hotel, r.number, r.view, r.size, r.type, r.rate, r.currency])
    return file


# --- Plain writes ---------------------------------------------------------------------------------------


def _items(rooms: Sequence[Room]) -> Items:
    """Each room and its guard as DynamoDB items: those that the portal's own commands would put."""
    writer = RoomWriter(IMPORTER)
    changes = (Change(None, writer.as_stored(None, room)) for room in rooms)
    puts = (write for change in changes for write in writer.item_writes(change) if isinstance(write, Put))
    return [put.item.serialize() for put in puts]


def _put_all(items: Items) -> None:
    for start in range(0, len(items), BATCH):
        left: Requests = {
            RoomModel.Meta.table_name: [{"PutRequest": {"Item": item}} for item in items[start : start + BATCH]]
        }
        while left:
            left = client().batch_write_item(RequestItems=left)["UnprocessedItems"]


if __name__ == "__main__":
    main()
