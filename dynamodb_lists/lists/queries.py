"""Queries of a declared list, built step by step, and their pages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UnknownField, WrongValue
from dynamodb_lists.declared.asked import ListQuery, Rule
from dynamodb_lists.declared.counts import Combination, CountedItems, Counts, facet_counts, spelt_labels
from dynamodb_lists.declared.parts import BLANK, plain_label, value_of
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.lists.conditions import with_conditions
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.planning.selection import FacetCounts, drill_down
from dynamodb_lists.reading import pages
from dynamodb_lists.reading.explaining import explain
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Condition
from dynamodb_lists.schema.entities import Field

T = TypeVar("T")
PAGE_SIZE = 25
SEARCH_ALONE = "A search has the order of its words, and is in no sparse list."


@dataclass(frozen=True)
class Cost:
    """What a page cost: requests, read units, and waves of requests that waited for each other."""

    requests: int
    units: float
    waves: int


@dataclass(frozen=True, kw_only=True, repr=False)
class QueryPage(pages.Page[T]):
    """A page of a query, with its cost and the counts of the facets."""

    cost: Cost
    query: "Query[T]"
    counts: Counts
    misfits: tuple[Misfit, ...] = ()
    """Items in the keys of the list that are no entities, each with the reason."""

    @cached_property
    def facets(self) -> Mapping[str, Mapping[Any, int]]:
        """For each facet, how many items have each of its values under the conditions on the others."""
        return self.query.choices(self.counts)

    def explain(self) -> str:
        """Every way to read this page, what it was expected to cost, and what it costs. Each is run."""
        return self.query.explain(self.counts)


def facet_choices(
    facets: Sequence[str], counts: Mapping[Any, int], among: Mapping[str, Collection[str]]
) -> dict[str, dict[str, int]]:
    """For each facet and value, how many items have it and, of all other facets, a value ``among`` those allowed.

    A facet that is not named there, or without values, allows all.
    """
    return drill_down(FacetCounts(facets, counts), {facet: frozenset(some) for facet, some in among.items() if some})


@dataclass(frozen=True)
class LabelledCounts:
    """The number of items of each combination of ``facets``, as :meth:`~dynamodb_lists.Query.counts` gives it."""

    counted: Counts
    facets: Sequence[str] = ()

    @cached_property
    def counts(self) -> FacetCounts[Combination]:
        """The numbers alone."""
        counted = self.counted
        return counted.numbers(self.facets) if isinstance(counted, CountedItems) else facet_counts(self.facets, counted)

    @cached_property
    def labels(self) -> Mapping[int, Mapping[str, str]]:
        """The label of each facet's values, by the number of the facet."""
        return spelt_labels(self.counted)

    def label(self, facet: str, part: str) -> str:
        """The words for a facet's part of a key, as people wrote them: ``sea-view`` is "Sea view"."""
        return self.labels.get(self.facets.index(facet), {}).get(part) or plain_label(part)

    def labels_of(self, facet: str) -> list[str]:
        """The labels of a facet that an item has, in alphabetical order; without that of a blank."""
        place = self.facets.index(facet)
        parts = {combination[place] for combination, count in self.counts.items() if count > 0}
        return sorted(self.label(facet, part) for part in parts - {BLANK, keys.BLANK})

    def choices(self, asked: Mapping[str, Condition]) -> dict[str, dict[str, int]]:
        """For each facet and part, the number of items under what is asked of all other facets, in order."""
        return drill_down(self.counts, asked)


@dataclass(frozen=True)
class Query(Generic[T]):
    """A query of a list. It never changes: each method returns another query."""

    reader: ListReader[T]
    asked: ListQuery

    def where(self, **conditions: Any) -> Self:
        """Only items whose fields meet these conditions.

        Of a facet: a value, a set of values, or a range. Of another field that has an order: a value or a range, as
        :func:`~dynamodb_lists.between` and :func:`~dynamodb_lists.begins` give it. ``None`` stands for no value.
        Raises :class:`~dynamodb_lists.connection.errors.UnknownField`.
        """
        return replace(self, asked=with_conditions(self.reader.declaration, self.asked, conditions))

    def order_by(self, field: str, *then: str, descending: bool = False) -> Self:
        """Sorted by a field, from the last to the first if it is ``descending``, or if it begins with ``-``.

        Items of one value are sorted by the fields ``then``, in the same direction, and by id; without ``then``, those
        of one value of a facet are in the order of an index.

        Raises :class:`~dynamodb_lists.connection.errors.UnknownField`.
        """
        if self.asked.typed:
            raise UnknownField(SEARCH_ALONE)
        declared = self.reader.declaration
        names, sorts = tuple(map(declared.named, (field.removeprefix("-"), *then))), declared.sorts
        for name in names:
            if name not in sorts:
                raise UnknownField(f"{declared.title} have no sort {name!r}; they have {', '.join(sorts)}.")
        return self._asking(sort=names, descending=descending or field.startswith("-"))

    def only(self, name: str) -> Self:
        """Only the items of a sparse list; of a list whose keys are told, those of an index.

        Unless a query is sorted otherwise, they are in the order of the list. In another one, all of them are read.

        Raises :class:`~dynamodb_lists.connection.errors.UnknownField`.
        """
        if self.asked.typed:
            raise UnknownField(SEARCH_ALONE)
        declared = self.reader.declaration
        kind = "index" if isinstance(declared, Told) else "sparse list"
        known = [each.name for each in declared.sources if each.name and (each.when or kind == "index")]
        if name not in known:
            raise UnknownField(f"{declared.title} have no {kind} {name!r}; they have {', '.join(known) or 'none'}.")
        return self._asking(only=name)

    def ruled(self, rule: Rule) -> Self:
        """Only items for which a rule holds that no key knows, of a list that spells its own keys."""
        return self._asking(rules=(*self.asked.rules, rule))

    def knowing(self, **values: Any) -> Self:
        """The same, with these values in all items of a list whose keys are told. The index may lack them."""
        return self._asking(known=values)

    def showing(self, *fields: str) -> Self:
        """The same with these fields, too, from an index that has them; of a list over a model also by key."""
        return self._asking(shown=fields)

    def consistently(self) -> Self:
        """The same, read from the table of a list whose keys are told, with every write that was acknowledged."""
        return self._asking(consistent=True)

    def search(self, text: str) -> Self:
        """Only the items that have words which begin as typed, in the order of these words.

        Raises :class:`~dynamodb_lists.connection.errors.UnknownField` for a list without words, and for a query with
        a sort or of a sparse list, which a search does not have.
        """
        declared = self.reader.declaration
        if not declared.word_fields:
            raise UnknownField(f"{declared.title} have no words: declare the fields that have some.")
        if self.asked.only or self.asked.typed or self.asked.sort:
            raise UnknownField(SEARCH_ALONE)
        return self._asking(typed=text)

    def matches(self, item: T) -> bool:
        """Whether an item is in the list, as its values say. It sends no request, and looks at no words."""
        declared = self.reader.declaration
        if isinstance(declared, Told):
            return declared.agrees(self.asked, item)
        rule = declared.sparse[self.asked.only].when if self.asked.only else None
        own = declared.owner_of(item) == self.asked.owner and (rule is None or rule(item))
        return bool(own and declared.agrees(self.asked, item))

    def page(self, size: int = PAGE_SIZE, cursor: str | None = None) -> QueryPage[T]:
        """A page at a cursor of :class:`Page`; without one, the first page.

        Raises :class:`~dynamodb_lists.connection.errors.BadCursor` for a cursor of another query or page size, and
        :class:`~dynamodb_lists.connection.errors.Unavailable`.
        """
        if not isinstance(size, int) or size < 1:
            raise WrongValue(f"A page has at least one row, not {size!r}.")
        query = self._of_page(size, cursor)
        met = dict[str, Misfit]()
        asked = replace(query.asked, misfits=met)
        with ledger.recording() as calls:
            reader = query.reader.filled(asked)
            counts, ahead = reader.with_counts(asked)
            found = pages.read_page(reader.listing(asked, counts, ahead), size, cursor or "")
        cost = Cost(calls.requests, float(calls.read_units), calls.waves)
        return QueryPage(**vars(found), cost=cost, query=query, counts=counts, misfits=tuple(met.values()))

    def take(self, count: int) -> list[T]:
        """The first rows, at most ``count``."""
        return self.listing().first(count)

    def first(self) -> T | None:
        """The first row; ``None`` if there is none."""
        return next(iter(self.take(1)), None)

    def count(self) -> int:
        """The number of rows, as the counts tell it; of a range or a search, which nothing counts, each row is read."""
        listing = self.listing(whole=True)
        return sum(1 for _ in listing.stream()) if listing.total is None else listing.total

    def listing(
        self,
        size: int = PAGE_SIZE,
        cursor: str = "",
        *,
        counts: Counts | None = None,
        whole: bool = False,
        bounded: bool = False,
    ) -> Listing[T]:
        """The list, for code that reads the page at a cursor itself, or all of it. Raises :class:`NoBoundedWay`.

        The ways to read it are compared by ``counts``, which are read unless they are given; ``{}`` for none. Whoever
        bounds what a page takes, by ``at_most``, says so: then nothing is read before.
        """
        query = self._of_page(size, cursor)._asking(bounded=bounded)
        reader = self.reader.filled(query.asked)
        return reader.listing(query.asked, self.counts() if counts is None else counts, whole=whole)

    def counted(self, size: int = PAGE_SIZE, cursor: str = "") -> tuple[Counts, Listing[T]]:
        """The counts, and the list, whose page was asked for beside them if it has no filter."""
        query = self._of_page(size, cursor)
        reader = query.reader.filled(query.asked)
        counts, ahead = reader.with_counts(query.asked)
        return counts, reader.listing(query.asked, counts, ahead)

    def all(self) -> Iterator[T]:
        """Every item of the list, with all its fields, read as it is consumed."""
        query = self._of_page(self.asked.page_size, "")
        return self.reader.filled(query.asked).rows(query.asked, self.counts())

    def __iter__(self) -> Iterator[T]:
        return self.all()

    def choices(self, counts: Counts) -> dict[str, dict[Any, int]]:
        """For each facet and value, as people wrote it, the number of items under the conditions on the others."""
        declared = self.reader.declaration
        if isinstance(declared, Told):
            return declared.choices(self.asked, counts)
        declared = self.reader.now.declaration
        labelled, found = LabelledCounts(counts, declared.facets), dict[str, dict[Any, int]]()
        for place, (facet, of_values) in enumerate(labelled.choices(self.asked.conditions).items()):
            field, asked = declared.field(facet), self.asked.conditions.get(facet)
            chosen = asked if isinstance(asked, frozenset) else ()
            found[facet] = {
                _value(field, slug, labelled.labels.get(place, {})): number
                for slug, number in of_values.items()
                if number or slug in chosen
            }
        return found

    def explain(self, counts: Counts | None = None) -> str:
        """Every way to read the page, what it is expected to cost, and what it costs. Each is run."""
        listing = self.listing(self.asked.page_size, self.asked.cursor, counts=counts)
        order = f"sorted by {', '.join(self.asked.sort)}" if self.asked.sort else "in any order"
        return explain(listing, self.asked.page_size, self.asked.cursor).text(f"{self.asked.in_words}, {order}")

    def _of_page(self, size: int, cursor: str | None) -> Self:
        sort, told = self.asked.sort, isinstance(self.reader, ToldReader)
        if not (sort or self.asked.filtered or told):  # any order would do; that of the ids is no surprise
            sort = (self.reader.declaration.id_field,)
        return self._asking(sort=sort, page_size=size, cursor=cursor or "")

    def _asking(self, **values: Any) -> Self:
        return replace(self, asked=replace(self.asked, **values))

    def counts(self) -> Counts:
        """The counts of the owner, as far as the list needs some."""
        return self.reader.now.counts_for(self.asked)


def _value(field: Field, slug: str, spelt: Mapping[str, str]) -> Any:
    """The value of a facet that has a part: as people wrote it, if it is a text."""
    is_text = isinstance(field.type, type) and issubclass(field.type, str) and slug != BLANK
    return field.type(spelt.get(slug, slug)) if is_text else value_of(field, slug)
