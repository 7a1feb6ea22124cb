"""Sums of orders: of a list that is whole. A part never looks whole."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from dynamodb_lists.schema.keys import now
from orders.statuses import Status
from tests.helpers.markup import get
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NBSP = "\u00a0"
OF_HOTEL = f"/hotels/{ABC}/orders/"


def total(client: Client, address: str) -> str:
    """Return the sum that a list shows; blank if it shows none."""
    return " ".join(
        part.get_text(" ", strip=True) for part in get(client, address).soup.select("p[data-sum] > *")
    ).replace(NBSP, " ")


def fill() -> None:
    """Store twenty orders of today of 100 to 119 EUR, two of them cancelled; an old order; and one of another hotel."""
    make_hotel([make_room("101")])
    make_hotel(hotel_id="xyz", name="Hotel XYZ")
    status = {3: Status.CANCELLED, 4: Status.CANCELLED, 5: Status.DELIVERED}
    at = now() - timedelta(minutes=1)
    orders = [make_order(f"o-{n:02d}", "alex", status.get(n, Status.PLACED), at, total=100 + n) for n in range(20)]
    old = make_order("o-old", placed_at=at - timedelta(days=200), total=7)
    store([replace(orders[0], room_number="101"), *orders[1:], old, make_order("o-x", hotel_id="xyz", total="5.5")])


def test_a_list_shows_the_sum_of_all_that_it_has(staff: Client) -> None:
    recent = 2190 - 103 - 104
    assert total(staff, OF_HOTEL) == f"Total of these orders, without 2 cancelled EUR {recent + 7:,}.00"
    assert total(staff, f"{OF_HOTEL}?status=CANCELLED") == "Total of these orders EUR 207.00"
    assert total(staff, f"{OF_HOTEL}?room=101") == "Total of these orders EUR 100.00"
    assert not total(staff, f"{OF_HOTEL}?page_size=10")
    expected = f"Total of these orders, without 2 cancelled EUR {recent:,}.00"
    assert total(staff, f"{OF_HOTEL}?days=last-7-days") == expected
    assert not total(staff, "/orders/?page_size=10")
