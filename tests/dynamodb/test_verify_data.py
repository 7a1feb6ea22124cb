"""``verify_data``: every invariant is broken by hand, reported with the item's name, and repaired if it can be."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from threading import Event
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest
from django.core.management import CommandError, call_command
from django.utils.module_loading import autodiscover_modules

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.maintenance import verification
from hotelapp.dynamodb.maintenance.invariants import GroupRule, Identity, Observation, group_rules
from orders import commands as orders
from orders import models as order_models
from orders.statuses import Status
from reviews import commands as reviews
from reviews import models as review_models
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.models import RoomModel
from rooms.statuses import Housekeeping
from tests.helpers.answers import answer, answering, refusal
from tests.helpers.orders import AT, assert_orders_in_step, make_items, make_order, orders_of_all_statuses, store
from tests.helpers.reviews import assert_reviews_in_step, make_review
from tests.helpers.rooms import assert_in_step, make_hotel, make_room

HOTELS, ORDERS, REVIEWS = RoomModel.Meta.table_name, order_models.TABLE, review_models.TABLE
ROOM = "room#sea-view#0040m#suite#101"
ROOMS, GUARDS, COUNTS = (f"hotel#abc#{kind}" for kind in ("rooms", "room-numbers", "room-counts"))
Key = tuple[str, str]


def fill() -> None:
    make_hotel([make_room(str(100 + n), ["Sea view", "Garden"][n % 2], 40 + n % 3, "Suite") for n in range(20)])
    rooms.set_status("abc", "102", StatusChange(Housekeeping.DIRTY), "anna")
    make_hotel([make_room("101", hotel_id="xyz")], hotel_id="xyz", name="Hotel XYZ")
    make_hotel([], hotel_id="empty", name="Empty")
    store(orders_of_all_statuses(25))
    store([make_order("lines", "bo", items=make_items(4)), make_order("none", "bo", items=(), total=0)])
    reviews.save_reviews(
        [make_review(f"r-{n}", ["en", "de"][n % 2], n % 5 + 1, AT + timedelta(hours=n)) for n in range(30)]
    )
    reviews.save_reviews([make_review("in-room", room_number="101")])


@pytest.fixture
def filling() -> Callable[[], None]:
    return fill


@pytest.fixture(autouse=True)
def _short_settling(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine has no index that is behind, and its transactions take milliseconds."""
    autodiscover_modules("invariants")
    for rule in group_rules:
        monkeypatch.setattr(rule, "settle_seconds", 0.05)


def run(*options: str) -> tuple[str, bool]:
    """The faults that the command names, and whether its exit status is 0."""
    err = StringIO()
    try:
        call_command("verify_data", *options, stdout=StringIO(), stderr=err)
    except CommandError:
        return err.getvalue(), False
    return err.getvalue(), True


def assert_all_in_step() -> None:
    assert_in_step()
    assert_orders_in_step()
    assert_reviews_in_step()


def key_of(table: str, key: Key) -> Any:
    names = ("PK", "SK") if table == ORDERS else ("pk", "sk")
    return {name: {"S": value} for name, value in zip(names, key, strict=True)}


def item(table: str, key: Key) -> dict[str, Any]:
    return dict(client().get_item(TableName=table, Key=key_of(table, key), ConsistentRead=True)["Item"])


def change(table: str, key: Key, **attributes: Any) -> None:
    """Set attributes of an item, or remove those that are ``None``."""
    changed = {**item(table, key), **attributes}
    client().put_item(TableName=table, Item={name: value for name, value in changed.items() if value is not None})


def change_both(number: str, room: Key, **attributes: Any) -> None:
    """Change a room and its guard, as a fault in a command would."""
    guard = {name: value for name, value in attributes.items() if not name.endswith("_key")}
    change(HOTELS, room, **attributes)
    change(HOTELS, (GUARDS, number), **guard)


def delete(table: str, key: Key) -> None:
    client().delete_item(TableName=table, Key=key_of(table, key))


def copy(table: str, key: Key, to: Key, **attributes: Any) -> None:
    names = key_of(table, to)
    client().put_item(TableName=table, Item={**item(table, key), **names, **attributes})


S: Callable[[str], Mapping[str, str]] = lambda value: {"S": value}  # noqa: E731
N: Callable[[int], Mapping[str, str]] = lambda value: {"N": str(value)}  # noqa: E731

ORDER = ("USER#alex", "ORDER#o-000")  # it is PLACED, and its total is 1000
PROCESSING, DELIVERED = ("USER#alex", "ORDER#o-007"), ("USER#alex", "ORDER#o-021")
DIRTY_ROOM = (ROOMS, "room#sea-view#0042m#suite#102")
REVIEW = ("REVIEW#r-1", "REVIEW")  # German, two stars

REPAIRABLE: dict[str, tuple[Callable[[], None], str]] = {
    "room-index-key": (
        lambda: change(HOTELS, (ROOMS, "room#garden#0041m#suite#101"), lsi2sk=S("x")),
        "room 101 of abc has wrong keys: lsi2sk",
    ),
    "room-rate-key": (
        lambda: change(HOTELS, (ROOMS, "room#garden#0041m#suite#101"), rate_key=S("EUR#0199#101")),
        "room 101 of abc has wrong keys: rate_key",
    ),
    "room-not-in-attention": (
        lambda: change(HOTELS, DIRTY_ROOM, attention_key=None),
        "room 102 of abc has wrong keys: attention_key",
    ),
    "room-in-attention-by-mistake": (
        lambda: change(HOTELS, (ROOMS, "room#garden#0041m#suite#101"), attention_key=S("2026-01-15T10:22:31Z#101")),
        "room 101 of abc has wrong keys: attention_key",
    ),
    "room-without-time": (
        lambda: change_both("102", DIRTY_ROOM, attention_since=None, attention_key=None),
        "room 102 of abc needs attention, but has no time since when",
    ),
    "room-with-time-by-mistake": (
        lambda: change_both("102", DIRTY_ROOM, housekeeping=None),
        "room 102 of abc needs no attention, but has a time since when",
    ),
    "count": (
        lambda: change(HOTELS, (COUNTS, "garden#0041m#suite"), rooms=N(9)),
        "the count of garden 0041m suite of abc is 9; the number of rooms is 4",
    ),
    "count-missing": (
        lambda: delete(HOTELS, (COUNTS, "garden#0041m#suite")),
        "the count of garden 0041m suite of abc is missing; the number of rooms is 4",
    ),
    "count-negative": (
        lambda: change(HOTELS, (COUNTS, "garden#0041m#suite"), rooms=N(-1)),
        "the count of garden 0041m suite of abc is -1; the number of rooms is 4",
    ),
    "count-of-nothing": (
        lambda: copy(HOTELS, (COUNTS, "garden#0041m#suite"), (COUNTS, "cave#0041m#suite")),
        "the count of cave 0041m suite of abc is 4; the number of rooms is 0",
    ),
    "hotel-total": (
        lambda: change(HOTELS, ("hotels", "hotel#abc"), rooms=N(21)),
        "the total of hotel abc is 21; the number of rooms is 20",
    ),
    "empty-hotel-total": (
        lambda: change(HOTELS, ("hotels", "hotel#empty"), rooms=N(1)),
        "the total of hotel empty is 1; the number of rooms is 0",
    ),
    "guard-index-key": (
        lambda: change(HOTELS, (GUARDS, "101"), any_hotel=None),
        "number guard 101 of abc has wrong any_hotel",
    ),
    "hotel-without-word": (
        lambda: delete(HOTELS, ("hotel-words#x", "xyz#xyz")),
        "xyz has no word item 'xyz'",
    ),
    "hotel-word-of-nothing": (
        lambda: copy(HOTELS, ("hotel-words#x", "xyz#xyz"), ("hotel-words#y", "yyy#nowhere")),
        "the word item 'yyy' of nowhere is surplus",
    ),
    "hotel-word-of-another-name": (
        lambda: change(HOTELS, ("hotel-words#x", "xyz#xyz"), name=S("Other")),
        "the word item 'xyz' of xyz differs from it",
    ),
    "guest-without-word": (lambda: delete(ORDERS, ("WORD#b", "bo#bo")), "bo has no word item 'bo'"),
    "guest-without-terms": (
        lambda: change(ORDERS, ("USER#bo", "PROFILE"), terms=None),
        "the word item 'bo' of bo differs from it",
    ),
    "guest-word-that-is-surplus": (
        lambda: copy(ORDERS, ("WORD#b", "bo#bo"), ("WORD#z", "zoe#bo")),
        "the word item 'zoe' of bo is surplus",
    ),
    "guest-word-of-nobody": (
        lambda: copy(ORDERS, ("WORD#b", "bo#bo"), ("WORD#b", "bo#nobody")),
        "the word item 'bo' of nobody is surplus",
    ),
    "order-status-key": (
        lambda: change(ORDERS, ORDER, order_status_date=S("SHIPPED#2023")),
        "order o-000 of alex has wrong order_status_date",
    ),
    "order-not-open": (
        lambda: change(ORDERS, ORDER, placed_shard=None, placed_id=None),
        "order o-000 of alex has wrong placed_shard, placed_id",
    ),
    "order-not-big": (
        lambda: change(ORDERS, ORDER, big_order_total=None),
        "order o-000 of alex has wrong big_order_total",
    ),
    "order-not-unfinished": (
        lambda: change(ORDERS, PROCESSING, unfinished_shard=None, unfinished_hotel=None),
        "order o-007 of alex has wrong unfinished_shard, unfinished_hotel",
    ),
    "order-in-the-list-of-another-status": (
        lambda: change(ORDERS, PROCESSING, placed_shard=S("PLACED#0"), unfinished_hotel=S("abc#PLACED")),
        "order o-007 of alex has wrong placed_shard, unfinished_hotel",
    ),
    "order-unfinished-by-mistake": (
        lambda: change(ORDERS, DELIVERED, placed_shard=S("SHIPPED#0"), placed_id=S("x"), unfinished_shard=S("x")),
        "order o-021 of alex has wrong placed_shard, placed_id, unfinished_shard",
    ),
    "guest-counts": (
        lambda: change(ORDERS, ("USER#alex", "PROFILE"), orders_placed=N(4), orders_shipped=None),
        "the profile of alex counts PLACED 4 instead of 5, SHIPPED 0 instead of 5",
    ),
    "guest-not-listed": (
        lambda: change(ORDERS, ("USER#alex", "PROFILE"), guest_shard=None),
        "the profile of alex has wrong guest_shard",
    ),
    "guest-in-another-shard": (
        lambda: change(ORDERS, ("USER#alex", "PROFILE"), guest_shard=S("GUEST#9")),
        "the profile of alex has wrong guest_shard",
    ),
    "review-keys": (
        lambda: change(REVIEWS, REVIEW, language_key=S("hotel#abc#en"), room_key=S("hotel#abc#room#1")),
        "review r-1 of abc has wrong language_key, room_key",
    ),
    "review-counted-by-its-index": (
        lambda: change(REVIEWS, REVIEW, language_rating_key=S("hotel#abc#en#5")),
        "review r-1 of abc has wrong language_rating_key",
    ),
    "review-room-key": (
        lambda: change(REVIEWS, ("REVIEW#in-room", "REVIEW"), room_key=None),
        "review in-room of abc has wrong room_key",
    ),
    "review-count": (
        lambda: change(REVIEWS, ("hotel#abc#review-counts", "de#2"), reviews=N(0)),
        "the count of de 2 of abc is 0; the number of reviews is 3",
    ),
    "review-count-missing": (
        lambda: delete(REVIEWS, ("hotel#abc#review-counts", "de#2")),
        "the count of de 2 of abc is missing; the number of reviews is 3",
    ),
}


@pytest.mark.parametrize("name", REPAIRABLE)
def test_what_is_broken_is_named_and_repaired(name: str) -> None:
    breaking, words = REPAIRABLE[name]
    breaking()
    with pytest.raises((AssertionError, KeyError)):
        assert_all_in_step()
    faults, passed = run()
    assert not passed
    assert [line.partition(": ")[2] for line in faults.splitlines()] == [f"{words}."]
    faults, passed = run("--repair")
    assert passed
    assert f"{words}. Repaired." in faults
    assert_all_in_step()
    assert run() == ("", True)


LEFT: dict[str, tuple[Callable[[], None], str]] = {
    "guard-missing": (
        lambda: delete(HOTELS, (GUARDS, "101")),
        "room 101 of abc has no number guard that agrees with it",
    ),
    "guard-differs": (
        lambda: change(HOTELS, (GUARDS, "101"), rate=N(7)),
        "room 101 of abc and its number guard differ",
    ),
    "guard-alone": (
        lambda: copy(HOTELS, (GUARDS, "101"), (GUARDS, "999"), number=S("999")),
        "number guard 999 of abc has no room room#garden#0041m#suite#999",
    ),
    "guard-of-another-number": (
        lambda: change(HOTELS, (GUARDS, "101"), number=S("999")),
        "number guard 101 of abc has the number 999",
    ),
    "hotel-missing": (
        lambda: delete(HOTELS, ("hotels", "hotel#xyz")),
        "there is no hotel xyz, but there are 1 rooms of it",
    ),
    "profile-missing": (
        lambda: delete(ORDERS, ("USER#bo", "PROFILE")),
        "guest bo has 2 orders and no profile",
    ),
    "profile-of-another": (
        lambda: change(ORDERS, ("USER#bo", "PROFILE"), username=S("someone")),
        "profile USER#bo has the username someone",
    ),
    "history": (
        lambda: change(ORDERS, ORDER, history={"L": []}),
        "order o-000 of alex has wrong history",
    ),
    "order-of-another": (
        lambda: change(ORDERS, ORDER, username=S("bo")),
        "order o-000 of bo has wrong PK",
    ),
    "catalogue-entry-of-another-sku": (
        lambda: change(ORDERS, ("CATALOGUE#abc", "SKU#sku-0"), sku=S("sku-1")),
        "item sku-1 of abc has the key SKU#sku-0",
    ),
    "line-missing": (
        lambda: delete(ORDERS, ("ORDER#lines#ITEM#003", "ORDER#lines")),
        "order lines lacks item 3",
    ),
    "line-surplus": (
        lambda: copy(ORDERS, ("ORDER#lines#ITEM#003", "ORDER#lines"), ("ORDER#lines#ITEM#007", "ORDER#lines")),
        "order lines has surplus item 7",
    ),
    "placeholder-missing": (
        lambda: delete(ORDERS, ("ORDER#none#ITEM#001", "ORDER#none")),
        "order none lacks item 1",
    ),
    "lines-alone": (
        lambda: copy(ORDERS, ("ORDER#none#ITEM#001", "ORDER#none"), ("ORDER#lost#ITEM#001", "ORDER#lost")),
        "items of lost have no order",
    ),
    "order-twice": (
        lambda: copy(ORDERS, ORDER, ("USER#bo", "ORDER#o-000"), username=S("bo")),
        "two guests have an order o-000",
    ),
    "order-unreadable": (
        lambda: change(ORDERS, ORDER, currency=None),
        "USER#alex ORDER#o-000 cannot be read: KeyError 'currency'",
    ),
    "review-unreadable": (
        lambda: change(REVIEWS, REVIEW, created_id=S("yesterday")),
        "REVIEW#r-1 REVIEW cannot be read: ValueError",
    ),
    "review-under-another-id": (
        lambda: copy(REVIEWS, REVIEW, ("REVIEW#r-x", "REVIEW")),
        "review r-1 of abc has wrong pk",
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_only_people_can_mend_is_named_and_left(name: str) -> None:
    breaking, words = LEFT[name]
    breaking()
    faults, passed = run()
    assert not passed
    assert words in faults
    again, passed = run("--repair")
    assert not passed
    assert words in again
    assert f"{words}. Repaired" not in again


def test_data_in_step_has_no_faults_and_is_not_written() -> None:
    sent: set[str] = set()

    def note(event_name: str, **_: Any) -> None:
        sent.add(event_name.rpartition(".")[2])

    client().meta.events.register("before-send.dynamodb", note)
    try:
        assert run("--repair") == ("", True)
    finally:
        client().meta.events.unregister("before-send.dynamodb", note)
    assert sent == {"Scan", "DescribeTable"}


def test_every_fault_is_found_at_once_however_few_buckets_are_compared_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verification, "BUCKETS_AT_ONCE", 1)
    for breaking, _ in (REPAIRABLE[name] for name in ("count", "hotel-total", "guest-counts", "review-count")):
        breaking()
    change(HOTELS, (COUNTS, "sea-view#0040m#suite"), rooms=N(99))
    faults, _ = run("--repair")
    assert len(faults.splitlines()) == 5
    assert_all_in_step()


def test_a_room_that_lost_its_time_gets_it_back_from_its_guard() -> None:
    before = item(HOTELS, DIRTY_ROOM)
    change(HOTELS, DIRTY_ROOM, attention_since=None, attention_key=None)
    assert run("--repair")[1]
    after = item(HOTELS, DIRTY_ROOM)
    assert (after["attention_since"], after["attention_key"]) == (before["attention_since"], before["attention_key"])
    assert_all_in_step()


def test_a_missing_count_gets_the_labels_of_its_rooms() -> None:
    make_hotel([make_room("A1", view="Côté Jardin!")])
    before = item(HOTELS, (COUNTS, "côté-jardin#0040m#suite"))
    assert before["view"] == {"S": "Côté Jardin!"}
    delete(HOTELS, (COUNTS, "côté-jardin#0040m#suite"))
    assert run("--repair")[1]
    assert item(HOTELS, (COUNTS, "côté-jardin#0040m#suite")) == before


def test_somebody_who_changes_a_count_before_its_repair_is_not_overwritten() -> None:
    change(HOTELS, (COUNTS, "garden#0041m#suite"), rooms=N(9))
    once = [1]

    def interfere(**_: Any) -> None:
        if once:
            once.pop()
            change(HOTELS, (COUNTS, "garden#0041m#suite"), rooms=N(7))

    with answering(interfere, "UpdateItem"):
        faults, passed = run("--repair")
    assert not passed
    assert "Repaired" not in faults
    assert item(HOTELS, (COUNTS, "garden#0041m#suite"))["rooms"] == N(7)
    assert run("--repair")[1]
    assert_all_in_step()


def test_writers_beside_it_give_no_false_fault() -> None:
    stop = Event()

    def writing(write: Callable[[int], object]) -> int:
        number = 0
        while not stop.is_set():
            write(number)
            number += 1
        return number

    def write_order(number: int) -> None:
        placed = orders.place_order(make_order(f"w-{number}", "alex", items=make_items(3), total=Decimal(2000)), "me")
        orders.take_step(placed, Status.PROCESSING, "me")

    def write_room(number: int) -> None:
        room = rooms.create_room(make_room(f"w-{number}"), "alice")
        moved = rooms.edit_room(room, replace(room, view="Garden", size=41), "alice")
        if number % 2:
            rooms.delete_room(moved, "alice")

    def write_review(number: int) -> None:
        review = reviews.add_review(make_review(f"w-{number}", "en", number % 5 + 1), "alice")
        edited = reviews.edit_review(review, replace(review, rating=(number + 1) % 5 + 1), "alice")
        if number % 2:
            reviews.delete_review(edited, "alice")

    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(writing, write) for write in (write_order, write_room, write_review)]
        try:
            outcomes = [run("--repair") for _ in range(4)]
        finally:
            stop.set()
    assert outcomes == [("", True)] * 4
    assert min(writer.result() for writer in writers) > 5
    assert_all_in_step()


def test_a_scan_that_is_behind_gives_no_fault() -> None:
    """Its reads are eventually consistent, so it may show items as they were, and miss new ones."""
    behind = {**item(ORDERS, ORDER), "status": S("SHIPPED")}

    def respond(request: AWSPreparedRequest, **_: Any) -> Any:
        assert isinstance(request.body, bytes)
        asked = json.loads(request.body)
        if asked["TableName"] != ORDERS:
            return None
        return answer(200, Items=[behind] if asked["Segment"] == 0 else [], Count=1, ScannedCount=1)

    with answering(respond, "Scan"):
        assert run("--repair") == ("", True)
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
        ((0,) * 8 + (1, 1), []),
        ((0,) * 8 + (2,) * 10, [2]),
        ((0, 1) * 3 + (0,) * 10, [0]),
        ((*range(2, 42),), []),
        (((0, 0, 2, 2) * 10), []),
    ],
    ids=str,
)
def test_a_group_is_wrong_after_five_observations_alike(amounts: tuple[int, ...], faults: list[int]) -> None:
    """Each observation reads what is stored twice, around the items."""
    rule = Unsteady(*amounts)
    assert [seen.stored[""] for _, seen in verification.confirmed(rule, [("x",)])] == faults
    assert not rule.amounts


def test_a_database_that_is_away_ends_the_command() -> None:
    with (
        answering(lambda **_: refusal("ValidationException"), "Scan"),
        pytest.raises(CommandError, match="what was repaired stays") as caught,
    ):
        call_command("verify_data", stdout=StringIO())
    assert caught.value.returncode == 1
