"""One page of a list, from any position, in either direction.

A page reads one row past its end, so that no link leads to an empty page. How rows are read is their listing's
affair; here is where a page begins and ends, and what its neighbours are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.cursors import LAST_PAGE, Cursor, Position, decode, encode
from hotelapp.dynamodb.reading import Effort, Listing, Row

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, and the cursors to its neighbours, ready for a URL; ``None`` where there is no such page.

    The first page needs no cursor. ``rank`` counts the rows before the page, or is ``None`` where that is not known.
    """

    rows: tuple[T, ...]
    total: int | None
    rank: int | None
    has_previous: bool
    previous: str | None
    next: str | None
    last: str | None
    foreseen: Effort

    @property
    def numbers(self) -> str:
        """Which rows of the list these are, ``26-50``; blank where that is not known."""
        return "" if self.rank is None or not self.rows else f"{self.rank + 1}-{self.rank + len(self.rows)}"


def opened(text: str, query: str, size: int) -> Cursor | None:
    """The cursor in a URL of a list's page, if there is one.

    Raises :class:`~hotelapp.dynamodb.errors.BadCursor` for one that was not made for this query and page size.
    """
    return decode(text, bound_to(query, size)) if text else None


def bound_to(query: str, size: int) -> str:
    """What the cursors of a list's pages are valid for."""
    return f"{query}|{size}"


def read_page(listing: Listing[T], size: int, cursor: str = "") -> Page[T]:
    """The page of ``size`` rows at a cursor as text; without one, the first.

    Should everything beyond the cursor be gone, the page that is now the last (or the first) is read instead.
    Raises :class:`~hotelapp.dynamodb.errors.BadCursor`.
    """
    position = opened(cursor, listing.query, size)
    listing = replace(listing, query=bound_to(listing.query, size))
    with ledger.purpose("list"):
        if position is None:
            return _forward(listing, size, None)
        if position == LAST_PAGE:
            return _last(listing, size)
        return _backward(listing, size, position) if position.backward else _forward(listing, size, position)


def _forward(listing: Listing[T], size: int, cursor: Cursor | None) -> Page[T]:
    rows, effort = listing.take(size + 1, cursor, backward=False)
    if cursor and not rows:
        return _last(listing, size)
    rank = (cursor.rank + 1 if cursor.rank is not None else None) if cursor else 0
    rank = _settled(listing, rank, rows)
    if cursor and listing.total is not None and len(rows) <= size:  # the last page ends with the last row
        rank = max(listing.total - len(rows), 0)
    before = cursor is not None if rank is None or listing.total is None else rank > 0
    return _page(listing, rows[:size], rank, before, len(rows) > size, effort)


def _backward(listing: Listing[T], size: int, cursor: Cursor) -> Page[T]:
    rows, effort = listing.take(size + 1, cursor, backward=True)
    if len(rows) < size and (listing.total is not None or not rows):
        return _forward(listing, size, None)  # rows before it are gone: a short first page would be an odd one
    shown = rows[:size][::-1]
    before = len(rows) > size
    rank = None if cursor.rank is None else cursor.rank - size
    rank = _settled(listing, rank, shown) if before else 0
    if listing.total is None or rank is None or rank + size < listing.total:
        return _page(listing, shown, rank, before, True, effort)
    # Rows have gone since, and the counts do not tell whether those before this page or those after it.
    beyond, _ = listing.take(1, Cursor(shown[-1][0]), backward=False)
    return _page(listing, shown, max(listing.total - size - len(beyond), 0), before, bool(beyond), effort)


def _last(listing: Listing[T], size: int) -> Page[T]:
    """The last page, cut so that walking on from it backwards gives the pages that walking forwards gave."""
    total = listing.total
    count = size + 1 if total is None else (total - 1) % size + 1 if total else size
    rows, effort = listing.take(count, LAST_PAGE, backward=True)
    shown = rows[:size][::-1]
    rank = None if total is None else max(total - len(shown), 0)
    before = len(rows) > size if rank is None else rank > 0
    return _page(listing, shown, rank, before, False, effort)


def _page(
    listing: Listing[T], rows: Sequence[Row[T]], rank: int | None, before: bool, after: bool, effort: Effort
) -> Page[T]:
    def to(position: Position, backward: bool, edge_rank: int | None) -> str:
        return encode(Cursor(position, backward, edge_rank, listing.index), listing.query)

    last_rank = None if rank is None else rank + len(rows) - 1
    return Page(
        rows=tuple(value for _, value in rows),
        total=listing.total,
        rank=rank,
        has_previous=before,
        previous=to(rows[0][0], True, rank) if rows and before else None,
        next=to(rows[-1][0], False, last_rank) if rows and after else None,
        last=encode(LAST_PAGE, listing.query) if rows and after else None,
        foreseen=effort,
    )


def _settled(listing: Listing[T], rank: int | None, rows: Sequence[Row[T]]) -> int | None:
    """The rank of the first row, held within what the counts allow now: rows may have come or gone since."""
    if rank is None or listing.total is None or not rows:
        return rank
    passed = 0
    for segment in listing.segments(not listing.descending):
        if rows[0][0][0] in segment.keys:
            here = sum(position[0] in segment.keys for position, _ in rows)
            return max(passed, min(rank, passed + segment.items - here))
        passed += segment.items if segment.wanted else 0
    return rank
