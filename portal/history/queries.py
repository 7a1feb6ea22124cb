"""Reads of the history; docs/access-patterns.md shows the request that each one sends."""

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.planning.range_planner import PlannedRange
from dynamodb_lists.reading.fetching import Ranges, fetcher
from dynamodb_lists.reading.lists import Grounds, Listing
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.keys import EVER, Days, on_days
from dynamodb_lists.schema.models import Values
from portal.history import keys
from portal.history.entities import HistoryEntry
from portal.history.models import LISTED, HistoryModel

NEWEST = 10
"""How many entries a thing's own page shows."""


def history(thing: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C1: what happened to a thing, by time. The thing may be deleted."""
    return _entries("history", thing, days, descending)


def changes_by(username: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C2: what a member of staff changed, by time. Raises :class:`NotFound` for what cannot be a username."""
    if not 0 < len(username) <= keys.USERNAME_LENGTH:
        raise NotFound("That is not the username of a member of staff.")
    return _entries("changes by staff", username, days, descending, keys.BY_STAFF)


def changes_in(hotel_id: str, days: Days = EVER, *, descending: bool = True) -> Listing[HistoryEntry]:
    """C3: what members of staff changed in a hotel, by time. Entries of earlier releases are not in the index."""
    return _entries("changes in a hotel", hotel_id, days, descending, keys.IN_HOTEL)


def newest(thing: str, count: int) -> list[HistoryEntry]:
    """The newest entries of a thing, read consistently, for who undoes the newest change."""
    listing = _entries("newest changes", thing, EVER, True, consistent=True)
    return [row.value for row in listing.take(count, None, backward=False)]


def _entries(
    name: str, partition: str, days: Days, descending: bool, index: str = "", *, consistent: bool = False
) -> Listing[HistoryEntry]:
    attributes = ("pk", *LISTED, *(() if index else ("serial",)))
    return Ranges(
        name=name,
        selected=repr((partition, days, descending)),
        index=index,
        descending=descending,
        ranges=[PlannedRange(on_days(*days))],
        fetch=fetcher(HistoryModel, partition, _entry, attributes=attributes, index=index, consistent=consistent),
        grounds=Grounds(
            why="What the list is about is the partition key, and the sort key is the time, so days are a range of it."
        ),
    )


def _entry(values: Values) -> HistoryEntry:
    at, bulk = keys.parse_entry(values["sk"])
    return build(HistoryEntry, values, thing=values["pk"], at=at, bulk=bulk)
