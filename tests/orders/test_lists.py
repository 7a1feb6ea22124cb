"""A cursor is of one list of orders."""

from datetime import date
from itertools import product
from typing import Any

import pytest

from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from orders import queries
from orders.entities import OrderQuery
from orders.statuses import Status
from tests.helpers.orders import (
    make_order,
    profile,
    read,
    store,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
PLACED = Status.PLACED
JAN_15, JAN_16 = date(2023, 1, 15), date(2023, 1, 16)
QUERIES = [OrderQuery(PLACED), OrderQuery(first=JAN_15), OrderQuery(before=JAN_16), OrderQuery(descending=False)]


def test_a_cursor_is_refused_by_every_other_list_and_page_size() -> None:
    """Of another guest, status, range of days, direction or scope of hotels."""
    orders = [
        make_order(f"{name}-{n:02d}", name, PLACED, hotel_id=ABC if n % 2 else "xyz")
        for name in ("alex", "bea")
        for n in range(24)
    ]
    store(orders)
    alex, bea = profile("alex"), profile("bea")
    listings: list[Listing[Any]] = [
        *(queries.guest_orders(guest, hotel_ids=hotels) for guest in (alex, bea) for hotels in (None, [ABC])),
        *(queries.guest_orders(alex, query) for query in QUERIES),
        *(queries.hotel_orders(hotel, query) for hotel in (ABC, "xyz") for query in (OrderQuery(), *QUERIES)),
        *(
            queries.unfinished_orders(status, hotels, descending=descending)
            for status, hotels, descending in product((None, PLACED), (None, (ABC,), (ABC, "xyz")), (True, False))
        ),
    ]
    for number, listing in enumerate(listings):
        page, _ = read(listing)
        assert page.next
        assert len(read_page(listing, 10, page.next).rows) > 0
        with pytest.raises(BadCursor):
            read_page(listing, 25, page.next)
        for other in listings[:number] + listings[number + 1 :]:
            with pytest.raises(BadCursor):
                read_page(other, 10, page.next)
