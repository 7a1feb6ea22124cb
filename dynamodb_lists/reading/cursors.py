"""Cursors: signed positions that say where the next page begins. A cursor is valid for one list only."""

from dataclasses import dataclass
from typing import NamedTuple

from django.core.signing import BadSignature, Signer

from dynamodb_lists.connection.errors import BadCursor

MAX_LENGTH = 2048
SALT = "cursor:{}"


class Position(NamedTuple):
    """The position of a row in a list. Positions sort like the rows."""

    sort_key: str
    """The row's sort key in the index that is read."""
    table_key: tuple[str, ...] = ()
    """The other values that ``ExclusiveStartKey`` needs: the row's table key, without the parts that the index has."""


@dataclass(frozen=True)
class Cursor:
    """A position between two rows, and the direction in which to read from there.

    ``position`` is that of the row at the page's edge, which may be deleted by now; ``None`` is the end of the list.
    ``rank`` is the number of rows before that row, ``None`` if unknown. ``index`` is the index of the walk: the next
    page is read from the same index even when the counts have changed, so that the order stays. ``revision`` is that
    of the list when the first page of the walk was read, ``None`` if the list has none.
    """

    position: Position | None
    backward: bool = False
    rank: int | None = None
    index: str | None = None
    revision: int | None = None

    def passed(self, total: int | None) -> int:
        """How many of a list's rows a reader passes, in the cursor's direction, up to the one at the cursor."""
        if self.rank is None or total is None:
            return 0
        return total - self.rank if self.backward else self.rank + 1


def encode(cursor: Cursor, binding: str) -> str:
    """The cursor as text for a URL. It is valid for the same ``binding`` only."""
    fields = [cursor.position, cursor.backward, cursor.rank, cursor.index, cursor.revision]
    return Signer(salt=SALT.format(binding)).sign_object(fields, compress=True)  # the keys of one row repeat each other


def decode(text: str, binding: str) -> Cursor:
    """The cursor in a text of :func:`encode` with the same binding. Raises :class:`BadCursor` for any other text."""
    if len(text) > MAX_LENGTH:
        raise BadCursor("The cursor is too long.")
    signer = Signer(salt=SALT.format(binding))
    try:
        fields, backward, rank, index, *revision = signer.unsign_object(text)  # an older one has no revision
        position = None
        if fields is not None:
            sort_key, table_key = fields
            if not isinstance(sort_key, str) or not isinstance(table_key, list):
                raise TypeError("The position has another shape.")
            position = Position(sort_key, tuple(map(str, table_key)))
        return Cursor(position, backward, rank, index, *revision)
    except (BadSignature, ValueError, TypeError) as error:  # the last two: an older release signed another shape
        raise BadCursor("The cursor was altered, or belongs to another list, filter, sort or page size.") from error
