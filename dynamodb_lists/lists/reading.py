"""Reads of declared lists: one item, the counts of an owner, and a list by any filter in any order."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from math import inf, log2
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import (
    UNREADABLE,
    KeyPartError,
    NotFilledYet,
    NotFound,
    Unavailable,
    UnknownField,
    Unreadable,
    WrongValue,
)
from dynamodb_lists.declared.asked import ListQuery, Owner, within
from dynamodb_lists.declared.counts import Count, CountedItems, Counts, copied
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import AFTER_HEADS, HEAD, PACKED, SHAPES, Models
from dynamodb_lists.declared.samples import UNKNOWN_SHARE, shares, unpack_items
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.declared.told import Misfit
from dynamodb_lists.lists.planned import PlannedList
from dynamodb_lists.planning.counted_ways import Prices
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.planning.sources import FoundWay, Known, PartRange, Question, Source
from dynamodb_lists.planning.ways import ways
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import exported, get_items, get_one, read_partition
from dynamodb_lists.reading.listing import CountsDiffer, Listing, Row
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.reading.sources import SourceTable, Unlike, whole_rows
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.entities import as_part, fields, stored_fields, unlisted
from dynamodb_lists.schema.models import ItemModel, RawItem, Values
from dynamodb_lists.schema.words import WordQuery
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import generation_of

logger = logging.getLogger(__name__)
T = TypeVar("T")
FEW_COUNTS = 40
"""Up to so many counts are read as items, because about as many fit into the minimum charge of a request.

Packed, they would cost each write that counts two requests and 3 units more (3 and 11 for a row, not 1 and 8), and a
page after it half a unit.
"""
LOOK_AGAIN = 50
"""After so many changes of few counts, a process looks whether they have become many."""
RECOUNTS = 2
"""How often a page reads counts anew that differ from the items, because others may be changing both."""
MOST_UNITS = 128.0
"""The most read units of a page that nothing counts: a MB that is eventually consistent."""
SHAPE_SECONDS = 10.0
"""After so long a process looks again what a table has that lacks something."""
KEPT_PLANS = 16
"""The most plans that the counts of an owner keep."""
KEPT_OWNERS = 32
"""The most owners whose counts a process keeps."""


LARGEST = 5000
"""The most items that are sorted in memory to give a whole list in its order, if an index has the order."""


Misfits = dict[str, Misfit]
"""What a read met beside its rows, by the texts of keys."""


@dataclass
class Ahead:
    """What a page has read beside its counts, in one ``way``."""

    way: FoundWay | None = None
    answers: dict[str, Any] = field(default_factory=dict)


readers: "dict[str, ListReader[Any]]" = {}
"""The readers of the lists of the program, by the names of these, which pickled queries have."""


def _reader_of(name: str) -> "ListReader[Any]":
    return readers[name]


class ListReader(Generic[T]):
    """Reads the items of a list, which it returns as entities."""

    def __init__(self, declaration: Declaration, models: Models) -> None:
        self.declaration, self.models = declaration, models
        self.table = SourceTable(models.item.Meta.table_name, declaration.sources[0].keys)
        self._kept = lru_cache(KEPT_OWNERS)(lambda _: list[tuple[int, CountedItems]]())
        """The counts of an owner that this process keeps, with their revision: at most one pair."""
        self.few: dict[Owner, int] = {}
        """The owners whose counts are too few to be packed, and how many may change until a writer looks again."""
        self.shape: Shape | None = None
        """What the table has of the list; ``None`` until it is needed."""
        self._until, self.is_filling = 0.0, False
        self._generations: tuple[ListReader[T], ListReader[T] | None] = self, None

    # --- What the table has -----------------------------------------------------------------------------------

    @property
    def now(self) -> "ListReader[T]":
        """The reader of what the table has: of all that is declared, unless some of it is not filled yet."""
        return self.generations[0]

    @property
    def filling(self) -> "ListReader[T] | None":
        """The reader of the counts and words that are being filled, as far as this process knows."""
        return self._generations[1]

    @property
    def generations(self) -> "tuple[ListReader[T], ListReader[T] | None]":
        """The readers of the counts and words that pages read, and of those that are being filled.

        A process reads this once, and again every few seconds as long as the table lacks something. A table without a
        shape is taken for one that has everything.
        """
        if self.shape is None or (self._until and monotonic() > self._until):
            with ledger.purpose("shape"):
                stored = get_one(self.models.shape, SHAPES, self.declaration.name, consistent=True)
            self.take_shape(Shape.of_text(stored["shape"]["S"]) if stored else Shape.of(self.declaration))
        return self._generations

    def store_shape(self, shape: Shape) -> None:
        """Store what the table has from now on."""
        single_items.put(self.models.shape(SHAPES, self.declaration.name, shape=shape.text))
        self.take_shape(shape)

    def take_shape(self, shape: Shape) -> None:
        """Read and write by what the table has."""
        lacks = [*shape.lacks(self.declaration)]
        self._until = monotonic() + SHAPE_SECONDS if lacks else 0
        if shape == self.shape:
            return
        now, filling = shape.filled(self.declaration), None
        if lacks:
            text = "The table of %s lacks %s: run migrate_lists."
            logger.warning(text, self.declaration.name, ", ".join(lacks))
        if shape.fills(self.declaration):
            filling = self._of(self.declaration.having(generation=shape.filling), shape)
            filling.is_filling = True
        reads = self if now == self.declaration else self._of(now, shape)
        self._generations, self.shape = (reads, filling), shape  # at once, for other threads write by both

    def _of(self, part: Declaration, shape: Shape) -> "ListReader[T]":
        """The reader of a part of what is declared, or of another generation."""
        reader: ListReader[T] = ListReader(part, self.models.of(part))
        reader.shape = shape
        return reader

    def meet(self, entity: Any) -> None:
        """Look again what the table has, if the item of an entity is in a generation that has been begun since."""
        if entity and self._until and self.shape and generation_of(entity.revision) > self.shape.tried:
            self.shape = None

    @property
    def lacks(self) -> list[str]:
        """What is declared and the table does not have yet, in words."""
        return [*self.shape.lacks(self.declaration)] if self.now is not self and self.shape else []

    def filled(self, query: ListQuery) -> "ListReader[T]":
        """The reader of what the table has, for a query.

        Raises :class:`~dynamodb_lists.connection.errors.NotFilledYet` if the query needs more.
        """
        now = self.now
        if now.declaration is not self.declaration:
            sorts, shape = now.declaration.sorts, self.shape
            missing = [name for name in (*query.sort, *query.conditions) if name not in sorts]
            missing += [query.only] if query.only and query.only not in now.declaration.sparse else []
            missing += ["search"] if query.typed and shape and not shape.has_words(self.declaration) else []
            if missing:
                raise NotFilledYet(self.declaration.title, missing[0])
        return now

    def __reduce__(self) -> Any:
        return _reader_of, (self.declaration.name,)

    # --- Items ------------------------------------------------------------------------------------------------

    def item(self, owner: Owner, item_id: str, *, consistent: bool = False) -> T:
        """One item by its owner and its id. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        return self.entity(self._key(owner, item_id), consistent=consistent)

    def items(
        self, wanted: Iterable[tuple[Owner, str]], *, consistent: bool = True, misfits: Misfits | None = None
    ) -> dict[tuple[Owner, str], T]:
        """The items that exist among these pairs of owner and id."""
        places = (self.declaration.place(self._key(*pair)) for pair in wanted)
        found = self.at(places, consistent=consistent, misfits=misfits)
        return {self.declaration.identity(each): each for each in found}

    def _key(self, owner: Owner, item_id: str) -> Mapping[str, str]:
        return dict(zip((*self.declaration.owner, self.declaration.id_field), (*owner, item_id), strict=True))

    def entity(self, values: Mapping[str, Any], *, consistent: bool = False) -> T:
        """One item by the values in its key. If it is missing, it is read again, consistently, as after a write.

        Raises :class:`~dynamodb_lists.connection.errors.NotFound`, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` if a value is missing, or is none of the key.
        """
        declared = self.declaration
        names = dict.fromkeys(name for key in declared.own_keys for name in key.template.names)
        if not names.keys() <= values.keys() <= names.keys() | {*declared.owner}:
            raise UnknownField(f"{declared.title} are got by {' and '.join(f'{name}=' for name in names)}.")
        try:
            place = declared.place(values)
        except KeyPartError as error:
            raise NotFound(f"There is no such {declared.kind}: {error}") from error
        try:
            return self.stored(place, consistent=consistent)[1]
        except NotFound:
            if consistent:
                raise
            return self.stored(place)[1]

    def stored(self, place: dict[str, Any], *, consistent: bool = True) -> tuple[RawItem, T]:
        """The item with a key, and its entity. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        item = self.raw(place, consistent=consistent)
        if not self.declaration.owns(item):
            raise NotFound(f"There is no such {self.declaration.kind}.")
        entity = self.built(item)
        if isinstance(entity, Misfit):
            raise WrongValue(f"The stored {self.declaration.kind} fits no template: {entity.reason}.")
        return item, entity

    def raw(self, place: dict[str, Any], *, consistent: bool = True) -> RawItem:
        """An item as it is stored. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list", unless_given=True):
            found = self.table.item(place, consistent=consistent)
        if found is None:
            raise NotFound(f"There is no such {self.declaration.kind}.")
        return found

    def entities(self, keys: Iterable[Mapping[str, Any]], *, consistent: bool = True) -> list[T]:
        """The entities that exist among these values of keys, read a hundred at a time."""
        return self.at(map(self.declaration.place, keys), consistent=consistent)

    def at(
        self, places: Iterable[dict[str, Any]], *, consistent: bool = True, misfits: Misfits | None = None
    ) -> list[T]:
        """The entities that exist among the items with these keys."""
        named = {repr(place): place for place in places}
        with ledger.purpose("list", unless_given=True):
            found = replace(self.table, consistent=consistent).whole([*named.values()])
        built = [self._entity(item, misfits) for item in found if item and self.declaration.owns(item)]
        return [entity for entity in built if not (entity is None or isinstance(entity, Misfit))]

    def _entity(self, item: RawItem, misfits: Misfits | None) -> T | None:
        """The entity of an item; ``None`` if it cannot be read, and so is one of the misfits."""
        try:
            found: T = self.built(item)
        except Unreadable as error:
            if misfits is None:
                raise
            misfits[item["sk"]["S"]] = Misfit(item, str(error).rstrip("."))
            return None
        return found

    def built(self, item: RawItem) -> Any:
        """The entity of an item. Raises :class:`~dynamodb_lists.connection.errors.Unreadable`."""
        model = self.models.item
        try:
            return model.built(model.decoded(item), **self.declaration.owner_in(item["pk"]["S"]))
        except Unreadable:
            raise
        except UNREADABLE as error:
            raise Unreadable(f"A {model.kind} of a list is not as declared: {error}") from error

    # --- Counts -----------------------------------------------------------------------------------------------

    def counts(self, owner: Owner) -> CountedItems:
        """How many items an owner has of each combination: one request, of the counts' revision alone if it is kept.

        The packed copy is used only if it has the revision that the counts have now.
        """
        with ledger.purpose("counts"):
            if owner in self.few:
                return self._few_counts(owner)
            kept = next(iter(self._kept(owner)), None)
            found = self.heads(owner, HEAD, *(() if kept else (PACKED,)))
            head = found.get(HEAD, {})
            revision = head.get("counts_revision", 0)
            if kept and kept[0] == revision:
                return CountedItems(kept[1], head, kept[1].sample)
            if kept:
                found |= self.heads(owner, PACKED)
            copy = found.get(PACKED, {})
            current = revision and copy.get("counts_revision") == revision
            counts, sample = copied(copy, self.declaration.facets) if current else None, copy.get("sample", b"")
            if counts is None:
                self._kept(owner).clear()
                counts = self.stored_counts(owner)
                if self.are_few(counts):  # then nobody packs them, so later pages begin with them
                    self.few.setdefault(owner, LOOK_AGAIN)
                counted = CountedItems(counts, head, sample)
                if counted.differ and self.heads(owner, HEAD).get(HEAD, {}).get("counts_revision", 0) != revision:
                    counted.items_stored = None  # others have changed the counts meanwhile
                return counted
        counted = CountedItems(counts, head, sample)
        self._kept(owner)[:] = [(revision, counted)]
        return counted

    def counts_for(self, query: ListQuery) -> Counts:
        """The counts of the owner of a query. A sparse list and a search need none, and rows that expire have none."""
        return {} if query.only or query.typed or self.declaration.expires else self.counts(query.owner)

    def _few_counts(self, owner: Owner) -> CountedItems:
        """Few counts, an item for each, with their head. If they differ, a write may be seen in half, so look again."""
        for consistent in (False, True):
            head, copy, found = self._stored(owner, HEAD, consistent=consistent)
            counts = CountedItems(found, head, copy.get("sample", b""))
            if not counts.differ:
                break
        if "packed" in copy or not self.are_few(counts):
            self.few.pop(owner, None)
        return counts

    @staticmethod
    def are_few(counts: Counts) -> bool:
        """Whether so few counts are read as fast themselves as packed."""
        return len(counts) <= FEW_COUNTS

    def heads(self, owner: Owner, *sort_keys: str, consistent: bool = False) -> dict[str, Any]:
        """The revision of an owner's counts and their packed copy, or one of both, by sort key."""
        pairs = [(self.declaration.counts_partition(owner), sort_key) for sort_key in sort_keys]
        return {item["sk"]: item for item in get_items(self.models.head, pairs, consistent=consistent)}

    def stored_counts(self, owner: Owner, *, consistent: bool = False) -> Counts:
        """The counts, an item for each."""
        return self._stored(owner, AFTER_HEADS, consistent=consistent)[2]

    def _stored(self, owner: Owner, low: str, *, consistent: bool) -> tuple[Values, Values, Counts]:
        """The head, the copy and the counts among the items of an owner's counts from a key on."""
        partition, span = self.declaration.counts_partition(owner), Between(low, keys.HIGHEST)
        attributes = ("sk", "number", "labels", "items", "moves", "packed", "sample")

        def decode(item: RawItem) -> Values:
            model: type[ItemModel] = self.models.head if item["sk"]["S"] in {HEAD, PACKED} else self.models.count
            return model.decoded(item)

        asked: Any = {"span": span, "decode": decode, "consistent": consistent}
        with ledger.purpose("counts"):
            found = {item["sk"]: item for item in read_partition(self.models.count, partition, attributes, **asked)}
        head, copy = found.pop(HEAD, {}), found.pop(PACKED, {})
        return (
            head,
            copy,
            {
                keys.parse(sort_key): Count(
                    item["number"], tuple(json.loads(item["labels"])) if item.get("labels") else ()
                )
                for sort_key, item in found.items()
            },
        )

    # --- Lists ------------------------------------------------------------------------------------------------

    def with_counts(self, query: ListQuery) -> tuple[Counts, Ahead]:
        """The counts for a page, and what was read beside them.

        Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
        """
        ahead = Ahead()
        calls = list[Callable[[], Any]]([partial(self.counts_for, query), partial(self._send, query, ahead)])
        return in_parallel(calls)[0], ahead

    def _send(self, query: ListQuery, ahead: Ahead) -> None:
        """Send the request of a page without filters, which needs no counts to be planned.

        Only the length of the last page depends on the counts.
        """
        planned = None if query.filtered else self._planned(query, {})
        index = planned.cursor.index if planned and planned.cursor else None
        found = [way for way in planned.ways if index in {None, way.source.name}] if planned else []
        in_order = [
            way for way in found if way.ordered and not way.dropped and not way.by_keys
        ]  # none, if only counts tell the ranges
        if planned is None or not in_order or (planned.cursor and planned.cursor.position is None):
            return
        ahead.way = min(in_order, key=lambda way: self.declaration.usual_bytes(way.source.name))
        backward = bool(planned.cursor and planned.cursor.backward)
        table = replace(planned.table, ahead=ahead.answers, sends_ahead=True)
        with ledger.purpose("list"):
            replace(planned, table=table).by(ahead.way).take(query.rows, planned.cursor, backward)

    def listing(
        self, query: ListQuery, counts: Counts, ahead: Ahead | None = None, *, whole: bool = False
    ) -> Listing[T]:
        """The list that a query asks for, read in the way that costs the least for a page, or for the ``whole`` list.

        ``ahead`` has the answer to a request that was sent already.
        Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
        """
        if query.typed:
            return self.found(query)
        if isinstance(counts, CountedItems) and counts.differ:
            return cast(Listing[T], self._recounted(query, counts, RECOUNTS, whole))
        try:
            return self._planned(query, counts, ahead, whole=whole).listing()
        except CountsDiffer as found:
            return found.listing

    def _planned(
        self,
        query: ListQuery,
        counts: Counts,
        ahead: Ahead | None = None,
        *,
        recounts: int = RECOUNTS,
        whole: bool = False,
    ) -> PlannedList[T]:
        """The list with the ways to read it. If its counts differ from its items, they are read anew."""
        declared, more = self.declaration, ahead or Ahead()
        cursor = opened(query.cursor, declared.name, query.selected, query.page_size)
        question = replace(declared.question(query), wide=cursor is not None)
        moves, uncounted = None, None
        if isinstance(counts, CountedItems):
            moves = counts.moves if {*query.sort[:1]} & {*declared.moves} else None
            uncounted = partial(self._recounted, query, counts, recounts, whole)
        every = partial(self._plan, query, question, counts, inf if whole else query.rows, cursor)
        total, found = every([more.way.source] if more.way else ())  # what was sent is paid
        if whole:  # it need not be in memory
            found = [way for way in found if way.ordered or way.items <= LARGEST] or found
        return PlannedList(
            name=declared.name,
            query=query,
            ways=found,
            every=(lambda: every()[1]) if more.way else tuple,
            cursor=cursor,
            table=replace(self.table, attributes=partial(self._attributes, query), ahead=more.answers),
            build=partial(self._row, query),
            values=lambda row: declared.parts(row, (*query.sort, declared.id_field)),
            item_bytes=partial(declared.item_bytes, query.owner),
            total=total,
            revision=moves,
            may_be=lambda source, entry: self._row(query, source, entry) is not None,
            place=self.place,
            uncounted=uncounted,
        )

    def _plan(
        self,
        query: ListQuery,
        question: Question,
        counts: Counts,
        rows: float,
        cursor: Cursor | None,
        sources: Sequence[Source] = (),
    ) -> tuple[int | None, list[FoundWay]]:
        """How many rows are wanted, if counts tell, and the ways to read some sources, or any, the best first.

        The counts keep what was planned with them: planning takes longer than reading.
        """
        declared, counted = self.declaration, counts if isinstance(counts, CountedItems) else None
        plans: dict[Any, Any] = counted.numbers(declared.facets).plans if counted is not None else {}
        sizes = (round(4 * log2(declared.item_bytes(query.owner, each.name))) for each in declared.sources[:2])
        place = (cursor.backward, cursor.rank) if cursor else None
        key = query.selected, query.shown, rows, place, *sizes, *(each.name for each in sources)
        found: tuple[int | None, list[FoundWay]] | None = plans.get(key)
        if found is None:
            prices = self._prices(query, question, counted, rows, cursor) if counted is not None else None
            total = prices.total if prices and query.counted(declared.facets) else None
            found = total, self._ways(query, question, prices, sources)
            if len(plans) >= KEPT_PLANS:
                plans.clear()
            plans[key] = found
        return found

    def _prices(
        self, query: ListQuery, question: Question, counts: CountedItems, rows: float, cursor: Cursor | None
    ) -> Prices:
        """What ways cost for so many rows beyond a cursor."""
        declared = self.declaration
        build = partial(self.models.item.built, **declared.owner_values(query.owner))
        share = shares(declared, query, partial(unpack_items, self.models.item, build, counts.sample))
        prices = Prices(
            counts.numbers(declared.facets),
            question.asked,
            share,
            partial(declared.item_bytes, query.owner),
            rows,
            descending=query.descending,
            known=declared.owner,
        )
        if cursor is None:
            return prices
        passed = max(cursor.passed(prices.total), 0) or None
        return replace(prices, descending=query.descending != cursor.backward, passed=passed)

    def _ways(
        self, query: ListQuery, question: Question, prices: Prices | None, sources: Sequence[Source] = ()
    ) -> list[FoundWay]:
        """The ways to read some sources, or any, the best first.

        A table whose ids have another order than their texts gives no order.
        """
        declared, rules = self.declaration, query.rules
        names = {each.name for each in fields(declared.entity)} | question.asked.keys()
        known = {name: Known(str) for name in names}
        known |= {name: Known(bool) for rule in rules for name in (rule.name, within(rule.within))}
        known |= {within(name): Known(bool) for name in declared.sparse}
        found = ways(sources or declared.sources, known, question, prices.counts if prices else None)
        if declared.orders_ids:
            found = [replace(way, run=None) if way.parts and not way.source.name else way for way in found]
        if prices:
            return prices.sorted(found)
        return [replace(way, kept=UNKNOWN_SHARE) if query.only and way.dropped else way for way in found]

    def _attributes(self, query: ListQuery, source: Source) -> list[str]:
        """What is asked for of a source: its keys, what lists show of an index, and what else it has that is used."""
        declared, lacks = self.declaration, {*self.declaration.fixed, *source.lacks}
        names = dict.fromkeys([*declared.shown_in(source.name), *(name for name in query.used if name not in lacks)])
        shown = [self.models.item.renames.get(name, name) for name in names]
        return list(dict.fromkeys([*shown, *(key.name for key in source.keys[1:]), "sk"]))

    def _row(self, query: ListQuery, source: Source | None, item: RawItem) -> T | None:
        """The entity of an item of a source, or of the table; ``None`` if it is not wanted, as far as its fields tell.

        So an outdated count never shows a wrong row.
        """
        found = self._entity(item, query.misfits)
        if found is None or not self.declaration.agrees(query, found, source.lacks if source else ()):
            return None
        is_part = source and not unlisted(self.declaration.entity) <= {*query.used}
        return as_part(found) if is_part else found

    def place(self, entity: T, source: Source) -> Position:
        """The position of an entity in a source."""
        declared = self.declaration
        owner, item_id = declared.identity(entity)
        own = declared.partition(owner), item_id
        sort_key = declared.sort_key(entity, declared.orders[source.name]) if source.name else item_id
        return Position(sort_key, (own[0], *own))

    def _recounted(
        self,
        query: ListQuery,
        before: Counts,
        recounts: int,
        whole: bool,
        source: Source | None = None,
        unlike: Sequence[Unlike] = (),
    ) -> Listing[T] | None:
        """The list with the counts that are stored now, for others may have changed them, and the items, meanwhile.

        If they are the same as before, an index may be behind, so the items are read once more; if they keep changing,
        ``None`` if that explains why parts are ``unlike`` them. Else, the list is read without counts.
        """
        counts = self.counts(query.owner)
        changed, planned = counts != before, partial(self._planned, query, counts, recounts=recounts - 1, whole=whole)
        if not counts.differ and recounts and (changed or recounts == RECOUNTS):
            try:
                return planned().listing()
            except CountsDiffer as found:
                return found.listing
        if not counts.differ and source and changed and _explained(unlike, source, planned().ways):
            return None
        if counts.differ or not changed:
            owner = " of ".join([self.declaration.name, *query.owner])
            logger.warning("The counts of the %s and the %s differ. Run verify_data.", owner, self.declaration.name)
        return self._without_counts(query, counts, inf if whole else MOST_UNITS)

    def _without_counts(self, query: ListQuery, wrong: CountedItems, most: float) -> Listing[T]:
        """The list of all items that match, counted as they are.

        If these are too many for a page, it is read as if nothing counted them, and gives up after the ``most`` units.
        """
        declared = self.declaration
        everything = ListQuery(query.owner, shown=query.used, misfits=query.misfits)
        sources = (each for each in declared.sources if not each.when and each.lacks.isdisjoint(query.used))
        source = min(sources, key=lambda each: declared.usual_bytes(each.name))
        way = FoundWay(source, (PartRange(declared.partition(query.owner)),), (), (), by_keys=False)
        everything_there = self._planned(everything, {}).by(way)
        expected = max(wrong.items_stored or 0, wrong.numbers(declared.facets).total)
        is_short = query_cost([expected], everything_there.grounds.item_bytes).units <= MOST_UNITS
        with ledger.purpose("list"):
            rows = whole_rows(everything_there, MOST_UNITS) if is_short else None
        if rows is None:
            uncounted = replace(self._planned(query, {}), place=None, most_units=most, refuse=self._too_long)
            return replace(uncounted.listing(), counts_differ=True)
        numbers = Counter(declared.combination(row.value) for row in rows)
        counts = CountedItems({each: Count(number) for each, number in numbers.items()}, {})
        found = (row.value for row in rows if declared.agrees(query, row.value))
        wanted = [Row(self.place(value, source), value) for value in found]
        planned = replace(self._planned(query, counts), total=len(wanted))
        return replace(planned.placed(wanted), counts_differ=True)

    def _too_long(self) -> Unavailable:
        """The refusal of a page of a list that nothing counts, and of which no index has the order."""
        words = f"The counts of the {self.declaration.name} differ from them, and without counts these are too many"
        return Unavailable(f"{words} to be sorted so. Run verify_data --repair, or sort them by another field.")

    def found(self, query: ListQuery) -> Listing[T]:
        """The items that have words which begin as typed, in the order of these words: word items, and their items.

        Conditions drop items after they were read, so a page under rare ones reads many.
        """
        declared, wanted = self.declaration, WordQuery.of(query.typed)

        def items(ids: Sequence[str]) -> list[T | None]:
            keys_of = [(query.owner, item_id) for item_id in ids]
            stored = self.items(keys_of, consistent=False, misfits=query.misfits)  # as any page, at half the price
            found = map(stored.get, keys_of)
            return [each if each is not None and declared.agrees(query, each) else None for each in found]

        if wanted is None:
            return SortedRows(name=declared.name, rows=[])
        partition = declared.words_partition(query.owner, wanted.initials)
        listing: Any = found_by_words(
            self.models.word,
            wanted,
            lambda values: keys.parse(values["sk"])[1],
            name=declared.name,
            partition=partition,
            refine=items,
        )
        return cast(Listing[T], replace(listing, selected=query.selected))

    def rows(self, query: ListQuery, counts: Counts) -> Iterator[T]:
        """Every row of a list, with all its fields.

        If lists lack some, either each row is read by its key, or the whole table of the owner, whichever costs less.
        """
        if query.typed:
            return exported(self.found(query).stream(), self.declaration.identity, self.items)
        everything = tuple(field.name for field in stored_fields(self.declaration.entity))
        return self.listing(replace(query, shown=everything), counts, whole=True).stream()

    def fetch(self, owner: Owner, index: str) -> Callable[[Between, None, bool, int], SortedRows[T]]:
        """Reads so many items of a range of an owner's items in an index, from one of its ends."""
        planned, partition = self._planned(ListQuery(owner, misfits={}), {}), self.declaration.partition(owner)
        source = next(each for each in self.declaration.sources if each.name == index)

        def read(span: Between, _: None, ascending: bool, limit: int) -> SortedRows[T]:
            way = FoundWay(source, (PartRange(partition, span.low, span.high),), (), (), by_keys=False)
            return SortedRows(name=planned.name, rows=planned.by(way).take(limit, None, not ascending))

        return read


def _explained(unlike: Sequence[Unlike], source: Source, since: Sequence[FoundWay]) -> bool:
    """Whether parts have as many items as counts said before, or say ``since``, or a number between these."""
    exact = (way for way in since if way.source.name == source.name and way.exact)
    now = {part[:3]: part.items for way in exact for part in way.parts}
    ends = ((count, sorted((part.items, now.get(part[:3], part.items)))) for part, count in unlike)
    return all(low <= count <= high for count, (low, high) in ends)
