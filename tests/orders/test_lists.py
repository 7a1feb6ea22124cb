"""The pages of A2 to A9, in both directions, with many orders of the same second or the same total; and cursors."""

from datetime import date
from itertools import product
from typing import Any

import pytest

from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from orders import commands, keys, queries
from orders.entities import Guest, OrderQuery
from orders.statuses import Status
from tests.helpers.orders import (
    make_guest,
    make_order,
    profile,
    read,
    store,
    words,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
SHIPPED, PLACED = Status.SHIPPED, Status.PLACED
JAN_15, JAN_16 = date(2023, 1, 15), date(2023, 1, 16)


# --- Usernames ------------------------------------------------------------------------------------------


def test_one_person_has_one_username_however_it_is_typed() -> None:
    for typed in ("Zoë", " ZOE\u0308 ", "zoe\u0308", "Ｚｏë"):
        assert keys.username(typed) == "zoë"


# --- Cursors --------------------------------------------------------------------------------------------


def every_list(alex: Guest, bea: Guest) -> list[Listing[Any]]:
    """Different lists, each with more than ten rows."""
    of_a_guest = [
        queries.guest_orders(guest, OrderQuery(status, first, before, descending))
        for guest, descending in product((alex, bea), (True, False))
        for status, first, before in (
            (None, None, None),
            (None, JAN_15, None),
            (None, None, JAN_16),
            (PLACED, None, None),
            (SHIPPED, None, None),
            (SHIPPED, JAN_15, None),
            (SHIPPED, None, JAN_16),
            (SHIPPED, JAN_15, JAN_16),
        )
    ]
    of_all: list[Listing[Any]] = [
        queries.unfinished_orders(status, hotels, descending=descending)
        for status, hotels, descending in product((None, PLACED), (None, (ABC,), (ABC, "xyz")), (True, False))
    ]
    of_all += [
        queries.hotel_orders(hotel, OrderQuery(status, first, None, descending))
        for hotel, status, first, descending in product((ABC, "xyz"), (None, PLACED), (None, JAN_15), (True, False))
    ]
    big = [queries.big_orders(hotel, descending=descending) for hotel in (ABC, "xyz") for descending in (True, False)]
    guests = [queries.guests(descending=descending) for descending in (True, False)]
    return [*of_a_guest, *of_all, *big, *guests, queries.guests_found(words("g"))]


def test_a_cursor_is_refused_by_every_other_list_and_page_size() -> None:
    store(
        [
            make_order(f"{name}-{status}-{n:02d}", name, status, total=1000, hotel_id=ABC if n % 2 else "xyz")
            for name in ("alex", "bea")
            for status in (PLACED, SHIPPED)
            for n in range(12)
        ]
    )
    commands.add_missing_guests([make_guest(f"g{n:02d}") for n in range(11)])
    listings = every_list(profile("alex"), profile("bea"))
    for number, listing in enumerate(listings):
        page, _ = read(listing)
        for cursor in (page.next, page.last):
            assert cursor
            assert len(read_page(listing, 10, cursor).rows) > 0
            for size in (25, 50, 100):
                with pytest.raises(BadCursor):
                    read_page(listing, size, cursor)
            for other in listings[:number] + listings[number + 1 :]:
                with pytest.raises(BadCursor):
                    read_page(other, 10, cursor)
