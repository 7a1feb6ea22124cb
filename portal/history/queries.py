"""Reads of the history; docs/requests.md shows the request that each one sends."""

from dynamodb_lists import List, Query, errors
from portal.history import keys
from portal.history.entities import HistoryEntry
from portal.history.models import HistoryModel

NEWEST = 10
"""How many entries a thing's own page shows."""

HISTORY = List(HistoryEntry, table=HistoryModel, name="history")


def history(thing: str) -> Query[HistoryEntry]:
    """C1: what happened to a thing, the newest first. The thing may be deleted."""
    return HISTORY.query(thing=thing).order_by("-at")


def changes_by(username: str) -> Query[HistoryEntry]:
    """C2: what a member of staff changed. Raises :class:`NotFound` for what cannot be a username."""
    if not 0 < len(username) <= keys.USERNAME_LENGTH:
        raise errors.NotFound("Nobody on the staff has this username.")
    return HISTORY.query(by=username).only(keys.BY_STAFF).order_by("-at")


def changes_in(hotel_id: str) -> Query[HistoryEntry]:
    """C3: what members of staff changed in a hotel. Its first two entries differ after any change: half a unit."""
    return HISTORY.query(hotel_id=hotel_id).only(keys.IN_HOTEL).order_by("-at")


def marked(thing: str) -> Query[HistoryEntry]:
    """C4: the changes of the field of a thing that has a list of its own."""
    return history(thing).only(keys.MARKED)
