"""What the documents say that a call costs is what the engine charges."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading.pages import read_page
from orders import commands as order_commands
from orders import queries as orders
from orders.entities import Guest, OrderItem, OrderQuery
from orders.statuses import Status
from reviews import commands as review_commands
from reviews import queries as review_queries
from rooms import commands
from rooms import queries as rooms
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers import dynamodb_local
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.sessions import again, saved

GUESTS, ITEMS = 25, 500
DINNER = OrderItem("sku-000", "Dinner for two, menu 0", 1, Decimal(95))


def room(number: str) -> Room:
    """A room as it is stored."""
    return rooms.rooms_as_stored([(ABC, number)])[ABC, number]


CLAIMS: list[tuple[str, str, Callable[[], object]]] = [
    (
        "access-patterns",
        "It costs {writes} write units if the room begins or ends to need attention",
        lambda: commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "anna"),
    ),
    (
        "access-patterns",
        "the hotel's three partitions are merged, as those of the group: {requests} requests, {reads} read units",
        lambda: read_page(orders.unfinished_orders(None, [ABC]), 25),
    ),
    (
        "access-patterns",
        "a page of 25 takes {requests} requests, {reads} read units and one wave",
        lambda: read_page(orders.unfinished_orders(), 25),
    ),
    (
        "access-patterns",
        "A page is one request, {reads} read unit.",
        lambda: read_page(orders.hotel_orders(ABC, OrderQuery()), 25),
    ),
    (
        "access-patterns",
        "A hotel costs half a read unit",
        lambda: orders.listed_orders([make_order(f"x-{n}", f"g-{n}", hotel_id="xyz") for n in range(GUESTS)]),
    ),
    (
        "access-patterns",
        "first 500 items: one request, {reads} read units for 500 with short names",
        lambda: orders.catalogue(ABC).take(ITEMS, None, backward=False),
    ),
    (
        "access-patterns",
        "It costs one request, one wave, and half a read unit for each review",
        lambda: list(review_queries.with_replies([make_review("r-1")])),
    ),
    (
        "planner",
        "takes {writes} write units, 18 of them in a transaction",
        lambda: commands.create_room(make_room("102"), "anna"),
    ),
    (
        "keys",
        "| this table; the inverted index has a key of its own | 2 | {writes}, 30 |",
        lambda: order_commands.create_guest(Guest("two", "Émile Leroux", "el@example.com"), "anna"),
    ),
    (
        "keys",
        "| this table; the inverted index has a key of its own | 2 | 16, {writes} |",
        lambda: order_commands.create_guest(Guest("four", "Maria del Carmen Lopez", "mc@example.com"), "anna"),
    ),
    (
        "keys",
        "| of 3 lines | {writes} | 16 |",
        lambda: order_commands.place_order(make_order("three", "g-1", total=285, items=(DINNER,) * 3), "anna"),
    ),
    ("sessions", "This costs half a read unit", lambda: again(saved(cat="dog")).load()),
    ("scaling", "| {writes} | a room is added |", lambda: commands.create_room(make_room("103"), "anna")),
    (
        "scaling",
        "| {writes} | a room's rate changes |",
        lambda: commands.edit_room(room("103"), replace(room("103"), rate=Decimal(99)), "anna"),
    ),
    (
        "scaling",
        "| {writes} | a room becomes dirty, or clean again |",
        lambda: commands.set_status(ABC, "103", StatusChange(Housekeeping.DIRTY), "anna"),
    ),
    (
        "scaling",
        "| {writes} | an order of one item is placed |",
        lambda: order_commands.place_order(make_order("new", "g-1", total=95, items=(DINNER,)), "anna"),
    ),
    (
        "scaling",
        "| {writes} | an order takes a step |",
        lambda: order_commands.take_step(orders.stored_order("new"), Status.PROCESSING, "anna"),
    ),
    (
        "scaling",
        "| {writes} | an order takes a step |",
        lambda: order_commands.take_step(orders.stored_order("new"), Status.SHIPPED, "anna"),
    ),
    (
        "scaling",
        "| {writes} | an order takes its last step |",
        lambda: order_commands.take_step(orders.stored_order("new"), Status.DELIVERED, "anna"),
    ),
    ("scaling", "| {writes} | a review is added |", lambda: review_commands.add_review(make_review("r-2"), "anna")),
    (
        "scaling",
        "| {writes} | a review is answered |",
        lambda: review_commands.reply_to_review(review_queries.review("r-2"), "Thank you.", "anna"),
    ),
]


def fill() -> None:
    """What the calls read: orders that fill a page and its shards, a catalogue, a review and a room."""
    make_hotel([make_room("101")])
    for number in range(GUESTS):
        order_commands.create_guest(Guest(f"g-{number}", f"Guest {number}"), "anna")
    store(
        [
            make_order(f"o-{n}", f"g-{n % GUESTS}", hotel_id=ABC, items=(), status=list(Status)[n % 3])
            for n in range(4 * GUESTS)
        ]
    )
    items = [OrderItem(f"sku-{n:03d}", f"Dinner for two, menu {n}", 1, Decimal(95)) for n in range(ITEMS)]
    order_commands.collect_items([make_order("all", items=tuple(items))])
    store_reviews([make_review("r-1")])


def costs(call: Callable[[], object]) -> dict[str, Any]:
    """What a call costs: requests, read units, write units."""
    with ledger.recording() as calls:
        call()
    return {
        "requests": calls.requests,
        "reads": f"{float(calls.read_units):g}",
        "writes": f"{float(calls.write_units):g}",
    }


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges index entries of transactions twice")
def test_calls_cost_what_the_documents_say() -> None:
    fill()
    for name, sentence, call in CLAIMS:
        measured = costs(call)
        text = " ".join((Path(settings.BASE_DIR) / "docs" / f"{name}.md").read_text(encoding="utf-8").split())
        assert sentence.format(**measured) in text, (name, measured)
        if "half a read unit" in sentence and "{reads}" not in sentence:
            assert measured["reads"] == "0.5", sentence
