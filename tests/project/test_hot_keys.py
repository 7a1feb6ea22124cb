"""docs/requests.md says what each write takes of the keys that many share, as the engine charges it."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.charged import A_SECOND, WRITE_UNITS, recorded
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels.models import GroupStatisticsModel, StatisticsModel
from orders import commands as orders
from orders import keys as order_keys
from orders.models import GuestModel, GuestWordModel
from orders.statuses import Status
from portal.history import keys as history_keys
from reviews import commands as reviews
from reviews.models import ReviewCountModel
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping
from tests.helpers import documents
from tests.helpers.orders import make_guest, make_order
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "requests.md"
ROW = re.compile(r"^\| (?P<key>[^|\n]+) \| (?P<what>an? [^|\n]+) \| [\d.]+ \| [\d,]+ \|", re.MULTILINE)
STEPS = (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
Units = Counter[str]


def charged(call: Callable[[], object]) -> Units:
    """Return the write units that a call takes of each index, and of each partition of a table with its LSIs."""
    units = Units()
    with recorded() as uses:
        call()
    for use, taken in uses.items():
        units[use.place.partition(" ")[2] or use.key] += taken if use.what == WRITE_UNITS else 0
    return units


def an_order() -> None:
    """An order from the form to the guest."""
    order = orders.place_order(make_order("o-1"), "anna")
    for step in STEPS:
        order = orders.take_step(order, step, "anna")


WRITES: dict[str, Callable[[], object]] = {
    "a guest": lambda: create_guest(make_guest("alex", name="Alexander"), "anna"),
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
    "`by-staff`: a person; `in-hotel`: a hotel": (
        lambda units: max(units[history_keys.BY_STAFF], units[history_keys.IN_HOTEL]),
        1,
    ),
    "`unfinished-orders`, `orders-by-status`: a status": (
        # An order is in three and in four, one after the other, and stays in the last one of all orders.
        lambda units: max(units[order_keys.UNFINISHED] / len(STEPS), (units[order_keys.BY_STATUS] + 1) / 4),
        1,
    ),
    "`orders-by-time`: all orders": (of(order_keys.BY_TIME), 1),
    "`guests`: all guests": (of(order_keys.GUESTS), GuestModel.guest_shard.template.pieces[-1].coder.shards),
    "words of guests with one initial": (of(GuestWordModel.partition_of(initials="a")), 1),
    "the counts of a hotel's rooms": (of(ROOMS.declaration.counts_partition([ABC])), 1),
    "a hotel's rooms": (of(ROOMS.model.partition_of(hotel_id=ABC)), 1),
    "the statistics of a hotel": (of(StatisticsModel.partition_of(hotel_id=ABC)), 1),
    "eight shards of the group's statistics": (of(GroupStatisticsModel.partition_of(partition="")), 1),
    "the counts of a hotel's reviews": (of(ReviewCountModel.partition_of(hotel_id=ABC)), 1),
    "`by-hotel` of `reviews`: a hotel": (of("by-hotel"), 1),
}
"""Each key of the document: what a write takes of it, and over how many partitions its writes are spread."""


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges index entries of transactions twice")
def test_the_document_says_what_writes_take_of_shared_keys() -> None:
    make_hotel([make_room("101")])
    measured = {name: charged(write) for name, write in WRITES.items()}

    def right(row: re.Match[str]) -> str:
        share, partitions = KEYS[row["key"]]
        units = share(measured[row["what"]])
        return f"| {row['key']} | {row['what']} | {units:g} | {A_SECOND[WRITE_UNITS] * partitions / units:,.0f} |"

    text = DOCUMENT.read_text(encoding="utf-8")
    documents.assert_says(DOCUMENT, ROW.sub(right, text))
    assert {row["key"] for row in ROW.finditer(text)} == set(KEYS)
