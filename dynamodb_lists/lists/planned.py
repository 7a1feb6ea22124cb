"""A list as it is asked for: the ways to read it, and the one that is expected to cost the least for a page."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor, DynamoDBError
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.planning.request_cost import OVERRUN, REQUEST_WEIGHT, Charge, query_cost
from dynamodb_lists.planning.sources import FoundWay, Source
from dynamodb_lists.planning.wording import source_name
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing, Row
from dynamodb_lists.reading.sorting import SortedRows, in_memory
from dynamodb_lists.reading.sources import SourceListing, SourceTable, Taking, Unlike, Whole, same_keys, whole_rows
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")
FIRST_UNITS = 4.0
"""How many read units each way may take at first, if nothing tells which one costs the least."""
RACED = 3
"""The most ways of which a page is read in turn."""
DOUBT = 1.5
"""Ranges that nothing counts must be expected to cost so many times less than another way: else, both are read."""
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
    """The position of a row in a source: then what a page does not find may be read in another way."""
    every: Callable[[], Sequence[FoundWay]] = tuple
    """All ways there are, for who wants to see them; none: these."""
    owner: Collection[str] = ()
    """The fields that all rows have as asked."""
    uncounted: Callable[[Source, Sequence[Unlike]], Listing[T] | None] | None = None
    refuse: Callable[[], DynamoDBError] = lambda: BadCursor("The cursor is of another list. Start at the first page.")

    def listing(self) -> Listing[T]:
        """The list, read in the best way that serves. Raises :class:`BadCursor`, and what ``refuse`` gives."""
        guessed = any(not way.ordered or (way.dropped and not way.counted) for way in self.served[:1])
        if guessed and self.place is None and not self.query.bounded:
            return self._raced()
        for place, way in enumerate(self.served):
            listing = self.by(way, self.served[:place])
            if way.ordered:
                return listing
            others = [other.units for other in self.served[place + 1 :] if other.ordered or other.exact]
            most = inf if way.exact else min(others, default=inf)
            with ledger.purpose("list"):
                rows = whole_rows(listing, most, once=most < inf)
            if rows is not None:
                return replace(self.placed(rows), grounds=listing.grounds)
        raise self.refuse()

    def _raced(self) -> Listing[T]:
        """The list as that way reads it which is the first to have the page.

        Each goes on in turn, for twice as many units as before. So whatever estimates are worth, two ways together
        take about three times what the better one takes.
        """
        page = self.query.rows, self.cursor, bool(self.cursor and self.cursor.backward)
        ways = self.served[:RACED]
        begun = [Taking(each, *page) if each.way.ordered else Whole(each) for each in map(self.by, ways)]
        turn, most = FIRST_UNITS, 0.0
        with ledger.purpose("list"):
            while most < self.most_units:
                most = min(turn if begun[1:] else inf, self.most_units)
                for each in begun:
                    way, known = each.listing.way, bool(self.cursor)  # known by the page before to be the better one
                    least = self.most_units if known and each is begun[0] else 2 * way.units if way.counted else 0
                    if way.width / 2 <= max(most, least) and each.read(max(most, least)):
                        return self._won(each)
                turn *= 2
        for each in begun:
            if each.listing.way.ordered:
                return self._won(each)
        for way in self.served[RACED:]:
            if way.ordered:
                return self.by(way)
        raise self.refuse()

    def _won(self, begun: Taking[T] | Whole[T]) -> Listing[T]:
        if isinstance(begun, Taking):
            return replace(begun.listing, begun=begun)
        return replace(in_memory(begun.listing, begun.rows, self.values), grounds=begun.listing.grounds)

    @cached_property
    def served(self) -> list[FoundWay]:
        """The ways that can give the page at the cursor; that of the page before it is the first."""
        found, index = sorted(self.ways, key=self._doubted), self.cursor.index if self.cursor else None
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
        """The best way in order, whose positions all pages have, however they are read; ``None``: they have none.

        If nothing counts what is asked for, a list that was sorted in memory stays so, for it is known to be short.
        """
        in_order = [way for way in self.served if way.ordered]
        return in_order[0] if in_order and self.total is not None and self.place else None

    def _doubted(self, way: FoundWay) -> float:
        """What a way is expected to cost; one that may have to be given up must cost less than others."""
        return way.units * (DOUBT if self.place and not (way.ordered or way.exact) else 1)

    def by(self, way: FoundWay, tried: Sequence[FoundWay] = ()) -> SourceListing[T]:
        """The list as one way reads it, in its order, or in any order if it has to be sorted.

        Those that were ``tried`` hold more than was expected.
        """
        most, otherwise = self._otherwise(way, [each for each in self.ways if each not in tried])
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
            most=most,
            otherwise=otherwise,
            uncounted=self.uncounted,
            grounds=Grounds(
                why=way.words,
                item_bytes=self.item_bytes(way.source.name),
                candidates=partial(self._candidates, way),
            ),
        )

    def _otherwise(
        self, way: FoundWay, ways: Sequence[FoundWay]
    ) -> tuple[float, Callable[[int, Position, bool], list[Row[T]]] | None]:
        """How many units a page may take of a way that drops items, and the rest of it in another way, if there is one.

        Either the list is read whole and placed, or from an index that has the same rows at the same keys.
        """
        others = [other for other in ways if not self.place and self._replaces(other, way)]
        if others:
            return min(OVERRUN * way.units, self.most_units), same_keys(partial(self.by, others[0]))
        whole = min(ways, key=self._whole_units, default=way)
        if not (self.place and way.ordered and way.dropped) or self._whole_units(whole) >= self._whole_units(way):
            return self.most_units, None
        return max(OVERRUN * way.units, self._whole_units(whole)), partial(self._rest, whole, way)

    def _whole_units(self, way: FoundWay) -> float:
        return query_cost([part.items for part in way.parts], self.item_bytes(way.source.name)).weight

    def _rest(self, whole: FoundWay, way: FoundWay, count: int, after: Position, backward: bool) -> list[Row[T]]:
        """Rows beyond a position of one way, of all that another one reads."""
        rows = whole_rows(self.by(whole)) or []
        return self.by(way).placed(self._moved(rows, way)).take(count, Cursor(after), backward)

    def placed(self, rows: Iterable[Row[T]]) -> SortedRows[T]:
        """The list of all its rows, which were read in another way, or are to be sorted."""
        if self.order:
            return self.by(self.order).placed(self._moved(rows, self.order))
        return in_memory(self.by(self.served[0]), rows, self.values)

    def _moved(self, rows: Iterable[Row[T]], way: FoundWay) -> list[Row[T]]:
        """The rows at the positions that they have in the source of a way."""
        assert self.place is not None
        return [Row(self.place(row.value, way.source), row.value) for row in rows]

    def _replaces(self, other: FoundWay, way: FoundWay) -> bool:
        """Whether a way drops nothing, and has the same rows at the same keys as a counted one that may drop many.

        No two rows may have the same sort key.
        """
        key, ids = way.source.sort, {name for each in self.table.key for name in each.template.names}
        if not (way.counted and way.dropped and way.run and key and other.ordered and not other.dropped):
            return False
        whole = ids <= {*key.template.names, *self.owner} and way.run[-1] == key.template.pieces[-1]
        return whole and other.source.sort == key

    def _candidates(self, chosen: FoundWay) -> list[Candidate]:
        """All ways in words: the chosen one, and then the others, the best first."""
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
    """What cursors name: the index, and whether it is sorted in memory."""
    return way.source.name if way.ordered else SORTED + way.source.name
