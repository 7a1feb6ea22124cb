"""Lists by rate and by number, and lists filtered by rate or status, compared with plain Python on the real engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from random import Random

import pytest
from django.test import Client

from dynamodb_lists import Page, Query, begins, between
from dynamodb_lists.schema.natural import natural
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow
from hotels import commands as hotels
from hotels.entities import Hotel
from rooms import commands, keys, queries
from rooms.entities import Room, StatusChange, with_status
from rooms.lists import ROOMS
from rooms.statuses import STATUSES, Housekeeping, Service
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

part = ROOMS.declaration.part

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
VIEWS = ("Sea view", "Garden", "City", "Pool view", "海景")
TYPES = ("Suite", "Double", "Single")
RATES = (Decimal("9.5"), Decimal("10"), Decimal("99.90"), Decimal("100"), Decimal("1000"), Decimal("120.50"))


def random_rooms(random: Random, number: int) -> list[Room]:
    """Random rooms; many have the same rate, and rare views are the dearest."""
    rooms = []
    for n in range(number):
        view = random.choices(VIEWS, (40, 30, 20, 8, 2))[0]
        rate = random.choice(RATES) + 1000 * VIEWS.index(view)
        currency = "GBP" if random.random() < 0.05 else "EUR"
        service = random.choices(tuple(Service), (9, 1))[0]
        room = make_room(
            f"{'A-' * (n % 9 == 0)}{n}",
            view,
            random.randrange(20, 60, 5),
            random.choice(TYPES),
            rate=rate,
            currency=currency,
        )
        rooms.append(replace(room, service=service, housekeeping=random.choices(tuple(Housekeeping), (7, 2, 1))[0]))
    return rooms


def store(rooms: Sequence[Room]) -> None:
    make_hotel(rooms)
    statuses = {(ABC, room.number): StatusChange(room.housekeeping, room.service, "why", None) for room in rooms}
    commands.save_rooms(rooms, statuses)


@dataclass(frozen=True)
class Asked:
    """What is asked of the list: values of facets, sizes, rates of a currency, statuses, a beginning, and an order."""

    values: Mapping[str, frozenset[str]]
    sizes: tuple[int, int] | None
    rates: tuple[str, Decimal | None, Decimal | None] | None
    statuses: frozenset[Service | Housekeeping]
    number: str
    sort: str
    descending: bool
    size: int

    @property
    def query(self) -> Query[Room]:
        query = ROOMS.query(hotel_id=ABC).where(**self.values).where(number=begins(self.number))
        if self.sizes:
            query = query.where(size=between(*self.sizes))
        if self.rates:
            query = query.where(currency=self.rates[0], rate=between(*self.rates[1:]))
        if self.statuses:
            query = with_status(query, self.statuses)
        return query.order_by(self.sort, descending=self.descending) if self.sort else query

    def allows(self, room: Room) -> bool:
        """Return whether plain Python finds that a room is meant."""
        low, high = self.sizes or (room.size, room.size)
        return (
            all(part(name, getattr(room, name)) in allowed for name, allowed in self.values.items())
            and low <= room.size <= high
            and (self.rates is None or is_in_range(room, *self.rates))
            and (not self.statuses or not self.statuses.isdisjoint(room.statuses))
            and room.number.casefold().startswith(self.number.casefold())
        )

    def page(self, cursor: str = "") -> Page[Room]:
        return self.query.page(self.size, cursor)


def random_query(random: Random, rooms: Sequence[Room]) -> Asked:
    values = {}
    if random.random() < 0.6:
        chosen = random.sample(sorted({part(keys.VIEW, room.view) for room in rooms}), random.randint(1, 2))
        values[keys.VIEW] = frozenset(chosen)
    if random.random() < 0.3:
        values[keys.TYPE] = frozenset([part(keys.TYPE, random.choice(rooms).type)])
    sizes = (25, 45) if random.random() < 0.3 else None
    low, high = sorted(random.choice(rooms).rate for _ in range(2))
    rates = random.choice([None, ("EUR", low, high), ("EUR", low, None), ("GBP", None, high)])
    statuses = frozenset(random.sample(STATUSES, random.choice((0, 0, 1, 2))))
    sort = random.choice((keys.RATE, keys.RATE, keys.NUMBER, "", *keys.FACETS))
    descending, size = random.random() < 0.5, random.choice((10, 25))
    number = random.choice(("", "", "1", "10", "a-1"))
    return Asked(values, sizes, rates, statuses, number, sort, descending, size)


def numbers_of(rooms: Sequence[Room], asked: Asked) -> list[str]:
    """Return what plain Python makes of the query. Lists without a sort are in an order of their own."""
    kept = [*filter(asked.allows, rooms)]
    if asked.sort == keys.RATE:
        kept.sort(key=lambda room: (room.currency, room.rate, natural(room.number)), reverse=asked.descending)
    elif asked.sort == keys.NUMBER:
        kept.sort(key=lambda room: natural(room.number), reverse=asked.descending)
    elif asked.sort:
        kept.sort(key=lambda room: part(asked.sort, getattr(room, asked.sort)), reverse=asked.descending)
    return [room.number for room in kept]


def is_in_range(room: Room, currency: str, low: Decimal | None, high: Decimal | None) -> bool:
    return room.currency == currency and (low is None or room.rate >= low) and (high is None or room.rate <= high)


def numbers(pages: Sequence[Page[Room]]) -> list[str]:
    return [room.number for page in pages for room in page.rows]


def assert_like_python(rooms: Sequence[Room], asked: Asked) -> None:
    """Forwards, backwards from the last page, and exported, the list is what plain Python makes of it."""
    wanted, pages = numbers_of(rooms, asked), list(follow(asked.page(), NEXT, asked.page))
    by_number = {room.number: room for room in rooms}
    if asked.sort in {keys.RATE, keys.NUMBER}:
        assert numbers(pages) == wanted
    else:
        assert sorted(numbers(pages)) == sorted(wanted)
        if asked.sort:
            assert [part(asked.sort, getattr(by_number[n], asked.sort)) for n in numbers(pages)] == [
                part(asked.sort, getattr(by_number[n], asked.sort)) for n in wanted
            ]
    assert {page.total for page in pages} <= {None, len(wanted)}
    assert [room.number for room in queries.all_rooms(asked.query)] == numbers(pages)
    if pages[0].last is None:
        return
    back = list(follow(asked.page(pages[0].last), PREVIOUS, asked.page))[::-1]
    assert numbers(back)[-len(wanted) :] == numbers(pages)
    if None not in {page.total for page in [*pages, *back]}:  # without a total, the last page is a full one
        assert [page.rows for page in back] == [page.rows for page in pages]
        assert [page.rank for page in pages] == [n * asked.size for n in range(len(pages))]


def test_every_list_is_what_plain_python_makes_of_it() -> None:
    random = Random(150)
    rooms = random_rooms(random, 150)
    store(rooms)
    for _ in range(examples(10)):
        assert_like_python(rooms, random_query(random, rooms))
    assert_in_step()


def get(client: Client, query: str) -> ListMarkup:
    response = client.get(f"/hotels/{ABC}/rooms/{query}")
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def test_several_currencies_are_explained(staff: Client) -> None:
    make_hotel([make_room("101", rate=Decimal(9)), make_room("102", rate=Decimal(90), currency="CHF")])
    page = get(staff, "?sort=rate")
    assert page.rows == ["102", "101"]
    assert "sorted by currency first" in page.text("#list")
    assert get(staff, "?rate_min=5").rows == ["101"]
    assert "sorted by currency, then" not in get(staff, "?rate_min=5&sort=rate").text("#list")


def test_rates_need_the_hotels_currency(staff: Client) -> None:
    hotels.save_hotels([Hotel(ABC, "Hotel ABC")])
    commands.save_rooms([make_room("101")])
    response = staff.get(f"/hotels/{ABC}/rooms/?rate_max=7")
    assert response.status_code == 400
    assert "This hotel has no currency yet" in response.content.decode()


def test_a_status_is_shown_filtered_and_exported(staff: Client) -> None:
    make_hotel([make_room("101"), make_room("102"), make_room("103")])
    change = StatusChange(service=Service.OUT_OF_ORDER, reason="Dripping tap", until=date(2031, 5, 1))
    commands.set_status(ABC, "102", change, "anna")
    assert get(staff, "?status=out-of-order").rows == ["102"]
    assert get(staff, "?status=in-service&sort=rate").rows == ["101", "103"]
    assert "Out of order until 1 May 2031" in get(staff, "").text('tr[data-row="102"]')
    lines = staff.get(f"/hotels/{ABC}/rooms/?format=csv&status=out-of-order").getvalue().decode().splitlines()
    assert lines[1].endswith("out-of-order,Dripping tap,2031-05-01,clean,,,normal")
