"""A list that is read from a source, which is a table or an index, and whose parts are merged by the values in their
keys.

Each part is a range of one partition. Rows of different parts are compared by the values in their keys. Equal rows stay
in the order of their part, which only DynamoDB knows. So the position of a row is its own key. In the row's part, the
list goes on behind this key; in other parts, behind or before all equal rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from math import ceil, inf
from typing import Any, Generic, TypeVar

from boto3.dynamodb.types import DYNAMODB_CONTEXT

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.errors import (
    NOT_ACCEPTED_HINT,
    BadCursor,
    DynamoDBError,
    KeyPartError,
    Refused,
)
from dynamodb_lists.planning.request_cost import items_for, items_paid
from dynamodb_lists.planning.sources import FoundWay, PartRange, Source, SourceKey, ordered
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel, learn_size
from dynamodb_lists.reading.items import BATCH, one_item, query, read_batch
from dynamodb_lists.reading.listing import CHUNK, CountsDiffer, GivenUp, Listing, Row
from dynamodb_lists.reading.merging import GROWTH, Merge, Rank, Reading
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import HIGHEST, MAX_BYTES
from dynamodb_lists.schema.models import RawItem

T = TypeVar("T")
RANGE = 2.0
"""How many read units are spent at once on ranges of which nothing tells how long they are."""
Unlike = tuple[PartRange, int]
"""A part, and how many items it has, which are not as many as counts say."""


@dataclass(frozen=True)
class SourceTable:
    """A table by its name and the attributes of its key.

    Its reads raise :class:`~dynamodb_lists.connection.errors.Unavailable`, and
    :class:`~dynamodb_lists.connection.errors.KeyPartError` for a value that no key has, such as a blank.
    """

    name: str
    key: tuple[SourceKey, ...]
    attributes: Callable[[Source], Sequence[str]] = lambda _: ()
    """What is asked for of each item of a source, beside the partition; nothing for all."""

    consistent: bool = False
    ahead: dict[str, Answer] | None = None
    """Answers to requests that were sent ahead, each of which is used once."""
    sends_ahead: bool = False
    """Whether answers are kept there."""

    def query(
        self, source: Source, part: PartRange, *, after: Mapping[str, Any] | None, ascending: bool, limit: int
    ) -> Answer:
        """Return the answer to a Query of a part, beyond the key ``after``."""
        key, sort = [each.name for each in (*source.keys, *self.key)], source.sort
        low, high = [None if end is None or sort is None else sort.wire(end) for end in (part.low, part.high)]
        request = repr((source.name, part.partition, low, high, after, ascending, limit))
        if self.ahead and not self.sends_ahead and (sent := self.ahead.pop(request, None)):
            return sent
        if after and sort:  # the embedded engine reads all keys from the range's end to the start key
            low, high = (after[sort.name], high) if ascending else (low, after[sort.name])
        partition = source.partition.wire(part.partition)
        with self._taking(filter(None, (partition, low, high))):
            answer = query(
                self.name,
                key,
                partition,
                low,
                high,
                attributes=self.attributes(source),
                IndexName=source.name or None,
                ScanIndexForward=ascending,
                Limit=limit,
                ExclusiveStartKey=after,
                ConsistentRead=self.consistent or None,
            )
        for item in answer["Items"]:
            item.setdefault(source.partition.name, partition)
        learn_size(self.name, part.partition, answer, whole=source.whole or not source.name)
        if self.ahead is not None and self.sends_ahead:
            self.ahead[request] = answer
        return answer

    def whole(self, items: Sequence[RawItem]) -> list[RawItem | None]:
        """Return the items of the table with the keys of these entries of an index; ``None`` for one that is gone."""
        asked = [self.key_of(item) for item in items]
        batches = in_parallel([partial(self._batch, asked[at : at + BATCH]) for at in range(0, len(asked), BATCH)])
        found = {repr(self.key_of(item)): item for batch in batches for item in batch}
        return [found.get(repr(key)) for key in asked]

    def _batch(self, keys: Sequence[RawItem]) -> list[RawItem]:
        with self._taking(value for key in keys for value in key.values()):
            return [*read_batch(self.name, keys, consistent=self.consistent)]

    def item(self, key: Mapping[str, Any], *, consistent: bool) -> RawItem | None:
        """Return the item with a key; ``None`` if there is none."""
        with self._taking(key.values()):
            return one_item(self.name, key, consistent=consistent)

    def key_of(self, item: RawItem) -> dict[str, Any]:
        """Return the key of an item."""
        return {each.name: item[each.name] for each in self.key}

    @contextmanager
    def _taking(self, values: Iterable[Mapping[str, Any]]) -> Iterator[None]:
        """Raise :class:`KeyPartError` if DynamoDB refuses a request because no key has one of these values."""
        try:
            yield
        except Refused as refused:
            error = refused.__cause__
            wrong_value = not all(map(_may_be_key, values))  # or else the program or the table is wrong
            if refused.hint == NOT_ACCEPTED_HINT and wrong_value:
                raise KeyPartError(f"No key of {self.name} has such a value: {error}") from error
            raise


def _may_be_key(typed: Mapping[str, Any]) -> bool:
    """Return whether a key can have a value: a text or bytes, neither blank nor too long, or a valid number."""
    ((kind, value),) = typed.items()
    if kind != "N":
        return 0 < len(value.encode() if kind == "S" else value) <= MAX_BYTES
    try:
        return DYNAMODB_CONTEXT.create_decimal(value).is_finite()
    except ArithmeticError:
        return False


@dataclass(frozen=True, kw_only=True)
class SourceListing(Listing[T]):
    """A list that is read from the parts of a way. ``build`` gives an item's value, or ``None`` if the item is dropped.

    A way by keys reads entries of an index first, and then, at once for the page, the items of the entries that
    ``may_be`` wanted. ``beside`` reads other items for these entries at the same time.

    Once a page has taken ``most`` read units, the function ``otherwise`` gives the rest of it: so many rows beyond a
    position of this list. Without ``otherwise``, the list raises :class:`~dynamodb_lists.reading.listing.GivenUp`.

    If parts have other numbers of items than exact counts say, ``uncounted`` gets the source and these parts with their
    numbers. It returns the list to read instead; ``None`` if writes beside the page explain the difference. If there
    are counts, parts without items are left out of the way, so a position may be in none of the parts.
    """

    table: SourceTable
    way: FoundWay
    build: Callable[[RawItem], T | None]
    may_be: Callable[[RawItem], bool] = lambda _: True
    beside: Callable[[Sequence[RawItem]], object] | None = None
    most: float = inf
    otherwise: Callable[[int, Position, bool], list[Row[T]]] | None = None
    uncounted: "Callable[[Source, Sequence[Unlike]], Listing[T] | None] | None" = None
    unlike: list[Unlike] = field(default_factory=list)
    begun: "Taking[T] | None" = None
    """A page that was read already, or in part."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        page = self.begun
        if page and page.place == (cursor and cursor.position, backward):
            page.count = page.walk.count = max(page.count, count)
        else:
            page = Taking(self, count, cursor, backward)
        is_read = page.read(self.most) or len(page.rows) >= count
        self.compare()
        if is_read or page.walk.last is None:
            return page.rows[:count]
        if self.otherwise:
            return page.rows + self.otherwise(count - len(page.rows), page.walk.last.position, backward)
        raise GivenUp(page.rows, page.walk.last.position)

    def compare(self) -> None:
        """Raise :class:`CountsDiffer` if the number of items read is not that of the counts, before or after."""
        unlike = [*self.unlike]
        self.unlike.clear()
        if unlike and self.uncounted and (listing := self.uncounted(self.way.source, unlike)):
            raise CountsDiffer(listing)

    def at_most(
        self,
        units: float,
        otherwise: Callable[[], Listing[T]] | None = None,
        beside: Callable[[Sequence[RawItem]], object] | None = None,
    ) -> "SourceListing[T]":
        def rest(count: int, after: Position, backward: bool) -> list[Row[T]]:
            assert otherwise
            rows = otherwise().take(count, Cursor(Position(after.sort_key)), backward)
            return [Row(Position(row.position.sort_key), row.value) for row in rows]

        return replace(self, most=units, otherwise=otherwise and rest, beside=beside)

    def keeping(self, count: int) -> "SourceListing[T]":
        return replace(self, begun=Taking(self, count, None, backward=False))

    def stream(self) -> Iterator[T]:
        rows = replace(self, uncounted=None).walk(None, not self.descending, inf, []).rows()
        while batch := [*islice(rows, BATCH)]:
            yield from (row.value for row in self.finished(batch, []))

    def finished(self, rows: Sequence[Row[Any]], spent: list[float]) -> list[Row[T]]:
        """Return the rows of a walk with their values, without those that are gone or dropped."""
        if not self.way.by_keys:
            return [*rows]
        entries = [row.value for row in rows]
        spent.append(len(entries) / 2)
        calls: list[Callable[[], Any]] = [partial(self.table.whole, entries)]
        if self.beside and entries:
            calls.insert(0, partial(self.beside, entries))
        values = [item and self.build(item) for item in in_parallel(calls)[-1]]
        return [Row(row.position, value) for row, value in zip(rows, values, strict=True) if value is not None]

    def walk(self, cursor: Cursor | None, ascending: bool, count: float, spent: list[float]) -> Merge:
        """Return the kept rows of all parts, in order; of a way by keys, the entries of the index."""
        way, paid = self.way, items_paid(self.grounds.item_bytes)
        return Merge(self.parts(cursor, ascending), count, ascending, spent, way.kept, way.counted, paid)

    def _reading(self, number: float, part: PartRange) -> Reading:
        """A part, whose next row may be the first of all or, if nothing sorts the rows, follows the part before it."""
        group = (ordered(part.leads), *([] if self.way.run else [number]))
        return Reading(number=number, part=part, group=group, weight=max(part.items, 1), read=self._read_on)

    def _read_on(self, reading: Reading, ascending: bool) -> float:
        source, part = self.way.source, reading.part
        answer = self.table.query(source, part, after=reading.after, ascending=ascending, limit=reading.limit)
        items: list[RawItem] = answer["Items"]
        reading.after = answer.get("LastEvaluatedKey")
        reading.ended, reading.count = reading.after is None, reading.count + len(items)
        exact = self.uncounted and self.way.exact and reading.whole
        if exact and reading.ended and reading.count != reading.part.items:
            self.unlike.append((part, reading.count))
        alone = None if self.way.parts[1:] or reading.passed else (reading.group, 1, (), reading.number)
        for item in items:
            own = [each.text(item) for each in self.table.key]
            position = Position(source.sort.text(item) if source.sort else "", (part.partition, *own))
            value: Any = self.build(item) if not self.way.by_keys else item if self.may_be(item) else None
            rank = alone or self._rank_of(reading, position.sort_key)
            if rank is None:  # the key is of another form: such an entry stays where it is
                if value is None and len(self.way.parts) > 1:
                    continue
                rank = reading.last or (*reading.bound(ascending), (), reading.number)
            reading.last = rank
            if rank[:-1] != reading.passed:
                reading.rows.append((rank, Row(position, value)))
        return float(answer.get("ConsumedCapacity", {}).get("CapacityUnits", 0.0))

    # --- Positions ----------------------------------------------------------------------------------------

    def _rank_of(self, reading: Reading, sort_key: str) -> Rank | None:
        """Return what sorts the rows of all parts; ``None`` for a key that does not tell it."""
        key, run = self.way.source.sort, self.way.run or ()
        told: Mapping[str, Any] = {}
        if key and run:
            try:
                told = {run[0].name: Decimal(sort_key)} if key.numeric else key.template.values(sort_key)
                if not key.numeric and not sort_key.startswith(self._begin(reading.part, told)):
                    return None
            except (KeyError, ValueError, ArithmeticError, DynamoDBError):
                return None
        return reading.group, 1, ordered([told[piece.name] for piece in run]), reading.number

    def _begin(self, part: PartRange, told: Mapping[str, Any]) -> str:
        """Return how a key of a part begins that has these values in the pieces that sort."""
        template = self.way.source.sort.template  # type: ignore[union-attr]
        pieces, last = template.pieces, (self.way.run or ())[-1]
        end = pieces.index(last) + 1
        end += bool(pieces[end:] and pieces[end].literal)  # else, a longer value may begin so
        shown = pieces[self.way.open_at : end]
        return part.begun + template.begin({**told, **part.values}.__getitem__, shown)

    def parts(self, cursor: Cursor | None, ascending: bool) -> list[Reading]:
        """Return each part beyond a cursor."""
        readings = [self._reading(number, part) for number, part in enumerate(self.way.parts)]
        position = cursor.position if cursor else None
        if cursor is None or position is None:
            return readings
        own = self._holder(readings, position)
        if not position.table_key and self.way.run and readings:  # of another source: all that is equal is behind it
            own = self._reading(len(readings) if ascending else -1, self.way.parts[0])
        elif own is None or len(position.table_key) != 1 + len(self.table.key):
            raise BadCursor("The cursor is of another list. Start at the first page.")
        else:
            partition, *texts = position.table_key
            own.after = {each.name: each.wire(text) for each, text in zip(self.table.key, texts, strict=True)}
            own.after[self.way.source.partition.name] = self.way.source.partition.wire(partition)
            if sort := self.way.source.sort:
                own.after[sort.name] = sort.wire(position.sort_key)
            own.whole = False
        others = [each for each in readings if each is not own]
        rank = self._rank_of(own, position.sort_key)
        if rank is None and others:
            raise BadCursor("The row at the cursor has a key of another form. Start at the first page.")
        for each in others:
            self._skip(each, own, rank or (), position, ascending)
        if not any(each.group == own.group and not each.ended for each in others):
            passed = cursor.passed(self.total) / self.way.kept - sum(each.weight for each in others if each.ended)
            own.weight = max(own.weight - max(passed, 0), 1)
        return readings

    def _holder(self, readings: Sequence[Reading], position: Position) -> Reading | None:
        """Return the part that has a position. If it has no item any more, it is between others."""
        own = next((each for each in readings if self._has(each.part, position)), None)
        key = self.way.source.sort
        if own or not (self.uncounted and key and position.table_key):
            return own
        try:
            told = key.template.values(position.sort_key)
        except ValueError:
            return None
        begun = key.template.begin(told.__getitem__, key.template.pieces[: self.way.open_at])
        leads = tuple(told[name] for name in self.way.leads)
        part = PartRange(position.table_key[0], leads=leads, values=told, begun=begun)

        def place(part: PartRange) -> Any:
            return [part.values[name] for name in self.way.last], part.begun

        return self._reading(sum(place(each) < place(part) for each in self.way.parts) - 0.5, part)

    def placed(self, rows: Iterable[Row[T]]) -> SortedRows[T]:
        """Return the same list of these rows, in any order, at positions of this one."""
        readings = [self._reading(number, part) for number, part in enumerate(self.way.parts)]

        def rank(position: Position) -> Any:
            own = self._holder(readings, position)
            found = own and self._rank_of(own, position.sort_key)
            if own is None or found is None:
                raise BadCursor("The cursor is of another list. Start at the first page.")
            return found, position.sort_key

        placed = sorted(rows, key=lambda row: rank(row.position))
        known = {each.name: getattr(self, each.name) for each in fields(Listing)} | {"total": len(placed)}
        return SortedRows(**known, rows=placed, rank=rank)

    def _has(self, part: PartRange, position: Position) -> bool:
        key, text = self.way.source.sort, position.sort_key
        if not position.table_key or part.partition != position.table_key[0] or key is None:
            return bool(position.table_key) and part.partition == position.table_key[0]
        order: Callable[[str], Any] = Decimal if key.numeric else str
        low, high = part.low, part.high
        return (low is None or order(low) <= order(text)) and (high is None or order(text) <= order(high))

    def _skip(self, each: Reading, own: Reading, rank: Rank, position: Position, ascending: bool) -> None:
        """Leave out what precedes the position in another part."""
        here, there = ordered(each.part.leads), ordered(own.part.leads)
        if here != there:
            each.ended = (here < there) == ascending
            return
        key, run = self.way.source.sort, self.way.run
        before = (each.number < own.number) == ascending  # of equal rows, those of this part came before
        if not run or key is None:
            each.ended = before
            return
        order: Callable[[str], Any] = Decimal if key.numeric else str
        low, high, text = each.part.low, each.part.high, position.sort_key
        if not key.numeric:
            text = self._begin(each.part, key.template.values(text))
        end = text if key.numeric or run[-1] == key.template.pieces[-1] else text + HIGHEST
        if ascending:
            low = max(low or text, end if before else text, key=order)
        else:
            high = min(high or end, text if before else end, key=order)
        each.part, each.whole = each.part._replace(low=low, high=high), False
        each.ended = low is not None and high is not None and order(high) < order(low)
        each.passed = rank[:-1] if before else None


class Begun(ABC, Generic[T]):
    """Rows of a list, read as far as a reader wants to pay for them, and later further."""

    def __init__(self, listing: SourceListing[T]) -> None:
        self.listing, self.spent, self.rows = listing, list[float](), list[Row[T]]()

    @abstractmethod
    def read(self, most: float) -> bool:
        """Read on until so many units are spent, and tell whether all rows are there."""

    @property
    @abstractmethod
    def left(self) -> float:
        """About how many more read units it takes."""

    @property
    def units(self) -> float:
        """The read units that it has taken."""
        return sum(self.spent)

    @property
    def reach(self) -> float:
        """The read units that it takes in any case, as far as is known."""
        return self.units + (self.left if self.listing.way.known else self.least)

    @property
    @abstractmethod
    def least(self) -> float:
        """How many more units it must be given for another request, or for all of them if that is known."""

    @property
    def next(self) -> float:
        """How many more units it is given at once, if nothing limits it."""
        return max(self.left, self.least)


class Taking(Begun[T]):
    """So many rows of a list beyond a cursor, or a few more."""

    def __init__(self, listing: SourceListing[T], count: int, cursor: Cursor | None, backward: bool) -> None:
        super().__init__(listing)
        self.count, self.met = count, 0
        self.place = cursor and cursor.position, backward
        self.walk = listing.walk(cursor, listing.descending == backward, count, self.spent)
        if listing.way.told:
            self.walk.chunk = ceil(listing.way.items) + 1

    @property
    def left(self) -> float:
        """As expected, and as the rows say that were found so far. If none was found, it takes as many again."""
        a_row = (self.units + max(self.listing.way.units, 0.5)) / (len(self.rows) + self.count)
        return (self.count - len(self.rows)) * a_row

    @property
    def least(self) -> float:
        return self.left if self.listing.way.told else 0.5 if self.spent else self.listing.way.width / 2

    def read(self, most: float) -> bool:
        self.walk.most, by_keys = most, self.listing.way.by_keys
        rows = self.walk.rows()
        while (more := self.count - len(self.rows)) > 0:
            if self.met:
                more = min(ceil(more * self.met / max(len(self.rows), 1)), GROWTH * self.met)
            payable = 2 * (most - sum(self.spent)) if by_keys else inf
            batch = [*islice(rows, max(int(min(more, payable)), not self.met))]
            if not batch:  # not for less than a row, either
                break
            self.rows += self.listing.finished(batch, self.spent)
            self.met += len(batch)
        return len(self.rows) >= self.count or not self.walk.left


class Whole(Begun[T]):
    """All rows of a list, in any order. The first requests together ask for about ``first`` items."""

    def __init__(self, listing: SourceListing[T], first: float = CHUNK) -> None:
        super().__init__(listing)
        self.entries = list[Row[Any]]()
        chunk = max(int(first) // max(len(listing.way.parts), 1), items_paid(listing.grounds.item_bytes))
        self.walks = list[Merge]()
        for part in listing.way.parts:
            way = replace(listing.way, parts=(part,), run=(), kept=1.0, counted=False)
            self.walks.append(replace(listing, way=way).walk(None, True, inf, self.spent))
            self.walks[-1].chunk = max(chunk, ceil(part.items) + 1)

    @property
    def left(self) -> float:
        """As expected; if there is more, half as many again. All are needed, for the rows are in any order."""
        more = self.listing.way.units - self.units
        return max(more if more > 0 else self.units / 2, self.least)

    @property
    def least(self) -> float:
        way, entries = self.listing.way, len(self.entries) / 2
        if way.known and way.units > self.units:
            return way.units - self.units
        return max(0.5 if self.spent else way.width / 2, entries if way.by_keys else 0)

    @property
    def next(self) -> float:
        """More than is expected, so that a longer range that nothing counts is still read by one request."""
        return self.left if self.listing.way.known else max(1.5 * self.left, self.least, RANGE)

    def read(self, most: float) -> bool:
        for walk in self.walks:  # if counts tell what it takes, only the sizes of items are guessed
            walk.most = inf if self.listing.way.known and not self.listing.way.by_keys else most
        for rows in in_parallel([partial(list[Row[Any]], walk.rows()) for walk in self.walks]):
            self.entries += rows
        self.listing.compare()
        dear = self.listing.way.by_keys and sum(self.spent) + len(self.entries) / 2 > most
        if dear or any(walk.left for walk in self.walks):
            return False
        self.rows = self.listing.finished(self.entries, self.spent)
        return True


def whole_rows(listing: SourceListing[T], most: float = inf) -> list[Row[T]] | None:
    """Return all rows of a list, in any order; ``None`` if that takes more than so many read units."""
    whole = Whole(listing, CHUNK if most == inf else min(CHUNK, items_for(most, listing.grounds.item_bytes)))
    return whole.rows if whole.read(most) else None
