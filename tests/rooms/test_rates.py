"""Lists by rate and by number, and lists filtered by rate or status, compared with plain Python on the real engine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from random import Random

import pytest
from django.test import Client

from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema.natural import natural
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow
from hotels import commands as hotels
from hotels.entities import Hotel
from rooms import commands, keys, queries
from rooms.entities import RateRange, Room, RoomQuery, StatusChange
from rooms.lists import ROOMS
from rooms.statuses import STATUSES, Housekeeping, Service
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room, rooms_page

part = ROOMS.declaration.part

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
VIEWS = ("Sea view", "Garden", "City", "Pool view", "海景")
TYPES = ("Suite", "Double", "Single")
RATES = (Decimal("9.5"), Decimal("10"), Decimal("99.90"), Decimal("100"), Decimal("1000"), Decimal("120.50"))


def random_rooms(random: Random, number: int) -> list[Room]:
    """Rooms of which many have the same rate. Rare views are the dearest."""
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


def random_query(random: Random, rooms: Sequence[Room]) -> RoomQuery:
    values, bounds = {}, {}
    if random.random() < 0.6:
        chosen = random.sample(sorted({part(keys.VIEW, room.view) for room in rooms}), random.randint(1, 2))
        values[keys.VIEW] = frozenset(chosen)
    if random.random() < 0.3:
        values[keys.TYPE] = frozenset([part(keys.TYPE, random.choice(rooms).type)])
    if random.random() < 0.3:
        bounds[keys.SIZE] = ("0225", "0245")
    low, high = sorted(random.choice(rooms).rate for _ in range(2))
    rates = random.choice([None, RateRange("EUR", low, high), RateRange("EUR", low), RateRange("GBP", None, high)])
    statuses = frozenset(random.sample(STATUSES, random.choice((0, 0, 1, 2))))
    sort = random.choice((keys.RATE, keys.RATE, keys.NUMBER, "", *keys.FACETS))
    descending, size = random.random() < 0.5, random.choice((10, 25))
    number = random.choice(("", "", "1", "10", "a-1"))
    return RoomQuery(Selection(values, bounds), sort, "", descending, size, "", rates, statuses, number)


def numbers_of(rooms: Sequence[Room], query: RoomQuery) -> list[str]:
    """What plain Python makes of the query. Lists without a sort are in an order of their own."""
    kept = [
        room
        for room in rooms
        if query.selection.allows(keys.FACETS, ROOMS.declaration.combination(room))
        and (not query.rates or (room.currency == query.rates.currency and in_range(room.rate, query.rates)))
        and (not query.statuses or query.statuses & {room.service, room.housekeeping})
        and room.number.casefold().startswith(query.number.casefold())
    ]
    if query.by_rate:
        kept.sort(key=lambda room: (room.currency, room.rate, natural(room.number)), reverse=query.descending)
    elif query.sorts == (keys.NUMBER,):
        kept.sort(key=lambda room: natural(room.number), reverse=query.descending)
    elif query.sort:
        kept.sort(key=lambda room: part(query.sort, getattr(room, query.sort)), reverse=query.descending)
    return [room.number for room in kept]


def in_range(rate: Decimal, rates: RateRange) -> bool:
    return (rates.low is None or rate >= rates.low) and (rates.high is None or rate <= rates.high)


def walk(query: RoomQuery) -> Iterator[Page[Room]]:
    return follow(rooms_page(ABC, query), NEXT, lambda cursor: rooms_page(ABC, replace(query, cursor=cursor)))


def numbers(pages: Sequence[Page[Room]]) -> list[str]:
    return [room.number for page in pages for room in page.rows]


def assert_like_python(rooms: Sequence[Room], query: RoomQuery) -> None:
    """Forwards, backwards from the last page, and exported, the list is what plain Python makes of it."""
    wanted, pages = numbers_of(rooms, query), list(walk(query))
    by_number = {room.number: room for room in rooms}
    if query.sorts in {(keys.RATE,), (keys.NUMBER,)}:
        assert numbers(pages) == wanted
    else:
        assert sorted(numbers(pages)) == sorted(wanted)
        if query.sort:
            assert [part(query.sort, getattr(by_number[n], query.sort)) for n in numbers(pages)] == [
                part(query.sort, getattr(by_number[n], query.sort)) for n in wanted
            ]
    assert {page.total for page in pages} <= {None, len(wanted)}
    assert [room.number for room in queries.all_rooms(ABC, query)] == numbers(pages)
    if pages[0].last is None:
        return
    last = rooms_page(ABC, replace(query, cursor=pages[0].last))
    back = list(follow(last, PREVIOUS, lambda cursor: rooms_page(ABC, replace(query, cursor=cursor))))[::-1]
    assert numbers(back)[-len(wanted) :] == numbers(pages)
    if None not in {page.total for page in [*pages, *back]}:  # without a total, the last page is a full one
        assert [page.rows for page in back] == [page.rows for page in pages]
        assert [page.rank for page in pages] == [n * query.page_size for n in range(len(pages))]


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
    assert "sorted by currency, then by rate" in page.text("#list")
    assert get(staff, "?rate_min=5").rows == ["101"]
    assert "sorted by currency, then" not in get(staff, "?rate_min=5&sort=rate").text("#list")


def test_rates_need_the_hotels_currency(staff: Client) -> None:
    hotels.save_hotels([Hotel(ABC, "Hotel ABC")])
    commands.save_rooms([make_room("101")])
    response = staff.get(f"/hotels/{ABC}/rooms/?rate_max=7")
    assert response.status_code == 400
    assert "currency of this hotel is unknown" in response.content.decode()


def test_a_status_is_shown_filtered_and_exported(staff: Client) -> None:
    make_hotel([make_room("101"), make_room("102"), make_room("103")])
    change = StatusChange(service=Service.OUT_OF_ORDER, reason="Dripping tap", until=date(2031, 5, 1))
    commands.set_status(ABC, "102", change, "anna")
    assert get(staff, "?status=out-of-order").rows == ["102"]
    assert get(staff, "?status=in-service&sort=rate").rows == ["101", "103"]
    assert "Out of order until 1 May 2031" in get(staff, "").text('tr[data-row="102"]')
    lines = staff.get(f"/hotels/{ABC}/rooms/?format=csv&status=out-of-order").getvalue().decode().splitlines()
    assert lines[1].endswith("out-of-order,Dripping tap,2031-05-01,clean,,,normal")
