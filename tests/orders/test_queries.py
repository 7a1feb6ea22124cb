"""A1 to A9: what each access pattern returns.

The pages of the lists are in ``test_lists.py``, and the costs of each pattern in ``docs/costs.json``.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import read_page
from orders import commands, models, queries
from orders.entities import OrderQuery
from orders.statuses import Status
from tests.helpers.orders import (
    AT,
    ids,
    make_guest,
    make_items,
    make_order,
    profile,
    store,
    stored,
    words,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
ALEX = make_guest("alex")
SHIPPED = Status.SHIPPED
DAY = timedelta(days=1)
JAN_15, JAN_16, JAN_17 = (date(2023, 1, day) for day in (15, 16, 17))


def asked(listing: Listing[Any]) -> list[str]:
    """The ids of a page of ten."""
    return ids(read_page(listing, 10).rows)


# --- A1 -------------------------------------------------------------------------------------------------


def test_a1_a_guest_has_the_counts_of_the_orders() -> None:
    commands.create_guest(make_guest("alex", email="alex@example.com", phone="+33 1", added_at=AT), "alice")
    store([make_order("o-1"), make_order("o-2"), make_order("o-3", status=SHIPPED)])
    guest = queries.guest("alex")
    assert (guest.name, guest.email, guest.phone, guest.added_at) == ("Alex Doe", "alex@example.com", "+33 1", AT)
    assert guest.orders == {**dict.fromkeys(Status, 0), Status.PLACED: 2, SHIPPED: 1}
    assert guest.total_orders == 3


@pytest.mark.parametrize("username", ["nobody", "a#b", "", "Alex", "x" * 65])
def test_a1_who_is_not_there_is_not_found(username: str) -> None:
    commands.create_guest(ALEX, "alice")
    with pytest.raises(NotFound):
        queries.guest(username)


# --- A2 -------------------------------------------------------------------------------------------------


def test_a2_a_list_holds_the_summary_of_an_order() -> None:
    order = make_order("o-1", status=SHIPPED, status_at=AT + DAY, total="1234.56", currency="JPY", hotel_id="hôtel")
    store([order])
    expected = replace(order, guest_name="alex", items=(), history=())
    for listing in (
        queries.guest_orders(profile()),
        queries.guest_orders(profile(), OrderQuery(SHIPPED)),
        queries.big_orders("hôtel"),
        queries.hotel_orders("hôtel"),
        queries.unfinished_orders(),
    ):
        assert read_page(listing, 10).rows == (expected,)


EDGES = {
    "the second before": datetime(2023, 1, 14, 23, 59, 59, tzinfo=UTC),
    "the first second": datetime(2023, 1, 15, tzinfo=UTC),
    "the last second": datetime(2023, 1, 16, 23, 59, 59, tzinfo=UTC),
    "the second after": datetime(2023, 1, 17, tzinfo=UTC),
    "half past midnight in Kyiv": datetime(2023, 1, 15, 0, 30, tzinfo=timezone(timedelta(hours=2))),
    "half past eleven at night in New York": datetime(2023, 1, 14, 23, 30, tzinfo=timezone(-timedelta(hours=5))),
}
ON_THE_DAYS = {"the first second", "the last second", "half past eleven at night in New York"}


@pytest.mark.parametrize("status", [None, SHIPPED])
def test_a2_a5_a6_days_are_whole_utc_days(status: Status | None) -> None:
    names = {f"o-{n}": name for n, name in enumerate(EDGES)}
    store([make_order(each, status=status or Status.PLACED, placed_at=EDGES[name]) for each, name in names.items()])
    earlier, later = {"the second before", "half past midnight in Kyiv"}, {"the second after"}
    for first, before, wanted in (
        (JAN_15, JAN_17, ON_THE_DAYS),
        (None, JAN_15, earlier),
        (None, JAN_17, earlier | ON_THE_DAYS),
        (JAN_15, None, ON_THE_DAYS | later),
        (JAN_17, None, later),
    ):
        shown = asked(queries.guest_orders(ALEX, OrderQuery(status, first, before)))
        assert {names[order_id] for order_id in shown} == wanted, (first, before)


# --- A3 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 90])
def test_a3_an_order_has_all_its_items_and_no_others(count: int) -> None:
    items = make_items(count)
    order = make_order("o-1", status=SHIPPED, status_at=AT + DAY, total=sum(item.total for item in items), items=items)
    store([order, make_order("o-10"), make_order("o-2")])
    assert queries.order("o-1") == replace(order, guest_name="alex")


def test_a3_an_order_whose_lines_are_not_all_in_the_index_is_read_from_the_table() -> None:
    """The index is behind, or ``upgrade_items`` has not reached the line yet."""
    store([make_order("o-1", items=make_items(3))])
    line = {"PK": {"S": "ORDER#o-1#ITEM#002"}, "SK": {"S": "ORDER#o-1"}}
    client().update_item(TableName=models.TABLE, Key=line, UpdateExpression="REMOVE order_id")
    assert queries.order("o-1") == stored()
    assert len(stored().items) == 3


def test_a3_no_order_is_not_found() -> None:
    store([make_order("o-1")])
    for order_id in ("o-2", "o", "", "o#1", "O-1", "ö"):
        with pytest.raises(NotFound):
            queries.order(order_id)


# --- A5 to A9 -------------------------------------------------------------------------------------------


def test_a5_shipped_before_a_day_holds_no_other_status() -> None:
    """CANCELLED, DELIVERED, PLACED and PROCESSING sort before SHIPPED. An open lower end would return them, too."""
    at = AT - 30 * DAY
    store([make_order(f"o-{status}", status=status, placed_at=at, status_at=at) for status in Status])
    assert asked(queries.guest_orders(ALEX, OrderQuery(SHIPPED, before=JAN_15))) == ["o-SHIPPED"]


@pytest.mark.parametrize("descending", [True, False])
def test_a8_big_orders_of_a_hotel_by_their_total(descending: bool) -> None:
    """Totals sort as numbers (2,500 is less than 10,000). The status does not matter, and 999.99 is not big."""
    totals = ["1000", "999.99", "10000", "2500", "1000.01", "0", "99999999999999999999"]
    statuses = [*Status, *Status]
    store([make_order(f"o-{n}", f"guest{n}", statuses[n], total=total) for n, total in enumerate(totals)])
    store([make_order("x", hotel_id="abcd", total=5000), make_order("y", hotel_id="ab", total=5000)])
    shown = asked(queries.big_orders(ABC, descending=descending))
    largest_first = ["o-6", "o-2", "o-3", "o-4", "o-0"]
    assert shown == (largest_first if descending else largest_first[::-1])


def test_a9_guests_by_a_word() -> None:
    commands.create_guest(make_guest("x1", "Émile Leroux"), "alice")
    commands.create_guest(make_guest("leroy", "Somebody"), "alice")
    commands.create_guest(make_guest("x2", "Somebody Else", email="lerner@example.com"), "alice")
    found = asked(queries.guests_found(words("ler")))
    assert found == ["x2", "x1", "leroy"], "in the order of lerner, leroux, leroy"


def test_a9_guests_by_two_words() -> None:
    commands.create_guest(make_guest("x1", "Émile Leroux"), "alice")
    commands.create_guest(make_guest("x2", "Emil Lerner"), "alice")
    commands.create_guest(make_guest("x3", "Emile Zola"), "alice")
    for text in ("emile ler", "LER émile"):
        assert asked(queries.guests_found(words(text))) == ["x1"]


def test_a_guest_sees_no_orders_of_one_whose_name_begins_alike() -> None:
    store([make_order("o-1", "al"), make_order("o-2", "alex"), make_order("o-3", "al", SHIPPED)])
    al = make_guest("al")
    assert ids(queries.guest_orders(al).stream()) == ["o-3", "o-1"]
    assert ids(queries.guest_orders(al, OrderQuery(Status.PLACED)).stream()) == ["o-1"]
    assert ids(queries.guest_orders(ALEX, OrderQuery(SHIPPED)).stream()) == []
    assert ids(queries.guests().stream()) == ["al", "alex"]


# --- For writers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "read_stored",
    [
        lambda: queries.order_as_stored("alex", "o-1"),
        lambda: queries.orders_as_stored([("alex", "o-1")]),
        lambda: queries.guests_as_stored(["alex"]),
        lambda: queries.guest("alex", consistent=True),
    ],
)
def test_what_a_write_is_compared_with_is_read_consistently(read_stored: Callable[[], object]) -> None:
    store([make_order("o-1")])
    with ledger.recording() as calls:
        assert read_stored()
    assert all(is_consistent(call) for call in calls.calls)


def is_consistent(call: Call) -> bool:
    tables = call.request.get("RequestItems", {"": call.request})
    return all(table.get("ConsistentRead", False) for table in tables.values())
