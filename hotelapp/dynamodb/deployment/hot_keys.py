"""The busiest partition keys: what every request of a kind goes to, or what the largest owner has."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hotelapp.dynamodb.deployment.estimates import (
    Estimate,
    Place,
    Schemas,
    change_units,
    page_units,
    partition_key,
    per_day,
)
from hotelapp.dynamodb.deployment.table_schemas import TableSchema
from hotelapp.dynamodb.deployment.workloads import ItemChange, Owners, WriteLoad, largest_share


@dataclass(frozen=True, slots=True)
class HotKey:
    """The busiest partition key of a table or an index. ``share`` of the requests of the page or write use it."""

    table: str
    index: str
    load: str
    share: float
    units: float
    per_second: float

    @property
    def rate(self) -> float:
        """Units a second at that key."""
        return self.share * self.units * self.per_second


def busiest_writes(estimate: Estimate) -> list[HotKey]:
    """At the peak, the busiest key of each table and GSI that writes change; the busiest first."""
    times = per_day(estimate.writes, estimate.writes_a_day)
    return _busiest(
        key
        for write in estimate.writes
        for key in hot_keys(write, times[write.name] * estimate.peak_rate, estimate.schemas, estimate.skew)
    )


def busiest_reads(estimate: Estimate) -> list[HotKey]:
    """At the peak, the busiest key of each table and index that pages read. Keys are read as they are filled."""
    times, found = per_day(estimate.pages, estimate.pages_a_day), []
    shares = {(line.table, line.index, line.kind): line.largest / line.entries for line in estimate.lines}
    for page in estimate.pages:
        units: dict[tuple[str, str, str], float] = defaultdict(float)
        for read, _, cost in page_units(page, estimate.lines, estimate.schemas):
            table = estimate.schemas[read.model.Meta.table_name].name
            units[table, read.index, read.kind] += cost
        per_second = times[page.name] * estimate.peak_rate
        found += [
            HotKey(table, index, page.name, shares[table, index, kind], cost, per_second)
            for (table, index, kind), cost in units.items()
        ]
    return _busiest(found)


def hot_keys(write: WriteLoad, per_second: float, schemas: Schemas, skew: float) -> Iterator[HotKey]:
    """The busiest key of each kind of item in each table and GSI that a write changes. LSIs have the table's keys."""
    keys: dict[tuple[str, str, str], list[tuple[Owners, str]]] = defaultdict(list)
    units: Counter[tuple[str, str, str]] = Counter()
    for owners, changes in write.samples:
        for change in changes:
            schema = schemas[change.model.Meta.table_name]
            local = {index.name for index in schema.local_indexes}
            for index, number in change_units(change, schema).items():
                touched = schema.name, "" if index in local else index, change.model.__name__
                keys[touched].append((owners, _key_of(change, index, schema)))
                units[touched] += number
    for (table, index, kind), touching in keys.items():
        mean = units[table, index, kind] / len(write.samples)
        yield HotKey(table, index, write.name, largest_share(touching, write.owners, skew), mean, per_second)


def _busiest(keys: Iterable[HotKey]) -> list[HotKey]:
    found: dict[Place, HotKey] = {}
    for key in keys:
        place = key.table, key.index
        if place not in found or key.rate > found[place].rate:
            found[place] = key
    return sorted(found.values(), key=lambda key: -key.rate)


def _key_of(change: ItemChange, index: str, schema: TableSchema) -> str:
    """The partition key that a change writes in an index, or of a deleted entry, the one that it had."""
    chosen = next((declared for declared in schema.indexes if declared.name == index), None)
    name = partition_key(chosen, schema)
    item = change.after if change.after and name in change.after else change.before
    assert item is not None, "a change of nothing"
    return str(item[name])
