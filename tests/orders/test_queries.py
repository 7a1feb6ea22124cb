"""A1 to A9: what each access pattern returns.

The pages of the lists are in ``test_lists.py``, and the costs of each pattern in ``docs/costs.json``.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading.pages import read_page
from orders import commands, models, queries
from orders.entities import OrderQuery
from orders.statuses import Status
from tests.helpers.orders import AT, make_guest, make_items, make_order, profile, store, stored

pytestmark = pytest.mark.usefixtures("empty_tables")
ALEX = make_guest("alex")
SHIPPED = Status.SHIPPED
DAY = timedelta(days=1)
# --- A1 -------------------------------------------------------------------------------------------------


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


# --- A3 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 90])
def test_a3_an_order_has_all_its_items_and_no_others(count: int) -> None:
    items = make_items(count)
    order = make_order("o-1", status=SHIPPED, status_at=AT + DAY, total=sum(item.total for item in items), items=items)
    store([order, make_order("o-10"), make_order("o-2")])
    assert queries.order("o-1") == replace(order, guest_name="alex")


def test_a3_an_order_whose_lines_are_not_all_in_the_index_is_read_from_the_table() -> None:
    """The index is behind."""
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
