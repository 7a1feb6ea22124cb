"""Reads of the items that hotels have sold; docs/access-patterns.md shows the request of each function."""

from collections.abc import Iterable

from dynamodb_lists import List
from dynamodb_lists.connection import ledger
from orders.entities import CatalogueEntry
from orders.models import CatalogueEntryModel

CATALOGUE = List(CatalogueEntry, table=CatalogueEntryModel, name="catalogue")
"""A12: the items that a hotel has sold, by SKU."""


def catalogue_entries(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], CatalogueEntry]:
    """The entries that exist among these pairs of hotel id and SKU, by pair. An entry costs half a read unit."""
    with ledger.purpose("catalogue"):
        entries = CATALOGUE.get_many({"hotel_id": hotel_id, "sku": sku} for hotel_id, sku in wanted)
    return {(entry.hotel_id, entry.sku): entry for entry in entries}
