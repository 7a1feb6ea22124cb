"""What staff do in the group: its hotels with their data, and each kind of action, which the portal's own code runs.

A hotel's id is in the ids of all that it has, so that a key tells whether it is one of the hotel's own. Ids are chosen
so that a hash spreads the few hotels over shards as evenly as ten thousand.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache as once
from functools import partial
from itertools import cycle
from random import Random
from urllib.parse import quote
from zlib import crc32

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing import single_items
from hotels.commands import save_hotels
from hotels.entities import Hotel
from hotels.queries import GROUP_SHARDS
from hotels.seeding import HOTELS
from orders import commands as orders
from orders import queries as order_queries
from orders.entities import Guest
from orders.keys import NUMBER_BITS, new_number
from orders.seeding import guests
from orders.seeding import orders as seeded_orders
from orders.statuses import OPEN, Status
from portal.shards import Shards
from reviews import commands as reviews
from reviews import queries as review_queries
from reviews.entities import Review
from reviews.seeding import reviews as seeded_reviews
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import StatusChange
from rooms.seeding import rooms as seeded_rooms
from rooms.statuses import Housekeeping
from tests.helpers.contents import forget_counts
from tests.helpers.people import bind, show_every_hotel

SLOTS = 64
"""So many ids with all hashes modulo this number are spread evenly over as many shards, or over 2, 4, 8, 16 or 32."""

ROOMS, ORDERS, REVIEWS, OTHERS = 40, 40, 30, 100
"""Of each hotel that is recorded: enough to fill pages, and the days of statistics. Other hotels have nothing."""

HOTEL_ID = re.compile(r"inn-\w{8}")
PERSONAL = re.compile(r"[0-9a-f]{64}$|saved-views#staff#")
"""The keys of a session, and of somebody's saved views."""

Call = Callable[[], object]


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

    def owns(self, key: str) -> bool:
        """Whether a key belongs to the hotel, or to one of its staff."""
        return self.hotel.hotel_id in key or bool(PERSONAL.match(key))

    def new(self, kind: str) -> str:
        """The id of a new thing of the hotel."""
        return _id(f"{kind}{self.hotel.hotel_id}-", self.slot)


def _id(prefix: str, slot: int) -> str:
    """A text whose hash is ``slot``, with an end like that of an order's number."""
    random = Random(f"{prefix}{slot}")
    while True:
        text = f"{prefix}{new_number(random.getrandbits(NUMBER_BITS)).lower()}"
        if crc32(text.encode()) % SLOTS == slot % SLOTS:
            return text


def filled(number: int, shards: int) -> Iterator[Place]:
    """Store so many hotels with rooms, a guest, and orders and reviews of the last weeks; and others for long lists.

    Each statistic of the group has so many shards.
    """
    call_command("migrate", verbosity=0)
    single_items.put(GROUP_SHARDS.model.item(Shards(shards, shards)))
    save_hotels([replace(HOTELS[n % len(HOTELS)], hotel_id=_id("inn-", number + n)) for n in range(OTHERS)])
    for slot, like in zip(range(number), cycle(HOTELS), strict=False):
        hotel_id, until = _id("inn-", slot), now()
        hotel = replace(like, hotel_id=hotel_id)
        guest = replace(_people()[slot], username=f"guest-{hotel_id}")
        save_hotels([hotel])
        rooms.save_rooms([*seeded_rooms(Random(slot), replace(hotel, rooms=ROOMS), until)])
        orders.add_missing_guests([guest])
        orders.save_orders([*seeded_orders(slot, ORDERS, [guest], [hotel], until)])
        written = [replace(each, hotel_id=hotel_id, review_id=f"{hotel_id}-{n}") for n, each in enumerate(_reviews())]
        reviews.save_reviews(written)
        yield Place(slot, hotel, guest, _logged_in(f"staff-{hotel_id}", hotel_id), _logged_in(f"office-{hotel_id}"))


@once
def _people() -> list[Guest]:
    return guests(1, 200)


@once
def _reviews() -> list[Review]:
    return [*seeded_reviews(1, "inn", REVIEWS)]


def _logged_in(username: str, *hotel_ids: str) -> Client:
    """The browser of somebody who is bound to these hotels or, without any, sees every hotel."""
    user = get_user_model().objects.create_superuser(username)
    bind(user, *hotel_ids) if hotel_ids else show_every_hotel(user)
    return _session(user)


def _session(user: User) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def forget() -> None:
    """Remove what this process has kept."""
    cache.clear()
    forget_counts()


# --- Changes: each prepares a call, and returns it --------------------------------------------------------


def tap(at: Place) -> Call:
    """A room becomes dirty or clean."""
    hotel_id, number = at.hotel.hotel_id, f"1{at.slot % ROOMS + 1:02d}"
    dirty = room_queries.room(hotel_id, number).housekeeping == Housekeeping.DIRTY
    change = StatusChange(Housekeeping.CLEAN if dirty else Housekeeping.DIRTY)
    return lambda: rooms.set_status(hotel_id, number, change, at.by)


def rate(at: Place) -> Call:
    ((_, before),) = room_queries.rooms_as_stored([(at.hotel.hotel_id, "101")]).items()
    return partial(rooms.edit_room, before, replace(before, rate=before.rate + Decimal(1)), at.by)


def order(at: Place) -> Call:
    """An order of three items is placed."""
    like = next(each for each in seeded_orders(1, 99, [at.guest], [at.hotel], now()) if each.item_count == 3)
    placed = replace(like, order_id=at.new(""), status=OPEN, placed_at=now(), status_at=now(), history=())
    return partial(orders.place_order, placed, at.by)


def step(to: Status, at: Place) -> Call:
    return partial(orders.take_step, order_queries.stored_order(at.new("")), to, at.by)


def guest(at: Place) -> Call:
    return partial(orders.create_guest, replace(_people()[-1 - at.slot], username=at.new("guest-")), at.by)


def review(at: Place) -> Call:
    like = replace(_reviews()[at.slot % REVIEWS], reply="", replied_by="", replied_at=None, created_at=now())
    new = replace(like, hotel_id=at.hotel.hotel_id, review_id=at.new("r-"), room_number="101")
    return partial(reviews.add_review, new, at.by)


def reply(at: Place) -> Call:
    stored = review_queries.review(at.new("r-"), consistent=True)
    return partial(reviews.reply_to_review, stored, "Thank you. We hope to see you again next year.", at.by)


def login(at: Place) -> Call:
    return partial(_session, User.objects.get(username=at.by))


ORDERS_A_DAY, PAGES_A_DAY = 1e6, 60e6
STEPS = (Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
CHANGES: tuple[tuple[Callable[[Place], Call], float], ...] = (
    (tap, 10e6),
    (order, ORDERS_A_DAY),
    *((partial(step, to), ORDERS_A_DAY) for to in STEPS),
    (guest, ORDERS_A_DAY / 3),
    (review, ORDERS_A_DAY / 6),
    (reply, ORDERS_A_DAY / 12),
    (rate, 5e6 / 30),  # each room once a month
    (login, PAGES_A_DAY / 300),
)
"""How a change is made, and how many the group makes a day."""

PAGES = {
    "/hotels/{hotel}/rooms/": 26,
    "/hotels/{hotel}/rooms/?type=suite&sort=size": 15,
    "/hotels/{hotel}/rooms/101/": 18,
    "/hotels/{hotel}/attention/": 12,
    "/hotels/{hotel}/": 4,
    "/hotels/{hotel}/orders/": 5,
    "/hotels/{hotel}/orders/unfinished/": 4,
    "/orders/{order}/": 6,
    "/guests/{guest}/orders/": 4,
    "/hotels/{hotel}/reviews/": 3,
    "/search/?q={name}": 2,
}
"""The share of each page that somebody opens who is bound to a hotel, in per cent."""

GROUP_PAGES = {
    "/": 0.4,
    "/orders/": 0.2,
    "/hotels/": 0.15,
    "/orders/unfinished/": 0.1,
    "/attention/": 0.05,
    "/reviews/unanswered/": 0.05,
    "/orders/big/": 0.05,
}
"""The same of pages of the head office."""


def page(address: str, at: Place) -> Call:
    client = at.office if address in GROUP_PAGES else at.staff
    path = address.format(hotel=at.hotel.hotel_id, order=at.new(""), guest=at.guest.username, name=quote(at.guest.name))

    def opened() -> None:
        status = client.get(path).status_code
        if status != 200:
            raise SystemExit(f"{path} answered {status}.")

    return opened


def pages() -> list[tuple[Callable[[Place], Call], float]]:
    """How each page is opened, and how often it is in a day."""
    shares = (PAGES | GROUP_PAGES).items()
    return [(partial(page, address), share / 100 * PAGES_A_DAY) for address, share in shares]
