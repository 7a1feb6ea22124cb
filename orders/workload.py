"""What guests and orders store, read and write, for ``manage.py estimate_cost``."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from hotelapp.dynamodb.deployment.workloads import (
    ItemChange,
    Owners,
    PageLoad,
    Read,
    Sample,
    Stock,
    Workload,
    WriteLoad,
    encoded,
    item_changes,
    positive,
    register,
    stocks_of,
)
from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import Actor
from hotelapp.history.workload import ACTOR, STAMP, recorded
from hotels.workload import PAGE, sample_hotels
from orders import keys
from orders.commands.catalogue import entries_of, entry_item
from orders.commands.changes import GuestWriter, OrderWriter
from orders.entities import CatalogueEntry, HistoryStep, Order
from orders.models import CatalogueEntryModel, GuestModel, GuestWordModel, OrderItemModel, OrderModel
from orders.seeding import guests, orders
from orders.statuses import OPEN, STEPS, UNFINISHED

DEFAULT_ORDERS, DEFAULT_GUESTS = 100_000_000, 10_000_000
DEFAULT_CATALOGUE = 100
"""The different items that a hotel sells."""

SAMPLE_GUESTS, SAMPLE_ORDERS = 20, 20
SEED = 7


@cache
def _samples() -> list[tuple[Owners, Order]]:
    """Orders of sample guests at sample hotels."""
    people, hotels = guests(SEED, SAMPLE_GUESTS), sample_hotels(0)
    return [
        ({"guest": guest.username, "hotel": order.hotel_id, "order": order.order_id}, order)
        for number, guest in enumerate(people)
        for order in orders(SEED + number, SAMPLE_ORDERS, [guest], hotels)
    ]


def _sample_entries() -> list[CatalogueEntry]:
    """What the sample hotels have sold: each item of each hotel once."""
    entries = entries_of(order for _, order in _samples())
    return list({(entry.hotel_id, entry.sku): entry for entry in entries}.values())


def _owners(options: Mapping[str, Any]) -> dict[str, int]:
    return {"guest": options["guests"], "hotel": options["hotels"], "order": options["orders"]}


def _as_placed(order: Order) -> Order:
    """An order as it was when it was placed."""
    return replace(order, status=OPEN, status_at=order.placed_at, history=order.history[:1])


def _step(order: Order) -> list[ItemChange]:
    """The first step of an order: its whole item before and after, and the counts of its guest."""
    placed, writer = _as_placed(order), OrderWriter(Actor(order.order_id, at=order.placed_at))
    at = placed.placed_at + timedelta(hours=1)
    to = STEPS[OPEN][0]
    moved = replace(placed, status=to, status_at=at, history=(*placed.history, HistoryStep(to, at, "anna")))
    items = [next(item_changes(writer.own_writes(Change(None, each)))) for each in (placed, moved)]
    own = ItemChange(OrderModel, items[0].after, items[1].after)
    entry = item_changes(writer.history(Change(placed, moved)))
    return [own, *entry, *item_changes(writer.shared_writes([Change(placed, moved)]))]


@register
class OrderWorkload(Workload):
    """Guests, and orders with their items."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many guests and orders, and how many items each hotel sells."""
        parser.add_argument("--orders", type=positive, default=DEFAULT_ORDERS, metavar="N")
        parser.add_argument("--guests", type=positive, default=DEFAULT_GUESTS, metavar="N")
        parser.add_argument("--catalogue", type=positive, default=DEFAULT_CATALOGUE, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """Guests, orders, their items and the catalogues of hotels, as they are written."""
        people = [({"guest": guest.username}, replace(guest, **STAMP)) for guest in guests(SEED, SAMPLE_GUESTS)]
        yield from stocks_of(GuestWriter(ACTOR), people, options["guests"], {"guest": options["guests"]})
        yield from stocks_of(OrderWriter(ACTOR), _samples(), options["orders"], _owners(options))
        sold = [Sample({"hotel": entry.hotel_id}, encoded(entry_item(entry))) for entry in _sample_entries()]
        yield Stock(CatalogueEntryModel, sold, options["hotels"] * options["catalogue"], {"hotel": options["hotels"]})

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """Pages of a guest, of an order and of a hotel's orders, and the lists that are read from every shard.

        A list of orders also reads the guests of its rows, for their names.
        """
        shard = items_paid(keys.ENTRY_BYTES)
        open_orders = [Read(OrderModel, shard, keys.OPEN_ORDERS)] * keys.SHARDS
        unfinished = [Read(OrderModel, shard, keys.UNFINISHED)] * keys.SHARDS
        hotel_unfinished = [Read(OrderModel, shard, keys.HOTEL_UNFINISHED)] * len(UNFINISHED)
        names = [Read(GuestModel)] * (PAGE - 1)
        everyone = [Read(GuestModel, PAGE // keys.GUEST_SHARDS + 1, keys.GUESTS)] * keys.GUEST_SHARDS
        yield PageLoad("orders of a guest", [Read(GuestModel), Read(OrderModel, 10, keys.BY_PLACED)], 15)
        yield PageLoad(
            "order", [Read(OrderModel, 1, keys.BY_ORDER), Read(OrderItemModel, 1, keys.BY_ORDER), Read(GuestModel)], 15
        )
        yield PageLoad("open orders", [*open_orders, *names], 5)
        yield PageLoad("unfinished orders", [*unfinished, *names], 5)
        yield PageLoad("unfinished orders of a hotel", [*hotel_unfinished, *names], 10)
        yield PageLoad("orders of a hotel", [Read(OrderModel, PAGE, keys.BY_HOTEL), *names], 5)
        yield PageLoad("form to place an order", [Read(CatalogueEntryModel, options["catalogue"])], 5)
        yield PageLoad("guests", everyone, 3)
        yield PageLoad("guests by words", [Read(GuestWordModel, PAGE)], 5)

    def writes(self, options: Mapping[str, Any]) -> Iterator[WriteLoad]:
        """An order is placed, and takes a step. Most orders take more than one."""
        placed = [(owned_by, Change(None, _as_placed(order))) for owned_by, order in _samples()]
        steps = [(owned_by, _step(order)) for owned_by, order in _samples()]
        yield WriteLoad("place an order", recorded(OrderWriter, placed), _owners(options), 30)
        yield WriteLoad("step of an order", steps, _owners(options), 50)
