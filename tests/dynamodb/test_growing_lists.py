"""The portal's lists of orders and of reviews grow: a second release gives each a sort, a sparse list and a field."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import partial
from itertools import product
from typing import Annotated, Any

import pytest

from dynamodb_lists import (
    GIVEN,
    Conflict,
    Field,
    KeyAttribute,
    List,
    NotFilledYet,
    Writer,
    global_index,
    register,
    shard,
    table_name,
)
from dynamodb_lists.connection.client import client
from dynamodb_lists.lists import items
from dynamodb_lists.maintenance.migration import migrate_list, plan
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.releases import Killed, forget, killed_after, of_another_process, writing
from orders import keys
from orders.entities import Order
from orders.models import LISTED_OF_HOTEL, OrderModel
from orders.statuses import Status
from reviews.entities import Review
from reviews.models import BEYOND_LISTS, LISTED, ReviewModel
from tests.helpers.orders import AT, make_order
from tests.helpers.reviews import make_review

HOTELS, CHANNELS, ROWS = ("abc", "other"), ("", "desk", "phone"), 50


@dataclass(frozen=True, slots=True)
class Order2(Order):
    channel: Annotated[str, Field("Channel", blank=True, sparse=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review2(Review):
    channel: Annotated[str, Field("Channel", blank=True, sparse=True)] = ""


class OrdersAlone(Writer[Any]):
    """Writes orders without their lines, guests and statistics, which are no part of the list."""

    def items(self, entity: Any) -> Sequence[Any]:
        return [self.model.item(entity, shard=shard(entity.order_id, 2))]


def first_orders(name: str) -> List[Any]:
    @register
    class Model(OrderModel):
        class Meta:
            table_name = table_name(name)

        kind, entity = name, Order
        _connection = None  # the model above may have been used, and then names its own table

    return List(Order, table=Model, name=name, id="order_id", shards=lambda: 2, writer=OrdersAlone())


def second_orders(name: str) -> List[Any]:
    shown = [*LISTED_OF_HOTEL, "channel", "history"]

    @register
    class Model(OrderModel):
        class Meta:
            table_name = table_name(name)

        kind, entity = name, Order2
        _connection = None  # the model above may have been used, and then names its own table
        total_key = KeyAttribute("{total}", number=True)
        channel_key = KeyAttribute("{hotel_id}#{channel}", when=[{"channel": GIVEN}])
        of_hotel = global_index(keys.HOTEL_ORDERS, "hotel_id", "order_placed_date", projected=shown)
        by_total = global_index("by-total", "hotel_id", "total_key", projected=shown, numeric=True)
        channels = global_index("channels", "channel_key", "order_placed_date", projected=shown)

    return List(Order2, table=Model, name=name, id="order_id", shards=lambda: 2, writer=OrdersAlone())


def first_reviews(name: str) -> List[Any]:
    @register
    class Model(ReviewModel):
        class Meta:
            table_name = table_name(name)

        kind, entity = name, Review
        _connection = None  # the model above may have been used, and then names its own table

    return List(Review, table=Model, name=name)


def second_reviews(name: str) -> List[Any]:
    shown = [*LISTED, "channel"]

    @register
    class Model(ReviewModel):
        class Meta:
            table_name = table_name(name)

        kind, entity = name, Review2
        _connection = None  # the model above may have been used, and then names its own table
        author_key = KeyAttribute("{author}#{created_at:time}#{review_id}")
        channel_key = KeyAttribute("hotel#{hotel_id}#{channel}", when=[{"channel": GIVEN}])
        by_hotel = global_index("by-hotel", "hotel_key", "created_id", projected=[*shown, *BEYOND_LISTS])
        by_author = global_index("by-author", "hotel_key", "author_key", projected=shown)
        channels = global_index("channels", "channel_key", "created_id", projected=shown)

    return List(Review2, table=Model, name=name)


def an_order(entity: Any, draw: random.Random) -> Any:
    number = draw.randrange(ROWS)
    room, total, status = draw.choice(["", "101"]), draw.choice([999, 1000, 2500]), draw.choice([*Status])
    at, hotel_id = AT + timedelta(minutes=number), HOTELS[number % 2]
    order = make_order(f"o-{number}", "alex", status, at, total=total, hotel_id=hotel_id, room_number=room)
    return of_release(entity, order, draw)


def a_review(entity: Any, draw: random.Random) -> Any:
    number, author, rating = draw.randrange(ROWS), f"Guest {draw.randrange(9)}", draw.randrange(1, 6)
    at, hotel_id = AT + timedelta(minutes=number), HOTELS[number % 2]
    review = make_review(f"r-{number}", draw.choice(["de", "en"]), rating, at, hotel_id=hotel_id, author=author)
    return of_release(entity, review, draw)


def of_release(entity: Any, row: Any, draw: random.Random) -> Any:
    """Return the row as a release knows it: the second one knows by which channel it came."""
    more = {"channel": draw.choice(CHANNELS)} if {"channel"} <= {each.name for each in fields(entity)} else {}
    return entity(**{each.name: getattr(row, each.name) for each in fields(row)}, **more)


@dataclass
class Grown:
    """A list of the portal in a table of its own, as two releases declare it, with what it is sorted and found by."""

    name: str
    releases: tuple[Callable[[str], List[Any]], Callable[[str], List[Any]]]
    entities: tuple[Any, Any]
    draw: Callable[[Any, random.Random], Any]
    sorts: tuple[str, str]
    found_by: dict[str, Sequence[Any]]

    @property
    def table(self) -> str:
        return table_name(self.name)

    def release(self, number: int) -> List[Any]:
        forget(self.name, self.name)
        return self.releases[number](self.name)

    def some(self, number: int) -> Callable[[random.Random], Any]:
        return partial(self.draw, self.entities[number])

    def same_as_in_python(self, listed: List[Any]) -> None:
        """Compare lists by every filter in every order with plain Python."""
        items = (item for page in scan(self.table) for item in page["Items"] if listed.model.holds(item))
        truth = [*map(listed.model.entity_of, items)]
        found_by = [(name, value) for name, values in self.found_by.items() for value in values]
        for hotel_id, sort, (name, value) in product(HOTELS, self.sorts, [("hotel_id", ""), *found_by]):
            query, asked = listed.query(hotel_id=hotel_id).order_by(sort), {"hotel_id": hotel_id}
            asked |= {name: value} if value else {}
            rows, wanted = [*query.where(**asked)], [each for each in truth if has(each, asked)]
            assert {key_of(listed, each) for each in rows} == {key_of(listed, each) for each in wanted}, asked
            assert [getattr(row, sort) for row in rows] == sorted(getattr(row, sort) for row in wanted)
            assert all(has(row, asked) for row in rows)
        for hotel_id in HOTELS:
            asked = {"hotel_id": hotel_id, "channel": "desk"}
            rows = [*listed.query(**asked).only("channels")]
            assert {key_of(listed, row) for row in rows} == {key_of(listed, row) for row in truth if has(row, asked)}


def has(row: Any, values: dict[str, Any]) -> bool:
    return all(getattr(row, name) == value for name, value in values.items())


def key_of(listed: List[Any], row: Any) -> Any:
    return getattr(row, listed.ids[-1])


GROWN = {
    "orders": (
        (first_orders, second_orders),
        (Order, Order2),
        an_order,
        ("placed_at", "total"),
        {"status": [*Status], "room_number": ["101"], "channel": CHANNELS[1:]},
    ),
    "reviews": (
        (first_reviews, second_reviews),
        (Review, Review2),
        a_review,
        ("created_at", "author"),
        {"language": ["de"], "rating": range(1, 6), "channel": CHANNELS[1:]},
    ),
}


NOT_LOCAL = pytest.mark.skipif(
    dynamodb_local.wanted(), reason="it adds no GSI to a table whose LSIs project more than 20 attributes"
)


@pytest.mark.parametrize("name", [pytest.param("orders", marks=NOT_LOCAL), "reviews"])
def test_a_list_of_the_portal_is_filled_beside_writers_of_both_releases_and_after_kills(
    endpoint: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(items, "SHAPE_SECONDS", 0.1)
    grown, draw = Grown(f"growing-{name}", *GROWN[name]), random.Random(5)
    first = grown.release(0)
    tables.create_table(grown.table)
    for _ in range(ROWS):
        with suppress(Conflict):
            first.create(grown.some(0)(draw))
    second = grown.release(1)
    in_order = second.query(hotel_id="abc").order_by(grown.sorts[0])
    row = in_order.page(5).rows[1]
    seen = second.get(**{name: getattr(row, name) for name in second.ids})
    second.update(seen, channel="desk")
    rows = in_order.page(5).rows
    assert [each.channel for each in rows] == ["", "desk", "", "", ""], "an older index lacks it: it is read by key"
    with pytest.raises(NotFilledYet, match="channels"):
        second.query(hotel_id="abc", channel="desk").only("channels").page()
    assert [step.text for step in tables._update(grown.table) if step.failed] == []
    with writing(first, grown.some(0), 2), writing(second, grown.some(1), 2):
        with pytest.raises(Killed):
            migrate_list(second, progress=killed_after(0))
        assert migrate_list(second) == []
    with writing(second, grown.some(1), 1):
        for pages in (0, 2):
            with suppress(Killed):
                migrate_list(of_another_process(second), finish=True, progress=killed_after(pages))
        assert migrate_list(of_another_process(second), finish=True) == []
    assert not plan(second).lacks
    grown.same_as_in_python(second)
    client().delete_table(TableName=grown.table)
    forget(grown.name, grown.name)
