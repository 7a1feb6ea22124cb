"""Demo guests and orders: the same seed always gives the same data."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain, count
from random import Random
from typing import Any

from faker import Faker
from faker.decode import unidecode
from faker.providers.internet.el_GR import latinize

from hotels.entities import Hotel
from hotels.seeding import demo_hotels
from orders import commands, keys
from orders.entities import Guest, HistoryStep, Order, OrderItem
from orders.statuses import OPEN, UNFINISHED, Status
from portal.seeding import DEFAULT_SEED, NEWEST, Collection
from portal.times import in_zone, midnight

LOCALES = ["en_GB", "de_DE", "fr_FR", "ja_JP", "vi_VN", "el_GR"]
FAMILY_NAME_FIRST = {"ja_JP", "vi_VN"}
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "'": "", "’": ""})
STAFF = ("anna", "bruno", "chloé")
DAYS = 700
RECENT_DAYS, RECENT_SHARE = 60, 0.75  # so many orders are from the last days
FIRST_FLOOR, ROOM_SHARE = 20, 0.5  # so many rooms of each hotel have this share of its orders
STUCK_SHARE = 0.02  # the share of orders that stop at some step, however long ago
CATALOGUE = (
    ("breakfast", "Breakfast in the room", "24.50"),
    ("spa-60", "Massage, an hour", "95.00"),
    ("champagne", "Champagne, a bottle", "140.00"),
    ("flowers", "Flowers", "38.00"),
    ("transfer", "Transfer to the airport", "72.00"),
    ("dinner", "Dinner, six courses", "160.00"),
    ("boat", "Boat for a day", "890.00"),
    ("minibar", "Minibar", "12.50"),
)
NOTES = ("Deliver after six.", "Leave it at the door.", "Is for a birthday: with a card.", "Call before you come.")
REASONS = ("Guest left early.", "Sold out.", "Ordered twice.", "Too late for the guest.", "")  # of cancellations
GUEST_NOTES = ("Allergic to nuts.", "Likes a quiet room.", "Comes by the late train.", "Speaks French.")
NOTED = 0.1  # the share of guests, and of unfinished orders, with a note
WANTED = 0.4  # the share of unfinished orders that are wanted for a time
LIVES: tuple[tuple[tuple[Status, ...], int], ...] = (
    ((OPEN, Status.CANCELLED), 8),
    ((OPEN, Status.PROCESSING, Status.CANCELLED), 4),
    ((OPEN, Status.PROCESSING, Status.SHIPPED, Status.DELIVERED), 88),
)
"""The sequences of statuses that orders go through, and the share of each sequence in per cent."""


def guests(seed: int, number: int) -> list[Guest]:
    """Guests from several countries. Each seed has its own guests."""
    return [guest for _, guest in guests_by_locale(seed, number)]


def guests_by_locale(seed: int, number: int) -> list[tuple[str, Guest]]:
    """Return the same guests, each with the locale of the country. Usernames and e-mail addresses fit the names."""
    fake = Faker(LOCALES)
    fake.seed_instance(seed)
    random = Random(f"guests:{seed}")
    created: dict[str, tuple[str, Guest]] = {}
    for _ in range(number):
        locale = random.choice(LOCALES)
        name, latin = _name(fake[locale], locale, random)
        wanted = ".".join(re.findall(r"[a-z-]+", latin))  # with a number at its end if somebody has it already
        username = next(name for name in chain([wanted], map(f"{wanted}{{}}".format, count(2))) if name not in created)
        phone, unique = fake[locale].phone_number(), username if seed == DEFAULT_SEED else f"{username}-{seed}"
        note, added_at = _note(Random(f"note:{unique}"), GUEST_NOTES), NEWEST - timedelta(days=DAYS)
        guest = Guest(unique, name, email=f"{unique}@example.com", phone=phone, note=note, added_at=added_at)
        created[username] = locale, guest
    return list(created.values())


def _name(local: Any, locale: str, random: Random) -> tuple[str, str]:
    """Return a name as it is written in the locale, and first and last name in Latin letters, in lower case."""
    if locale == "ja_JP":
        first, last = local.first_name_pair(), local.last_name_pair()
        return f"{last[0]} {first[0]}", f"{first[2]} {last[2]}".lower()
    gender = random.choice(("female", "male"))
    first, last = getattr(local, f"first_name_{gender}")(), getattr(local, f"last_name_{gender}")()
    latin = unidecode(latinize(f"{first} {last}".lower().translate(UMLAUTS)))
    return f"{last} {first}" if locale in FAMILY_NAME_FIRST else f"{first} {last}", latin


def _note(random: Random, notes: Sequence[str]) -> str:
    return random.choice(notes) if random.random() < NOTED else ""


def orders(
    seed: int, number: int, guests: Sequence[Guest], hotels: Sequence[Hotel], until: datetime = NEWEST
) -> Iterator[Order]:
    """Yield orders of these guests as they are at the time ``until``. The first guests have the most orders."""
    random = Random(f"orders:{seed}")
    for _ in range(number):
        guest = guests[int(len(guests) * random.random() ** 3)]
        yield _order(random, guest.username, random.choice(hotels), until)


def _order(random: Random, username: str, hotel: Hotel, until: datetime) -> Order:
    days = RECENT_DAYS if random.random() < RECENT_SHARE else DAYS
    placed_at = until - timedelta(seconds=random.randrange(days * 86_400))
    items = []
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        sku, name, price = random.choice(CATALOGUE)
        items.append(OrderItem(sku, name, random.choice((1, 1, 1, 2, 2, 3, 4)), Decimal(price)))
    history = _history(random, placed_at, until)
    status = history[-1].status
    own = Random(f"room:{placed_at}:{username}")  # so that all else is independent of rooms
    room = f"1{own.randrange(FIRST_FLOOR) + 1:02d}" if hotel.rooms >= FIRST_FLOOR and own.random() < ROOM_SHARE else ""
    return Order(
        order_id=keys.new_number(random.getrandbits(keys.NUMBER_BITS)),
        username=username,
        hotel_id=hotel.hotel_id,
        room_number=room,
        status=status,
        placed_at=placed_at,
        status_at=history[-1].at,
        currency=hotel.currency,
        history=history,
        note=own.choice(REASONS) if status == Status.CANCELLED else _note(own, NOTES) if status in UNFINISHED else "",
        wanted_at=_wanted_at(own, hotel, until) if status in UNFINISHED else None,
    ).with_items(items)


def _wanted_at(random: Random, hotel: Hotel, until: datetime) -> datetime | None:
    """Return the time for which an order is wanted, if it is: 6:00 to 21:45 of one of four days."""
    quarters, days = random.randrange(24, 88), random.choice((-1, 0, 0, 1, 1, 1, 2))
    day = in_zone(until, hotel.time_zone).date() + timedelta(days=days)
    at = midnight(day, hotel.time_zone) + timedelta(minutes=15 * quarters)
    return at if random.random() < WANTED else None


def _history(random: Random, placed_at: datetime, until: datetime) -> tuple[HistoryStep, ...]:
    """Return the steps of an order until a time. A few orders stop before their last step."""
    (life,) = random.choices([life for life, _ in LIVES], [weight for _, weight in LIVES])
    if random.random() < STUCK_SHARE:
        life = life[: random.randrange(1, len(life))]
    at = placed_at
    steps: list[HistoryStep] = []
    for status in life:
        if steps and at > until:
            break
        steps.append(HistoryStep(status, at, random.choice(STAFF)))
        at += timedelta(seconds=random.randrange(600, 129_600))
    return tuple(steps)


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[Any]]:
    seed, hotels = options["seed"], demo_hotels(options)
    people = guests(seed, options["guests"])
    yield Collection("guest", len(people), people, commands.add_missing_guests)
    number = options["orders"] if people else 0
    placed = orders(seed, number, people, hotels, options["until"])
    yield Collection("order", number, placed, lambda batch: commands.save_orders(batch)[0])
