"""The picture of a page of a list, by the way in which the list is read."""

from typing import Any

from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.merging import Merged
from portal.panel.merges import merge
from portal.panel.ranges import ranges
from portal.panel.svg import Drawing


def page_drawing(listing: Listing[Any], size: int, cursor: str = "") -> Drawing | None:
    """How partitions are merged (this reads the page), or how ranges are planned; ``None`` for a list of one range."""
    if isinstance(listing, Merged) and len(listing.parts) > 1:
        return merge(listing, size, cursor)
    found = listing.grounds.compared()
    return ranges(found) if found else None
