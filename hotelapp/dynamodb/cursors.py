"""Signed positions: where the next page begins, bound to the query that they were made for."""

from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

from hotelapp.dynamodb.errors import BadCursor

MAX_LENGTH = 2048
Position = tuple[str, ...]
"""Where a row stands: its sort key in the index that is read, then what else ``ExclusiveStartKey`` needs of it."""


@dataclass(frozen=True)
class Cursor:
    """A place between two rows, and the way to read from there.

    ``position`` is that of the row at the page's edge (the row may be gone by now; ``None`` is the end of the list),
    ``backward`` the direction, ``rank`` how many rows stand before that row, if known, and ``index`` the index that
    the walk began in, so that it goes on in the same order even when the counts change.
    """

    position: Position | None
    backward: bool = False
    rank: int | None = None
    index: str | None = None


LAST_PAGE = Cursor(position=None, backward=True)


def encode(cursor: Cursor, query: str) -> str:
    """The cursor as text for a URL. ``query`` is everything that it is valid for, as one string."""
    fields = [cursor.position, cursor.backward, cursor.rank, cursor.index]
    return _signer(query).sign_object(fields, compress=True)  # the keys of one row repeat each other


def decode(text: str, query: str) -> Cursor:
    """The cursor that :func:`encode` made for the same query; raises :class:`BadCursor` for anything else."""
    if len(text) > MAX_LENGTH:
        raise BadCursor("The cursor is too long.")
    try:
        position, backward, rank, index = _signer(query).unsign_object(text)
        return Cursor(None if position is None else tuple(position), backward, rank, index)
    except (BadSignature, ValueError, TypeError) as error:  # the latter two: signed, but by an older version of this
        raise BadCursor("The cursor was altered, or belongs to another list, filter, sort or page size.") from error


def _signer(query: str) -> Signer:
    return Signer(salt=f"hotelapp.cursor:{query}")
