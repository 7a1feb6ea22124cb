"""docs/scaling.md says what each write and each page takes of the keys that many share, as the engine charges it."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels import keys as hotel_keys
from hotels.models import GroupStatisticsModel, HotelModel, StatisticsModel
from orders import commands as orders
from orders import keys as order_keys
from orders.models import GuestModel
from orders.statuses import Status
from portal.history import keys as history_keys
from reviews import commands as reviews
from reviews import keys as review_keys
from reviews.models import ReviewCountModel
from rooms import commands as rooms
from rooms import keys as room_keys
from rooms.entities import StatusChange
from rooms.models import PackedCountsModel, RoomCountModel
from rooms.statuses import Housekeeping
from tests.helpers.orders import make_guest, make_order
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "scaling.md"
ROW = re.compile(r"^\| (?P<key>[^|\n]+) \| (?P<what>an? [^|\n]+) \| [\d.]+ \| [\d,]+ \|", re.MULTILINE)
READ_ROW = re.compile(r"^\| (?P<key>[^|\n]+) \| (?P<what>`/[^|\n]+) \| [\d.]+ \| [\d,]+ \|", re.MULTILINE)
MOST, MOST_READ = 1000, 3000
"""The write units and the read units a second that one key takes."""

PER_ITEM = 2
"""The units of an item of at most a kilobyte in a transaction."""

STEPS = (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
Units = Counter[str]
"""Write units of each index, and of each partition of a table without its indexes."""


@contextmanager
def charged() -> Iterator[Units]:
    """The units that the transactions in the block take of each index and each partition."""
    units = Units()

    def ask(params: dict[str, Any], **_: Any) -> None:
        params["ReturnConsumedCapacity"] = "INDEXES"
        for part in params["TransactItems"]:
            ((_, action),) = part.items()
            key = action.get("Key") or action["Item"]
            units[next(key[name]["S"] for name in ("pk", "PK") if name in key)] += PER_ITEM

    def add(parsed: dict[str, Any], **_: Any) -> None:
        tables = parsed["ConsumedCapacity"]
        assert sum(table["Table"]["CapacityUnits"] for table in tables) <= units.total(), "an item of several KB"
        for table in tables:
            for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
                for index, consumed in table.get(kind, {}).items():
                    units[index] += consumed["CapacityUnits"]

    events = client().meta.events
    events.register("before-parameter-build.dynamodb.TransactWriteItems", ask)
    events.register("after-call.dynamodb.TransactWriteItems", add)
    try:
        yield units
    finally:
        events.unregister("before-parameter-build.dynamodb.TransactWriteItems", ask)
        events.unregister("after-call.dynamodb.TransactWriteItems", add)


def an_order() -> None:
    """An order from the form to the guest."""
    order = orders.place_order(make_order("o-1"), "anna")
    for step in STEPS:
        order = orders.take_step(order, step, "anna")


WRITES: dict[str, Callable[[], object]] = {
    "a guest": lambda: orders.create_guest(make_guest("alex", name="Alexander"), "anna"),
    "an order": an_order,
    "a room": lambda: rooms.create_room(make_room("102"), "anna"),
    "a tap": lambda: rooms.set_status(ABC, "102", StatusChange(Housekeeping.DIRTY), "anna"),
    "a review": lambda: reviews.add_review(make_review("r-1"), "anna"),
}
"""In the order in which they are made."""

Share = Callable[[Units], float]


def of(*names: str) -> Share:
    return lambda units: sum(units[name] for name in names)


KEYS: dict[str, tuple[Share, int]] = {
    "`by-staff`: a person": (of(history_keys.BY_STAFF), 1),
    "`in-hotel`: a hotel": (of(history_keys.IN_HOTEL), 1),
    "`unfinished-orders`: a status": (
        lambda units: units[order_keys.UNFINISHED] / len(STEPS),  # an order is in three, one after the other
        1,
    ),
    "`guests`: all guests": (of(order_keys.GUESTS), len(GuestModel.template_of("guest_shard").shards())),
    "words of guests with one initial": (of(order_keys.WORDS.partition("a")), 1),
    "a hotel": (of(HotelModel.partition_of(hotel_id=ABC)), 1),
    "`hotels`: all hotels": (of(hotel_keys.HOTELS), 1),
    "the counts of a hotel's rooms": (of(RoomCountModel.partition_of(hotel_id=ABC)), 1),
    "a hotel's rooms": (of(room_keys.rooms(ABC), *(index.name for index in room_keys.INDEXES if index.name)), 1),
    "the statistics of a hotel": (of(StatisticsModel.partition_of(hotel_id=ABC)), 1),
    "eight shards of the group's statistics": (of(GroupStatisticsModel.partition_of(partition="")), 1),
    "the counts of a hotel's reviews": (of(ReviewCountModel.partition_of(hotel_id=ABC)), 1),
    "`by-hotel` of `reviews`: a hotel": (of(review_keys.BY_HOTEL.name), 1),
}
"""Each key of the document: what a write takes of it, and over how many partitions its writes are spread."""


PAGES = ("/", "/hotels/", f"/hotels/{ABC}/rooms/", "/orders/unfinished/", "/guests/")
READ_KEYS: dict[str, tuple[Share, int]] = {
    "a hotel, its packed counts": (
        of(*(each.partition_of(hotel_id=ABC) for each in (HotelModel, PackedCountsModel))),
        2,
    ),
    "`hotels`: all hotels": KEYS["`hotels`: all hotels"],
    "eight shards of the group's statistics": KEYS["eight shards of the group's statistics"],
    "`unfinished-orders`: a status": (of(order_keys.UNFINISHED), len(STEPS)),
    "`guests`: all guests": KEYS["`guests`: all guests"],
}
"""The same for pages: a hotel with a room, and all else that a process has not cached."""


def read_units(calls: Iterable[Call]) -> Units:
    """Read units of each index, and of each partition of a table. The items of a batch have at most 4 KB."""
    units = Units()
    for call in calls:
        wanted = [key for table in call.request.get("RequestItems", {}).values() for key in table["Keys"]]
        wanted += filter(None, [call.request.get("Key")])
        names = [next((key[name]["S"] for name in ("pk", "PK") if name in key), "a session") for key in wanted]
        if not names:
            of_table = call.request["ExpressionAttributeValues"][":0"]["S"]
            names = [of_table if call.index.startswith("lsi") else call.index or of_table]
        for name in names:
            units[name] += float(call.units) / len(names)  # type: ignore[assignment]
    return units


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges index entries of transactions twice")
def test_the_document_says_what_writes_take_of_shared_keys() -> None:
    make_hotel([make_room("101")])
    measured = {}
    for name, write in WRITES.items():
        with charged() as measured[name]:
            write()

    assert_says(ROW, KEYS, MOST, measured)


@pytest.mark.usefixtures("staff")
@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges whole items for LSIs")
def test_the_document_says_what_pages_read_of_shared_keys(staff: Client) -> None:
    make_hotel([make_room("101")])
    orders.create_guest(make_guest("alex", name="Alexander"), "anna")
    orders.place_order(make_order("o-1"), "anna")
    measured = {}
    for address in PAGES:
        cache.clear()
        measured[f"`{address}`"] = read_units(staff.get(address).wsgi_request.ledger.calls)  # type: ignore[attr-defined]
    assert_says(READ_ROW, READ_KEYS, MOST_READ, measured)


def assert_says(
    rows: re.Pattern[str], shared: Mapping[str, tuple[Share, int]], most: int, measured: Mapping[str, Units]
) -> None:
    """Check the rows of a table in the document, each about a key, against what was measured."""

    def right(row: re.Match[str]) -> str:
        share, partitions = shared[row["key"]]
        units = share(measured[row["what"]])
        return f"| {row['key']} | {row['what']} | {units:g} | {most * partitions / units:,.0f} |"

    text = DOCUMENT.read_text(encoding="utf-8")
    if os.environ.get("UPDATE_DOCS"):
        text = rows.sub(right, text)
        DOCUMENT.write_text(text, encoding="utf-8")
    assert [row[0] for row in rows.finditer(text)] == [right(row) for row in rows.finditer(text)]
    assert {row["key"] for row in rows.finditer(text)} == set(shared)
