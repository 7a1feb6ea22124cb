"""Queries of a declared list, built step by step, and their pages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UnknownField, WrongValue
from dynamodb_lists.declared.asked import ListQuery, Rule
from dynamodb_lists.declared.counts import CountedItems, Counts, spelt_labels
from dynamodb_lists.declared.parts import BLANK, plain_label, value_of
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.lists.conditions import with_conditions
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.planning.selection import Combination, FacetCounts, drill_down
from dynamodb_lists.reading import pages
from dynamodb_lists.reading.explaining import explain
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Condition

T = TypeVar("T")
PAGE_SIZE = 25
SEARCH_ALONE = "A search has the order of its words, and is in no sparse list."


@dataclass(frozen=True)
class Cost:
    """What a page cost: its requests, their read units, and its waves: requests that did not wait for each other."""

    requests: int
    units: float
    waves: int


@dataclass(frozen=True, kw_only=True, repr=False)
class QueryPage(pages.Page[T]):
    """A page of a query: a :class:`Page` with its ``cost``, the counts of the facets, and ``misfits``."""

    cost: Cost
    query: "Query[T]"
    counts: Counts
    misfits: tuple[Misfit, ...] = ()
    """Items in the keys of the list that are no entities, each with the reason."""

    @cached_property
    def facets(self) -> Mapping[str, Mapping[Any, int]]:
        """For each facet, the number of items with each of its values, under the conditions on the other facets."""
        return self.query.choices(self.counts)

    def explain(self) -> str:
        """Run every way to read this page, and return the expected and the measured cost of each way, as text.

        Costs: the read units of all ways, at most about 100.
        """
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
        return CountedItems(self.counted, {}).numbers(self.facets)

    @cached_property
    def labels(self) -> Mapping[int, Mapping[str, str]]:
        """The label of each facet's values, by the number of the facet."""
        return spelt_labels(self.counted)

    def label(self, facet: str, part: str) -> str:
        """Return the words for a facet's part of a key, as people wrote them: ``sea-view`` is "Sea view"."""
        return self.labels.get(self.facets.index(facet), {}).get(part) or plain_label(part)

    def labels_of(self, facet: str) -> list[str]:
        """Return the labels of a facet that an item has, in alphabetical order; without that of a blank."""
        place = self.facets.index(facet)
        parts = {combination[place] for combination, count in self.counts.items() if count > 0}
        return sorted(self.label(facet, part) for part in parts - {BLANK, keys.BLANK})

    def choices(self, asked: Mapping[str, Condition]) -> dict[str, dict[str, int]]:
        """Return the number of items of each value of each facet, under the conditions on all other facets."""
        return drill_down(self.counts, asked)


@dataclass(frozen=True)
class Query(Generic[T]):
    """A query of a list. Each method returns another query. Only methods that return rows send requests."""

    reader: ListReader[T]
    asked: ListQuery

    def where(self, **conditions: Any) -> Self:
        """Return the query of the items whose fields meet these conditions, too.

        A condition is a value, ``None`` for no value, a set of values, or a range as :func:`between` and :func:`begins`
        return it. Several values need a facet or a field with an order, except the id, a number with a unit and a
        natural order. A number with a ``unit`` needs a condition on its unit, too.

        Raises: ``UnknownField`` for a field that is no facet, sort or id, ``WrongValue`` for a value that the field
        does not take.
        """
        return replace(self, asked=with_conditions(self.reader.declaration, self.asked, conditions))

    def order_by(self, field: str, *then: str, descending: bool = False) -> Self:
        """Return the query sorted by ``field``; descending if ``field`` begins with ``-``, or with ``descending=True``.

        Rows of equal value are sorted by the fields ``then``, in the same direction, and by id. Without ``then``, rows
        with one value of a facet are in the order of an index.

        Raises: ``UnknownField`` for a field that is no facet, sort or id, and after a search.
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
        """Return the query of the items of a sparse list; for a list in a table that exists, of those in an index.

        Without :meth:`order_by`, the rows are in the order of the sparse list. Another order reads and sorts all its
        rows.

        Raises: ``UnknownField`` if there is no such sparse list or index, and after a search.
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
        """Return the query of the items that meet ``rule``. No key knows it, so items are dropped after the read."""
        return self._asking(rules=(*self.asked.rules, rule))

    def knowing(self, **values: Any) -> Self:
        """Return the same query, in which all items have these values, so that an index may lack the fields; for a list
        in a table that exists.
        """
        return self._asking(known=values)

    def showing(self, *fields: str) -> Self:
        """Return the same query, whose rows also have these fields: from an index that has the fields, or by key."""
        return self._asking(shown=fields)

    def consistently(self) -> Self:
        """Return the query, read consistently, for twice the units; for a list in a table that exists."""
        return self._asking(consistent=True)

    def search(self, text: str) -> Self:
        """Return the query of the items with words that begin as the words of ``text``, in the order of these words.

        Raises: ``UnknownField`` if the list has no words, or if the query has a sort or a sparse list.
        """
        declared = self.reader.declaration
        if not declared.word_fields:
            raise UnknownField(f"{declared.title} have no words: declare the fields that have some.")
        if self.asked.only or self.asked.typed or self.asked.sort:
            raise UnknownField(SEARCH_ALONE)
        return self._asking(typed=text)

    def matches(self, item: T) -> bool:
        """Return whether the values of ``item`` meet the query. Sends nothing, and looks at no words."""
        declared = self.reader.declaration
        if isinstance(declared, Told):
            return declared.agrees(self.asked, item)
        rule = declared.sparse[self.asked.only].when if self.asked.only else None
        own = declared.owner_of(item) == self.asked.owner and (rule is None or rule(item))
        return bool(own and declared.agrees(self.asked, item))

    def page(self, size: int = PAGE_SIZE, cursor: str | None = None) -> QueryPage[T]:
        """Return a page of at most ``size`` rows at a cursor, which is ``next``, ``previous`` or ``last`` of another
        page; without a cursor, the first page.

        Raises: ``BadCursor`` for a cursor of another query or page size, ``WrongValue`` for a size below 1 or an owner
        that no key can have, ``NoBoundedWay`` if no key of a table that exists answers the query, ``NotFilledYet`` if
        the table lacks the index or the words.
        Costs: one read of the counts, and Queries of one row more than the page has; the page's ``cost`` tells.
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
        """Return the first rows, at most ``count``. Raises and costs as :meth:`page`."""
        return self.listing().first(count)

    def first(self) -> T | None:
        """Return the first row, or ``None``. Raises and costs as :meth:`page`."""
        return next(iter(self.take(1)), None)

    def count(self) -> int:
        """Return the number of rows. Raises as :meth:`page`.

        Costs: one or two requests for the counts. If a condition is a range, a search or a rule, every row is read.
        """
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
        """Return the list, for code that cuts pages by :func:`read_page` or streams all rows.

        The ways to read it are compared by ``counts``, which are read unless they are given; ``{}`` stands for none.
        With ``bounded``, the caller limits what a page costs by ``at_most``, and nothing is read before.

        Raises: as :meth:`page`.
        """
        query = self._of_page(size, cursor)._asking(bounded=bounded)
        reader = self.reader.filled(query.asked)
        return reader.listing(query.asked, self.counts() if counts is None else counts, whole=whole)

    def counted(self, size: int = PAGE_SIZE, cursor: str = "") -> tuple[Counts, Listing[T]]:
        """Return the counts and the list. A page without a filter is read together with the counts, in one wave."""
        query = self._of_page(size, cursor)
        reader = query.reader.filled(query.asked)
        counts, ahead = reader.with_counts(query.asked)
        return counts, reader.listing(query.asked, counts, ahead)

    def all(self) -> Iterator[T]:
        """Yield every item with all its fields, read as it is consumed, up to 500 rows a request. Raises:
        ``Unreadable`` for an item that is not as declared, else as :meth:`page`.
        """
        query = self._of_page(self.asked.page_size, "")
        return self.reader.filled(query.asked).rows(query.asked, self.counts())

    def __iter__(self) -> Iterator[T]:
        return self.all()

    def choices(self, counts: Counts) -> dict[str, dict[Any, int]]:
        """Return for each facet and value the number of items under the conditions on the other facets."""
        declared = self.reader.declaration
        if isinstance(declared, Told):
            return declared.choices(self.asked, counts)
        declared = self.reader.now.declaration
        labelled, found = LabelledCounts(counts, declared.facets), dict[str, dict[Any, int]]()
        for place, (facet, of_values) in enumerate(labelled.choices(self.asked.conditions).items()):
            field, asked = declared.field(facet), self.asked.conditions.get(facet)
            chosen, spelt = asked if isinstance(asked, frozenset) else (), labelled.labels.get(place, {})
            is_text = isinstance(field.type, type) and issubclass(field.type, str)
            found[facet] = {}
            for slug, number in of_values.items():
                if number or slug in chosen:  # a text as people wrote it
                    spells = is_text and slug != BLANK
                    found[facet][field.type(spelt.get(slug, slug)) if spells else value_of(field, slug)] = number
        return found

    def explain(self, counts: Counts | None = None) -> str:
        """Run every way to read the page, and return the expected and the measured cost of each way, as text."""
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
        """Read the counts of the owner, if the query needs counts."""
        return self.reader.now.counts_for(self.asked)
