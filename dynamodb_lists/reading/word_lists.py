"""Search results: entities found by the beginnings of words, read from word items and sorted by the word that matched.

One typed word is a range of one partition. Two typed words are a range of pairs. The range covers the longer word only
in part, so a filter compares the rest of it, and any third word. Word items repeat what the list shows, so nothing else
is read. See :mod:`~dynamodb_lists.schema.words`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import inf
from operator import and_
from typing import Any, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UNREADABLE, Unreadable
from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.items import key_of, query
from dynamodb_lists.reading.listing import CHUNK, GivenUp, Grounds, Listing, Row
from dynamodb_lists.schema.models import KIND, Values
from dynamodb_lists.schema.words import WordQuery, Words, joined, text_of

T = TypeVar("T")
Refine = Callable[[Sequence[T]], Sequence[T | None]]
Answer = tuple[list[Row[T]], Position | None]

ENTRY_BYTES = 250
"""About how many bytes a word item has: 16 of them fit into the minimum charge of a request."""

FILTERED = 100
"""The least number of items that a request reads if a filter drops some: 25 KB, three read units."""


def found_by_words(
    model: type[Any],
    query: WordQuery,
    build: Callable[[Values], T],
    *,
    name: str,
    refine: Refine[T] | None = None,
    partition: str = "",
) -> "FoundByWords[T]":
    """Return the list of the entities that match a search, sorted by the word that matches.

    ``build`` makes the value of a word item. ``refine`` may replace the values of a request, and leave some out.
    ``partition`` is that of the word items, if the model does not tell it.

    Costs: half a read unit for each 4 KB of word items; several typed words may read items that do not match.
    """
    return FoundByWords(
        name=name,
        selected=repr(query.typed),
        model=model,
        partition=partition or model.partition_of(initials=query.initials),
        typed=query,
        build=build,
        refine=refine,
        grounds=Grounds(why="Each word of a name is an item, so the beginning of a word is a range of one partition."),
    )


@dataclass(frozen=True, kw_only=True)
class FoundByWords(Listing[T]):
    """The list of :func:`found_by_words`. An entity with several words that begin as typed is found once."""

    model: type[Any]
    partition: str
    typed: WordQuery
    build: Callable[[Values], T]
    refine: Refine[T] | None = None
    most: float = inf
    """The read units after which a page asks for nothing more, however few rows it has."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        rows = list[Row[T]]()
        with ledger.recording() as calls:
            for found, after in self._requests(cursor.position if cursor else None, count, not backward):
                rows += found
                if len(rows) >= count:
                    break
                if after and calls.read_units >= self.most:
                    raise GivenUp(rows, after)
        return rows[:count]

    def at_most(self, units: float, otherwise: Any = None, beside: Any = None) -> "FoundByWords[T]":
        return replace(self, most=units)

    def hits(self, count: int, least: int = 0) -> tuple[list[T], bool]:
        """Return the first values, from one request. If it drops values, there may be fewer than exist."""
        rows, stopped = self._asked(None, max(count + 1, least), ascending=True)
        return [row.value for row in rows[:count]], len(rows) > count or stopped is not None

    def stream(self) -> Iterator[T]:
        return (row.value for rows, _ in self._requests(None, CHUNK, ascending=True) for row in rows)

    def _requests(self, after: Position | None, limit: int, ascending: bool) -> Iterator[Answer[T]]:
        """Yield the rows of each request, and where it stopped. Each further request asks for twice as many."""
        while True:
            rows, after = self._asked(after, limit, ascending=ascending)
            yield rows, after
            if after is None:
                return
            limit = min(2 * limit, CHUNK)

    def _asked(self, after: Position | None, limit: int, *, ascending: bool) -> Answer[T]:
        """Return the rows among so many word items, or more if more are paid, and where the request stopped."""
        least = items_paid(ENTRY_BYTES) if len(self.typed.typed) == 1 else FILTERED
        names, low, high = self.model.key_names(), self.typed.span.low, self.typed.span.high
        stored = [each.attr_name for each in self.model.get_attributes().values()]
        conditions = [self.model.words.contains(joined([beginning])) for beginning in self.typed.typed]
        if after:  # the embedded engine reads all keys from the range's end to the start key
            low, high = (after.sort_key, high) if ascending else (low, after.sort_key)
        answer = query(
            self.model.Meta.table_name,
            names,
            {"S": self.partition},
            {"S": low},
            {"S": high},
            attributes=[name for name in stored if name not in {names[0], KIND}],
            keep=reduce(and_, conditions) if conditions[1:] else None,  # the range finds one word exactly
            ExclusiveStartKey=key_of(self.model, self.partition, after.sort_key) if after else None,
            Limit=max(limit, least),
            ScanIndexForward=ascending,
        )
        try:
            items = [self.model.decoded(item) for item in answer["Items"]]
            words = [Words(tuple(each["words"].split()), tuple(each["other_words"].split())) for each in items]
            terms = map(self.typed.term, words)
            found = [each for each, term in zip(items, terms, strict=True) if term == text_of(each["sk"])]
            values: Sequence[T | None] = [*map(self.build, found)]
        except UNREADABLE as error:
            raise Unreadable(f"A {self.model.kind} of a list is not as declared: {error}") from error
        values = self.refine(values) if self.refine and values else values  # type: ignore[arg-type]
        pairs = zip(found, values, strict=True)
        stopped = answer.get("LastEvaluatedKey")
        rows = [Row(Position(each["sk"]), value) for each, value in pairs if value is not None]
        return rows, Position(stopped[names[1]]["S"]) if stopped else None
