"""Made-up guests and orders: the same seed always gives the same data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

from faker import Faker
from ulid import ULID

from orders.values import OPEN, Guest, Item, Order, Status, Step, total_of

DEFAULT_SEED = 1
LOCALES = ["en_GB", "de_DE", "fr_FR", "ja_JP", "vi_VN", "el_GR"]
STAFF = ("anna", "bruno", "chloé")
NEWEST = datetime(2026, 10, 31, 18, 0, tzinfo=UTC)
DAYS = 700
CATALOGUE = (
    ("breakfast", "Breakfast in the room", "24.50"),
    ("spa-60", "Massage, an hour", "95.00"),
    ("champagne", "Champagne, a bottle", "140.00"),
    ("flowers", "Flowers", "38.00"),
    ("transfer", "Transfer to the airport", "72.00"),
    ("dinner", "Dinner, six courses", "160.00"),
    ("boat", "Boat for a day", "890.00"),
    ("minibar", "Minibar", "12.75"),
)
LIVES = (
    ((OPEN,), 12),
    ((OPEN, Status.CANCELLED), 8),
    ((OPEN, Status.PROCESSING), 10),
    ((OPEN, Status.PROCESSING, Status.CANCELLED), 4),
    ((OPEN, Status.PROCESSING, Status.SHIPPED), 16),
    ((OPEN, Status.PROCESSING, Status.SHIPPED, Status.DELIVERED), 50),
)
"""What has become of an order, and how many of a hundred have had that life."""


@dataclass(frozen=True)
class Place:
    """A hotel at which orders are made, and the currency that it takes."""

    hotel_id: str
    currency: str


def guests(seed: int, number: int) -> list[Guest]:
    """That many guests from several countries. Each seed has guests of its own."""
    fake = Faker(LOCALES)
    fake.seed_instance(seed)
    random = Random(f"guests:{seed}")
    made: dict[str, Guest] = {}
    while len(made) < number:
        local = fake[random.choice(LOCALES)]
        name = local.user_name()
        if name in made:  # small countries run out of names
            name = f"{name}{len(made)}"
        username = name if seed == DEFAULT_SEED else f"{name}-{seed}"
        email = f"{username}@example.com"
        made[name] = Guest(username, local.name(), email, local.phone_number(), NEWEST - timedelta(days=DAYS))
    return list(made.values())


def orders(seed: int, number: int, guests: Sequence[Guest], places: Sequence[Place]) -> Iterator[Order]:
    """That many orders of these guests; the first of them order most."""
    random = Random(f"orders:{seed}")
    for _ in range(number):
        guest = guests[int(len(guests) * random.random() ** 3)]
        yield _order(random, guest.username, random.choice(places))


def _order(random: Random, username: str, place: Place) -> Order:
    placed_at = NEWEST - timedelta(seconds=random.randrange(DAYS * 86_400))
    order_id = ULID.from_bytes(int(placed_at.timestamp() * 1000).to_bytes(6, "big") + random.randbytes(10))
    items = tuple(_item(random) for _ in range(random.choice((1, 1, 2, 3, 5))))
    history = _history(random, placed_at)
    return Order(
        order_id=str(order_id),
        username=username,
        hotel_id=place.hotel_id,
        status=history[-1].status,
        placed_at=placed_at,
        status_at=history[-1].at,
        currency=place.currency,
        total=total_of(items),
        item_count=len(items),
        items=items,
        history=history,
    )


def _item(random: Random) -> Item:
    sku, name, price = random.choice(CATALOGUE)
    return Item(sku, name, random.choice((1, 1, 1, 2, 2, 3, 4)), Decimal(price))


def _history(random: Random, placed_at: datetime) -> tuple[Step, ...]:
    (life,) = random.choices([life for life, _ in LIVES], [weight for _, weight in LIVES])
    at = placed_at
    steps = []
    for status in life:
        steps.append(Step(status, at, random.choice(STAFF)))
        at += timedelta(seconds=random.randrange(600, 3 * 86_400))
    return tuple(steps)
