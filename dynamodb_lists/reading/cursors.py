"""Cursors: signed positions that say where the next page begins. A cursor is valid for one list only."""

import hmac
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from hmac import compare_digest
from typing import NamedTuple

from dynamodb_lists.connection.configuration import connection_of, secrets
from dynamodb_lists.connection.errors import BadCursor

MAX_LENGTH = 2048
SALT, SIGNATURE_BYTES = "cursor:", 16


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
    of the list when the first page of the walk was read, ``None`` if the list has none. ``unsure`` says that the list
    gave up there, or showed no row, so that on either side there may be none.
    """

    position: Position | None
    backward: bool = False
    rank: int | None = None
    index: str | None = None
    revision: int | None = None
    unsure: bool = False

    def passed(self, total: int | None) -> int:
        """Return how many rows a reader passes, in the cursor's direction, up to the cursor's row; 0 if unknown."""
        if self.rank is None or total is None:
            return 0
        return total - self.rank if self.backward else self.rank + 1


def encode(cursor: Cursor, binding: str) -> str:
    """Return the cursor as a text for addresses. It is valid for the same ``binding`` alone."""
    fields = [cursor.position, cursor.backward, cursor.rank, cursor.index, cursor.revision, cursor.unsure]
    # The keys of one row repeat each other, so that they are much shorter when compressed.
    content = zlib.compress(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode())
    secret = secrets(connection_of(binding))[0]
    return urlsafe_b64encode(_signature(secret, binding, content) + content).decode().rstrip("=")


def decode(text: str, binding: str) -> Cursor:
    """Return the cursor in a text of :func:`encode` with ``binding``. Raises: :class:`BadCursor` for any other text."""
    if len(text) > MAX_LENGTH:
        raise BadCursor("The cursor is too long.")
    try:
        signed = urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}")
        signature, content = signed[:SIGNATURE_BYTES], signed[SIGNATURE_BYTES:]
        for secret in secrets(connection_of(binding)):
            if compare_digest(signature, _signature(secret, binding, content)):
                break
        else:
            raise ValueError("The signature is another one.")
        fields, backward, rank, index, revision, unsure = json.loads(zlib.decompress(content))
        position = None
        if fields is not None:
            sort_key, table_key = fields
            position = Position(str(sort_key), tuple(map(str, table_key)))
        return Cursor(position, backward, rank, index, revision, unsure)
    except (ValueError, TypeError, zlib.error) as error:  # the last two: another release signed another shape
        raise BadCursor("The cursor was altered, or belongs to another list, filter, sort or page size.") from error


def _signature(secret: str, binding: str, content: bytes) -> bytes:
    """Return an HMAC (RFC 2104), cut to 128 bits. A zero byte ends the binding, because no binding contains one."""
    return hmac.digest(secret.encode(), f"{SALT}{binding}\0".encode() + content, "sha256")[:SIGNATURE_BYTES]
