"""Cut a list into pages: from any position, in either direction.

A page reads one row past its end, so it knows whether another page follows, and no link leads to an empty page. A list
that gives up after a bounded search has shorter pages. It is then asked once more, for one row: if it gives up again,
nobody knows whether rows follow, and the link leads to where the search goes on.

With counts, a page knows the total and its rank, and the last page is cut so that walking back from it returns the same
pages as walking forward. But counts can be wrong for a while. So a count alone never decides whether a row exists
before or after a page: if the counts contradict the cursor, the pager reads one row to find out.

Where positions can change, as in a list by rate, a row may move from one side of a cursor to the other. So a cursor has
the revision of the list at the first page of its walk. A page of another revision says that it is not sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.configuration import BoundName, connection_of, scoped
from dynamodb_lists.reading.cursors import Cursor, decode, encode
from dynamodb_lists.reading.listing import CountsDiffer, GivenUp, Listing, Row

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, with the cursors of its neighbours; ``None`` if there is no such page. The first page needs
    no cursor.

    ``total`` is the number of rows of the list, ``rank`` the number of rows before the page; ``None`` if unknown.
    ``outdated`` tells that positions have changed since the first page, so rows may be missing or shown twice.
    """

    rows: tuple[T, ...]
    total: int | None
    rank: int | None
    previous: str | None
    next: str | None
    last: str | None
    counts_differ: bool = False
    """Whether the counts were found to be wrong, so that the page was read without them."""
    outdated: bool = False
    stopped: bool = False
    """Whether the list gave up before the page had all rows, or knew that a neighbour has some."""

    def __repr__(self) -> str:
        """Return the page in a line, without its rows."""
        of = "" if self.total is None else f" of {self.total:,}"
        return f"<{type(self).__name__}: {len(self.rows)} rows{of}{self.numbers and f', {self.numbers}'}>"

    @property
    def numbers(self) -> str:
        """The numbers of the page's rows in the list, such as ``26–50``; a blank if unknown."""
        return "" if self.rank is None or not self.rows else f"{self.rank + 1:,}–{self.rank + len(self.rows):,}"


def opened(text: str, name: str, selected: str, size: int) -> Cursor | None:
    """Return the cursor in a text; ``None`` for the first page. Raises: ``BadCursor`` for a cursor of another list,
    selection or page size.
    """
    return decode(text, _binding(name, selected, size)) if text else None


def read_page(listing: Listing[T], size: int, cursor: str = "") -> Page[T]:
    """Return the page of ``size`` rows at a cursor; without a cursor, the first page.

    If all rows beyond the cursor are deleted, the page is the last one (or, backwards, the first one).

    Raises: ``BadCursor``.
    Costs: Queries for one row more than the page shows.
    """
    start = listing.cursor or opened(cursor, listing.name, listing.selected, size)
    with ledger.purpose("list"):
        while True:  # until a list needs no counts at last
            outdated = start is not None and start.revision != listing.revision
            if start and outdated:
                listing = replace(listing, revision=start.revision)  # the neighbours' cursors are of the same walk
                start = replace(start, rank=None)
            try:
                if start and start.position is None:
                    page = _last(listing, size)
                else:
                    page = _before(listing, size, start) if start and start.backward else _after(listing, size, start)
                return replace(page, rank=None, outdated=True) if outdated else page
            except CountsDiffer as found:
                listing = found.listing


def _binding(name: str, selected: str, size: int) -> BoundName:
    return BoundName(f"{scoped(name)}|{selected}|{size}", connection_of(name))


def _after(listing: Listing[T], size: int, cursor: Cursor | None) -> Page[T]:
    """Return the page after the row at the cursor; without a cursor, the first page."""
    shown, later, stopped = _take(listing, size, cursor, backward=False)
    if cursor is None:
        return _page(listing, size, shown, rank=0, earlier=None, later=later, stopped=stopped)
    if not (shown or stopped or cursor.unsure):
        return _last(listing, size)
    rank = None if cursor.rank is None else cursor.rank + 1
    if listing.total is not None and not later:
        # The last page ends with the last row, even if earlier rows were added or deleted.
        rank = listing.total - len(shown)
    earlier: Cursor | None = Cursor(shown[0].position if shown else cursor.position, backward=True)
    if earlier and (cursor.unsure or (rank is not None and rank <= 0)):
        earlier = _seen(listing, earlier)
    return _page(listing, size, shown, rank=rank, earlier=earlier, later=later, stopped=stopped)


def _before(listing: Listing[T], size: int, cursor: Cursor) -> Page[T]:
    """Return the page before the row at the cursor."""
    total = listing.total
    shown, earlier, stopped = _take(listing, size, cursor, backward=True)
    if len(shown) < (1 if total is None else size) and not (stopped or cursor.unsure):
        return _after(listing, size, None)
    rank = None if cursor.rank is None else cursor.rank - size
    later: Cursor | None = Cursor(shown[-1].position if shown else cursor.position)
    if total is not None:
        rank = rank if earlier else 0
    at_end = total is not None and rank is not None and rank + size >= total
    if later and (cursor.unsure or at_end):
        later = _seen(listing, later)
    if total is not None and at_end:
        # Rows were deleted, and the counts do not say whether they were before this page or after it.
        rank = max(total - size - bool(later), 0)
    return _page(listing, size, shown, rank=rank, earlier=earlier, later=later, stopped=stopped)


def _last(listing: Listing[T], size: int) -> Page[T]:
    """Return the last page. If the total is known, it has as many rows as when the list is walked forward."""
    total = listing.total
    count = (total - 1) % size + 1 if total else size
    shown, earlier, stopped = _take(listing, count, Cursor(None, backward=True), backward=True)
    rank = None if total is None else total - len(shown)
    return _page(listing, size, shown, rank=rank, earlier=earlier, later=None, stopped=stopped)


def _take(
    listing: Listing[T], size: int, cursor: Cursor | None, *, backward: bool
) -> tuple[list[Row[T]], Cursor | None, Cursor | None]:
    """Return the rows of a page in the order of the list, the place of its neighbour in the order of reading, and where
    the list gave up before it had so many rows; each place ``None`` if no rows follow.

    A list that gave up is asked for one row more, so that a link leads on only if there is one, or if even that is
    ``unsure``.
    """
    stopped = None
    try:
        rows = listing.take(size + 1, cursor, backward)
    except GivenUp as found:
        rows, stopped = found.rows, _seen(listing, Cursor(found.position, backward))
    beyond = Cursor(rows[size - 1].position) if len(rows) > size else stopped
    return rows[:size][::-1] if backward else rows[:size], beyond, stopped


def _seen(listing: Listing[T], cursor: Cursor) -> Cursor | None:
    """Return the cursor if the list has a row beyond it; an ``unsure`` cursor if the list gives up first."""
    try:
        return cursor if listing.take(1, cursor, cursor.backward) else None
    except GivenUp as found:
        return cursor if found.rows else Cursor(found.position, cursor.backward, unsure=True)


def _page(
    listing: Listing[T],
    size: int,
    rows: Sequence[Row[T]],
    *,
    rank: int | None,
    earlier: Cursor | None,
    later: Cursor | None,
    stopped: Cursor | None,
) -> Page[T]:
    """Return a page of these rows. There are rows before the place ``earlier`` and after ``later``; ``None`` means
    none.

    Both places come from reads, not from counts, so the rank is corrected to agree with them.
    """
    if not earlier:
        rank = 0
    elif rank is not None and rank <= 0:
        rank = None
    binding = _binding(listing.name, listing.selected, size)
    last_rank = None if rank is None else rank + len(rows) - 1

    def link(place: Cursor, backward: bool, rank: int | None = None) -> str:
        unsure = place.unsure or not rows
        return encode(Cursor(place.position, backward, rank, listing.index, listing.revision, unsure), binding)

    return Page(
        rows=tuple(map(attrgetter("value"), rows)),
        total=listing.total,
        rank=rank,
        previous=link(earlier, True, rank) if earlier else None,
        next=link(later, False, last_rank) if later else None,
        last=link(Cursor(None), True) if later else None,
        counts_differ=listing.counts_differ,
        stopped=bool((stopped and len(rows) < size) or (earlier and earlier.unsure) or (later and later.unsure)),
    )
