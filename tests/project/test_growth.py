"""No page costs more because there is more of what it lists: each is opened with few rows and with many."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from dynamodb_lists.reading import fetching
from hotels.entities import Hotel
from hotels.lists import HOTELS
from orders.lists import GUESTS
from orders.statuses import Status
from portal.times import now
from reviews.lists import REVIEWS
from rooms.commands import pack_hotels
from rooms.entities import Plan, Room
from rooms.entities.rooms import Steps
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping, Priority, Service
from tests.conftest import logged_in
from tests.helpers import contents, forms
from tests.helpers.addresses import addresses
from tests.helpers.filling import fill_list
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_guest, make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db, pytest.mark.slow]
FEW, MANY = (300, 180), (2_000, 600)
"""How many rooms there are, and how many orders, guests, reviews and hotels. With the few, pages are full."""
MORE_UNITS, MORE_REQUESTS = 4, 2
"""What a page may take more with many rows: packed counts, and longer ranges that are sorted in memory."""
PLANNED = 112
"""About how many of the rooms somebody has today."""
MOST = {"/hotels/abc/": 6, "/hotels/abc/attention/": 4, "/hotels/abc/handover/": 12}
MOST |= {"/hotels/abc/plan/": 8, "/hotels/abc/plan/?status=unassigned": 8}
"""The most read units of the pages that a hotel begins its day with, also with 20,000 rooms."""
GROWS = {
    "/hotels/abc/attention/?status=inspected": "Nothing leads to the few inspected rooms: all are walked by number."
}
"""The pages that cost more, and why they may."""
SHAPES = [*product(("Sea view", "Garden view", "Courtyard"), (18, 26, 35, 48), ("Single", "Double", "Suite"))]


def rooms(count: int) -> Iterator[Room]:
    """Rooms on a busy morning: half of them dirty, one of twenty out of order for weeks, some planned."""
    random, at = Random(1), now()
    for number in range(1000, 1000 + count):
        view, size, kind = random.choice(SHAPES)
        room = make_room(str(number), view, size, kind, rate=Decimal(size * random.randint(3, 6)))
        lot = random.random()
        if lot < 0.05:
            until, since = at.date() + timedelta(random.randint(-3, 30)), at - timedelta(random.randint(20, 40))
            housekeeping = random.choice([*Housekeeping])
            broken = replace(room, service=Service.OUT_OF_ORDER, reason="Boiler", until=until)
            room = replace(broken, housekeeping=housekeeping, attention_since=since)
        elif lot < 0.55:
            since = at - timedelta(minutes=random.randint(1, 600))
            room = replace(room, housekeeping=Housekeeping.DIRTY, attention_since=since)
        else:
            cleaned_at = at - timedelta(seconds=random.randint(0, 9))
            room = replace(room, steps=Steps(cleaned_at, "amy"), cleaned_at=cleaned_at)
        planned = random.random() < PLANNED / count
        yield replace(room, plan=Plan(at.date(), str(random.randint(1, 5)), Priority.NORMAL)) if planned else room


def grow(of_rooms: int, of_others: int) -> None:
    """Store a hotel with so many rooms, and a group with so many guests, orders and reviews."""
    contents.empty()
    cache.clear()
    contents.forget_counts()
    fetching.sizes.clear()
    forms.fill()
    random, at, every = Random(2), now(), range(of_others)
    fill_list(ROOMS, rooms(of_rooms))
    pack_hotels([ABC])
    fill_list(GUESTS, (make_guest(f"guest{n}") for n in every))
    placed = [(random.choice([*Status]), at - timedelta(hours=n)) for n in every]
    guests = [f"guest{n}" if n % 3 else "alex" for n in every]
    some = zip(every, guests, placed, strict=True)
    store([make_order(f"x-{n}", guest, *when, room_number="101" if n % 2 else "") for n, guest, when in some])
    fill_list(REVIEWS, (make_review(f"y-{n}", rating=n % 5 + 1, created_at=at - timedelta(hours=n)) for n in every))
    fill_list(HOTELS, (Hotel(f"hotel{n}", f"Hotel {n}", currency="EUR", time_zone="Europe/Paris") for n in every))


def costs(user: User) -> dict[str, tuple[Decimal, int]]:
    """Return what each page takes, and each tab and sort of it: read units, and requests."""
    client, found = logged_in(user), dict[str, tuple[Decimal, int]]()
    left = [address.url for address in reversed(addresses())]
    while left:
        if (url := left.pop()) in found:
            continue
        answer: Any = client.get(url)
        ledger = getattr(answer.wsgi_request, "ledger", None)
        if answer.status_code == 200 and ledger:
            found[url] = ledger.read_units, ledger.requests
            links = [] if "?" in url or answer.streaming else ListMarkup(answer.content).soup.select(".tabs a, th a")
            left += [each for each in (urljoin(url, str(link["href"])) for link in links) if each.startswith(f"{url}?")]
    return found


@pytest.mark.timeout(600)  # it takes 30 s on a quiet machine
def test_no_page_costs_more_with_more_rows(admin_user: User) -> None:
    grow(*FEW)
    few = costs(admin_user)
    grow(*MANY)
    many = costs(admin_user)
    both = few.keys() & many.keys()
    assert len(both) > 120
    dear = {url: (few[url], many[url]) for url in both if not _costs_no_more(few[url], many[url])}
    assert dear.keys() == GROWS.keys(), dear
    assert {url: many[url] for url, most in MOST.items() if many[url][0] > most} == {}


def _costs_no_more(few: tuple[Decimal, int], many: tuple[Decimal, int]) -> bool:
    return many[0] <= few[0] + MORE_UNITS and many[1] <= few[1] + MORE_REQUESTS
