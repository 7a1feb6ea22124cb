"""Who takes part in a storm: the users, their things to begin with, and a thread for each."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from threading import Thread

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User

from hotels import commands as hotels
from hotels.entities import Hotel
from hotels.staff_hotels import EveryHotel
from orders import commands as orders
from orders.entities import Guest
from rooms import commands as rooms
from rooms.entities import Room
from tests.storm.browser import Browser
from tests.storm.journal import Expected, Journal, Outcome, Thing, Write
from tests.storm.portal import Portal
from tests.storm.readers import Reader
from tests.storm.traffic import Traffic
from tests.storm.writers.accounts import AccountWriter, LoginWriter
from tests.storm.writers.base import Client, Clock
from tests.storm.writers.guests import GuestWriter, HotelWriter, OrderWriter
from tests.storm.writers.imports import Importer
from tests.storm.writers.reviews import ReviewWriter
from tests.storm.writers.rooms import BulkWriter, RoomWriter, SharedRoomWriter

PASSWORD = "Nine waves and a gale"
MANAGERS = ("Manager",)
ADMINISTRATOR = "storm-accounts"
PROBER = "storm-prober"
WRITERS: Mapping[str, type[Client]] = {
    "storm-rooms-1": RoomWriter,
    "storm-rooms-2": RoomWriter,
    "storm-shared-1": SharedRoomWriter,
    "storm-shared-2": SharedRoomWriter,
    "storm-bulk": BulkWriter,
    "storm-hotels": HotelWriter,
    "storm-guests": GuestWriter,
    "storm-orders-1": OrderWriter,
    "storm-orders-2": OrderWriter,
    "storm-reviews": ReviewWriter,
    ADMINISTRATOR: AccountWriter,
    "storm-logins": LoginWriter,
    "storm-reader-1": Reader,
    "storm-reader-2": Reader,
}
"""The users, and what each of them does."""

BULK_ROOMS = 30
SHARED_ROOMS = ("101", "102", "103")
GUESTS = tuple(f"storm.guest.{number}" for number in range(3))
SEED = "storm"


def create_users() -> None:
    """Create the users in SQL: managers, and one who may change accounts. All have the same password."""
    password = make_password(PASSWORD)
    users = [
        User(username=name, password=password, is_staff=True, is_superuser=name == ADMINISTRATOR)
        for name in (*WRITERS, PROBER)
    ]
    User.objects.bulk_create(users)
    for user in User.objects.filter(username__in=[*WRITERS, PROBER]):
        user.groups.set(Group.objects.filter(name__in=MANAGERS))
        EveryHotel.objects.create(user=user)


def create_things(journal: Journal) -> None:
    """Create what writers begin with: guests who order, and a hotel whose rooms are changed in bulk."""
    orders.add_missing_guests([Guest(username, f"Guest {username}") for username in GUESTS])
    hotel = Hotel(BulkWriter.hotel_id, "Hotel of the bulk changes", currency="GBP", time_zone="Europe/London")
    hotels.save_hotels([hotel])
    rooms.save_rooms([_bulk_room(number) for number in range(BULK_ROOMS)])
    write = Write(0, "start", SEED, outcome=Outcome.ACKNOWLEDGED)
    for thing in _bulk_things():
        journal.expected[thing] = Expected({"rate": "100", "housekeeping": "clean"}, write)


def clients(portal: Portal, journal: Journal, traffic: Traffic, clock: Clock, seed: str) -> Iterator[Thread]:
    """A thread for each user, and one for imports. They are not started yet."""
    for number, (username, client) in enumerate(WRITERS.items()):
        thread = client(browser(portal, traffic, username), journal, clock, seed)
        if isinstance(thread, BulkWriter):
            thread.things = _bulk_things()
        elif isinstance(thread, SharedRoomWriter):
            thread.number = number
            thread.things = tuple(("room", thread.hotel_id, room) for room in SHARED_ROOMS)
        elif isinstance(thread, OrderWriter):
            thread.usernames = GUESTS
        yield thread
    yield Importer(_folder(portal.work), lambda: portal.environment, journal, clock, seed)


def browser(portal: Portal, traffic: Traffic, username: str) -> Browser:
    """A browser of one of the users."""
    return Browser(portal.port, traffic, username, PASSWORD)


def _bulk_room(number: int) -> Room:
    return Room(
        hotel_id=BulkWriter.hotel_id,
        number=str(number),
        view="Sea view",
        size=20 + number,
        type="Double",
        rate=Decimal(100),
        currency="GBP",
    )


def _bulk_things() -> tuple[Thing, ...]:
    return tuple(("room", BulkWriter.hotel_id, str(number)) for number in range(BULK_ROOMS))


def _folder(work: Path) -> Path:
    folder = work / "imports"
    folder.mkdir(exist_ok=True)
    return folder
