"""Reads of declared lists: one item, the counts of an owner, and a list by any filter in any order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar, cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.declared.asked import AskedPage, ListQuery, Owner, matches
from dynamodb_lists.declared.counts import CountedItems, Counts, copied, facet_counts
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import AFTER_HEADS, HEAD, PACKED, Models, count_of
from dynamodb_lists.declared.samples import Sample, unpack_items
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.reading.fetching import LARGEST, fetcher, in_parallel
from dynamodb_lists.reading.items import exported, find_item, get_items, read_partition
from dynamodb_lists.reading.listing import Fetch, Listing
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.reading.word_lists import found_by_words
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import lists_lack, stored_fields
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import ItemModel, RawItem, Values
from dynamodb_lists.schema.words import WordQuery
from dynamodb_lists.ways.cheapest import PlannedList

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
KEPT_OWNERS = 32
"""The most owners whose counts a process keeps."""


class ListReader(Generic[T]):
    """Reads the items of a list, which it returns as entities."""

    def __init__(self, declaration: Declaration, models: Models) -> None:
        self.declaration, self.models = declaration, models
        self._kept = lru_cache(KEPT_OWNERS)(lambda _: list[tuple[int, CountedItems]]())
        """The counts of an owner that this process keeps, with their revision: at most one pair."""
        self.few: dict[Owner, int] = {}
        """The owners whose counts are too few to be packed, and how many may change until a writer looks again."""

    # --- Items ------------------------------------------------------------------------------------------------

    def item(self, owner: Owner, item_id: str, *, consistent: bool = False) -> T:
        """One item by its id: GetItem. Raises :class:`~dynamodb_lists.connection.errors.NotFound`."""
        with ledger.purpose("list"):
            partition, sort_key = self.declaration.partition(owner), keys.compose(item_id)
            try:
                values = find_item(self.models.item, partition, sort_key, consistent=consistent)
            except NotFound as error:
                raise NotFound(f"There is no {self.declaration.kind} {item_id}.") from error
            found: T = self.models.item.built(values, **self.declaration.owner_values(owner))
            return found

    def items(self, wanted: Iterable[tuple[Owner, str]], *, consistent: bool = True) -> dict[tuple[Owner, str], T]:
        """The items that exist among these pairs of owner and id, read a hundred at a time."""
        pairs = ((self.declaration.partition(owner), item_id) for owner, item_id in wanted)
        declared, stored = self.declaration, get_items(self.models.item, pairs, consistent=consistent)
        found = (self.models.item.built(each, **declared.owner_in(each["pk"])) for each in stored)
        return {(declared.owner_of(each), declared.item_id(each)): each for each in found}

    def exported(self, rows: Iterator[T]) -> Iterator[T]:
        """The rows of a list with every column of an export."""
        declared = self.declaration
        return exported(rows, lambda row: (declared.owner_of(row), declared.item_id(row)), self.items)

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
        """The counts of the owner of a query."""
        return self.counts(query.owner)

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
        partition, span = self.declaration.counts_partition(owner), KeyRange(low, keys.HIGHEST)
        attributes = ("sk", "number", "labels", "items", "moves", "packed", "sample")

        def decode(item: RawItem) -> Values:
            model: type[ItemModel] = self.models.head if item["sk"]["S"] in {HEAD, PACKED} else self.models.count
            return model.decoded(item)

        asked: Any = {"span": span, "decode": decode, "consistent": consistent}
        with ledger.purpose("counts"):
            found = {item["sk"]: item for item in read_partition(self.models.count, partition, attributes, **asked)}
        head, copy = found.pop(HEAD, {}), found.pop(PACKED, {})
        return head, copy, {keys.parse(sort_key): count_of(item) for sort_key, item in found.items()}

    # --- Lists ------------------------------------------------------------------------------------------------

    def with_counts(self, query: ListQuery) -> tuple[Counts, AskedPage[T]]:
        """The counts for a page, and the request of a page without filters, which needs no counts to be planned.

        Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
        """
        ahead = self.opened(query)
        if query.only or query.typed:  # they need no counts
            return {}, ahead
        counts, _ = in_parallel(list[Callable[[], Any]]([partial(self.counts, query.owner), ahead.send]))
        return counts, ahead

    def listing(
        self, query: ListQuery, counts: Counts, ahead: AskedPage[T] | None = None, *, whole: bool = False
    ) -> Listing[T]:
        """The list that a query asks for, read in the way that costs the least for a page, or for the ``whole`` list.

        ``ahead`` has the answer to a request that was sent already.
        Raises :class:`~dynamodb_lists.connection.errors.BadCursor`.
        """
        if query.typed:
            return self.found(query)
        return self._planned(ahead or self.opened(query), counts).cheapest(whole=whole)

    def _planned(self, page: AskedPage[T], counts: Counts, recounts: int = RECOUNTS) -> PlannedList[T]:
        """A list whose counts may differ from its items. Then they are read anew, at most so many times."""
        numbers = facet_counts(self.declaration.facets, counts)
        if not isinstance(counts, CountedItems):  # the list needs none
            return PlannedList(page, numbers, Sample())
        build = partial(self.models.item.built, **self.declaration.owner_values(page.query.owner))
        sample = Sample(partial(unpack_items, self.models.item, build, counts.sample))
        moves = counts.moves if {*page.query.wanted.sort[:1]} & {*self.declaration.moves} else None
        recounted = partial(self._recounted, page.query, counts, recounts - 1) if recounts else None
        return PlannedList(page, numbers, sample, differ=counts.differ, revision=moves, recounted=recounted)

    def _recounted(self, query: ListQuery, before: Counts, recounts: int) -> PlannedList[T] | None:
        """The list with the counts that are stored now; ``None`` if they are the same as before."""
        counts = self.counts(query.owner)
        return None if counts == before else self._planned(self.opened(query), counts, recounts)

    def opened(self, query: ListQuery, *, whole: bool = False) -> AskedPage[T]:
        """A page to be read, with what lists show or, of the table, ``whole`` items. Raises ``BadCursor``."""
        return AskedPage(self.declaration, query, partial(self.fetch, query.owner, whole=whole, more=query.shown))

    def found(self, query: ListQuery) -> Listing[T]:
        """The items that have words which begin as typed, in the order of these words: word items, and their items.

        Conditions drop items after they were read, so a page under rare ones reads many.
        """
        declared, wanted = self.declaration, WordQuery.of(query.typed)

        def items(ids: Sequence[str]) -> list[T | None]:
            keys_of = ((query.owner, item_id) for item_id in ids)
            stored = self.items(keys_of, consistent=False)  # as any other page, and at half the price
            found = (stored.get((query.owner, item_id)) for item_id in ids)
            return [each if each is not None and matches(declared, query.wanted, each) else None for each in found]

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
        if query.typed or not lists_lack(self.declaration.entity):
            return self.listing(query, counts, whole=True).stream()
        planned = self._planned(self.opened(query, whole=True), counts)
        total = planned.counts.total
        table = query_cost([total], planned.item_bytes(""))
        if not query.only and total <= LARGEST and table.units < planned.planner.matching:
            return planned.from_table().stream()
        return self.exported(self.listing(query, counts, whole=True).stream())

    def fetch(self, owner: Owner, index: str, *, whole: bool = False, more: Iterable[str] = ()) -> Fetch[T]:
        """Reads ranges of an owner's items in an index, with what lists show and ``more`` fields, or ``whole``."""
        make, declared = partial(self.models.item.built, **self.declaration.owner_values(owner)), self.declaration
        stored = [field.name for field in stored_fields(declared.entity)]
        shown = stored if whole else dict.fromkeys([*declared.shown_in(index), *more])
        names = [self.models.item.renames.get(name, name) for name in shown]
        return fetcher(self.models.item, self.declaration.partition(owner), make, attributes=names, index=index)
