"""Reads of an owner's counts: the packed copy, or an item for each count."""

import json
from collections.abc import Callable
from functools import partial
from itertools import repeat
from typing import Any, TypeVar, cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Unreadable
from dynamodb_lists.declared.asked import ListQuery, Owner
from dynamodb_lists.declared.counts import Count, CountedItems, Counts, copied
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import AFTER_HEADS, HEAD, PACKED, Models
from dynamodb_lists.lists.items import ItemReader
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import get_items, read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.models import ItemModel, RawItem, Values

T = TypeVar("T")
FEW_COUNTS = 40
"""Up to so many counts are read as items, because about as many fit into the minimum charge of a request.

Packed, they would cost each write that counts two requests and 3 units more (3 and 11 for a row, not 1 and 8), and a
page after it half a unit.
"""
LOOK_AGAIN = 50
"""After so many changes of few counts, a process looks whether they have become many."""
MOST_KEPT, LEAST_KEPT = 100_000, 500
"""The most combinations whose counts a process keeps, of about 400 bytes each: those of 200 owners with 500.

Owners with fewer count as if they had so many, because the plans that are kept with counts take most of the memory.
"""


NEVER = -1
"""The revision under which few counts are kept: that of no head, because only equal counts prove that they hold."""


class CountsReader(ItemReader[T]):
    """Reads items by their keys, and the counts of their owners."""

    def __init__(self, declaration: Declaration, models: Models) -> None:
        super().__init__(declaration, models)
        self.kept_counts: dict[Owner, tuple[int, CountedItems]] = {}
        """The counts that this process keeps, with their revision, by owner: those that were used last at the end."""
        self.few: dict[Owner, int] = {}
        """The owners whose counts are too few to be packed, and how many may change until a writer looks again."""

    def counts(self, owner: Owner) -> CountedItems:
        """Return the number of an owner's items of each combination.

        The packed copy is used only if it has the revision of the counts. Costs: one request; if this process has
        cached the counts, it reads their revision alone.
        """
        with ledger.purpose("counts"):
            if owner in self.few:
                return self._few_counts(owner)
            kept = self.kept_counts.get(owner)
            found = self.heads(owner, HEAD, *(() if kept else (PACKED,)))
            head = found.get(HEAD, {})
            if kept and kept[0] == head.get("counts_revision", 0):
                self.kept_counts.pop(owner, None)
                self.kept_counts[owner] = kept
                return CountedItems(kept[1], head, kept[1].sample)
            if kept:
                found = self.heads(owner, PACKED)
            return self._many_counts(owner, head, found.get(PACKED, {}))

    def _many_counts(self, owner: Owner, head: Values, copy: Values) -> CountedItems:
        """Return the counts of the packed copy, and cache them; the stored counts if its revision is not the head's."""
        revision, sample = head.get("counts_revision", 0), copy.get("sample", b"")
        current = revision and copy.get("counts_revision") == revision
        packed = copied(copy, self.declaration.facets) if current else None
        if packed is not None:
            return self._keep(owner, revision, CountedItems(packed, head, sample))
        self.kept_counts.pop(owner, None)
        stored = self.stored_counts(owner)
        if len(stored) <= FEW_COUNTS:  # then nobody packs them, so later pages begin with them
            self.few.setdefault(owner, LOOK_AGAIN)
        counted = CountedItems(stored, head, sample)
        if counted.differ and self.heads(owner, HEAD).get(HEAD, {}).get("counts_revision", 0) != revision:
            counted.items_stored = None  # others have changed the counts meanwhile
        return counted

    def _keep(self, owner: Owner, revision: int, counts: CountedItems) -> CountedItems:
        """Cache the counts of an owner, and drop those that were not used for longest."""
        self.kept_counts.pop(owner, None)
        left = MOST_KEPT - max(len(counts), LEAST_KEPT)
        for other, (_, each) in reversed([*self.kept_counts.items()]):  # other threads change it, too
            left -= max(len(each), LEAST_KEPT)
            if left < 0:
                self.kept_counts.pop(other, None)
        self.kept_counts[owner] = revision, counts
        return counts

    def counts_for(self, query: ListQuery) -> Counts:
        """The counts of the owner of a query. A sparse list and a search need none, and rows that expire have none."""
        if query.only or query.typed or self.declaration.expires:
            return {}
        told = [rule for rule in query.rules if rule.numbers]
        if not told:
            return self.counts(query.owner)
        reads: list[Callable[[], Any]] = [partial(rule.numbered, query.owner) for rule in told]
        reads.append(partial(self.counts, query.owner))
        *found, counts = in_parallel(reads)
        counts.of_rules = {name: number for numbers in found for name, number in numbers.items()}
        return cast(Counts, counts)

    def _few_counts(self, owner: Owner) -> CountedItems:
        """Few counts, an item for each, with their head. If they differ, a write may be seen in half, so look again."""
        for consistent in (False, True):
            head, copy, found = self._stored(owner, HEAD, consistent=consistent)
            counts = CountedItems(found, head, copy.get("sample", b""))
            if not counts.differ:
                break
        if "packed" in copy or len(counts) > FEW_COUNTS:
            self.few.pop(owner, None)
            return counts
        _, kept = self.kept_counts.get(owner, (0, None))
        if kept == counts and kept.sample == counts.sample:  # then plans hold that were made with them
            return CountedItems(kept, head, counts.sample)
        return self._keep(owner, NEVER, counts)

    def heads(self, owner: Owner, *sort_keys: str, consistent: bool = False) -> dict[str, Any]:
        """Return the revision of an owner's counts and their packed copy, or one of both, by sort key."""
        partition, found = self.declaration.counts_partition(owner), dict[str, Any]()
        for item in get_items(self.models.head, zip(repeat(partition), sort_keys), consistent=consistent):
            found[item["sk"]] = item
        return found

    def stored_counts(self, owner: Owner, *, consistent: bool = False) -> Counts:
        """Return an owner's counts, read from their items and not from the packed copy."""
        return self._stored(owner, AFTER_HEADS, consistent=consistent)[2]

    def _stored(self, owner: Owner, low: str, *, consistent: bool) -> tuple[Values, Values, Counts]:
        """Return the head, the copy and the counts among the items of an owner's counts from a key on."""
        partition, span = self.declaration.counts_partition(owner), Between(low, keys.HIGHEST)
        attributes = ["sk", "number", "labels", "items", "moves", "packed", "sample"]
        attributes += self.declaration.of_values.values()

        def decode(item: RawItem) -> Values:
            model: type[ItemModel] = self.models.head if item["sk"]["S"] in {HEAD, PACKED} else self.models.count
            return model.decoded(item)

        asked: Any = {"span": span, "decode": decode, "consistent": consistent}
        with ledger.purpose("counts"):
            found = {item["sk"]: item for item in read_partition(self.models.count, partition, attributes, **asked)}
        head, copy = found.pop(HEAD, {}), found.pop(PACKED, {})
        return head, copy, {keys.parse(sort_key): _count(item) for sort_key, item in found.items()}


def _count(item: Values) -> Count:
    """Return the number of a count, and its labels. Raises: :class:`Unreadable` for labels that are not JSON."""
    try:
        return Count(item["number"], tuple(json.loads(item["labels"])) if item.get("labels") else ())
    except (TypeError, ValueError) as error:
        raise Unreadable(f"The labels of a count cannot be read: {item['labels']!r:.80}.") from error
