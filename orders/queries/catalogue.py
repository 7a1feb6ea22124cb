"""Reads of the items that hotels have sold; docs/access-patterns.md shows the request of each function."""

from collections.abc import Iterable

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.partitions import KeptLists
from orders.entities import CatalogueEntry
from orders.models import CatalogueEntryModel

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
