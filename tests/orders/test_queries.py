"""A1 to A9: what each access pattern returns.

The pages of the lists are in ``test_lists.py``, and the costs of each pattern in ``docs/costs.json``.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading.pages import read_page
from orders import models, queries
from orders.entities import OrderQuery
from orders.statuses import Status
from tests.helpers.orders import AT, make_items, make_order, profile, store, stored

pytestmark = pytest.mark.usefixtures("empty_tables")
SHIPPED = Status.SHIPPED
DAY = timedelta(days=1)
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


def test_a3_an_order_whose_lines_are_not_all_in_the_index_is_read_from_the_table() -> None:
    """The index is behind."""
    store([make_order("o-1", items=make_items(3))])
    line = {"PK": {"S": "ORDER#o-1#ITEM#002"}, "SK": {"S": "ORDER#o-1"}}
    client().update_item(TableName=models.TABLE, Key=line, UpdateExpression="REMOVE order_id")
    assert queries.order("o-1") == stored()
    assert len(stored().items) == 3


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
