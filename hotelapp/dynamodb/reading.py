"""What a list is: rows at positions, read by Queries of limited size, from either end.

:mod:`hotelapp.dynamodb.ranges` reads a list that lies in one partition, range by range;
:mod:`hotelapp.dynamodb.merging` one that is spread over several. :mod:`hotelapp.dynamodb.pages` makes pages of either.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from hotelapp.dynamodb.cursors import Cursor, Position
from hotelapp.dynamodb.facets import Segment
from hotelapp.dynamodb.keys import KeyRange

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Row = tuple[Position, T]
"""A row's position and its value."""

CHUNK = 500
"""Rows a request when a whole list is streamed."""

_pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="dynamodb")


@dataclass(frozen=True)
class Batch(Generic[T_co]):
    """What one Query answered, the position at which it stopped (``None`` at the end of the range), and the items
    that it read, before any filter."""

    rows: Sequence[tuple[Position, T_co]]
    stopped: Position | None
    read: int = 0


class Fetch(Protocol[T_co]):
    """One Query: at most ``limit`` items of a key range, beyond the position ``after``, in key order or against it."""

    def __call__(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> "Batch[T_co]": ...


@dataclass(frozen=True)
class Effort:
    """What the plan foresaw for a page: requests, and items to read and drop."""

    requests: int = 0
    drops: int = 0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(self.requests + other.requests, self.drops + other.drops)


@dataclass(frozen=True, kw_only=True)
class Listing(ABC, Generic[T]):
    """A list that can be paged, or streamed whole.

    ``query`` is everything that a cursor of it is valid for, as one string; ``index`` names the index that it is
    read from; ``descending`` turns its order round. ``total`` is ``None`` where nothing counts the items.
    """

    query: str
    index: str = ""
    descending: bool = False
    total: int | None = None

    @abstractmethod
    def take(self, count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
        """The first ``count`` rows beyond the cursor, in reading order, and what was foreseen for them."""

    @abstractmethod
    def stream(self) -> Iterator[T]:
        """Every row in order, read a chunk at a time."""

    def segments(self, ascending: bool) -> Iterable[Segment]:
        """What the counts expect in the list, in key order or against it; nothing where nothing counts."""
        return ()


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """The calls' results in order; several at once where there are several."""
    if len(calls) == 1:
        return [calls[0]()]
    futures = [_pool.submit(copy_context().run, call) for call in calls]
    return [future.result() for future in futures]
