"""Reads of the items that hotels have sold; docs/access-patterns.md shows the request of each function."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.items import BATCH, get_items
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.partitions import KeptLists
from dynamodb_lists.schema.entities import build
from orders.entities import CatalogueEntry, Order, OrderItem
from orders.models import CatalogueEntryModel, OrderItemModel

CATALOGUE = KeptLists[CatalogueEntry](name="catalogue", model=CatalogueEntryModel)


def catalogue(hotel_id: str) -> Listing[CatalogueEntry]:
    """A12: the items that a hotel has sold, by SKU."""
    return CATALOGUE.of(CatalogueEntryModel.partition_of(hotel_id=hotel_id), CatalogueEntryModel.sort_keys())


def catalogue_entries(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], CatalogueEntry]:
    """The entries that exist among these pairs of hotel id and SKU, by pair. An entry costs half a read unit."""
    pairs = (CatalogueEntryModel.place_of(hotel_id=hotel_id, sku=sku) for hotel_id, sku in wanted)
    with ledger.purpose("catalogue"):
        entries = [*map(CatalogueEntryModel.built, get_items(CatalogueEntryModel, pairs, consistent=False))]
    return {(entry.hotel_id, entry.sku): entry for entry in entries}


def with_items(orders: Iterable[Order]) -> Iterator[Order]:
    """The orders with their items, a hundred orders at a time. An item costs half a read unit."""
    rest = iter(orders)
    while batch := list(islice(rest, BATCH)):
        places = {order.order_id: _places(order) for order in batch}
        read = get_items(OrderItemModel, (place for each in places.values() for place in each), consistent=False)
        found = {values["pk"]: build(OrderItem, values) for values in read}
        for order in batch:
            yield replace(order, items=tuple(found[pk] for pk, _ in places[order.order_id] if pk in found))


def _places(order: Order) -> list[tuple[str, str]]:
    return [OrderItemModel.place_of(order_id=order.order_id, number=number + 1) for number in range(order.item_count)]
