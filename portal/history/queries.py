"""Reads of the history; docs/access-patterns.md shows the request that each one sends."""

from functools import partial

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.partitions import KeptLists
from dynamodb_lists.schema.keys import EVER, Days, on_days
from portal.history import keys
from portal.history.entities import HistoryEntry
from portal.history.models import HistoryModel

NEWEST = 10
"""How many entries a thing's own page shows."""

_lists = partial(
    KeptLists[HistoryEntry],
    model=HistoryModel,
    why="What the list is about is the partition key, and the sort key is the time, so days are a range of it.",
)
OF_THING = _lists(name="history", more=("serial",))
BY_STAFF = _lists(name="changes by staff", index=keys.BY_STAFF)
IN_HOTEL = _lists(name="changes in a hotel", index=keys.IN_HOTEL)
MARKED = _lists(name="marked changes", index=keys.MARKED)


def history(thing: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C1: what happened to a thing, by time. The thing may be deleted."""
    return OF_THING.of(thing, on_days(*days), descending=descending)


def changes_by(username: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C2: what a member of staff changed, by time. Raises :class:`NotFound` for what cannot be a username."""
    if not 0 < len(username) <= keys.USERNAME_LENGTH:
        raise NotFound("That is not the username of a member of staff.")
    return BY_STAFF.of(username, on_days(*days), descending=descending)


def changes_in(hotel_id: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C3: what members of staff changed in a hotel, by time."""
    return IN_HOTEL.of(hotel_id, on_days(*days), descending=descending)


def newest_in(hotel_id: str) -> list[HistoryEntry]:
    """C3, its first two entries: half a unit, and different after any change, also after one that ends late."""
    return [row.value for row in changes_in(hotel_id).take(2, None, backward=False)]


def newest_marked(thing: str, count: int) -> list[HistoryEntry]:
    """C4: the newest changes of the field of a thing that has a list of its own. One request."""
    rows = MARKED.of(thing, on_days(*EVER), descending=True).take(count, None, backward=False)
    return [row.value for row in rows]


def newest(thing: str, count: int) -> list[HistoryEntry]:
    """The newest entries of a thing, read consistently, for who undoes the newest change."""
    listing = OF_THING.of(thing, on_days(*EVER), descending=True, consistent=True)
    return [row.value for row in listing.take(count, None, backward=False)]
