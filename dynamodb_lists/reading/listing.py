"""Lists: rows at positions, read by Queries of limited size from either end."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")

CHUNK = 500
"""Rows in a request when a whole list is streamed."""


class CountsDiffer(DynamoDBError):
    """A list is not what the counts say. ``listing`` is the same list, read with newer ones, or without any."""

    def __init__(self, listing: "Listing[Any]") -> None:
        super().__init__("The counts and the items differ.")
        self.listing = listing


class Row(NamedTuple, Generic[T]):
    """A row of a list: its position and its value."""

    position: Position
    value: T


class GivenUp(DynamoDBError):
    """A list found fewer rows than were wanted where one page may look; ``position`` is where it stopped."""

    def __init__(self, rows: "list[Row[Any]]", position: Position) -> None:
        super().__init__("More rows may follow.")
        self.rows, self.position = rows, position


@dataclass(frozen=True)
class Candidate:
    """One way to read a page of a list: what it does, and the cost that is expected of it.

    ``listing`` gives the list as this way reads it, or ``None`` if a look shows that the way does not serve the page.
    """

    name: str
    words: str
    cost: Charge
    listing: "Callable[[], Listing[Any] | None]"
    chosen: bool = False


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """Why a list is read as it is, for who wants to see it."""

    why: str = "Its partition holds what is selected, in the order of the list."
    """Why a list that needs no plan is read in this way."""
    item_bytes: float = 500
    """About how many bytes an item has, for the expected cost of a list that needs no plan."""
    candidates: Callable[[], Sequence[Candidate]] = tuple
    """The ways to read a page, the chosen one first; none if there is only one."""


@dataclass(frozen=True, kw_only=True)
class Listing(ABC, Generic[T]):
    """A list that can be read page by page, or streamed whole.

    ``name`` is the list's name, and ``selected`` the selection and sort as text: a cursor is valid for both and for a
    page size. ``index`` is the index that the list is read from. ``total`` is ``None`` where nothing counts the items.
    ``revision`` changes whenever a row gets another position, if something counts that.
    """

    name: str
    selected: str = ""
    index: str = ""
    descending: bool = False
    total: int | None = None
    revision: int | None = None
    cursor: Cursor | None = None
    """The cursor of the page to read, if planning the list has opened it already."""
    counts_differ: bool = False
    """Whether the list is read without its counts, because they do not agree with the items."""
    grounds: Grounds = Grounds()

    def expected(self, count: int) -> Charge:
        """The expected cost of ``count`` rows of a list that needs no plan."""
        return query_cost([count], self.grounds.item_bytes)

    def first(self, count: int) -> list[T]:
        """The first values, at most ``count``. Raises :class:`GivenUp`."""
        listing: Listing[T] = self
        while True:  # until it needs no counts at last
            try:
                return [row.value for row in listing.take(count, None, backward=False)]
            except CountsDiffer as found:
                listing = found.listing

    def hits(self, count: int, least: int = 0) -> tuple[list[T], bool]:
        """The first values, at most ``count``, and whether there may be more.

        A search reads them by one request, which reads ``least`` items, if so many match.
        """
        found = self.first(count + 1)
        return found[:count], len(found) > count

    def at_most(
        self,
        units: float,
        otherwise: "Callable[[], Listing[T]] | None" = None,
        beside: Callable[[Sequence[RawItem]], object] | None = None,
    ) -> "Listing[T]":
        """The same list, of which a page takes about so many read units, unless the list was read whole already.

        The rest of the page is of the list that ``otherwise`` gives, with the same rows at the same sort keys, no two
        at one. Without that, the page has fewer rows. What ``beside`` reads for entries of an index is read with the
        items that they are of.
        """
        return self

    def keeping(self, count: int) -> "Listing[T]":
        """The same list, whose first ``count`` rows are read once: a first page of fewer rows is of these."""
        return self

    @abstractmethod
    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """The first ``count`` rows beyond the cursor, in the order of reading. Raises :class:`GivenUp`."""

    @abstractmethod
    def stream(self) -> Iterator[T]:
        """Every row in order, read a chunk at a time."""
