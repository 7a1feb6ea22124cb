"""Change a table to what its list declares: keys of new indexes, and counts and words by other fields.

Writers may run meanwhile. Wrong keys of items are repaired. Counts and words by other fields are written as a new
generation, beside the generation that pages read. An item that is added to the new generation gets a revision that says
so, in the transaction that counts the item. From then on each write keeps both generations. So nothing is counted
twice, whoever writes, and whenever the migration stops.

A process of an older release keeps only what it knows. So indexes are filled while both releases run, and the list is
finished once the old release has ended: its last writes are repaired, and the rest is filled. As long as the table
lacks something, other processes read every few seconds what it has.

The technique is that of online schema changes, such as F1's (Rae and others, "Online, Asynchronous Schema Change in
F1", 2013): something new is first written, then filled, then read.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.errors import UNREADABLE, Conflict, Unavailable
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.lists import items
from dynamodb_lists.lists.list import List
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.lists.writing import ListWriter
from dynamodb_lists.maintenance.list_rules import keys_rule, rules
from dynamodb_lists.maintenance.rules import GroupRule
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import get_one
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.entities import stored_fields
from dynamodb_lists.schema.models import KIND, RawItem
from dynamodb_lists.writing.changes import Change, as_seen, in_generation, retried
from dynamodb_lists.writing.transactions import Delete, Put, Update, Write, assigned, commit

TOGETHER, ATTEMPTS = 25, 20
"""How many items are filled at the same time, and how often counts and words are repaired that keep changing."""


@dataclass(frozen=True)
class Plan:
    """What a table lacks of its list, as texts, and about what it costs to fill and finish it.

    ``items`` and ``size`` (bytes) are those of the table, as DynamoDB counts them every six hours. A Scan reads all
    items, about four times. Each index and each word adds a write.
    """

    lacks: Sequence[str]
    items: int
    size: int
    read_units: float
    write_units: float

    def __str__(self) -> str:
        size = f"{self.size / 1e6:,.1f} MB" if self.size else "unknown size"
        reads = f"{self.read_units:,.0f} read units and " if self.size else ""
        units = f"at least {reads}{self.write_units:,.0f} write units"
        return f"it lacks {', '.join(self.lacks)}. About {self.items:,} items of {size}: {units}."


def plan(listed: List[Any]) -> Plan:
    """Return what :func:`migrate_list` would do, without doing it. Costs: two or three requests."""
    table = tables.description(listed.reader.table.name)
    if table is None:
        return Plan(["everything, for it does not exist"], 0, 0, 0, 0)
    declared, shape = listed.declaration, listed.reader.stored_shape() or Shape()
    items, size, lacks = int(table.get("ItemCount", 0)), int(table.get("TableSizeBytes", 0)), [*shape.lacks(declared)]
    new = sum(index not in shape.orders for index in declared.keyed)
    scans, writes = (4, 2 + new) if not shape.has_counts(declared) else (3, 1 + new)
    return Plan(lacks, items, size, scans * size / 8192 if lacks else 0, items * writes if lacks else 0)


def migrate_list(
    listed: List[Any],
    *,
    finish: bool = False,
    most_units: float = inf,
    progress: Callable[[int], object] = lambda _: None,
) -> Sequence[str]:
    """Fill the table with what a list declares, and return faults as texts. With ``finish``, pages use it from then on.

    Without ``finish``, older releases may write meanwhile. The call can be stopped and repeated at any point.
    ``most_units`` limits the read and write units a second. ``progress`` is called with the number of items read.

    Raises: ``Unavailable``.
    """
    migration = Migration(listed, most_units, progress)
    if any(migration.begin(counts=finish).lacks(listed.declaration)):
        if finish:
            migration.finish()
        else:
            migration.fill()
    return list(migration.faults.values())


@dataclass
class Migration:
    """The work of :func:`migrate_list` on one list."""

    listed: List[Any]
    most_units: float
    progress: Callable[[int], object]
    written: int = 0
    """How many items lacked something."""
    surplus: Collection[str] = ()
    """The attributes that were keys of indexes which are not declared any more, and no fields."""
    faults: dict[Any, str] = field(default_factory=dict)
    """The items that cannot be read, in words."""

    @property
    def table(self) -> str:
        return self.listed.reader.table.name

    @property
    def stored(self) -> Shape:
        """The shape that the table has. A table without a stored shape must be filled as a whole."""
        return self.listed.reader.stored_shape() or Shape()

    def begin(self, *, counts: bool) -> Shape:
        """Note what the table has.

        With ``counts``, begin a new generation of counts if the declaration differs. Without ``counts``, give up a
        generation that was begun, because another release may have written meanwhile.
        """
        declared, stored = self.listed.declaration, self.stored
        there = tables.described(self.table) or {}
        # The fields that each index of the list has in the table, if the index does not have whole items.
        renames, names = self.listed.model.renames, [each.name for each in stored_fields(declared.entity)]
        projected = {}
        for index, attributes in drift.named(there, "projection of").items():
            if index in declared.keyed and isinstance(attributes, frozenset):
                projected[index] = tuple(name for name in names if renames.get(name, name) in attributes)
        shape = replace(stored, projected=projected, filling=stored.filling if counts else 0)
        if counts and declared.counts_anew and not shape.has_counts(declared) and not shape.fills(declared):
            shape = shape.begun(declared)
        if shape == stored:
            self.listed.reader.take_shape(shape)
        else:
            self.listed.reader.store_shape(shape)
        return shape

    def fill(self) -> None:
        """Give each item the attributes that it lacks. A stopped call can be repeated: complete items are only read."""
        self.faults.clear()
        for page in self._bounded(scan(self.table)):
            items = [item for item in page["Items"] if self.listed.model.holds(item)]
            for start in range(0, len(items), TOGETHER):
                self._fill(items[start : start + TOGETHER])

    def finish(self) -> None:
        """Fill what is left, note what the table has, and delete what is no longer declared.

        Every process that writes must know the generation that is filled. So the last pass, which finds nothing to
        write, begins after every process has looked again.
        """
        listed, shape, begun = self.listed, self.stored, time.monotonic()
        gone = {*shape.orders} - {*listed.declaration.keyed}
        used = {each.attr_name for each in listed.model.get_attributes().values()}
        said = [shape.orders[index].split() for index in gone]
        self.surplus = {name for words in said for name in words[0].split(",") if f"{{{name}}}" not in words} - used
        known = begun + 2 * items.SHAPE_SECONDS if shape.filling else begun
        while True:
            started, before = time.monotonic(), self.written
            self.fill()
            if self.written == before and started >= known:
                break
            time.sleep(max(known - time.monotonic(), 0))
        generation, declared = shape.filling or shape.generation, listed.declaration
        filled = replace(Shape.of(declared), projected=shape.projected, generation=generation, tried=shape.tried)
        if not (self.faults or declared.counts_anew or shape.has_counts(declared)):
            listed.reader.store_shape(replace(filled, facets=shape.facets, words=shape.words))
            if declared.worded and not shape.has_words(declared):
                self._put_words()
            self._agree()
        if self.faults:
            return
        listed.reader.store_shape(filled)
        if shape.filling:
            time.sleep(2 * items.SHAPE_SECONDS)  # until nobody writes the one before
            self._delete_generations(listed.reader.now)
        self._delete_indexes(gone)

    # --- Items ------------------------------------------------------------------------------------------------

    def _fill(self, items: Sequence[RawItem]) -> None:
        writes = [(item, *found) for item in items if (found := self._lacking(item))]
        try:
            self._write([(change, own) for _, change, own in writes])
        except Conflict:
            for item, _, _ in writes:
                key = self.listed.model.key_of(item)
                retried(partial(self._fill_alone, key), f"{' '.join(filter(None, key))} keeps changing: try again.")
        self.written += len(writes)

    def _fill_alone(self, key: tuple[str, Any]) -> None:
        stored = get_one(self.listed.model, *key, consistent=True)
        if stored and (found := self._lacking(stored)):
            self._write([found])

    def _lacking(self, item: RawItem) -> tuple[Change[Any], Update] | None:
        """Return the change and the update that give an item what it lacks; ``None`` for nothing, and for a fault."""
        model, filling = self.listed.model, self.listed.reader.filling
        try:
            before = model.entity_of(item)
            after = before
            if filling:
                after = replace(before, revision=in_generation(before.revision, filling.declaration.generation))
            wanted, names = self.listed.item(after), keys_rule(self.listed).wrong_names(item, before)
            if not {*model.key_names()}.isdisjoint(names):
                raise ValueError("its key has other values than its attributes")
        except UNREADABLE as error:
            key = model.key_of(item)
            self.faults[key] = f"{' '.join(filter(None, key))} cannot be read: {error}"
            return None
        names += ["revision"] if after.revision != before.revision else []
        surplus: list[Action] = [Path(name).remove() for name in self.surplus if name in item]
        actions = [*assigned(wanted, names), *surplus]
        return (Change(before, after), Update(wanted, as_seen(model, before), actions)) if actions else None

    def _write(self, found: Sequence[tuple[Change[Any], Update]]) -> None:
        """Write updates: each alone, or, if their items are counted and get words, in transactions."""
        filling = self.listed.reader.filling
        if filling is None:
            in_parallel([own.send for _, own in found])
            return
        filler = _Filler(self.listed.reader)
        filler.updates, filler.words = {id(change): own for change, own in found}, filling.models.word
        for batch, writes in filler.batches([change for change, _ in found]):
            filler.commit(batch, writes)

    def _put_words(self) -> None:
        """Write the words of all items of a model. Items that others are changing are left to the repair."""
        model, words = self.listed.model, self.listed._writer.word_items

        def put(item: RawItem) -> None:
            with suppress(Conflict, *UNREADABLE):
                entity = model.entity_of(item)
                commit([Update(self.listed.item(entity), as_seen(model, entity)), *map(Put, words(entity))])

        for page in self._bounded(scan(self.table)):
            in_parallel([partial(put, item) for item in page["Items"] if model.holds(item)])

    def _agree(self) -> None:
        """Repair the counts and words of a list over a model until all agree."""
        of_groups = [rule for rule in rules(self.listed) if isinstance(rule, GroupRule)]
        for _ in range(ATTEMPTS):
            check = TableCheck(self.table, of_groups, repair=True, bounded=self._bounded)
            found = [*check.faults(lambda _: None)]
            if not (found or check.unsettled):
                return
            wrong = [fault.text for fault in found if not fault.repaired]
        self.faults = dict(enumerate(wrong or ["counts or words keep changing: finish when fewer are written"]))

    def _bounded(self, pages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the pages of a Scan, no faster than the limit of units a second allows."""
        started = time.monotonic()
        with ledger.recording() as calls:
            calls.keeps_calls, scanned = False, 0.0
            for page in pages:  # threads read them, whose calls are not recorded here
                scanned += page["ConsumedCapacity"]["CapacityUnits"]
                yield page
                self.progress(page["ScannedCount"])
                used = scanned + float(calls.read_units + calls.write_units)
                time.sleep(max(used / self.most_units - (time.monotonic() - started), 0))

    # --- What is not declared any more ------------------------------------------------------------------------

    def _delete_generations(self, now: ListReader[Any]) -> None:
        """Delete the counts and words of all generations except the one that pages read."""
        models, declared = now.models, now.declaration
        kinds = {f"{declared.kind}-{of}" for of in ("count", "head", "word")}
        for page in self._bounded(scan(self.table)):
            for item in page["Items"]:
                key = models.item.key_of(item)
                is_read = declared.of_counts.fits(key[0]) or declared.of_words.fits(key[0])
                if item.get(KIND, {}).get("S") in kinds and not is_read:
                    Delete(models.item(*key)).send()

    def _delete_indexes(self, names: Iterable[str]) -> None:
        """Delete GSIs that are not declared any more, one at a time, as DynamoDB requires. An LSI stays."""
        table, declared = self.table, drift.named(tables.declared(self.table), "index")
        for name in {*names} - declared.keys():
            while drift.named(there := tables.described(table) or {}, "index").get(name, ("",))[0] == "GSI":
                if {*drift.named(there, "status of").values()} == {drift.ACTIVE}:
                    update: Any = [{"Delete": {"IndexName": name}}]
                    try:
                        with translated():
                            client(table).update_table(TableName=table, GlobalSecondaryIndexUpdates=update)
                    except Unavailable as error:  # another process may be at work on the table
                        if error.code not in tables.NOT_NOW:
                            raise
                time.sleep(tables.POLL_SECONDS)


class _Filler(ListWriter[Any]):
    """Writes items with their counts and words in the generation that is being filled."""

    packs = False
    updates: dict[int, Update]
    words: Any

    def item_writes(self, change: Change[Any]) -> list[Write]:
        return [self.updates[id(change)], *map(Put, self.words.of(change.after) if self.words else ())]
