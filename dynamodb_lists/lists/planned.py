"""A list as a query asks for it: the ways to read it, and the way with the lowest expected cost of a page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from operator import attrgetter
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor, DynamoDBError
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.planning.request_cost import REQUEST_WEIGHT, Charge
from dynamodb_lists.planning.sources import FoundWay, Source
from dynamodb_lists.planning.wording import source_name
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing, Row
from dynamodb_lists.reading.sorting import SortedRows, in_memory
from dynamodb_lists.reading.sources import Begun, SourceListing, SourceTable, Taking, Unlike, Whole, whole_rows
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")
RACED = 3
"""The most ways of which a page is read in turn."""
FIRST_UNITS, FURTHER = 3.25, 1.5
"""A way is read on as long as it takes at most so many read units, and so many times what each other one takes."""
SORTED = "sorted "
"""What stands before the index in cursors of a list that is sorted in memory. No index has such a name."""


@dataclass(frozen=True, kw_only=True)
class PlannedList(Generic[T]):
    """One list, and the ways to read it, the best first.

    ``build`` gives the value of an item of a source, or ``None`` if it is not wanted; ``may_be`` says it of an entry,
    whose item is read by its key. ``values`` are what a sort in memory sorts by. ``refuse`` gives the error of a list
    that no way reads within ``most_units``.
    """

    name: str
    query: ListQuery
    ways: Sequence[FoundWay]
    cursor: Cursor | None
    table: SourceTable
    build: Callable[[Source | None, RawItem], T | None]
    values: Callable[[T], Iterable[Any]]
    item_bytes: Callable[[str], float]
    total: int | None = None
    revision: int | None = None
    most_units: float = inf
    may_be: Callable[[Source, RawItem], bool] = lambda *_: True
    place: Callable[[T, Source], Position] | None = None
    """The position of a row in a source, by which rows that were sorted in memory have those of an index."""
    every: Callable[[], Sequence[FoundWay]] = tuple
    """All ways there are, for who wants to see them; none: these."""
    whole: bool = False
    """Whether the whole list is wanted, and not a page."""
    uncounted: Callable[[Source, Sequence[Unlike]], Listing[T] | None] | None = None
    refuse: Callable[[], DynamoDBError] = lambda: BadCursor("The cursor is of another list. Start at the first page.")

    def listing(self) -> Listing[T]:
        """Return the list, read in the way that has the page first. Raises: :class:`BadCursor`, and what ``refuse``
        gives.

        The best way alone is read in four cases: it is in order and drops nothing; the list is read whole; the reader
        bounds what a page takes; or the page before was read without counts.
        """
        best = self.served[:1]
        alone = self.whole or self.query.bounded
        if best and best[0].ordered and (alone or not best[0].dropped):
            return self.by(best[0])
        page = self.query.rows, self.cursor, bool(self.cursor and self.cursor.backward)
        ways = best if alone or (self.cursor and not self.place) else self._raced
        if len(ways) == 1 and ways[0].ordered:
            return self.by(ways[0])
        listings = map(self.by, ways)
        begun: list[Begun[T]] = [Taking(each, *page) if each.way.ordered else Whole(each) for each in listings]
        with ledger.purpose("list"):
            for each, most in in_turn(begun, self.most_units):
                if each.read(most):
                    return self._won(each)
        in_order = [self._won(each) for each in begun if each.listing.way.ordered]
        in_order += [self.by(way) for way in self.served if way.ordered]
        if not in_order:
            raise self.refuse()
        return in_order[0]

    @property
    def _raced(self) -> list[FoundWay]:
        """The ways that are read in turn: if counts tell what ways have, the best one of each kind; or the way of the
        page before, if that was sorted in memory and has shown what it takes.
        """
        found, index = dict[Any, FoundWay](), self.cursor.index if self.cursor else None
        for way in self.served:
            if _index(way) == index and not way.ordered:
                return [way]
            kind = way.known or way.ordered, way.known
            found.setdefault(kind if way.counted else len(found), way)
        return [*found.values()][:RACED]

    def _won(self, begun: Begun[T]) -> Listing[T]:
        if isinstance(begun, Taking):
            return replace(begun.listing, begun=begun)
        return replace(self.placed(begun.rows), grounds=begun.listing.grounds)

    @cached_property
    def served(self) -> list[FoundWay]:
        """The ways that can give the page at the cursor; that of the page before it is the first."""
        found, index = [*self.ways], self.cursor.index if self.cursor else None
        if index is None:
            return found
        placed = self.total is not None and self.place and any(_index(way) == index for way in found)
        in_memory = index.startswith(SORTED) or placed
        found = [way for way in found if _index(way) == index or (in_memory and not way.ordered)]
        if self.ways and not found:
            raise BadCursor("The list is read from another index now. Start at the first page.")
        return found if self.place else sorted(found, key=lambda way: _index(way) != index)

    @cached_property
    def order(self) -> FoundWay | None:
        """The best way in order. All pages have positions in it, however they are read; ``None`` if they have none.

        If nothing counts what the query asks for, a list that was sorted in memory stays so, because it is short.
        """
        in_order = [way for way in self.served if way.ordered]
        return in_order[0] if in_order and self.total is not None and self.place else None

    def by(self, way: FoundWay) -> SourceListing[T]:
        """Return the list as one way reads it, in its order, or in any order if it has to be sorted."""
        return SourceListing(
            name=self.name,
            selected=self.query.selected,
            index=_index(way),
            descending=self.query.descending,
            total=self.total,
            revision=self.revision,
            cursor=self.cursor,
            table=self.table,
            way=way,
            build=partial(self.build, None if way.by_keys else way.source),
            may_be=partial(self.may_be, way.source),
            most=self.most_units,
            uncounted=self.uncounted,
            grounds=Grounds(
                why=way.words,
                item_bytes=self.item_bytes(way.source.name),
                candidates=partial(self._candidates, way),
            ),
        )

    def placed(self, rows: Iterable[Row[T]]) -> SortedRows[T]:
        """Return the list of all its rows, which were read in another way, or are to be sorted."""
        if self.order:
            assert self.place is not None
            there = [Row(self.place(row.value, self.order.source), row.value) for row in rows]
            return self.by(self.order).placed(there)
        any_order = next(way for way in self.served if not way.ordered)
        return in_memory(self.by(any_order), rows, self.values)

    def _candidates(self, chosen: FoundWay) -> list[Candidate]:
        """Return all ways in words: the chosen one, and then the others, the best first."""
        others = [way for way in self.ways if way is not chosen]
        others = [way for way in self.every() if (way.source, way.run) != (chosen.source, chosen.run)] or others
        return [self._candidate(way, chosen) for way in (chosen, *others)]

    def _candidate(self, way: FoundWay, chosen: FoundWay) -> Candidate:
        def listing() -> Listing[T] | None:
            anew = replace(self, table=replace(self.table, ahead=None))
            if way is chosen:
                return anew.listing()
            # it cannot go on from a cursor of the chosen one, whose keys are others
            query = replace(self.query, only=f"{self.query.only} {_index(way)}")
            by = replace(anew, query=query, cursor=None).by(way)
            if way.ordered:
                return by
            rows = whole_rows(by, self.most_units)
            return None if rows is None else in_memory(by, rows, self.values)

        requests = way.requests or len(way.parts)
        cost = Charge(way.units - REQUEST_WEIGHT * way.requests, requests)
        return Candidate(source_name(way.source.name), way.words, cost, listing, way is chosen)


def _index(way: FoundWay) -> str:
    """Return what cursors name: the index, and whether it is sorted in memory."""
    return way.source.name if way.ordered else SORTED + way.source.name


def in_turn(begun: Sequence[Begun[T]], most_units: float) -> Iterator[tuple[Begun[T], float]]:
    """Yield the listing that reads on next, and up to how many read units, again and again.

    The next one seems to need the fewest further units. It must not have taken more than FURTHER times the units that
    another one takes in any case (its ``reach``), plus FIRST_UNITS: then the other one goes on. So if the better of two
    ways takes m units for the page, its reach is at most m, and the other one has taken at most 1.5 m + 3.25, and half
    a unit by which a request may pass it. Both together take at most 2.5 m + 4 units, three ways at most 4 m + 8,
    whatever the estimates say.
    """
    while left := [each for each in begun if each.units + each.least <= most_units]:
        best = min(left, key=attrgetter("left"))
        if not left[1:]:
            yield best, most_units
            continue
        behind, *others = sorted((each for each in left if each is not best), key=attrgetter("reach"))
        limit = FURTHER * behind.reach + FIRST_UNITS
        wanted = best.units + best.next
        if best.units + best.least <= limit:
            yield best, min(wanted, limit, most_units)
        else:  # as far as the best one needs it, and another one allows it
            least = min(each.reach for each in (best, *others))
            enough = min((best.units + best.left - FIRST_UNITS) / FURTHER, FURTHER * least + FIRST_UNITS)
            yield behind, min(max(enough, behind.units + behind.least), most_units)
