"""The additions of writes to the counts of an owner's items, and the packed copy of these counts, which pages read.

Beside the copy is a :mod:`sample <dynamodb_lists.declared.samples>` of the items. The copy is valid as long as it has
the revision in the head of the counts. Each transaction that changes a count changes this revision.
"""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from secrets import randbelow
from typing import Any, Generic, TypeVar

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import Conflict, Unavailable
from dynamodb_lists.declared import samples
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.counts import Count, Counts, changed, copied, pack
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.declared.parts import plain_label
from dynamodb_lists.lists import counts as reading_counts
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.planning.selection import Combination
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema.models import Values
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import Put, Update

T = TypeVar("T")

Delta = tuple[Combination, int, tuple[str | None, ...]]
"""What a write adds to the count of a combination, and the labels of its values."""

LARGEST_STEP = 2**32
"""The most that a write adds to the revision: after millions of writes it is still exact as a float of an engine."""

MOST_BYTES = 350_000
"""The largest copy that is written: that of 100,000 combinations or more. An item holds 400 KB."""

SAMPLED_AFTER, SAMPLED_GROWTH = 128, 2
"""A new sample of the items is taken when counts are packed so many times, and when the list has so many times the
items. It costs half a read unit a place."""

REPORTED = 1000
"""Of so many items that are counted, progress is told."""

REFUSALS, MOST_ATTEMPTS = 2, 20
"""After so many refusals others have packed the counts; and after so many attempts nobody goes on."""

logger = logging.getLogger(__name__)


def next_step() -> int:
    """Return what a transaction that changes a count adds to the revision of the counts.

    The number is random, so that no revision occurs twice with other counts: after a restore, processes may still have
    counts of a later revision in their cache.
    """
    return randbelow(LARGEST_STEP) + 1


def count_deltas(declaration: Declaration, changes: Iterable[Change[Any]]) -> dict[Owner, list[Delta]]:
    """Return what changes add to the counts of each owner, in the order of the combinations.

    A count has the labels of the last item, even if only the words have changed and the parts of keys stay the same.
    """
    numbers: dict[Owner, Counter[Combination]] = defaultdict(Counter)
    labels: dict[tuple[Owner, Combination], tuple[str | None, ...]] = {}
    for change in changes:
        owner, places = declaration.owner_of(change.entity), list[Any]()
        for entity in (change.before, change.after):
            places.append(entity and (declaration.combination(entity), labels_in(declaration, entity)))
        before, after = places
        if before == after:
            continue
        if before:
            numbers[owner][before[0]] -= 1
        if after:
            numbers[owner][after[0]] += 1
            labels[owner, after[0]] = after[1]
    found = {}
    for owner, added in numbers.items():
        deltas = ((each, number, labels.get((owner, each), ())) for each, number in sorted(added.items()))
        found[owner] = [delta for delta in deltas if delta[1] or (owner, delta[0]) in labels]
    return found


def value_deltas(declaration: Declaration, changes: Iterable[Change[Any]]) -> dict[Owner, Counter[str]]:
    """Return what changes add to the numbers of values that are counted alone, by owner and attribute of the head."""
    found: dict[Owner, Counter[str]] = defaultdict(Counter)
    for change in changes:
        for entity, number in ((change.before, -1), (change.after, 1)):
            for attribute in values_in(declaration, entity) if entity else ():
                found[declaration.owner_of(change.entity)][attribute] += number
    return {owner: Counter({each: n for each, n in added.items() if n}) for owner, added in found.items()}


def values_in(declaration: Declaration, entity: Any) -> list[str]:
    """Return the attributes of the head that count an entity."""
    names = declaration.counted_alone
    return [declaration.of_values[pair] for pair in zip(names, declaration.parts(entity, names), strict=True)]


def labels_in(declaration: Declaration, entity: Any) -> tuple[str | None, ...]:
    """Return the labels of an entity's values that do not follow from their slugs; an empty tuple if all do."""
    found = list[str | None]()
    for facet, slug in zip(declaration.facets, declaration.parts(entity, declaration.facets), strict=True):
        value = getattr(entity, facet)
        found.append(value if isinstance(value, str) and value and value != plain_label(slug) else None)
    return tuple(found) if any(found) else ()


def label_actions(model: Any, labels: tuple[str | None, ...]) -> list[Action]:
    stored = json.dumps(labels, ensure_ascii=False)
    return [model.labels.set(stored) if labels else model.labels.remove()]


class ListCounts(Generic[T]):
    """The counts of an owner's items, their head and their packed copy, as a writer reads them: consistently."""

    def __init__(self, reader: ListReader[T], owner: Owner) -> None:
        self.reader, self.owner, self.declaration = reader, owner, reader.declaration
        self.place = reader.declaration.counts_partition(owner), PACKED

    def heads(self) -> tuple[int, Values]:
        """Return the revision of the counts, and the attributes of the copy, if there is one."""
        heads = self.reader.heads(self.owner, HEAD, PACKED, consistent=True)
        return heads.get(HEAD, {}).get("counts_revision", 0), heads.get(PACKED, {})

    def counts(self) -> Counts:
        return self.reader.stored_counts(self.owner, consistent=True)

    def counted_anew(self, progress: Callable[[int], object] = lambda _: None) -> tuple[Counts, Counter[str]]:
        """Return the counts, also of values counted alone, from one consistent read of all items. ``progress`` is told.

        The read may count some of the items that others write meanwhile. So the counts are right if the revision of
        :meth:`heads` was the same before and after the read, a moment longer than a transaction takes.
        """
        declared, numbers, of_values = self.declaration, Counter[Combination](), Counter[str]()
        labels, build = dict[Combination, Any](), self.reader.models.item.built
        items = read_partition(self.reader.models.item, declared.partition(self.owner), consistent=True)
        for read, values in enumerate(items, 1):
            entity = build(values, **declared.owner_values(self.owner))
            combination = declared.combination(entity)
            numbers[combination] += 1
            of_values.update(values_in(declared, entity))
            labels.setdefault(combination, entity)
            if not read % REPORTED:
                progress(REPORTED)
        counts = {each: Count(number, labels_in(declared, labels[each])) for each, number in numbers.items()}
        return counts, of_values

    def outdate(self) -> None:
        """Change the revision of the counts, so that copies are not used any more."""
        model = self.reader.models.head
        Update(model(self.place[0], HEAD), actions=[model.counts_revision.add(next_step())]).send()

    def replace(self, copy: Values, values: Values) -> None:
        """Replace the packed copy, unless somebody else has replaced it. Raises: ``Conflict``."""
        model, times = self.reader.models.head, copy.get("packings", 0)
        condition = model.packings == times if times else model.pk.does_not_exist()
        Put(model(*self.place, **values, packings=times + 1), condition).send()

    def sample(self, copy: Values, counts: Counts) -> Values:
        """Return the old or a new sample of the items, and of how many items it is; nothing for few items."""
        total = sum(count.number for count in counts.values())
        grown = total >= SAMPLED_GROWTH * copy.get("sampled_of", 0)
        if not grown and copy.get("packings", 0) % SAMPLED_AFTER:
            return {name: copy[name] for name in ("sample", "sampled_of")}
        index, spans = samples.places(self.declaration, counts)
        read = self.reader.fetch(self.owner, index)
        ends = [(span, True, (times + 1) // 2) for span, times in spans.items()]
        ends += [(span, False, times // 2) for span, times in spans.items() if times > 1]
        calls = [partial(read, span, None, ascending, samples.EACH * times) for span, ascending, times in ends]
        items = [row.value for batch in in_parallel(calls) for row in batch.rows]
        packed = samples.pack_items(self.declaration, self.reader.models.item, items)
        return {"sample": packed, "sampled_of": total} if items else {}


def pack_counts(store: ListCounts[Any], deltas: Sequence[Delta] = (), step: int = 0) -> None:
    """Bring the packed copy up to date, after a transaction that has changed counts by ``deltas`` in one ``step``.

    A failure is harmless and raises nothing: the copy has an older revision, so pages read the counts.

    Two refusals are enough: then others have packed twice since the first attempt began. The second of these copies
    was read after the first one was stored, and so after the transaction.
    """
    refusals = 0
    try:
        for _ in range(MOST_ATTEMPTS):
            try:
                if _is_packed(store, deltas, step):
                    return
                refusals = 0
            except Conflict:
                refusals += 1
                if refusals == REFUSALS:
                    return
    except Unavailable as error:
        said = "The counts of %s were not packed, so pages read each of them until a change. %s"
        logger.warning(said, store.declaration.name, error)


def _is_packed(store: ListCounts[Any], deltas: Sequence[Delta], step: int) -> bool:
    """Pack the counts; ``False`` if they have changed meanwhile. Raises ``Conflict`` if another writer has packed them.

    If the copy is of the revision before this write, the write's own changes are all that it lacks. Otherwise the
    counts are read. They must not be newer than the revision, or a later writer would add its changes twice. Such a
    read may also see a transaction of another writer in half: then the copy has the right revision and wrong numbers
    until that writer finds this out, moves the revision, and packs again.
    """
    revision, copy = store.heads()
    packed_at = copy.get("counts_revision", 0)
    before = copied(copy, store.declaration.facets) if deltas and packed_at + step == revision else None
    counts = store.counts() if before is None else changed(before, deltas)
    if before is None:
        if "packed" not in copy and len(counts) <= reading_counts.FEW_COUNTS:
            store.reader.few[store.owner] = reading_counts.LOOK_AGAIN
            if sample := store.sample(copy, counts):
                with suppress(Conflict):  # another writer has stored one
                    store.replace(copy, sample)
            return True
        if store.heads()[0] != revision:
            return False
        if packed_at == revision and copy:
            if copy.get("packed") == pack(counts):
                return True
            store.outdate()
            return False
    if len(data := pack(counts)) <= MOST_BYTES:
        store.replace(copy, {"counts_revision": revision, "packed": data, **store.sample(copy, counts)})
    return True
