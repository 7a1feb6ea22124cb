"""The items that each hotel has sold, with name and price, so that staff choose them when they place an order.

An entry is written beside the order, not in its transaction. Many orders of a hotel have the same item: in their
transactions they would wait for each other, and an order of 90 items would need 90 more writes, more than a transaction
takes. In return, an entry may be missing for a while. Whoever places an order then types the name and the price.

Only a new item, or one with another name or price, is written. The condition is that the stored entry is from an
earlier order. So writes may come in any order, at the same time or twice, and the entry of the latest one stays. Only a
file of orders that lie between two sales at the same price can leave an older price, until the next sale.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from dynamodb_lists import List
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Conflict, Unavailable
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.writing import single_items
from orders import keys
from orders.entities import CatalogueEntry, Order
from orders.models import CatalogueEntryModel

logger = logging.getLogger(__name__)

CATALOGUE = List(CatalogueEntry, table=CatalogueEntryModel, name="catalogue")
"""A12: the items that a hotel has sold, by SKU."""


def catalogue_entries(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], CatalogueEntry]:
    """The entries that exist among these pairs of hotel id and SKU, by pair. An entry costs half a read unit."""
    with ledger.purpose("catalogue"):
        entries = CATALOGUE.get_many({"hotel_id": hotel_id, "sku": sku} for hotel_id, sku in wanted)
    return {(entry.hotel_id, entry.sku): entry for entry in entries}


def collect_items(orders: Iterable[Order]) -> int:
    """Add the items of these orders to the catalogues of their hotels; returns how many were new or different."""
    latest: dict[tuple[str, str], CatalogueEntry] = {}
    for entry in entries_of(orders):
        key = (entry.hotel_id, entry.sku)
        if key not in latest or latest[key].last_sale <= entry.last_sale:
            latest[key] = entry
    stored = catalogue_entries(latest)
    news = [entry for key, entry in latest.items() if _is_news(entry, stored.get(key))]
    in_parallel([partial(_put, entry) for entry in news])
    return len(news)


def drop_items(before: Order, after: Order) -> None:
    """Remove from the catalogue the items that a correction removed, if their entry is from this order.

    An item that was sold before at the same price keeps its entry, which names an earlier order.
    """
    first, last = (
        keys.sale(order.placed_at, order.order_id, order.revision) for order in (replace(before, revision=0), after)
    )
    from_this_order = CatalogueEntryModel.attribute("last_sale").between(first, last)
    for sku in sorted({item.sku for item in before.items} - {item.sku for item in after.items}):
        with suppress(Conflict):  # the entry is of another order, or there is none
            key = CatalogueEntryModel.place_of(hotel_id=after.hotel_id, sku=sku)
            single_items.delete(CatalogueEntryModel, *key, condition=from_this_order)


def join_catalogue(order: Order, before: Order | None = None) -> None:
    """Add the order's items to its hotel's catalogue, and remove those that only the order ``before`` a correction had.

    The order is placed or corrected, even if the catalogue cannot be written.
    """
    try:
        collect_items([order])
        if before:
            drop_items(before, order)
    except Unavailable as error:
        logger.warning("The items of order %s are not in the catalogue of its hotel yet: %s", order.order_id, error)


def entries_of(orders: Iterable[Order]) -> Iterator[CatalogueEntry]:
    """The items of these orders, as entries of the catalogues of their hotels."""
    for order in orders:
        sale = keys.sale(order.placed_at, order.order_id, order.revision)
        for item in order.items:
            yield CatalogueEntry(order.hotel_id, item.sku, item.name, item.unit_price, order.currency, sale)


def _is_news(entry: CatalogueEntry, stored: CatalogueEntry | None) -> bool:
    if stored is None:
        return True
    differs = (entry.name, entry.unit_price, entry.currency) != (stored.name, stored.unit_price, stored.currency)
    return differs and stored.last_sale < entry.last_sale


def _put(entry: CatalogueEntry) -> None:
    item = CatalogueEntryModel.item(entry)
    earlier = CatalogueEntryModel.attribute("last_sale") < entry.last_sale
    with suppress(Conflict):  # somebody has just sold the item
        single_items.put(item, CatalogueEntryModel.pk.does_not_exist() | earlier)
