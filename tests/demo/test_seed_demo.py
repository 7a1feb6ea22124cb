"""The command ``seed_demo``."""

import json
from datetime import timedelta
from io import StringIO
from itertools import chain, product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists.declared.models import SHAPES
from dynamodb_lists.schema.keys import now
from hotels import queries as hotels
from hotels.entities import AGES
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import Guest
from orders.lists import GUESTS
from orders.statuses import UNFINISHED, Status
from portal.seeding import NEWEST
from reviews import queries as reviews
from rooms import queries
from rooms.entities import Room
from rooms.lists import ROOMS
from tests.helpers import orders as order_support
from tests.helpers import reviews as review_support
from tests.helpers.contents import empty
from tests.helpers.kinds import assert_all_in_step
from tests.helpers.reviews import stored
from tests.helpers.rooms import all_items, make_hotel
from tests.helpers.writes import create_guest, delete_review

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ALL_ITEMS = (all_items, order_support.all_items, review_support.all_items)
SMALL: dict[str, Any] = {"rooms": [30, 20], "guests": 12, "orders": 20, "reviews": 30, "until": NEWEST}


def fill() -> None:
    """Write a small amount of demo data."""
    run("seed_demo", **SMALL)


def run(command: str, **options: Any) -> str:
    out = StringIO()
    call_command(command, stdout=out, **options)
    return out.getvalue()


def snapshot() -> set[str]:
    """Return every item but those of the tables' shapes, without the revision of a hotel's counts, which is random."""
    found = [dict(item) for item in chain(*(items() for items in ALL_ITEMS))]
    items = [item for item in found if item.get("pk") != {"S": SHAPES}]
    return {json.dumps({**item, "counts_revision": None}, sort_keys=True, default=repr) for item in items}


def attention(hotel_id: str) -> list[Room]:
    return list(queries.needing_attention(ROOMS.query(hotel_id=hotel_id)).listing().stream())


def test_demo_data_is_the_same_for_the_same_seed() -> None:
    before = snapshot()
    assert run("seed_demo", **SMALL).splitlines() == [
        "2 hotels: 0 written, 2 already there.",
        "35 working days: 0 written, 35 already there.",
        "50 rooms: 0 written, 50 already there.",
        "12 guests: 0 written, 12 already there.",
        "20 orders: 0 written, 20 already there.",
        "42 standard texts: 0 written, 42 already there.",
        "60 reviews: 0 written, 60 already there.",
        "24 notes: 0 written, 24 already there.",
        "3 saved views: 0 written, 3 already there.",
    ]
    assert snapshot() == before
    assert_all_in_step()
    run("seed_demo", **SMALL, seed=2)
    assert [hotel.rooms for hotel in hotels.hotels().stream()] == [20, 20, 30, 30], "each seed has data of its own"
    assert len(list(GUESTS.query())) == 24
    assert before <= snapshot()
    assert_all_in_step()


def test_the_start_pages_of_the_demo_have_something_to_show() -> None:
    """Without another time, the data reach up to the present hour. Fewer reviews are in too few months on some days."""
    empty()
    run("seed_demo", rooms=[200], guests=12, orders=200, reviews=80)
    numbers = hotels.group_statistics(now().date())
    assert numbers.rooms["dirty"] > 3
    assert 0 < numbers.rooms["out-of-order"] < 10
    assert sum(1 for statuses in numbers.orders.values() if statuses) > 15
    assert 50 < sum(sum(statuses.values()) for statuses in numbers.orders.values()) < 110
    ages = [sum(numbers.orders_by_age(status)[age] for status in UNFINISHED) for age in AGES]
    assert sum(ages[:3]) > sum(ages[3:]) > 0
    assert sum(1 for ratings in numbers.ratings.values() if ratings) > 4
    assert all(room.attention_since and room.attention_since < now() for room in attention("seaside"))


def test_reviews_name_rooms_and_guests_that_are_there_and_some_have_replies() -> None:
    for hotel in hotels.hotels().stream():
        all_reviews = list(reviews.reviews(hotel_id=hotel.hotel_id, whole=True))
        guests = {review.username: review.author for review in all_reviews if review.username}
        assert guests
        assert {orders.guest(username).name for username in guests} == set(guests.values())
        assert 2 < sum(bool(review.reply) for review in all_reviews) < 20
        named = {review.room_number for review in all_reviews if review.room_number}
        assert 5 < len(named) < len(all_reviews) == 30
        for number in named:
            assert queries.room(hotel.hotel_id, number)


def test_demo_data_is_left_out_where_there_is_data() -> None:
    for add in (make_hotel, lambda: create_guest(Guest("alex", "Alex"), "alice")):
        empty()
        add()
        before = snapshot()
        assert "no demo data" in run("seed_demo", if_empty=True)
        assert snapshot() == before


def test_an_interrupted_command_is_completed_with_the_data_that_it_began(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    before = snapshot()
    empty()
    with monkeypatch.context() as patched:
        patched.setattr(order_commands, "save_orders", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run("seed_demo", if_empty=True, **SMALL)
    later = {**SMALL, "until": NEWEST + timedelta(days=1)}
    assert "50 rooms: 0 written, 50 already there." in run("seed_demo", if_empty=True, **later)
    assert snapshot() == before
    assert "no demo data" in run("seed_demo", if_empty=True, **later)


def test_orders_that_somebody_moved_on_stay_so_and_reviews_that_are_gone_are_made_again() -> None:
    order = next(orders.placed([Status.PLACED]).all())
    order_commands.take_step(orders.order(order.order_id), Status.PROCESSING, "alice")
    name = next(hotel.hotel_id for hotel in hotels.hotels().stream()) + "-00000"
    before = stored(name)
    delete_review(before, "alice")
    said = run("seed_demo", **SMALL)
    assert "20 already there" in said
    assert "60 reviews: 1 written, 59 already there." in said
    assert stored(name) == before
    assert orders.order(order.order_id).status == Status.PROCESSING
    assert_all_in_step()


def test_an_impossible_size_is_refused() -> None:
    for option, size in product(("--rooms", "--guests", "--orders", "--reviews"), ("-1", "many")):
        with pytest.raises(CommandError, match=option):
            call_command("seed_demo", option, size)
