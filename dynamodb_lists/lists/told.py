"""Reads of lists whose keys are told: a question finds its table or index, and what none has is sorted in memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import (
    BadCursor,
    KeyPartError,
    NoBoundedWay,
    NotFound,
    UnknownField,
    WrongDeclaration,
    WrongValue,
)
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.counts import Counts
from dynamodb_lists.declared.models import Models
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.planning.counted_ways import by_counts, selected
from dynamodb_lists.planning.request_cost import OVERRUN, Charge
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import FoundWay, PartRange, Question, Source, entrances, too_sparse, ways
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing
from dynamodb_lists.reading.pages import opened
from dynamodb_lists.reading.sources import SourceListing, SourceTable, sorted_rows
from dynamodb_lists.schema.conditions import in_words
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.templates import Template

T = TypeVar("T")
MOST_UNITS = 128.0
"""The most read units of a page, by default: a MB that is eventually consistent."""
FIRST_UNITS = 16.0
"""A sort in memory may take so many read units before a way in order is tried that is expected to take fewer."""


Misfits = dict[str, Misfit]
"""What a page met beside its rows, by the texts of keys."""


class ToldReader(ListReader[T]):
    """Reads the items of a list whose keys are told, as entities. Nothing counts them."""

    declaration: Told

    def __init__(self, declaration: Told, most_units: float = MOST_UNITS) -> None:
        self.declaration, self.most_units = declaration, most_units
        self.table = SourceTable(declaration.of.name, declaration.own_keys, declaration.attributes_in)

    @property
    def models(self) -> Models:  # type: ignore[override]
        """There are none. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`."""
        raise WrongDeclaration(
            f"{self.declaration.title} lie in the table {self.declaration.of.name}, which others create and fill: "
            "update() alone changes them."
        )

    # --- Items --------------------------------------------------------------------------------------------

    def entity(self, values: Mapping[str, Any], *, consistent: bool = False) -> T:
        """One item by the values in its key.

        Raises :class:`~dynamodb_lists.connection.errors.NotFound`, and
        :class:`~dynamodb_lists.connection.errors.UnknownField` if a value is missing.
        """
        declared = self.declaration
        try:
            place = declared.place(values)
        except KeyError as error:
            names = dict.fromkeys(f"{each}=" for template in declared.templates for each in template.names)
            raise UnknownField(f"{declared.title} are got by {' and '.join(names)}.") from error
        except KeyPartError as error:
            raise NotFound(f"There is no such {declared.kind}: {error}") from error
        return self.stored(place, consistent=consistent)[1]

    def stored(self, place: dict[str, Any], *, consistent: bool = True) -> tuple[RawItem, T]:
        """The item with a key, and its entity. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        declared, item = self.declaration, self.raw(place, consistent=consistent)
        if not declared.owns(item):
            raise NotFound(f"There is no such {declared.kind}.")
        entity = declared.built(item)
        if isinstance(entity, Misfit):
            raise WrongValue(f"The stored {declared.kind} fits no template: {entity.reason}.")
        return item, entity

    def raw(self, place: dict[str, Any], *, consistent: bool = True) -> RawItem:
        """An item as it is stored. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list"):
            found = self.table.item(place, consistent=consistent)
        if found is None:
            raise NotFound(f"There is no such {self.declaration.kind}.")
        return found

    # --- Lists --------------------------------------------------------------------------------------------

    def ways(self, asked: ListQuery, counts: Any = (), *, whole: bool = False) -> list[FoundWay]:
        """The ways to answer, the best first."""
        declared = self.declaration
        found = ways(declared.sources, declared.known, self._question(asked))
        if asked.shown:
            found = [replace(way, by_keys=way.by_keys or declared.lacks(way.source, asked.shown)) for way in found]
        if not counts:
            return found
        rows = inf if whole else asked.wanted.rows
        return by_counts(found, counts, declared.known, asked.wanted.asked, rows, declared.entry_bytes)

    def _question(self, asked: ListQuery) -> Question:
        only = asked.only or ("" if asked.consistent else None)
        shown = self.declaration.rows_show if only is None else ()  # who names an index takes rows as it has them
        return Question(asked.wanted.asked, asked.wanted.sort, asked.descending, only, shown)

    def counts_for(self, query: ListQuery) -> Any:
        """How many items of the owner each combination of facets has, from one request; none if that tells nothing.

        That is if nothing counts the items, if they are of several owners, or if other fields alone are asked for.
        """
        declared, asked, model = self.declaration, query.wanted.asked, self.declaration.counted_by
        others = asked.keys() - {*declared.owner}
        if model is None or query.only or (others and others.isdisjoint(declared.facets)):
            return {}
        chosen = {name: [*each] for name, each in asked.items() if isinstance(each, frozenset)}
        if any(len(chosen.get(name, ())) != 1 for name in declared.owner):
            return {}
        try:
            partition = model.partition_of(**{name: chosen[name][0] for name in declared.owner})
        except KeyPartError:  # no key has such a value, so no item has it
            return {}
        (_, sort), (number,) = model.key_names(), model.changing()
        told = Template(model.key_templates[1], declared.types).values
        with ledger.purpose("counts"):
            items = read_partition(model, partition, (sort, number))
            return FacetCounts(declared.facets, {tuple(told(item[sort]).values()): item[number] for item in items})

    def with_counts(self, query: ListQuery) -> tuple[Counts, Any]:
        """The counts, if there are any, and what keeps the misfits that the page meets."""
        return self.counts_for(query), Misfits()

    def listing(self, query: ListQuery, counts: Counts, ahead: Any = None, *, whole: bool = False) -> Listing[T]:
        """The list that is asked for. Raises :class:`NoBoundedWay`."""
        met, found = Misfits() if ahead is None else ahead, self.ways(query, counts, whole=whole)
        cursor = opened(query.cursor, self.declaration.name, query.selected, query.page_size)
        total = self._total(query, counts)
        listings = [self._by(way, query, met, found, total) for way in found]
        if cursor and not (listings := [each for each in listings if each.index == cursor.index]):
            raise BadCursor("The list is read from another index now. Start at the first page.")
        for place, listing in enumerate(listings):
            if listing.way.ordered:
                return listing
            in_order = [other.way.units for other in listings[place:] if other.way.ordered]
            enough = 2 * min(*in_order, 2 * listing.way.units) if in_order else inf
            most = min(max(enough, FIRST_UNITS), self.most_units)
            rows = sorted_rows(listing, query.wanted.sort, most)
            if rows is not None:
                return rows
        raise self._no_way(query, found)

    def _by(
        self, way: FoundWay, asked: ListQuery, met: Misfits, found: Sequence[FoundWay], total: int | None = None
    ) -> SourceListing[T]:
        used = (*asked.shown, *asked.wanted.asked, *asked.wanted.sort)
        otherwise = [partial(self._by, each, asked, met, ()) for each in found if self._replaces(each, way)][:1]
        return SourceListing(
            name=self.declaration.name,
            selected=asked.selected,
            index=f"{way.source.name}{'' if way.ordered else ' sorted'}",
            descending=asked.descending,
            total=total,
            table=replace(
                self.table, attributes=partial(self.declaration.attributes_in, more=used), consistent=asked.consistent
            ),
            way=way,
            build=lambda item: self._built(item, asked, met, None if way.by_keys else way.source),
            may_be=lambda entry: self.declaration.meets(asked.wanted, self.declaration.told_in(way.source, entry)),
            most=min(OVERRUN * way.units, self.most_units) if otherwise else self.most_units,
            otherwise=otherwise[0] if otherwise else None,
            grounds=Grounds(
                why=way.words,
                item_bytes=self.declaration.entry_bytes,
                candidates=lambda _: [self._candidate(each, asked, way) for each in found],
            ),
        )

    def _replaces(self, other: FoundWay, way: FoundWay) -> bool:
        """Whether a way drops nothing, and has the same rows at the same keys as a counted one that may drop many."""
        key = way.source.sort
        if not (way.counted and way.dropped and way.run and key and other.ordered and not other.dropped):
            return False
        ids = {name for template in self.declaration.templates for name in template.names}
        whole = (
            ids <= {*key.template.names, *self.declaration.owner} and way.run[-1] == key.template.pieces[-1]
        )  # so no two rows have one
        return whole and other.source.sort == key

    def _total(self, query: ListQuery, counts: Any) -> int | None:
        """How many rows the list has, if the counts tell it."""
        asked = query.wanted.asked
        if not isinstance(counts, FacetCounts) or asked.keys() - {*self.declaration.owner, *self.declaration.facets}:
            return None
        return sum(max(counts[each], 0) for each in counts.allowed(selected(counts, asked)))

    def _candidate(self, way: FoundWay, asked: ListQuery, chosen: FoundWay) -> Candidate:
        def listing() -> Listing[T] | None:
            by = self._by(way, asked, Misfits(), ())
            if way is not chosen:  # it cannot go on from a cursor of the chosen one, whose keys are others
                by = replace(by, selected=f"{by.selected} by {by.index}")
            return by if way.ordered else sorted_rows(by, asked.wanted.sort, self.most_units)

        where = f"index {way.source.name}" if way.source.name else "table"
        return Candidate(where, way.words, Charge(way.units, len(way.parts)), listing, way is chosen)

    def _built(self, item: RawItem, asked: ListQuery, met: Misfits, source: Source | None) -> T | None:
        """The entity of an item; ``None`` if it is not wanted. What fits no list of the table is kept apart."""
        declared, entity = self.declaration, Misfit(item, "its key fits no template")
        if declared.owns(item):
            entity = declared.built(item, source)
        elif any(other.owns(item) for other in declared.of.lists):
            return None
        if isinstance(entity, Misfit):
            met[repr(declared.place_of(item))] = entity
            return None
        if not declared.agrees(asked.wanted, entity):
            return None
        found: T = replace(entity, **asked.known) if asked.known else entity
        return found

    def _no_way(self, asked: ListQuery, found: list[FoundWay]) -> NoBoundedWay:
        declared, wanted = self.declaration, asked.wanted
        ways_in = " or ".join(" and ".join(names) or "nothing" for names in entrances(declared.sources, declared.known))
        equal = [name for name, condition in wanted.asked.items() if isinstance(condition, frozenset)]
        ranges = [name for name in (*wanted.sort, *wanted.asked) if name not in equal]
        missing = f" An index with the partition key {' and '.join(equal)}" if equal else ""
        missing += f"{f' and the sort key {ranges[0]}' if ranges else ''} would answer." if equal else ""
        if sparse := too_sparse(declared.sources, declared.known, self._question(asked)):
            missing = f" {sparse[0].name} has only those with {in_words(sparse[1])}: ask for no others."
        too_long = f" What they hold takes more than {self.most_units:g} read units." if found else ""
        unsorted = replace(asked, wanted=replace(wanted, sort=()))
        return NoBoundedWay(
            f"No key of {declared.of.name} answers this. {declared.title} are read by {ways_in}.{too_long}{missing}",
            unsorted=bool(wanted.sort and self.ways(unsorted)),
        )

    def rows(self, query: ListQuery, counts: Counts) -> Iterator[T]:
        """Every row."""
        return self.listing(query, counts).stream()

    def entities(self, keys: Iterable[Mapping[str, Any]]) -> list[T]:
        """The entities that exist among these values of keys."""
        return self.at(map(self.declaration.place, keys))

    def at(self, places: Iterable[dict[str, Any]]) -> list[T]:
        """The entities that exist among the items with these keys."""
        named = {repr(place): place for place in places}
        stored = [item for item in self.table.whole([*named.values()]) if item and self.declaration.owns(item)]
        built = map(self.declaration.built, stored)
        return [entity for entity in built if not isinstance(entity, Misfit)]

    def beside(self, place: RawItem) -> Listing[RawItem]:
        """All items in the partition of a key of the table, of all kinds, in the order of their keys."""
        source = self.declaration.sources[0]
        part = PartRange(source.partition.text(place))
        way = FoundWay(source, (part,), (), (), by_keys=False)
        name = f"{self.declaration.of.name} {part.partition}"
        return SourceListing(name=name, table=self.table, way=way, build=lambda item: item)
