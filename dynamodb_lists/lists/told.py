"""Reads of lists whose keys are told: a question finds its table or index, and what none has is sorted in memory."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from math import inf, prod
from typing import Any, Self, TypeVar

from dynamodb_lists.connection import errors, ledger
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.counts import Counts
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.lists.items import ShapedReader
from dynamodb_lists.lists.planned import PlannedList
from dynamodb_lists.lists.reading import MOST_UNITS, Ahead, ListReader
from dynamodb_lists.planning.counted_ways import Prices
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import FoundWay, PartRange, Source, entrances, share_of
from dynamodb_lists.planning.ways import too_sparse, ways
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.reading.sources import SourceListing, SourceTable
from dynamodb_lists.schema.conditions import in_words
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.templates import Template

T = TypeVar("T")


class ToldReader(ListReader[T]):
    """Reads the items of a list whose keys are told, as entities. Nothing counts them."""

    declaration: Told
    most_units = MOST_UNITS

    def __init__(self, declaration: Told, whole: "ToldReader[T] | None" = None) -> None:
        ShapedReader.__init__(self, declaration, declaration.shape_model)
        self.table = SourceTable(declaration.of.name, declaration.own_keys, declaration.attributes_in)
        self.whole = whole or self
        """The reader of all that is declared, of which the table may lack some."""

    def having(self, part: Any) -> Self:
        return type(self)(part, self)

    def named(self, item: RawItem) -> str:
        return repr(self.table.key_of(item))

    def filled(self, query: ListQuery) -> Self:
        now = self.now
        if query.only and all(each.name != query.only for each in now.declaration.sources):
            raise errors.NotFilledYet(self.declaration.title, query.only)
        return now

    @property
    def models(self) -> Models:  # type: ignore[override]
        """There are none. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`."""
        raise errors.WrongDeclaration(
            f"{self.declaration.title} lie in the table {self.declaration.of.name}, which others create and fill: "
            "update() alone changes them."
        )

    def built(self, item: RawItem, source: Source | None = None) -> Any:
        return self.declaration.built(item, source)

    # --- Lists --------------------------------------------------------------------------------------------

    def ways(self, asked: ListQuery, counts: Any = (), *, whole: bool = False) -> list[FoundWay]:
        declared = self.declaration
        found = ways(declared.sources, declared.known, declared.question(asked))
        if asked.shown:
            found = [replace(way, by_keys=way.by_keys or declared.lacks(way.source, asked.shown)) for way in found]
        if not counts:
            return found
        known, conditions = declared.known, asked.conditions

        def share(names: Collection[str], *_: Any) -> float:
            return prod(share_of(known[name], conditions[name]) for name in names)

        prices = Prices(
            counts,
            conditions,
            share,
            lambda _: declared.entry_bytes,
            inf if whole else asked.rows,
            descending=asked.descending,
            passed=None if asked.cursor else 0,
            known=declared.owner,
        )
        return prices.sorted(found)

    def counts_for(self, query: ListQuery) -> Any:
        """Return the counts of the one owner that is asked for, from one request; none if nothing counts it."""
        declared, asked, model = self.declaration, query.conditions, self.declaration.counted_by
        others = asked.keys() - {*declared.owner}
        if model is None or query.only or (others and others.isdisjoint(declared.facets)):
            return {}
        chosen = {name: [*each] for name, each in asked.items() if isinstance(each, frozenset)}
        if any(len(chosen.get(name, ())) != 1 for name in declared.owner):
            return {}
        try:
            partition = model.partition_of(**{name: chosen[name][0] for name in declared.owner})
        except errors.KeyPartError:  # no key has such a value, so no item has it
            return {}
        (_, sort), (number,) = model.key_names(), model.changing()
        told = Template(model.key_templates[1], declared.types).values
        with ledger.purpose("counts"):
            items = read_partition(model, partition, (sort, number))
            return FacetCounts(declared.facets, {tuple(told(item[sort]).values()): item[number] for item in items})

    def with_counts(self, query: ListQuery) -> tuple[Counts, Ahead]:
        return self.counts_for(query), Ahead()

    def listing(
        self, query: ListQuery, counts: Counts, ahead: Ahead | None = None, *, whole: bool = False
    ) -> Listing[T]:
        """Return the list that is asked for. Raises :class:`NoBoundedWay`."""
        declared = self.declaration
        counts = {} if query.only else counts  # nothing counts an index that has some of the items
        found, total, counted = self.ways(query, counts, whole=whole), None, {*declared.owner, *declared.facets}
        if isinstance(counts, FacetCounts) and query.conditions.keys() <= counted:
            total = sum(max(counts[each], 0) for each in counts.allowed(query.conditions))
        attributes = partial(declared.attributes_in, more=query.used)
        return PlannedList(
            name=declared.name,
            query=query,
            ways=found,
            cursor=opened(query.cursor, declared.name, query.selected, query.page_size),
            table=replace(self.table, attributes=attributes, consistent=query.consistent),
            build=lambda source, item: self._built(item, query, source),
            may_be=lambda source, entry: declared.meets(query, declared.told_in(source, entry)),
            values=lambda row: (getattr(row, name, None) for name in query.sort),
            item_bytes=lambda _: declared.entry_bytes,
            total=total,
            whole=whole,
            most_units=self.most_units,
            refuse=partial(self._no_way, query, found),
        ).listing()

    def _built(self, item: RawItem, asked: ListQuery, source: Source | None) -> T | None:
        """Return the entity of an item; ``None`` if it is not wanted. What fits no list of the table is kept apart."""
        declared = self.declaration
        if not declared.owns(item):
            if asked.misfits is not None and not any(other.owns(item) for other in declared.of.lists):
                asked.misfits[self.named(item)] = Misfit(item, "its key fits no template")
            return None
        entity: Any = self.entity_of(item, asked.misfits, source)
        if entity is None or not declared.agrees(asked, entity):
            return None
        found: T = replace(entity, **asked.known) if asked.known else entity
        return found

    def _no_way(self, asked: ListQuery, found: list[FoundWay]) -> errors.DynamoDBError:
        declared = self.declaration
        if self.whole is not self and (better := self.whole.ways(asked)):
            return errors.NotFilledYet(declared.title, better[0].source.name)
        ways_in = " or ".join(" and ".join(names) or "nothing" for names in entrances(declared.sources, declared.known))
        equal = [name for name, condition in asked.conditions.items() if isinstance(condition, frozenset)]
        ranges = [name for name in (*asked.sort, *asked.conditions) if name not in equal]
        missing = f" An index with the partition key {' and '.join(equal)}" if equal else ""
        missing += f"{f' and the sort key {ranges[0]}' if ranges else ''} would answer." if equal else ""
        if sparse := too_sparse(declared.sources, declared.known, declared.question(asked)):
            missing = f" {sparse[0].name} has only those with {in_words(sparse[1])}: ask for no others."
        too_long = f" What they hold takes more than {self.most_units:g} read units." if found else ""
        return errors.NoBoundedWay(
            f"No key of {declared.of.name} answers this. {declared.title} are read by {ways_in}.{too_long}{missing}",
            unsorted=bool(asked.sort and self.ways(replace(asked, sort=()))),
        )

    def rows(self, query: ListQuery, counts: Counts) -> Iterator[T]:
        return self.listing(query, counts, whole=True).stream()

    def beside(self, place: RawItem) -> Listing[RawItem]:
        """Return all items in the partition of a key of the table, of all kinds, in the order of their keys."""
        source = self.declaration.sources[0]
        part = PartRange(source.partition.text(place))
        way = FoundWay(source, (part,), (), (), by_keys=False)
        name = f"{self.declaration.of.name} {part.partition}"
        return SourceListing(name=name, table=self.table, way=way, build=lambda item: item)
