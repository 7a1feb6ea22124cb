"""The writes whose costs docs/requests.md shows. They need the data of :mod:`tests.costs.data`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from hotels import commands as hotel_commands
from hotels import queries as hotel_queries
from hotels.entities import Hotel
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import Guest, OrderItem
from orders.lists import stored_order
from orders.seeding import CATALOGUE
from orders.statuses import OPEN, Status
from reviews import commands as review_commands
from reviews import queries as review_queries
from rooms import commands as room_commands
from rooms import queries
from rooms.commands import STEP_ROOMS
from rooms.entities import BulkChange, Room, RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.costs.data import ABC, HOTEL, ROWS, demo_guests, demo_orders, demo_reviews, demo_rooms, save_rooms
from tests.costs.patterns import ANNA, Pattern
from tests.helpers.people import show_every_hotel
from tests.helpers.writes import create_guest, delete_review, delete_room, edit_hotel, edit_review, edit_room

Writes = Iterator[tuple[str, Pattern]]


def writes() -> Writes:
    """Yield every write by its name. Each is to be made before the next one is asked for."""
    yield from _room_writes()
    yield from _order_writes()
    yield from _guest_writes()
    yield from _review_writes()
    yield from _hotel_writes()
    yield from _import_writes()
    show_every_hotel(User.objects.create_superuser(ANNA, password=ANNA))
    yield write("login", "a login", _log_in)


def tap(hotel_id: str = ABC) -> Pattern:
    """Return a tap on the status of the hotel's room 101."""
    change = StatusChange(Housekeeping.DIRTY)
    return Pattern("a room becomes dirty", partial(room_commands.set_status, hotel_id, "101", change, ANNA), "write")


def write(name: str, title: str, call: Callable[..., object], *args: Any, rows: int = 1) -> tuple[str, Pattern]:
    """Return a call with these arguments."""
    return name, Pattern(title, partial(call, *args), "write", rows)


def _room_writes() -> Writes:
    def stored() -> Room:
        return queries.rooms_as_stored([(ABC, "9001")])[ABC, "9001"]

    new = replace(demo_rooms(1)[0], number="9001")
    yield write("room-add", "a room is added", room_commands.create_room, new, ANNA)
    before, edit = stored(), edit_room
    yield write("room-rate", "a room's rate changes", edit, before, replace(before, rate=Decimal("99.90")), ANNA)
    before = stored()
    yield write("room-view", "a room's view changes", edit, before, replace(before, view="Lake view", size=90), ANNA)
    yield write("room-delete", "a room is deleted", delete_room, stored(), ANNA)
    yield "tap", tap()
    numbers = "\n".join(room.number for room in demo_rooms(STEP_ROOMS))
    now = datetime.now(UTC).replace(microsecond=0)
    change = BulkChange("01", RoomAction.RATE_BY, numbers, ANNA, now, amount=Decimal(1), currency=HOTEL.currency)
    yield write("bulk-ask", "a bulk change is written down", room_commands.ask_for, ABC, change)
    step, title = room_commands.take_step_of, "a room's rate changes in a bulk change"
    yield write("bulk-room", title, step, ABC, change, rows=STEP_ROOMS)


def _order_writes() -> Writes:
    place, take_step, stored = order_commands.place_order, order_commands.take_step, stored_order
    order = replace(demo_orders(demo_guests(), 1)[0], username="alex")
    earlier = place(replace(order, order_id="first"), ANNA)
    for status in (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED):  # the day has statistics of each
        earlier = take_step(earlier, status, ANNA)
    lines = [OrderItem(sku, title, 1, Decimal(price)) for sku, title, price in CATALOGUE[:3]]
    one, three = (replace(order, order_id=f"new-{count}").with_items(lines[:count]) for count in (1, 3))
    yield write("order-place", "an order of 1 item is placed", place, one, ANNA)
    yield write("order-place-3", "an order of 3 items is placed", place, three, ANNA)
    first, second = stored("new-1"), stored("new-3")
    corrected = [replace(first.items[0], quantity=9)]
    yield write(
        "order-correct", "a line of an order is corrected", order_commands.correct_order, first, corrected, ANNA
    )
    yield write("order-step", "an order takes a step", take_step, stored("new-1"), Status.PROCESSING, ANNA)
    shipped = take_step(stored("new-1"), Status.SHIPPED, ANNA)
    yield write("order-last", "an order takes its last step", take_step, shipped, Status.DELIVERED, ANNA)
    yield write("order-cancel", "an order is cancelled", take_step, second, Status.CANCELLED, ANNA)


def _guest_writes() -> Writes:
    edit, stored = order_commands.edit_guest, partial(orders.guest, "zoe.martin", consistent=True)
    guest = Guest("zoe.martin", "Zoé Martin", email="zoe.martin@example.com", phone="+33 1 23 45 67 89")
    yield write("guest-add", "a guest with two names is added", create_guest, guest, ANNA)
    many = Guest("maria.lopez", "María José López García", email="maria.lopez@example.com", phone="+34 612 345 678")
    yield write("guest-add-4", "a guest with four names is added", create_guest, many, ANNA)
    before = stored()
    after = replace(before, phone="+33 6 12 34 56 78")
    yield write("guest-phone", "a guest's phone number changes", edit, before, after, ANNA)
    before = stored()
    yield write("guest-name", "a guest's last name changes", edit, before, replace(before, name="Zoé Durand"), ANNA)
    yield write("guest-erase", "a guest is erased", order_commands.erase_guest, stored(), ANNA)


def _review_writes() -> Writes:
    stored, reply = (
        partial(review_queries.review, "new", consistent=True),
        "Thank you. We hope to see you again next year.",
    )
    review = replace(demo_reviews(1)[0], review_id="new", room_number="101", reply="", replied_by="", replied_at=None)
    yield write("review-add", "a review that names a room is added", review_commands.add_review, review, ANNA)
    yield write("review-reply", "a review is answered", review_commands.reply_to_review, stored(), reply, ANNA)
    before = stored()
    after = replace(before, rating=before.rating % 5 + 1)
    yield write("review-edit", "a review's rating changes", edit_review, before, after, ANNA)
    yield write("review-delete", "a review is deleted", delete_review, stored(), ANNA)


def _hotel_writes() -> Writes:
    hotel = Hotel("bellevue", "Hôtel Bellevue", "Nice", currency="EUR", time_zone="Europe/Paris")
    yield write("hotel-add", "a hotel is added", hotel_commands.create_hotel, hotel, ANNA)
    before = hotel_queries.stored_hotel("bellevue")
    after = replace(before, city="Cannes")
    yield write("hotel-edit", "a hotel's city changes", edit_hotel, before, after, ANNA)


def _import_writes() -> Writes:
    rooms = [replace(room, number=f"{8000 + n}") for n, room in enumerate(demo_rooms(ROWS))]
    yield write("import-room", "a room is imported", save_rooms, rooms, rows=ROWS)
    imported = [
        replace(order, status=OPEN, status_at=order.placed_at, history=order.history[:1])
        for order in demo_orders(demo_guests(), ROWS, "import")
    ]
    yield write("import-order", "an order is imported", order_commands.save_orders, imported, rows=ROWS)
    reviews = demo_reviews(ROWS, "import")
    yield write("import-review", "a review is imported", review_commands.save_reviews, reviews, rows=ROWS)


def _log_in() -> None:
    response = Client().post("/admin/login/", {"username": ANNA, "password": ANNA, "next": "/hotels/"})
    assert response.status_code == 302, response.status_code
