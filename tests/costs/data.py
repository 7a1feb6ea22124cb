"""The data on which costs are measured: a hotel, its guests, orders and reviews, with rooms and texts of the demo.

Lists that are measured have more than the 26 rows that a page of 25 reads. The ids are those of the access patterns.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from random import Random

from accounts.sessions import SessionStore
from hotels import commands as hotel_commands
from hotels.entities import Hotel
from notes import commands as note_commands
from notes.entities import Kind, Note, State
from orders import commands as order_commands
from orders import seeding as order_seeding
from orders.entities import Guest, HistoryStep, Order
from orders.statuses import OPEN, Status
from reviews import commands as review_commands
from reviews.entities import Review
from reviews.seeding import reviews
from rooms import commands as room_commands
from rooms.entities import Room, StatusChange
from rooms.seeding import rooms
from rooms.statuses import Housekeeping, Service

ABC = "abc"
HOTEL = Hotel(ABC, "Grand Seaside Hotel", "Brighton", currency="EUR", time_zone="Europe/London")
NEW_YEAR = datetime(2023, 1, 1, tzinfo=UTC)
TODAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
SESSION = "h2o8s2k5qb1vd0x7m3c9f4j6w1t5y8zr"
HOTELS, ROOMS, GUESTS, ORDERS, REVIEWS, NOTES = 30, 200, 60, 300, 300, 120
TAPS = 30
"""The changes of the room 101; after them it is clean."""

ROWS = 90
"""The rows of a batch, as an import writes them."""


def demo_rooms(number: int) -> list[Room]:
    """Rooms of the hotel, always the same. The first one, 101, is clean."""
    first, *others = rooms(Random(2000), replace(HOTEL, rooms=number), TODAY)
    return [StatusChange(Housekeeping.CLEAN, Service.IN_SERVICE).of(first), *others]


def save_rooms(new: Sequence[Room]) -> None:
    """Store rooms, in batches."""
    for start in range(0, len(new), ROWS):
        room_commands.save_rooms(new[start : start + ROWS])


def demo_guests() -> list[Guest]:
    """Guests of whom every second is called Leroux. The first is Émile Leroux, alex."""
    people = order_seeding.guests(1, GUESTS)
    named = [replace(person, name=f"{person.name.split()[0]} Leroux") for person in people[::2]]
    return [replace(named[0], username="alex", name="Émile Leroux"), *named[1:], *people[1::2]]


def demo_orders(guests: Sequence[Guest], number: int, prefix: str = "o") -> list[Order]:
    """Orders ``o-1``, ``o-2``, ..., two hours apart, in all statuses; every second one is of the first guest."""
    drawn = order_seeding.orders(1, number, guests, [HOTEL])
    return [
        _order(order, f"{prefix}-{n}", guests[0 if n % 2 else n % len(guests)].username, n, status)
        for n, (order, status) in enumerate(zip(drawn, cycle(Status), strict=False), 1)
    ]


def _order(order: Order, order_id: str, username: str, number: int, status: Status) -> Order:
    placed_at = NEW_YEAR + timedelta(hours=2 * number)
    status_at = placed_at if status == OPEN else placed_at + timedelta(hours=1)
    history = (HistoryStep(OPEN, placed_at, "anna"), HistoryStep(status, status_at, "anna"))
    moved = replace(order, status=status, status_at=status_at, history=history[: 1 + (status != OPEN)])
    return replace(moved, order_id=order_id, username=username, placed_at=placed_at)


def demo_reviews(number: int, prefix: str = "r") -> list[Review]:
    """Reviews ``r-000``, ``r-001``, ...; every second one names a room."""
    return [
        replace(review, review_id=f"{prefix}-{n:03d}") for n, review in enumerate(reviews(1, ABC, number, rooms=ROOMS))
    ]


def demo_notes(number: int) -> list[Note]:
    """Notes of which every second is open, every third is a job, and every twentieth is about the room 101."""
    return [
        Note(
            hotel_id=ABC,
            note_id=f"n-{n:03d}",
            kind=[*Kind][n % 3],
            text=f"The lamp {n} does not work.",
            about="" if n % 20 else "room:101",
            person="7" if n % 3 else "",
            until=(TODAY + timedelta(days=n % 9)).date(),
            status=[*State][n % 2],
            written_at=TODAY - timedelta(hours=n),
            written_by="anna",
        )
        for n in range(number)
    ]


def fill() -> None:
    """Store the hotel with all of it, and other hotels without rooms."""
    others = [Hotel(f"grand-{n:02d}", f"Grand Hotel {n}", "Nice", currency="EUR") for n in range(1, HOTELS)]
    hotel_commands.save_hotels([HOTEL, *others])
    save_rooms(demo_rooms(ROOMS))
    guests = demo_guests()
    order_commands.add_missing_guests(guests)
    first, second, *more = demo_orders(guests, ORDERS)
    order_commands.save_orders([first, replace(second, order_id="7K3M9QTX"), *more])
    review_commands.save_reviews(demo_reviews(REVIEWS))
    note_commands.save_notes(demo_notes(NOTES))
    for n in range(TAPS):
        change = StatusChange(Housekeeping.CLEAN if n % 2 else Housekeeping.DIRTY)
        room_commands.set_status(ABC, "101", change, "alice")
    SessionStore(SESSION).save(must_create=True)
