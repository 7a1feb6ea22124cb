"""What lists and reads of orders return, and whose their cursors are."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest

from dynamodb_lists import EVER, BadCursor, Days, Listing, ledger, read_page
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from orders import models, queries
from orders.statuses import UNFINISHED, Status
from portal.people import HotelScope
from tests.helpers.orders import (
    AT,
    dated,
    make_items,
    make_order,
    profile,
    read,
    store,
    stored,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
PLACED, SHIPPED = Status.PLACED, Status.SHIPPED
JAN_15, JAN_16 = date(2023, 1, 15), date(2023, 1, 16)
ASKED: list[tuple[Days, Status | None, bool]] = [
    (EVER, PLACED, True),
    ((JAN_15, None), None, True),
    ((None, JAN_16), None, True),
    (EVER, None, False),
]
"""Days, a status, and whether the newest come first."""
DAY = timedelta(days=1)


def test_a2_a_list_holds_the_summary_of_an_order() -> None:
    order = make_order("o-1", status=SHIPPED, status_at=AT + DAY, total="1234.56", currency="JPY", hotel_id="hôtel")
    store([order])
    expected = replace(order, guest_name="alex", items=(), history=())
    for listing in (
        queries.guest_orders(profile()).listing(),
        queries.guest_orders(profile(), SHIPPED).listing(),
        queries.big_orders("hôtel"),
        queries.orders_in(hotel_id="hôtel").listing(),
        queries.placed(UNFINISHED).listing(),
    ):
        assert read_page(listing, 10).rows == (expected,)


def test_a3_an_order_whose_lines_are_not_all_in_the_index_is_read_from_the_table() -> None:
    """The index is behind, as an eventually consistent index may be."""
    store([make_order("o-1", items=make_items(3))])
    line = {"PK": {"S": "ORDER#o-1#ITEM#002"}, "SK": {"S": "ORDER#o-1"}}
    client().update_item(TableName=models.TABLE, Key=line, UpdateExpression="REMOVE order_id")
    assert queries.order("o-1") == stored()
    assert len(stored().items) == 3


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


def test_a_cursor_is_refused_by_every_other_list_and_page_size() -> None:
    """Another list is that of another guest, status, range of days, direction or scope of hotels."""
    orders = [
        make_order(f"{name}-{n:02d}", name, PLACED, hotel_id=ABC if n % 2 else "xyz")
        for name in ("alex", "bea")
        for n in range(24)
    ]
    store(orders)
    alex, bea = profile("alex"), profile("bea")
    scopes = [HotelScope(hotels) for hotels in (None, frozenset({ABC}), frozenset({ABC, "xyz"}))]
    found = [
        *(scope.of(queries.guest_orders(guest)) for guest in (alex, bea) for scope in scopes[:2]),
        *(dated(queries.guest_orders(alex, status), on, status, descending=last) for on, status, last in ASKED),
        *(queries.orders_in(hotel_id=hotel) for hotel in (ABC, "xyz")),
        *(
            dated(queries.orders_in(status, hotel_id=hotel), on, status, descending=last)
            for hotel, (on, status, last) in product((ABC, "xyz"), ASKED)
        ),
        *(
            dated(scope.of(queries.placed(statuses)), descending=last)
            for statuses, scope, last in product((UNFINISHED, [PLACED]), scopes, (True, False))
        ),
    ]
    listings: list[Listing[Any]] = [query.listing() for query in found]
    for number, listing in enumerate(listings):
        page, _ = read(listing)
        assert page.next
        assert len(read_page(listing, 10, page.next).rows) > 0
        with pytest.raises(BadCursor):
            read_page(listing, 25, page.next)
        for other in listings[:number] + listings[number + 1 :]:
            with pytest.raises(BadCursor):
                read_page(other, 10, page.next)
