"""Cut a list into pages: from any position, in either direction.

A page reads one row past its end, so it knows whether another page follows, and no link leads to an empty page.

With counts, a page knows the total and its rank, and the last page is cut so that walking back from it returns the same
pages as walking forward. But counts can be wrong for a while. So a count alone never decides whether a row exists
before or after a page: if the counts contradict the cursor, the pager reads one row to find out.

Where positions can change, as in a list by rate, a row may move from one side of a cursor to the other. So a cursor has
the revision of the list at the first page of its walk. A page of another revision says that it is not sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.cursors import Cursor, decode, encode
from dynamodb_lists.reading.lists import CountsDiffer, Listing, Row

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, and the cursors of its neighbours, ready for a URL; ``None`` where there is no such page.

    The first page needs no cursor. ``rank`` is the number of rows before the page, ``None`` if unknown. ``outdated``
    says that positions have changed since the first page of the walk, so that rows may be missing or shown twice.
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

    @property
    def numbers(self) -> str:
        """The numbers of the page's rows in the list, ``26–50``; blank if unknown."""
        return "" if self.rank is None or not self.rows else f"{self.rank + 1:,}–{self.rank + len(self.rows):,}"


def opened(text: str, name: str, selected: str, size: int) -> Cursor | None:
    """The cursor in the URL of a list's page; ``None`` for the first page.

    Raises :class:`~dynamodb_lists.connection.errors.BadCursor` for a cursor of another list, selection or size.
    """
    return decode(text, _binding(name, selected, size)) if text else None


def read_page(listing: Listing[T], size: int, cursor: str = "") -> Page[T]:
    """The page of ``size`` rows at a cursor; without a cursor, the first page.

    If every row beyond the cursor has been deleted, the page that is now the last (or the first) is read instead.
    Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
    """
    start = listing.cursor or opened(cursor, listing.name, listing.selected, size)
    with ledger.purpose("list"):
        try:
            return _read(listing, size, start)
        except CountsDiffer as found:
            return _read(found.uncounted(), size, start)


def _read(listing: Listing[T], size: int, start: Cursor | None) -> Page[T]:
    outdated = start is not None and start.revision not in {None, listing.revision}
    if start and outdated:  # a cursor without a revision is from an earlier release
        listing = replace(listing, revision=start.revision)  # the neighbours' cursors are of the same walk
        start = replace(start, rank=None)
    if start is None:
        page = _first(listing, size)
    elif start.position is None:
        page = _last(listing, size)
    else:
        page = _before(listing, size, start) if start.backward else _after(listing, size, start)
    return replace(page, rank=None, outdated=True) if outdated else page


def _binding(name: str, selected: str, size: int) -> str:
    return f"{name}|{selected}|{size}"


def _first(listing: Listing[T], size: int) -> Page[T]:
    rows = listing.take(size + 1, None, backward=False)
    return _page(listing, size, rows[:size], rank=0, earlier=False, later=len(rows) > size)


def _after(listing: Listing[T], size: int, cursor: Cursor) -> Page[T]:
    """The page after the row at the cursor."""
    rows = listing.take(size + 1, cursor, backward=False)
    if not rows:
        return _last(listing, size)
    shown, later, earlier = rows[:size], len(rows) > size, True
    rank = None if cursor.rank is None else cursor.rank + 1
    if listing.total is not None:
        # The last page ends with the last row, even if earlier rows were added or deleted.
        rank = rank if later else listing.total - len(shown)
        earlier = rank is None or rank > 0 or bool(listing.take(1, Cursor(shown[0].position, True), backward=True))
    return _page(listing, size, shown, rank=rank, earlier=earlier, later=later)


def _before(listing: Listing[T], size: int, cursor: Cursor) -> Page[T]:
    """The page before the row at the cursor."""
    total = listing.total
    rows = listing.take(size + 1, cursor, backward=True)[::-1]
    if len(rows) < (1 if total is None else size):
        return _first(listing, size)
    shown, later, earlier = rows[-size:], True, len(rows) > size
    rank = None if cursor.rank is None else cursor.rank - size
    if total is not None:
        rank = rank if earlier else 0
        later = rank is None or rank + size < total or bool(listing.take(1, Cursor(shown[-1].position), backward=False))
        if rank is not None and rank + size >= total:
            # Rows were deleted, and the counts do not say whether they were before this page or after it.
            rank = max(total - size - later, 0)
    return _page(listing, size, shown, rank=rank, earlier=earlier, later=later)


def _last(listing: Listing[T], size: int) -> Page[T]:
    """The last page. If the total is known, it is as long as when the list is walked forward."""
    total = listing.total
    count = (total - 1) % size + 1 if total else size
    rows = listing.take(count + 1, Cursor(None, backward=True), backward=True)[::-1]
    shown = rows[-count:]
    rank = None if total is None else total - len(shown)
    return _page(listing, size, shown, rank=rank, earlier=len(rows) > count, later=False)


def _page(
    listing: Listing[T], size: int, rows: Sequence[Row[T]], *, rank: int | None, earlier: bool, later: bool
) -> Page[T]:
    """A page of these rows; ``earlier`` and ``later`` say whether there are rows before and after it.

    Both come from reads and not from counts, so the rank is corrected to agree with them.
    """
    if not earlier:
        rank = 0
    elif rank is not None and rank <= 0:
        rank = None
    binding = _binding(listing.name, listing.selected, size)
    last_rank = None if rank is None else rank + len(rows) - 1
    cursor = partial(Cursor, index=listing.index, revision=listing.revision)
    return Page(
        rows=tuple(map(attrgetter("value"), rows)),
        total=listing.total,
        rank=rank,
        previous=encode(cursor(rows[0].position, True, rank), binding) if rows and earlier else None,
        next=encode(cursor(rows[-1].position, False, last_rank), binding) if rows and later else None,
        last=encode(cursor(None, True), binding) if rows and later else None,
        counts_differ=listing.counts_differ,
    )
