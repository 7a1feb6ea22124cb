"""Sizes, units, partitions and costs, computed from stocks, pages and writes. Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from hotelapp.dynamodb.deployment.item_sizes import STORED_OVERHEAD, index_entry, item_size
from hotelapp.dynamodb.deployment.table_schemas import IndexSchema, TableSchema
from hotelapp.dynamodb.deployment.workloads import (
    ItemChange,
    PageLoad,
    Read,
    Stock,
    WriteLoad,
    largest_share,
)
from hotelapp.dynamodb.schema.models import RawItem

GB = 2**30
PARTITION_BYTES = 10 * GB
"""What a physical partition holds, and so what an item collection of a table with LSIs holds: it is never split."""

PARTITION_READS, PARTITION_WRITES = 3000, 1000
"""Units a second of a physical partition. All items with one partition key share them, unless DynamoDB splits them."""

READ_BLOCK, WRITE_BLOCK = 4096, 1024
TRANSACTION = 2
"""A transaction's write of an item costs twice its units. Entries of indexes cost once."""

DAYS, SECONDS = 30, 86_400
MILLION = 1_000_000
Schemas = Mapping[str, TableSchema]
"""The schema of each table by the table's full name."""

Place = tuple[str, str]
"""A table and an index of it; a blank index stands for the table itself."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars: for a million read or write request units, for a GB-month of data, and of backups for PITR."""

    read_million: float = 0.125
    write_million: float = 0.625
    storage_gb: float = 0.25
    backup_gb: float = 0.20


PRICES_OF = "on demand, us-east-1, since November 2024"
"""Where and when the default prices are valid."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A kind of items in a table (``index`` is blank) or in an index. ``size`` is the mean in bytes, without overhead.

    ``largest`` is the number of items in the fullest partition.
    """

    table: str
    index: str
    kind: str
    entries: int
    size: float
    largest: int

    @property
    def total(self) -> float:
        """The bytes that are stored and charged."""
        return self.entries * (self.size + STORED_OVERHEAD)

    @property
    def largest_bytes(self) -> float:
        """The bytes of the fullest partition."""
        return self.largest * (self.size + STORED_OVERHEAD)


@dataclass(frozen=True)
class Estimate:
    """Everything that an estimate is computed from. ``peak`` is the busiest second's rate over the mean rate."""

    schemas: Schemas
    stocks: Sequence[Stock]
    lines: Sequence[Stored]
    pages: Sequence[PageLoad]
    writes: Sequence[WriteLoad]
    pages_a_day: int
    writes_a_day: int
    skew: float
    peak: float
    prices: Prices

    @property
    def peak_rate(self) -> float:
        """What a number a day is a second at the peak."""
        return self.peak / SECONDS


def stored(stock: Stock, schema: TableSchema, skew: float) -> Iterator[Stored]:
    """What a stock takes in its table and in each index. Items that lack an index's keys are not in it."""
    for index in (None, *schema.indexes):
        entries = [
            (sample.owners, entry) for sample in stock.samples if (entry := entry_of(sample.item, index, schema))
        ]
        if not entries:
            continue
        count = round(stock.count * len(entries) / len(stock.samples))
        share = largest_share(
            [(owners, str(entry[partition_key(index, schema)])) for owners, entry in entries], stock.owners, skew
        )
        mean = sum(item_size(entry) for _, entry in entries) / len(entries)
        yield Stored(schema.name, index.name if index else "", stock.name, count, mean, max(1, round(count * share)))


def read_units(size: float, *, consistent: bool = False) -> float:
    """The read units of one request that reads so many bytes."""
    return max(1, ceil(size / READ_BLOCK)) * (1.0 if consistent else 0.5)


def write_units(size: int) -> int:
    """The write units of an item or of an entry of an index."""
    return max(1, ceil(size / WRITE_BLOCK))


def change_units(change: ItemChange, schema: TableSchema) -> dict[str, int]:
    """The write units of an item's change in a transaction, by index; those of the table have a blank name.

    An entry whose key changes is deleted and written. An entry that stays the same costs nothing.
    """
    sizes = [item_size(item) for item in (change.before, change.after) if item is not None]
    units = {"": TRANSACTION * write_units(max(sizes))}
    for index in schema.indexes:
        before, after = (entry_of(item, index, schema) if item else None for item in (change.before, change.after))
        units[index.name] = _entry_units(before, after, index)
    return {name: number for name, number in units.items() if number}


def transaction_units(changes: Iterable[ItemChange], schemas: Schemas) -> Counter[Place]:
    """The write units of a transaction, by table and index."""
    units: Counter[Place] = Counter()
    for change in changes:
        schema = schemas[change.model.Meta.table_name]
        units.update({(schema.name, index): number for index, number in change_units(change, schema).items()})
    return units


def mean_write_units(write: WriteLoad, schemas: Schemas) -> dict[Place, float]:
    """The mean write units of a write's samples, by table and index."""
    total: Counter[Place] = Counter()
    for _, changes in write.samples:
        total.update(transaction_units(changes, schemas))
    return {place: units / len(write.samples) for place, units in total.items()}


def page_units(page: PageLoad, lines: Iterable[Stored], schemas: Schemas) -> list[tuple[Read, float, float]]:
    """The requests of a page, each with the bytes that it reads and with its read units."""
    sizes = {(line.table, line.index, line.kind): line.size for line in lines}
    requests = []
    for read in page.reads:
        size = read.items * sizes[schemas[read.model.Meta.table_name].name, read.index, read.kind]
        requests.append((read, size, read_units(size, consistent=read.consistent)))
    return requests


def physical_partitions(size: float, reads: float, writes: float) -> int:
    """The physical partitions that so many bytes, and so many read and write units a second, need at least."""
    return max(1, ceil(size / PARTITION_BYTES), ceil(reads / PARTITION_READS + writes / PARTITION_WRITES))


def per_day(loads: Sequence[PageLoad] | Sequence[WriteLoad], total: int) -> dict[str, float]:
    """How many of each load there are a day, by its weight. A load without a weight is part of every page."""
    weights = sum(load.weight or 0 for load in loads)
    return {load.name: total if load.weight is None else total * load.weight / weights for load in loads}


def monthly(units_a_day: float, price_million: float) -> float:
    """The dollars that so many units a day cost in a month of 30 days."""
    return units_a_day * DAYS / MILLION * price_million


def units_a_day(estimate: Estimate) -> tuple[dict[Place, float], dict[Place, float]]:
    """The read units and the write units a day, by table and index."""
    reads: dict[Place, float] = defaultdict(float)
    writes: dict[Place, float] = defaultdict(float)
    times = per_day(estimate.pages, estimate.pages_a_day)
    for page in estimate.pages:
        for read, _, units in page_units(page, estimate.lines, estimate.schemas):
            table = estimate.schemas[read.model.Meta.table_name].name
            reads[table, read.index] += units * times[page.name]
    times = per_day(estimate.writes, estimate.writes_a_day)
    for write in estimate.writes:
        for place, units in mean_write_units(write, estimate.schemas).items():
            writes[place] += units * times[write.name]
    return reads, writes


def by_partitions(values: Mapping[Place, float], schemas: Schemas) -> dict[Place, float]:
    """Sums for each table and GSI. LSIs are in the partitions of their table."""
    local = {(schema.name, index.name) for schema in schemas.values() for index in schema.local_indexes}
    sums: dict[Place, float] = defaultdict(float)
    for (table, index), value in values.items():
        sums[table, "" if (table, index) in local else index] += value
    return dict(sums)


def entry_of(item: RawItem, index: IndexSchema | None, schema: TableSchema) -> RawItem | None:
    """What the table, or an index of it, holds of an item."""
    return index_entry(item, index, schema) if index else item


def partition_key(index: IndexSchema | None, schema: TableSchema) -> str:
    """The attribute that is the partition key of a table, or of an index of it."""
    return (index.keys if index else schema.keys)[0]


def _entry_units(before: RawItem | None, after: RawItem | None, index: IndexSchema) -> int:
    if before == after:
        return 0
    entries = [entry for entry in (before, after) if entry is not None]
    moved = len({str([entry[name] for name in index.keys]) for entry in entries}) > 1
    units = [write_units(item_size(entry)) for entry in entries]
    return sum(units) if moved else max(units)
