"""Pages of declared lists: by any filter in any order."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf, log2
from operator import attrgetter
from typing import Any, TypeVar, cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.declared.asked import ListQuery, Owner, within
from dynamodb_lists.declared.counts import Count, CountedItems, Counts
from dynamodb_lists.declared.samples import UNKNOWN_SHARE, depths, shares, unpack_items
from dynamodb_lists.lists.counts import CountsReader
from dynamodb_lists.lists.planned import PlannedList
from dynamodb_lists.planning.counted_ways import Prices
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.planning.sources import FoundWay, Known, PartRange, Question, Source
from dynamodb_lists.planning.ways import ways
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import exported
from dynamodb_lists.reading.listing import CountsDiffer, Listing, Row
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.reading.sources import Unlike, whole_rows
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.entities import PartRevision, fields, stored_fields, unlisted
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.words import WordQuery

logger = logging.getLogger(__name__)
T = TypeVar("T")
RECOUNTS = 2
"""How often a page reads counts anew that differ from the items, because others may be changing both."""
MOST_UNITS = 128.0
"""The most read units of a page that nothing counts: a MB that is eventually consistent."""
KEPT_PARTS = 2000
"""The most parts of ways that the counts of an owner keep, of about 400 bytes each. A plan has up to 150 of them."""
LARGEST = 5000
"""The most items that are sorted in memory to give a whole list in its order, if an index has the order."""


@dataclass
class Ahead:
    """What a page has read beside its counts, in one ``way``."""

    way: FoundWay | None = None
    answers: dict[str, Any] = field(default_factory=dict)


class ListReader(CountsReader[T]):
    """Reads the items of a list that spells its own keys: by key, by page, and whole."""

    def with_counts(self, query: ListQuery) -> tuple[Counts, Ahead]:
        """Return the counts for a page, and what was read beside them.

        Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
        """
        ahead = Ahead()
        calls = list[Callable[[], Any]]([partial(self._send, query, ahead), partial(self.counts_for, query)])
        return in_parallel(calls)[-1], ahead  # the last call runs in this thread, so that it may have parallel ones

    def _send(self, query: ListQuery, ahead: Ahead) -> None:
        """Send the request of a page without filters, which needs no counts to be planned.

        Only the length of the last page depends on the counts.
        """
        if query.filtered:
            return
        planned = self._planned(query, {})
        cursor = planned.cursor
        found = [way for way in planned.ways if cursor is None or cursor.index in {None, way.source.name}]
        in_order = [way for way in found if way.ordered and not way.dropped and not way.by_keys]
        if not in_order or (cursor and cursor.position is None):  # only counts tell the ranges, or the last page
            return
        ahead.way = min(in_order, key=lambda way: self.declaration.usual_bytes(way.source.name))
        backward = bool(cursor and cursor.backward)
        table = replace(planned.table, ahead=ahead.answers, sends_ahead=True)
        with ledger.purpose("list"):
            replace(planned, table=table).by(ahead.way).take(query.rows, cursor, backward)

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
        """Return the list with the ways to read it. If the counts differ from the items, the counts are read again."""
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
            whole=whole,
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
        """Return how many rows are wanted, if counts tell, and the ways to read some sources, or any, the best first.

        The counts keep what was planned with them: planning takes longer than reading.
        """
        declared, counted = self.declaration, counts if isinstance(counts, CountedItems) else None
        known = self._known(query, counted) if counted is not None else {}
        plans: dict[Any, Any] = counted.numbers(declared.facets).plans if counted is not None else {}
        place, about = (cursor.backward, cursor.rank) if cursor else None, []
        for source in declared.sources[:2]:
            about.append(round(4 * log2(declared.item_bytes(query.owner, source.name))))
        for number in known.values():
            about.append(round(4 * log2(1 + min(max(number, 0), LARGEST))))
        key = query.selected, query.shown, rows, place, *about, *map(attrgetter("name"), sources)
        found: tuple[int | None, list[FoundWay]] | None = plans.pop(key, None)
        if found is None:
            prices = self._prices(query, question, counted, known, rows, cursor) if counted is not None else None
            total = prices.total if prices and query.counted(declared.facets) else None
            found, kept = (total, self._ways(query, question, prices, sources)), 0
            for each in reversed([*plans]):  # those that were used last stay; other threads change them, too
                kept += sum(len(way.parts) for way in plans.get(each, found)[1])
                if kept > KEPT_PARTS:
                    plans.pop(each, None)
        plans[key] = found
        return found[0] if found[0] is not None else _alone(query, known), found[1]

    def _known(self, query: ListQuery, counts: CountedItems) -> Mapping[str, float]:
        """Return how many items meet a condition that a rule has counted, or whose values are counted alone.

        Numbers whose sum is not the number of items are wrong, or are not filled yet, and tell nothing.
        """
        found, of_values = dict(counts.of_rules), self.declaration.of_values
        for name, condition in query.conditions.items():
            if name in self.declaration.counted_alone and isinstance(condition, frozenset):
                numbers = {part: counts.of_values.get(each, 0) for (of, part), each in of_values.items() if of == name}
                if sum(numbers.values()) == sum(count.number for count in counts.values()):
                    found[name] = sum(numbers.get(part, 0) for part in condition)
        return found

    def _prices(
        self,
        query: ListQuery,
        question: Question,
        counts: CountedItems,
        known: Mapping[str, float],
        rows: float,
        cursor: Cursor | None,
    ) -> Prices:
        """Return what ways cost for so many rows beyond a cursor. ``known`` has the numbers of some conditions."""
        declared = self.declaration
        build = partial(self.models.item.built, **declared.owner_values(query.owner))
        total = max(counts.numbers(declared.facets).total, 1)
        of_rules = {name: min(max(number, 0.5) / total, 1.0) for name, number in known.items()}
        sampled = cache(partial(unpack_items, self.models.item, build, counts.sample))
        prices = Prices(
            counts.numbers(declared.facets),
            question.asked,
            shares(declared, query, sampled, of_rules),
            partial(declared.item_bytes, query.owner),
            rows,
            descending=query.descending,
            known=declared.owner,
            certain=of_rules,
            depth=depths(declared, query, sampled, of_rules),
        )
        if cursor is None:
            return prices
        alone = _alone(query, known)
        passed = max(cursor.passed(prices.total if alone is None else alone), 0) or None
        return replace(prices, descending=query.descending != cursor.backward, passed=passed)

    def _ways(
        self, query: ListQuery, question: Question, prices: Prices | None, sources: Sequence[Source] = ()
    ) -> list[FoundWay]:
        """Return the ways to read some sources, or any, the best first.

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
        """Return the attributes to read from a source: its keys, what lists show, and what else the query uses."""
        declared, renames = self.declaration, self.models.item.renames
        names = dict.fromkeys(declared.shown_in[source.name])
        for name in query.used:
            if name not in declared.fixed and name not in source.lacks:
                names[name] = None
        asked = [*map(renames.get, names, names)]
        return [*dict.fromkeys([*asked, source.sort.name, "sk"] if source.sort else [*asked, "sk"])]

    def _row(self, query: ListQuery, source: Source | None, item: RawItem) -> T | None:
        """Return the entity of an item of a source or of the table; ``None`` if its fields do not match the query.

        So an outdated count never shows a wrong row.
        """
        found = self.entity_of(item, query.misfits)
        if found is None or not self.declaration.agrees(query, found, source.lacks if source else ()):
            return None
        if source and not unlisted(self.declaration.entity).issubset(query.used):
            row: Any = found  # nobody has seen it yet; whoever saves it leaves what it lacks as it is
            object.__setattr__(row, "revision", PartRevision(row.revision))
        return found

    def place(self, entity: T, source: Source) -> Position:
        """Return the position of an entity in a source."""
        declared = self.declaration
        owner, item_id = declared.identity(entity)
        own = declared.partition(owner), item_id
        composed = self.models.item.composed_keys()
        sort_key = composed[source.keys[1].name].composed(partial(getattr, entity)) if source.name else item_id
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
        counts.of_rules = before.of_rules if isinstance(before, CountedItems) else {}
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
        """Return the list of all items that match, counted in memory.

        If the items are too many for a page, the list is read as if nothing counted it, and gives up after the ``most``
        units.
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
            words = f"The counts of the {declared.name} differ from them, and without counts these are too many to be"
            refusal = Unavailable(f"{words} sorted so. Run verify_data --repair, or sort them by another field.")
            uncounted = replace(self._planned(query, {}), place=None, most_units=most, refuse=lambda: refusal)
            return replace(uncounted.listing(), counts_differ=True)
        numbers = Counter(declared.combination(row.value) for row in rows)
        counts = CountedItems({each: Count(number) for each, number in numbers.items()}, {})
        found = (row.value for row in rows if declared.agrees(query, row.value))
        wanted = [Row(self.place(value, source), value) for value in found]
        planned = replace(self._planned(query, counts), total=len(wanted))
        return replace(planned.placed(wanted), counts_differ=True)

    def found(self, query: ListQuery) -> Listing[T]:
        """Return the items with words that begin as typed, in the order of these words.

        Conditions drop items after the read, so a page under rare conditions reads many items.
        """
        declared, wanted = self.declaration, WordQuery.of(query.typed)
        if wanted is None:
            return SortedRows(name=declared.name, rows=[])
        listing: Any = found_by_words(
            self.models.word,
            wanted,
            lambda values: keys.parse(values["sk"])[1],
            name=declared.name,
            partition=declared.words_partition(query.owner, wanted.initials),
            refine=partial(self._of_ids, query),
        )
        return cast(Listing[T], replace(listing, selected=query.selected))

    def _of_ids(self, query: ListQuery, ids: Sequence[str]) -> list[T | None]:
        """Return the items with these ids that are wanted, each ``None`` if it is not, or is gone."""
        places = [(query.owner, item_id) for item_id in ids]
        stored = self.items(places, consistent=False, misfits=query.misfits)  # as any page, at half the price
        found = map(stored.get, places)
        return [each if each is not None and self.declaration.agrees(query, each) else None for each in found]

    def rows(self, query: ListQuery, counts: Counts) -> Iterator[T]:
        """Return every row of a list, with all its fields.

        If indexes lack fields, each row is read by its key, or all items of the owner, whichever costs less.
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


def _alone(query: ListQuery, known: Mapping[str, float]) -> int | None:
    """Return how many items a query has whose only condition is counted alone; ``None`` for another query."""
    names = query.conditions.keys()
    return int(known[min(names)]) if len(names) == 1 and names <= known.keys() and not query.rules else None


def _explained(unlike: Sequence[Unlike], source: Source, since: Sequence[FoundWay]) -> bool:
    """Return whether parts have as many items as counts said before, or say ``since``, or a number between these."""
    exact = (way for way in since if way.source.name == source.name and way.exact)
    now = {part[:3]: part.items for way in exact for part in way.parts}
    ends = ((count, sorted((part.items, now.get(part[:3], part.items)))) for part, count in unlike)
    return all(low <= count <= high for count, (low, high) in ends)
