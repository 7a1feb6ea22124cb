"""The writes whose costs docs/costs.md shows. They need the data of :mod:`tests.costs.data`."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.test import Client

from hotels import commands as hotel_commands
from hotels import queries as hotel_queries
from hotels.entities import Hotel
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import Guest, OrderItem
from orders.seeding import CATALOGUE
from orders.statuses import OPEN, Status
from reviews import commands as review_commands
from reviews import queries as review_queries
from rooms import commands as room_commands
from rooms import queries
from rooms.commands.bulk import STEP_ROOMS
from rooms.entities import BulkChange, Room, RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.costs.data import ABC, HOTEL, ROWS, demo_guests, demo_orders, demo_reviews, demo_rooms, save_rooms
from tests.costs.patterns import ANNA, PASSWORD, Pattern


def tap(by: str = ANNA) -> Pattern:
    """A room begins to need attention."""
    dirty = StatusChange(Housekeeping.DIRTY)
    return Pattern("a room becomes dirty", lambda: room_commands.set_status(ABC, "101", dirty, by), "write")


def writes() -> Iterator[tuple[str, Pattern]]:
    """Every write by its name. Each is to be made before the next one is asked for."""
    yield from _room_writes()
    yield from _order_writes()
    yield from _guest_writes()
    yield from _review_writes()
    yield from _hotel_writes()
    yield from _import_writes()
    yield "login", Pattern("a login", _log_in)


def _room(number: str) -> Room:
    return queries.rooms_as_stored([(ABC, number)])[ABC, number]


def _room_writes() -> Iterator[tuple[str, Pattern]]:
    new = replace(demo_rooms(1)[0], number="9001")
    yield "room-add", Pattern("a room is added", lambda: room_commands.create_room(new, ANNA))
    before = _room("9001")
    after = replace(before, rate=Decimal("99.90"))
    yield "room-rate", Pattern("a room's rate changes", lambda: room_commands.edit_room(before, after, ANNA))
    rated = _room("9001")
    moved = replace(rated, view="Lake view", size=90)
    yield "room-view", Pattern("a room's view changes", lambda: room_commands.edit_room(rated, moved, ANNA))
    last = _room("9001")
    yield "room-delete", Pattern("a room is deleted", lambda: room_commands.delete_room(last, ANNA))
    yield "tap", tap()
    yield (
        "tap-back",
        Pattern(
            "the room becomes clean again",
            lambda: room_commands.set_status(ABC, "101", StatusChange(Housekeeping.CLEAN), ANNA),
        ),
    )
    numbers = "\n".join(room.number for room in demo_rooms(STEP_ROOMS))
    now = datetime.now(UTC).replace(microsecond=0)
    change = BulkChange("01", RoomAction.RATE_BY, numbers, ANNA, now, amount=Decimal(1), currency=HOTEL.currency)
    yield "bulk-ask", Pattern("a bulk change is written down", lambda: room_commands.ask_for(ABC, change))
    step = lambda: room_commands.take_step_of(ABC, change)  # noqa: E731
    yield "bulk-room", Pattern("a room's rate changes in a bulk change", step, rows=STEP_ROOMS)


def _order_writes() -> Iterator[tuple[str, Pattern]]:
    order = demo_orders(demo_guests(), 1)[0]
    earlier = order_commands.place_order(replace(order, order_id="first", username="alex"), ANNA)
    for status in (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED):  # the day has statistics of each
        earlier = order_commands.take_step(earlier, status, ANNA)
    lines = [OrderItem(sku, title, 1, Decimal(price)) for sku, title, price in CATALOGUE[:3]]
    for count, name in ((1, "order-place"), (3, "order-place-3")):
        placed = replace(order, order_id=f"new-{count}", username="alex").with_items(lines[:count])
        title = f"an order of {count} item{'s' if count > 1 else ''} is placed"
        yield name, Pattern(title, lambda placed=placed: order_commands.place_order(placed, ANNA))  # type: ignore[misc]
    first, second = (orders.stored_order(f"new-{count}") for count in (1, 3))
    corrected = [replace(first.items[0], quantity=9)]
    yield (
        "order-correct",
        Pattern("a line of an order is corrected", lambda: order_commands.correct_order(first, corrected, ANNA)),
    )
    steps = (
        ("order-step", "an order takes a step", Status.PROCESSING),
        ("order-ship", "an order takes its second step", Status.SHIPPED),
        ("order-last", "an order takes its last step", Status.DELIVERED),
    )
    for name, title, status in steps:
        stored = orders.stored_order("new-1")
        yield name, Pattern(title, lambda at=stored, to=status: order_commands.take_step(at, to, ANNA))  # type: ignore[misc]
    yield (
        "order-cancel",
        Pattern("an order is cancelled", lambda: order_commands.take_step(second, Status.CANCELLED, ANNA)),
    )


def _guest_writes() -> Iterator[tuple[str, Pattern]]:
    guest = Guest("zoe.martin", "Zoé Martin", email="zoe.martin@example.com", phone="+33 1 23 45 67 89")
    yield "guest-add", Pattern("a guest with two names is added", lambda: order_commands.create_guest(guest, ANNA))
    many = Guest("maria.lopez", "María José López García", email="maria.lopez@example.com", phone="+34 612 345 678")
    yield "guest-add-4", Pattern("a guest with four names is added", lambda: order_commands.create_guest(many, ANNA))
    for name, title, values in (
        ("guest-phone", "a guest's phone number changes", {"phone": "+33 6 12 34 56 78"}),
        ("guest-name", "a guest's last name changes", {"name": "Zoé Durand"}),
    ):
        before = orders.guest("zoe.martin", consistent=True)
        after = Guest(before.username, **{**before.personal, **values})
        yield name, Pattern(title, lambda a=before, b=after: order_commands.edit_guest(a, b, ANNA))  # type: ignore[misc]
    stored = orders.guest("zoe.martin", consistent=True)
    yield "guest-erase", Pattern("a guest is erased", lambda: order_commands.erase_guest(stored, ANNA))


def _review_writes() -> Iterator[tuple[str, Pattern]]:
    review = replace(demo_reviews(1)[0], review_id="new", room_number="101", reply="", replied_by="", replied_at=None)
    add, reply = review_commands.add_review, "Thank you. We hope to see you again next year."
    yield "review-add", Pattern("a review that names a room is added", lambda: add(review, ANNA))
    stored = review_queries.review("new", consistent=True)
    yield "review-reply", Pattern("a review is answered", lambda: review_commands.reply_to_review(stored, reply, ANNA))
    answered = review_queries.review("new", consistent=True)
    edited = replace(answered, rating=answered.rating % 5 + 1)
    yield (
        "review-edit",
        Pattern("a review's rating changes", lambda: review_commands.edit_review(answered, edited, ANNA)),
    )
    last = review_queries.review("new", consistent=True)
    yield "review-delete", Pattern("a review is deleted", lambda: review_commands.delete_review(last, ANNA))


def _hotel_writes() -> Iterator[tuple[str, Pattern]]:
    hotel = Hotel("bellevue", "Hôtel Bellevue", "Nice", currency="EUR", time_zone="Europe/Paris")
    yield "hotel-add", Pattern("a hotel is added", lambda: hotel_commands.create_hotel(hotel, ANNA))
    before = hotel_queries.stored_hotel("bellevue")
    after = replace(before, city="Cannes")
    yield "hotel-edit", Pattern("a hotel's city changes", lambda: hotel_commands.edit_hotel(before, after, ANNA))


def _import_writes() -> Iterator[tuple[str, Pattern]]:
    new_rooms = [replace(room, number=f"{8000 + n}") for n, room in enumerate(demo_rooms(ROWS))]
    yield "import-room", Pattern("a room is imported", lambda: save_rooms(new_rooms), rows=ROWS)
    new_orders = [replace(order, status=OPEN, status_at=order.placed_at) for order in _imported_orders()]
    yield (
        "import-order",
        Pattern("an order is imported", lambda: order_commands.save_orders(new_orders), rows=len(new_orders)),
    )
    new_reviews = demo_reviews(ROWS, "import")
    yield "import-review", Pattern("a review is imported", lambda: review_commands.save_reviews(new_reviews), rows=ROWS)


def _imported_orders() -> Iterator[Any]:
    for order in demo_orders(demo_guests(), ROWS, "import"):
        yield replace(order, history=order.history[:1])


def _log_in() -> None:
    response = Client().post("/admin/login/", {"username": ANNA, "password": PASSWORD, "next": "/hotels/"})
    assert response.status_code == 302, response.status_code
