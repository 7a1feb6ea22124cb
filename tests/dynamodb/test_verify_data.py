"""``verify_data`` beside writers, and with reads that are behind."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from itertools import count
from threading import Event
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest

from dynamodb_lists.connection.client import client
from dynamodb_lists.maintenance import verification
from dynamodb_lists.maintenance.rules import GroupRule, Identity, Observation
from dynamodb_lists.tests.helpers.answers import answer, answering
from orders import commands as orders
from orders.statuses import Status
from reviews import commands as reviews
from rooms import commands as rooms
from tests.helpers.faults import (
    COUNTS,
    DIRTY_ROOM,
    HOTELS,
    ORDER,
    ORDERS,
    Key,
    N,
    S,
    change,
    delete,
    item,
    settle_in,
    verify,
)
from tests.helpers.faults import fill as fill_examples
from tests.helpers.kinds import assert_all_in_step
from tests.helpers.orders import make_items, make_order
from tests.helpers.reviews import make_review
from tests.helpers.rooms import make_hotel, make_room
from tests.helpers.writes import delete_review, delete_room, edit_review, edit_room

fill = fill_examples


@pytest.fixture(autouse=True)
def _short_settling(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine has no index that is behind, and its transactions take milliseconds."""
    settle_in(monkeypatch, 0.05)


def test_data_in_step_has_no_faults_and_is_not_written() -> None:
    sent: set[str] = set()

    def note(event_name: str, **_: Any) -> None:
        sent.add(event_name.rpartition(".")[2])

    client().meta.events.register("before-send.dynamodb", note)
    try:
        assert verify("--repair") == ("", True)
    finally:
        client().meta.events.unregister("before-send.dynamodb", note)
    assert {"Scan", "DescribeTable"} <= sent <= {"Scan", "DescribeTable", "GetItem", "BatchGetItem", "Query"}


def test_a_room_gets_a_time_for_its_lost_one_and_a_lost_count_the_labels_of_its_rooms() -> None:
    make_hotel([make_room("A1", view="Côté Jardin!")])
    count_key = (COUNTS, "côté-jardin#0240#suite")
    counted = item(HOTELS, count_key)
    change(HOTELS, DIRTY_ROOM, attention_since=None, attention_key=None)
    delete(HOTELS, count_key)
    assert verify("--repair")[1]
    after = item(HOTELS, DIRTY_ROOM)
    assert f"#{after['attention_since']['S']}#" in after["attention_key"]["S"]
    assert item(HOTELS, count_key) == counted
    assert "Côté Jardin!" in counted["labels"]["S"]
    assert_all_in_step()


@pytest.mark.parametrize(
    ("table", "key", "broken", "other"),
    [
        (HOTELS, (COUNTS, "garden#0241#suite"), {"number": N(9)}, {"number": N(7)}),
        (ORDERS, ORDER, {"status_shard": S("PLACED#99")}, {"revision": N(7)}),
    ],
    ids=["count", "keys"],
)
def test_somebody_who_changes_an_item_before_its_repair_is_not_overwritten(
    table: str, key: Key, broken: dict[str, Any], other: dict[str, Any]
) -> None:
    change(table, key, **broken)
    once = [1]

    def interfere(**_: Any) -> None:
        if once:
            once.pop()
            change(table, key, **other)

    with answering(interfere, "UpdateItem"):
        assert not verify("--repair")[1]
    assert item(table, key).items() >= {**broken, **other}.items()


def test_writers_beside_it_give_no_false_fault() -> None:
    stop = Event()

    def writing(write: Callable[[int], object]) -> int:
        for number in count():
            write(number)
            if stop.wait(0.01):
                return number
        raise AssertionError("count() has no end")

    def write_order(number: int) -> None:
        placed = orders.place_order(make_order(f"w-{number}", "alex", items=make_items(3), total=Decimal(2000)), "me")
        orders.take_step(placed, Status.PROCESSING, "me")

    def write_room(number: int) -> None:
        room = rooms.create_room(make_room(f"w-{number}"), "alice")
        moved = edit_room(room, replace(room, view="Garden", size=41), "alice")
        if number % 2:
            delete_room(moved, "alice")

    def write_review(number: int) -> None:
        review = reviews.add_review(make_review(f"w-{number}", "en", number % 5 + 1), "alice")
        edited = edit_review(review, replace(review, rating=(number + 1) % 5 + 1), "alice")
        if number % 2:
            delete_review(edited, "alice")

    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(writing, write) for write in (write_order, write_room, write_review)]
        try:
            outcome = verify("--repair")
        finally:
            stop.set()
    assert outcome == ("", True)
    assert min(writer.result() for writer in writers) > 1
    assert_all_in_step()


def test_a_scan_that_is_behind_gives_no_fault() -> None:
    """The reads of a scan are eventually consistent: they may show old states of items, and miss new items."""
    behind = {**item(ORDERS, ORDER), "status": S("SHIPPED")}

    def respond(request: AWSPreparedRequest, **_: Any) -> Any:
        assert isinstance(request.body, bytes)
        asked = json.loads(request.body)
        if asked["TableName"] != ORDERS:
            return None
        found = [behind] if asked["Segment"] == 0 else []
        return answer(200, Items=found, Count=len(found), ScannedCount=1)

    with answering(respond, "Scan"):
        assert verify("--repair") == ("", True)
    assert_all_in_step()


class Unsteady(GroupRule):
    """A group that is observed as the test says."""

    settle_seconds = 0

    def __init__(self, *amounts: int) -> None:
        self.amounts = list(amounts)

    def entries(self, item: Any) -> Iterator[Any]:
        yield from ()

    def stored(self, identity: Identity) -> Mapping[str, int]:
        return {"": self.amounts.pop(0)}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        return {"": 1}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        return ""


@pytest.mark.parametrize(
    ("amounts", "faults"),
    [
        ((1, 1), []),
        ((0,) * 10, [0]),
        ((0,) * 8 + (2,) * 10, [2]),
        ((*range(2, 42),), []),
    ],
    ids=str,
)
def test_a_group_is_wrong_after_five_observations_alike(amounts: tuple[int, ...], faults: list[int]) -> None:
    """Each observation reads what is stored twice, around the items."""
    rule = Unsteady(*amounts)
    assert [seen.stored[""] for _, seen in verification.confirmed(rule, [("x",)]) if seen] == faults
    assert not rule.amounts
