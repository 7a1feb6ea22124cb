"""``docs/planner.md`` shows from which size on the keys of rooms pay. ``UPDATE_DOCS=1`` writes the table anew."""

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from django.conf import settings

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.reading.ranges import LARGEST
from hotelapp.dynamodb.schema.keys import prefix_range
from hotels.entities import Hotel
from rooms import keys, queries
from rooms.entities import RoomQuery
from rooms.queries.rooms import room_fetcher
from rooms.seeding import rooms
from rooms.statuses import Service
from tests.helpers import dynamodb_local
from tests.helpers.rooms import ABC, make_hotel, rooms_page

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "planner.md"
TABLE = re.compile(r"(?<=<!-- break-even -->\n).*?(?=<!-- end of break-even -->)", re.DOTALL)
SIZES = (25, 50, 100, 200, 500, 1000, 2000)
HEADERS = ("rooms", "combinations", "every room", "by size", "sea view, by rate", "dearest first", "out of order")
SEA = Selection({keys.VIEW: frozenset({"sea-view"})})
PAGES = (
    RoomQuery(sort=keys.SIZE),
    RoomQuery(SEA, sort=keys.RATE),
    RoomQuery(sort=keys.RATE, descending=True),
    RoomQuery(statuses=frozenset({Service.OUT_OF_ORDER}), sort=keys.SIZE),
)


def cost(read: Callable[[], object]) -> str:
    """What reading costs: read units and requests."""
    with ledger.recording() as calls:
        read()
    return f"{calls.read_units} in {calls.requests}"


def every_room(hotel_id: str) -> None:
    """Read what lists show of every room of a hotel, from an index, in one Query."""
    batch = room_fetcher(hotel_id, "lsi1")(prefix_range(keys.ROOM), None, True, LARGEST)
    assert batch.stopped is None


def table_rows() -> Iterator[tuple[object, ...]]:
    """The rows of the table, for a hotel that grows to so many rooms."""
    hotel = Hotel(ABC, "Hotel", "Paris", currency="EUR", time_zone="Europe/Paris", rooms=SIZES[-1])
    demo_rooms = list(rooms(Random(2000), hotel))
    for before, size in pairwise((0, *SIZES)):
        make_hotel(demo_rooms[before:size])
        pages = [cost(partial(rooms_page, ABC, page)) for page in PAGES]
        yield size, len(queries.room_counts(ABC).counts), cost(partial(every_room, ABC)), *pages


@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges for items beside an LSI's whole entries")
@pytest.mark.usefixtures("empty_tables")
def test_the_break_even_in_the_document_is_what_the_engine_charges() -> None:
    lines = [HEADERS, ("---:",) * len(HEADERS), *table_rows()]
    table = "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)
    text = DOCUMENT.read_text(encoding="utf-8")
    written = TABLE.sub(lambda _: f"\n{table}\n\n", text)
    if os.environ.get("UPDATE_DOCS"):
        DOCUMENT.write_text(written, encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == written
    assert table in written
