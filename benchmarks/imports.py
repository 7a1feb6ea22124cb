"""``python -m benchmarks.imports``: the import of a room file, against plain batch writes of the same items.

The import reads and checks a file, and writes rooms, counts and the hotel's total in transactions. The
plain writes put only rooms, which are serialised beforehand. Each writes into its own engine file.
"""

import io
import time
from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

from django.core.management import call_command

from benchmarks import common, rooms
from benchmarks.rooms import HOTEL
from dynamodb_lists.connection.client import client
from rooms import queries
from rooms.lists import ROOMS

BATCH = 25  # the most items of a BatchWriteItem
IMPORT, PLAIN = "import", "plain batch writes"


def main() -> None:
    """Time both in several rounds, in alternating order."""
    options = common.options("Time the import of rooms.", rooms=(20_000, 100), rounds=(3, 1))
    file = rooms.file_of([HOTEL], options.rooms)
    items = [item for room in rooms.rooms_of(HOTEL, options.rooms) for item in rooms.items_of(room)]

    def rate(name: str) -> float:
        """Return the rooms that are written in a second."""
        with common.fresh_tables():
            client().list_tables()  # opens a new connection, because those of the last engine are closed
            start = time.perf_counter()
            _put_all(items) if name == PLAIN else call_command("import_rooms", file, stdout=io.StringIO())
            seconds = time.perf_counter() - start
            counted = sum(queries.room_counts(HOTEL.hotel_id).counts.values())
            if name == IMPORT and counted != options.rooms:
                raise SystemExit(f"{options.rooms} rooms were imported, but {counted} are counted.")
            return float(options.rooms / seconds)

    rates = common.alternated({name: partial(rate, name) for name in (IMPORT, PLAIN)}, options.rounds)
    rows = [(name, *(f"{of(values):.0f}" for of in (median, min, max))) for name, values in rates.items()]
    common.print_table(("rooms a second", "median", "lowest", "highest"), rows)
    common.print_targets([(f"{IMPORT} / {PLAIN}", median(rates[IMPORT]) / median(rates[PLAIN]), 0.8)])
    common.finish(options)


def _put_all(items: Sequence[dict[str, Any]]) -> None:
    """Write the items without any of the portal's own code."""
    for start in range(0, len(items), BATCH):
        puts = [{"PutRequest": {"Item": item}} for item in items[start : start + BATCH]]
        left: Any = {ROOMS.model.Meta.table_name: puts}
        while left:
            left = client().batch_write_item(RequestItems=left)["UnprocessedItems"]


if __name__ == "__main__":
    main()
