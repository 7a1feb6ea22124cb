"""What staff do in the group: its hotels with their data, and each kind of action, which the portal's own code runs.

A hotel's id is in the ids of all that it has, so that a key tells whether it is one of the hotel's own. Ids are chosen
so that a hash spreads the few hotels over shards as evenly as ten thousand.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from random import Random
from zlib import crc32

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing.transactions import Put
from hotels.commands import save_hotels
from hotels.entities import Hotel
from hotels.queries import GROUP_SHARDS
from hotels.seeding import HOTELS
from orders import commands as orders
from orders.entities import Guest
from orders.keys import NUMBER_BITS, new_number
from orders.lists import stored_order
from orders.seeding import guests
from orders.seeding import orders as seeded_orders
from orders.statuses import OPEN, Status
from portal.shards import Shards
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import StatusChange
from rooms.seeding import rooms as seeded_rooms
from rooms.statuses import Housekeeping
from tests.helpers.people import bind, show_every_hotel

SLOTS = 64
"""So many ids with all hashes modulo this number are spread evenly over as many shards, or over 2, 4, 8, 16 or 32."""

ROOMS, ORDERS = 40, 40
"""Of each hotel: enough to fill pages, and the days of statistics."""

PEOPLE = guests(1, 200)
OWN = re.compile(r"inn-\w{8}|^[0-9a-f]{64}$")
"""What a key has that belongs to one hotel or its staff: the hotel's id, or a session."""

Call = Callable[[], object]
Action = tuple[Callable[["Place"], Call], float]
"""How something is done, and how often the group does it in a day."""


@dataclass(frozen=True)
class Place:
    """A hotel that is recorded, a guest, and the browsers of somebody who is bound to it and of the head office."""

    slot: int
    hotel: Hotel
    guest: Guest
    staff: Client
    office: Client

    @property
    def by(self) -> str:
        return f"staff-{self.hotel.hotel_id}"

    @property
    def order_id(self) -> str:
        """The number of the order that is placed."""
        return _id(f"{self.hotel.hotel_id}-", self.slot)


def _id(prefix: str, slot: int) -> str:
    """Return a text whose hash is ``slot``, with an end like that of an order's number."""
    random = Random(f"{prefix}{slot}")
    while True:
        text = f"{prefix}{new_number(random.getrandbits(NUMBER_BITS)).lower()}"
        if crc32(text.encode()) % SLOTS == slot % SLOTS:
            return text


def filled(number: int, shards: int) -> Iterator[Place]:
    """Store so many hotels with rooms, a guest and orders. Each statistic of the group has ``shards`` shards."""
    call_command("migrate", verbosity=0)
    Put(GROUP_SHARDS.model.item(Shards(shards, shards))).send()
    for slot, like in zip(range(number), cycle(HOTELS), strict=False):
        hotel_id, until = _id("inn-", slot), now()
        hotel, guest = replace(like, hotel_id=hotel_id), replace(PEOPLE[slot], username=f"guest-{hotel_id}")
        save_hotels([hotel])
        rooms.save_rooms([*seeded_rooms(Random(slot), replace(hotel, rooms=ROOMS), until)])
        orders.add_missing_guests([guest])
        orders.save_orders([*seeded_orders(slot, ORDERS, [guest], [hotel], until)])
        yield Place(slot, hotel, guest, _logged_in(f"staff-{hotel_id}", hotel_id), _logged_in(f"office-{hotel_id}"))


def _logged_in(username: str, *hotel_ids: str) -> Client:
    """Return the browser of somebody who is bound to these hotels or, without any, sees every hotel."""
    user = get_user_model().objects.create_superuser(username)
    bind(user, *hotel_ids) if hotel_ids else show_every_hotel(user)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


# --- Actions: each prepares a call, and returns it --------------------------------------------------------


def tap(at: Place) -> Call:
    """Return the call that makes a room dirty or clean."""
    hotel_id, number = at.hotel.hotel_id, f"1{at.slot % ROOMS + 1:02d}"
    dirty = room_queries.room(hotel_id, number).housekeeping == Housekeeping.DIRTY
    change = StatusChange(Housekeeping.CLEAN if dirty else Housekeeping.DIRTY)
    return lambda: rooms.set_status(hotel_id, number, change, at.by)


def order(at: Place) -> Call:
    """Return the call that places an order of three items."""
    like = next(each for each in seeded_orders(1, 99, [at.guest], [at.hotel], now()) if each.item_count == 3)
    placed = replace(like, order_id=at.order_id, status=OPEN, placed_at=now(), status_at=now(), history=())
    return partial(orders.place_order, placed, at.by)


def step(to: Status, at: Place) -> Call:
    """Return the call that takes a step of the order."""
    return partial(orders.take_step, stored_order(at.order_id), to, at.by)


def page(address: str, at: Place) -> Call:
    """Return the call that opens a page, as the head office if the page is of no hotel."""
    client = at.staff if "{" in address else at.office
    path = address.format(hotel=at.hotel.hotel_id, order=at.order_id, guest=at.guest.username)

    def opened() -> None:
        status = client.get(path).status_code
        if status != 200:
            raise SystemExit(f"{path} answered {status}.")

    return opened


ORDERS_A_DAY, PAGES_A_DAY = 1e6, 60e6
STEPS = (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
SHARES = {
    "/hotels/{hotel}/rooms/": 30,
    "/hotels/{hotel}/rooms/?type=suite&sort=size": 16,
    "/hotels/{hotel}/rooms/101/": 18,
    "/hotels/{hotel}/attention/": 12,
    "/hotels/{hotel}/": 4,
    "/hotels/{hotel}/orders/": 5,
    "/hotels/{hotel}/orders/unfinished/": 4,
    "/orders/{order}/": 6,
    "/guests/{guest}/orders/": 4,
    "/": 0.5,
    "/orders/": 0.2,
    "/hotels/": 0.2,
    "/orders/unfinished/": 0.1,
}
"""The share of each page that somebody opens, in per cent."""

ACTIONS: list[Action] = [
    (tap, 10e6),
    (order, ORDERS_A_DAY),
    *((partial(step, to), ORDERS_A_DAY) for to in STEPS),
    *((partial(page, address), share / 100 * PAGES_A_DAY) for address, share in SHARES.items()),
]
