"""What the tests share: rooms in bulk, the naive model of a room list, and the invariant of the table."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from io import BytesIO
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from bs4 import BeautifulSoup, Tag
from django.conf import settings

from hotelapp.dynamodb.client import client
from hotelapp.dynamodb.facets import Selection
from rooms import commands, keys, models
from rooms.values import Hotel, Room

ABC = "abc"


def make_room(number: str, view: str = "Sea view", size: int = 40, type: str = "Suite", **other: Any) -> Room:  # noqa: A002
    """A room of the hotel ``abc``."""
    values: dict[str, Any] = {"hotel_id": ABC, "rate": Decimal("120.50"), "currency": "EUR", **other}
    return Room(number=number, view=view, size=size, type=type, **values)


def make_hotel(rooms: Sequence[Room] = (), hotel_id: str = ABC, name: str = "Hotel ABC") -> None:
    """A hotel with these rooms."""
    commands.save_hotel(Hotel(hotel_id, name, "Paris"))
    for start in range(0, len(rooms), 90):
        commands.save_rooms(rooms[start : start + 90])


def expected(rooms: Iterable[Room], selection: Selection, order: Sequence[str], descending: bool) -> list[str]:
    """The numbers of a list as plain Python filters and sorts it: by the facets in ``order``, then by number."""
    kept = [room for room in rooms if selection.allows(keys.FACETS, room.facets)]
    places = [keys.FACETS.index(facet) for facet in order]
    kept.sort(key=lambda room: ([room.facets[place] for place in places], room.number), reverse=descending)
    return [room.number for room in kept]


def order_of(index: str) -> Sequence[str]:
    """The order in which an index holds the facets."""
    return next(found.order for found in keys.INDEXES if found.name == index)


def all_items() -> Iterator[Mapping[str, Any]]:
    """Every item of the rooms' table. Tests may scan; pages never do."""
    for page in client().get_paginator("scan").paginate(TableName=models.TABLE, ConsistentRead=True):
        yield from page["Items"]


def assert_in_step() -> None:
    """Rooms, number guards, facet counts and hotels' totals agree."""
    rooms, guards, counts, totals = Counter[Any](), Counter[Any](), Counter[Any](), Counter[Any]()
    for item in all_items():
        pk, sk = item["pk"]["S"], item["sk"]["S"]
        if pk == keys.HOTELS:
            totals[item["hotel_id"]["S"]] += int(item["rooms"]["N"])
            continue
        _, hotel_id, kind = pk.split("#")
        if kind == "rooms":
            assert_keys(item)
            rooms[hotel_id, plain(item)] += 1
        elif kind == "room-numbers":
            assert sk == item["number"]["S"]
            guards[hotel_id, plain(item)] += 1
        else:
            counts[hotel_id, sk] += int(item["rooms"]["N"])
    assert guards == rooms
    assert set(rooms.values()) <= {1}
    assert +counts == Counter((hotel, key_of(room)) for hotel, room in rooms)
    assert min(counts.values(), default=0) >= 0
    assert +totals == Counter(hotel for hotel, _ in rooms)


def assert_keys(item: Mapping[str, Any]) -> None:
    """A room's six keys are those of its facets and number."""
    facets = keys.combination(item["view"]["S"], int(item["size"]["N"]), item["type"]["S"])
    for index, attribute in keys.SORT_KEYS.items():
        assert item[attribute]["S"] == keys.room(facets, item["number"]["S"], index)


def plain(item: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a room and its guard both hold."""
    names = ("number", "view", "size", "type", "rate", "currency", "revision")
    return tuple((name, next(iter(item[name].values()))) for name in names)


def key_of(room: Iterable[tuple[str, str]]) -> str:
    """The key of the count that a room belongs to."""
    known = dict(room)
    return keys.count(keys.combination(known["view"], int(known["size"]), known["type"]))


class ListMarkup:
    """A list page's markup, as tests and scripts may rely on it."""

    def __init__(self, content: bytes) -> None:
        self.soup = BeautifulSoup(content, "html.parser")

    @property
    def table(self) -> Tag:
        """The list."""
        return self.one("table[data-list]")

    @property
    def rows(self) -> list[str]:
        """What each row is called."""
        return [str(row["data-row"]) for row in self.soup.select("tr[data-row]")]

    @property
    def total(self) -> int:
        """The list's length."""
        return int(str(self.table["data-total"]))

    def link(self, rel: str) -> str | None:
        """The pager's link of this kind, if there is one."""
        found = self.soup.select_one(f"nav.pager a[rel={rel}]")
        return str(found["href"]) if found else None

    def count(self, facet: str, value: str) -> int:
        """The number on a filter's choice."""
        return int(str(self.one(f'[data-facet="{facet}"][data-value="{value}"]')["data-count"]))

    def cost(self, name: str) -> float:
        """A figure of the cost panel."""
        return float(str(self.one("[data-cost]")[f"data-{name}"]))

    def text(self, selector: str) -> str:
        """The words of an element, blanks folded."""
        return " ".join(self.one(selector).get_text(" ").split())

    def one(self, selector: str) -> Tag:
        """The element, which must be there."""
        found = self.soup.select_one(selector)
        assert found is not None, f"{selector} is missing"
        return found


def endpoint() -> str:
    """The endpoint that the tests talk to."""
    return str(settings.DYNAMODB_ENDPOINT_URL)


@contextmanager
def answering(respond: Callable[..., Any], operation: str = "TransactWriteItems") -> Iterator[None]:
    """Let ``respond`` answer in the engine's place; ``None`` from it lets the request through.

    What it stands for are answers that a healthy engine does not give: throttling, meeting another transaction.
    """
    event = f"before-send.dynamodb.{operation}"
    client().meta.events.register(event, respond)
    try:
        yield
    finally:
        client().meta.events.unregister(event, respond)


class Raw(BytesIO):
    """A body as botocore reads it off the line."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        """The body in one piece."""
        yield self.read()


def answer(status: int, **body: Any) -> AWSResponse:
    """An answer of DynamoDB."""
    return AWSResponse(endpoint(), status, HTTPHeaders(), Raw(json.dumps(body).encode()))


def refusal(code: str, **more: Any) -> AWSResponse:
    """DynamoDB's answer for an error."""
    return answer(400, __type=f"com.amazonaws.dynamodb.v20120810#{code}", message=code, **more)


def cancelled(code: str) -> AWSResponse:
    """DynamoDB's answer for a transaction that it cancelled for this reason."""
    return refusal("TransactionCanceledException", CancellationReasons=[{"Code": code, "Message": code}])
