"""Guests: usernames are unique, an edit needs what the editor saw, and editors cannot change the counts of orders."""

from dataclasses import replace

import pytest

from orders import commands
from orders.statuses import Status
from tests.helpers.orders import AT, all_items, make_guest, make_order, profile, store, stored
from tests.helpers.rooms import make_hotel
from tests.helpers.writes import create_guest

pytestmark = pytest.mark.usefixtures("in_step")
NO_ORDERS = dict.fromkeys(Status, 0)


def fill() -> None:
    make_hotel()
    create_guest(make_guest("alex"), "alice")
    create_guest(make_guest("bea"), "alice")


def test_a_created_guest_is_found_and_has_no_orders() -> None:
    created = create_guest(make_guest("carl", "Carl", email="c@example.com", phone="1"), "alice")
    assert profile("carl") == replace(created, orders=NO_ORDERS)
    assert created.total_orders == 0


def test_missing_guests_are_added_and_others_stay_as_they_are() -> None:
    store([make_order("o-1", "alex"), make_order("o-2", "guest7")])
    guests = [make_guest(f"guest{n}", f"Guest {n}", added_at=AT) for n in range(90)]
    assert commands.add_missing_guests([make_guest("alex", "Other"), *guests]) == 89
    before = list(all_items())
    assert commands.add_missing_guests(guests) == 0
    assert list(all_items()) == before
    assert (profile("alex").name, profile("guest7").name, profile("guest8").name) == ("Alex Doe", "guest7", "Guest 8")


def test_an_edit_leaves_the_orders_alone_that_came_since_it_was_begun() -> None:
    seen = profile()
    store([make_order("o-1"), make_order("o-2")])
    commands.take_step(stored("o-2"), Status.CANCELLED, "alice")
    edited = commands.edit_guest(seen, replace(seen, name="New", orders={Status.SHIPPED: 9}), "alice")
    assert profile().orders == {**NO_ORDERS, Status.PLACED: 1, Status.CANCELLED: 1}
    assert profile().name == edited.name == "New"
