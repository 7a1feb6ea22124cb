"""Lists: rows at positions, read by Queries of limited size, from either end."""

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
    """The items of a list contradict its counts. ``listing`` is the list with newer counts, or without any."""

    def __init__(self, listing: "Listing[Any]") -> None:
        super().__init__("The counts and the items differ.")
        self.listing = listing


class Row(NamedTuple, Generic[T]):
    """A row of a list: its position and its value."""

    position: Position
    value: T


class GivenUp(DynamoDBError):
    """A page has reached its limit of read units before it had all its rows. ``position`` is where the read stopped."""

    def __init__(self, rows: "list[Row[Any]]", position: Position) -> None:
        super().__init__("More rows may follow.")
        self.rows, self.position = rows, position


@dataclass(frozen=True)
class Candidate:
    """One way to read a page of a list: what it does, and its expected cost.

    ``listing`` returns the list as this way reads it; ``None`` if the way cannot serve the page.
    """

    name: str
    words: str
    cost: Charge
    listing: "Callable[[], Listing[Any] | None]"
    chosen: bool = False


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """The reasons why a list is read in its way, for the engineers' panel and ``explain``."""

    why: str = "Its partition holds what is selected, in the order of the list."
    """Why a list that needs no plan is read in this way."""
    item_bytes: float = 500
    """About how many bytes an item has, for the expected cost of a list that needs no plan."""
    candidates: Callable[[], Sequence[Candidate]] = tuple
    """The ways to read a page, the chosen one first; none if there is only one."""


@dataclass(frozen=True, kw_only=True)
class Listing(ABC, Generic[T]):
    """A list that can be read page by page, or streamed whole.

    ``name`` is the list's name, and ``selected`` the selection and sort as a text: a cursor is valid for both and for a
    page size. ``index`` is the index that is read. ``total`` is the number of rows, ``None`` if nothing counts them.
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
        """Return the expected cost of ``count`` rows of a list that needs no plan."""
        return query_cost([count], self.grounds.item_bytes)

    def first(self, count: int) -> list[T]:
        """Return the first values, at most ``count``. Raises: :class:`GivenUp`."""
        listing: Listing[T] = self
        while True:  # until it needs no counts at last
            try:
                return [row.value for row in listing.take(count, None, backward=False)]
            except CountsDiffer as found:
                listing = found.listing

    def hits(self, count: int, least: int = 0) -> tuple[list[T], bool]:
        """Return the first values, at most ``count``, and whether there may be more. A search sends one request, which
        reads at least ``least`` items.
        """
        found = self.first(count + 1)
        return found[:count], len(found) > count

    def at_most(
        self,
        units: float,
        otherwise: "Callable[[], Listing[T]] | None" = None,
        beside: Callable[[Sequence[RawItem]], object] | None = None,
    ) -> "Listing[T]":
        """Return the same list, with pages that cost at most about ``units`` read units.

        The list that ``otherwise`` returns gives the rest of such a page; it has the same rows at the same sort keys.
        Without ``otherwise``, the page has fewer rows. ``beside`` reads further items for entries of an index, together
        with the items of these entries.
        """
        return self

    def keeping(self, count: int) -> "Listing[T]":
        """Return the same list, which reads ``count`` rows for its first page, even if this page has fewer rows."""
        return self

    @abstractmethod
    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """Return the first ``count`` rows beyond the cursor, in the order of reading. Raises: :class:`GivenUp`."""

    @abstractmethod
    def stream(self) -> Iterator[T]:
        """Yield every value in order, read a chunk at a time."""
