"""Cut a list into pages: from any position, in either direction.

A page reads one row past its end, so it knows whether another page follows, and no link leads to an empty page.

With counts, a page knows the total and its rank, and the last page is cut so that walking back from it returns the same
pages as walking forward. But counts can be wrong for a while. So a count alone never decides whether a row exists
before or after a page: if the counts contradict the cursor, the pager reads one row to find out.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading.cursors import Cursor, decode, encode
from hotelapp.dynamodb.reading.lists import Listing, Row

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, and the cursors of its neighbours, ready for a URL; ``None`` where there is no such page.

    The first page needs no cursor. ``rank`` is the number of rows before the page, ``None`` if unknown.
    """

    rows: tuple[T, ...]
    total: int | None
    rank: int | None
    previous: str | None
    next: str | None
    last: str | None

    @property
    def numbers(self) -> str:
        """The numbers of the page's rows in the list, ``26-50``; blank if unknown."""
        return "" if self.rank is None or not self.rows else f"{self.rank + 1}-{self.rank + len(self.rows)}"


def opened(text: str, name: str, selected: str, size: int) -> Cursor | None:
    """The cursor in the URL of a list's page; ``None`` for the first page.

    Raises :class:`~hotelapp.dynamodb.connection.errors.BadCursor` for a cursor of another list, selection or size.
    """
    return decode(text, _binding(name, selected, size)) if text else None


def read_page(listing: Listing[T], size: int, cursor: str = "") -> Page[T]:
    """The page of ``size`` rows at a cursor; without a cursor, the first page.

    If every row beyond the cursor has been deleted, the page that is now the last (or the first) is read instead.
    Raises :class:`~hotelapp.dynamodb.connection.errors.BadCursor`.
    """
    start = listing.cursor or opened(cursor, listing.name, listing.selected, size)
    pager: _Pager[T] = _CountedPager(listing, size) if listing.total is not None else _UncountedPager(listing, size)
    with ledger.purpose("list"):
        if start is None:
            return pager.first()
        if start.position is None:
            return pager.last()
        return pager.before(start) if start.backward else pager.after(start)


def _binding(name: str, selected: str, size: int) -> str:
    return f"{name}|{selected}|{size}"


class _Pager(ABC, Generic[T]):
    """Reads the pages of one list. The two subclasses differ in how they use the total."""

    def __init__(self, listing: Listing[T], size: int) -> None:
        self._listing = listing
        self._size = size

    @abstractmethod
    def after(self, cursor: Cursor) -> Page[T]:
        """The page after the row at the cursor."""

    @abstractmethod
    def before(self, cursor: Cursor) -> Page[T]:
        """The page before the row at the cursor."""

    @abstractmethod
    def last(self) -> Page[T]:
        """The last page."""

    def first(self) -> Page[T]:
        """The first page."""
        rows = self._listing.take(self._size + 1, None, backward=False)
        return self._page(rows[: self._size], rank=0, earlier=False, later=len(rows) > self._size)

    def _backward_from(self, cursor: Cursor | None, count: int) -> list[Row[T]]:
        """The last ``count`` rows before a cursor, or of the list, in the list's order."""
        return self._listing.take(count, cursor or Cursor(None, backward=True), backward=True)[::-1]

    def _exists_before(self, row: Row[T]) -> bool:
        return bool(self._listing.take(1, Cursor(row.position, backward=True), backward=True))

    def _exists_after(self, row: Row[T]) -> bool:
        return bool(self._listing.take(1, Cursor(row.position), backward=False))

    def _page(self, rows: Sequence[Row[T]], *, rank: int | None, earlier: bool, later: bool) -> Page[T]:
        """A page of these rows; ``earlier`` and ``later`` say whether there are rows before and after it."""
        index = self._listing.index
        last_rank = None if rank is None else rank + len(rows) - 1
        return Page(
            rows=tuple(row.value for row in rows),
            total=self._listing.total,
            rank=rank,
            previous=self._text(Cursor(rows[0].position, True, rank, index)) if rows and earlier else None,
            next=self._text(Cursor(rows[-1].position, False, last_rank, index)) if rows and later else None,
            last=self._text(Cursor(None, True, None, index)) if rows and later else None,
        )

    def _text(self, cursor: Cursor) -> str:
        return encode(cursor, _binding(self._listing.name, self._listing.selected, self._size))


class _UncountedPager(_Pager[T]):
    """Pages of a list whose total is unknown: the rank is known only while walking forward from the first page."""

    def after(self, cursor: Cursor) -> Page[T]:
        rows = self._listing.take(self._size + 1, cursor, backward=False)
        if not rows:
            return self.last()
        rank = None if cursor.rank is None else cursor.rank + 1
        return self._page(rows[: self._size], rank=rank, earlier=True, later=len(rows) > self._size)

    def before(self, cursor: Cursor) -> Page[T]:
        rows = self._backward_from(cursor, self._size + 1)
        if not rows:
            return self.first()
        earlier = len(rows) > self._size
        rank = None if cursor.rank is None else cursor.rank - self._size
        return self._page(rows[-self._size :], rank=_plausible(rank, earlier), earlier=earlier, later=True)

    def last(self) -> Page[T]:
        rows = self._backward_from(None, self._size + 1)
        return self._page(rows[-self._size :], rank=None, earlier=len(rows) > self._size, later=False)


class _CountedPager(_Pager[T]):
    """Pages of a list whose total is known, as far as the counts are right."""

    def __init__(self, listing: Listing[T], size: int) -> None:
        super().__init__(listing, size)
        self._total = listing.total or 0

    def after(self, cursor: Cursor) -> Page[T]:
        rows = self._listing.take(self._size + 1, cursor, backward=False)
        if not rows:
            return self.last()
        later = len(rows) > self._size
        shown = rows[: self._size]
        # The last page ends with the last row, even if earlier rows were added or deleted.
        rank = self._rank(cursor.rank, 1, rows) if later else self._total - len(shown)
        earlier = rank is None or rank > 0 or self._exists_before(shown[0])
        return self._page(shown, rank=_plausible(rank, earlier), earlier=earlier, later=later)

    def before(self, cursor: Cursor) -> Page[T]:
        rows = self._backward_from(cursor, self._size + 1)
        if len(rows) < self._size:
            return self.first()
        shown = rows[-self._size :]
        earlier = len(rows) > self._size
        rank = self._rank(cursor.rank, -self._size, shown) if earlier else 0
        later = rank is None or rank + self._size < self._total or self._exists_after(shown[-1])
        if rank is not None and rank + self._size >= self._total:
            # Rows were deleted, and the counts do not say whether they were before this page or after it.
            rank = max(self._total - self._size - later, 0)
        return self._page(shown, rank=_plausible(rank, earlier), earlier=earlier, later=later)

    def last(self) -> Page[T]:
        count = (self._total - 1) % self._size + 1 if self._total else self._size
        rows = self._backward_from(None, count + 1)
        earlier = len(rows) > count
        shown = rows[-count:]
        rank = _plausible(self._total - len(shown), earlier)
        return self._page(shown, rank=rank, earlier=earlier, later=False)

    def _rank(self, edge: int | None, step: int, rows: Sequence[Row[T]]) -> int | None:
        """The rank of the first of ``rows``: the rank at the cursor plus ``step``, limited by the counts.

        Rows may have been added or deleted since the cursor was created.
        """
        if edge is None:
            return None
        rank, passed = edge + step, 0
        for segment in self._listing.segments(not self._listing.descending):
            if rows[0].position.sort_key in segment.keys:
                here = sum(row.position.sort_key in segment.keys for row in rows)
                return max(passed, min(rank, passed + segment.items - here))
            passed += segment.items if segment.wanted else 0
        return rank


def _plausible(rank: int | None, earlier: bool) -> int | None:
    """The rank, corrected by ``earlier``: whether a row comes before the page was read, so it is certain."""
    if not earlier:
        return 0
    return None if rank is not None and rank <= 0 else rank
