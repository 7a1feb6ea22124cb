"""The estimate as text, with its arithmetic."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from hotelapp.dynamodb.deployment.estimates import (
    DAYS,
    GB,
    MILLION,
    PARTITION_BYTES,
    PARTITION_READS,
    PARTITION_WRITES,
    Estimate,
    Place,
    Schemas,
    Stored,
    by_partitions,
    mean_write_units,
    monthly,
    page_units,
    per_day,
    physical_partitions,
    units_a_day,
)
from hotelapp.dynamodb.deployment.hot_keys import HotKey, busiest_reads, busiest_writes
from hotelapp.dynamodb.deployment.item_sizes import STORED_OVERHEAD
from hotelapp.dynamodb.deployment.workloads import creation

LEAST_LISTED = 0.0001
"""Partition keys that take less than this share of the limit are not listed."""


def report(estimate: Estimate) -> Iterator[str]:
    """The lines of the report, in Markdown."""
    reads, writes = units_a_day(estimate)
    yield from _storage(estimate)
    yield from _collections(estimate)
    yield from _pages(estimate)
    yield from _writes(estimate)
    yield from _hot(estimate)
    yield from _partitions(estimate, reads, writes)
    yield from _cost(estimate, sum(reads.values()), sum(writes.values()))
    yield from _loading(estimate)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown with the numbers to the right: every column but the first."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join("---" if number == 0 else "---:" for number in range(len(head))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def amount(number: float) -> str:
    """A number for people: whole ones with commas, small ones with as many decimals as they need."""
    if number == int(number) or abs(number) >= 100:  # noqa: PLR2004
        return f"{number:,.0f}"
    return f"{number:,.2f}" if abs(number) >= 1 else f"{number:.3g}"


def place(name: str, index: str) -> str:
    """A table, or an index of it."""
    return f"{name} / {index}" if index else name


def _storage(estimate: Estimate) -> Iterator[str]:
    yield "## Storage"
    yield ""
    yield f"Entries x (bytes + {STORED_OVERHEAD}) / 2^30. Bytes are the mean of encoded samples."
    yield ""
    rows = [
        (place(line.table, line.index), line.kind, amount(line.entries), amount(line.size), amount(line.total / GB))
        for line in sorted(estimate.lines, key=lambda line: (line.table, line.index, line.kind))
    ]
    yield from table(("table / index", "kind", "entries", "bytes", "GB"), rows)
    sums: dict[str, float] = defaultdict(float)
    for line in estimate.lines:
        sums[line.table] += line.total / GB
    yield from table(("table with its indexes", "GB"), [(name, amount(size)) for name, size in sorted(sums.items())])


def collections(lines: Iterable[Stored], schemas: Schemas) -> Iterator[tuple[str, str, int, float, bool]]:
    """The fullest partition key of each table and GSI: its place, kind, items, bytes, and whether it has a limit.

    LSIs are part of the item collection of their table's partition key, which then has the limit.
    """
    by_name = {schema.name: schema for schema in schemas.values()}
    sizes: dict[tuple[str, str, str], float] = defaultdict(float)
    most: dict[tuple[str, str, str], int] = {}
    for line in lines:
        local = line.index in {index.name for index in by_name[line.table].local_indexes}
        key = line.table, "" if local else line.index, line.kind
        sizes[key] += line.largest_bytes
        most[key] = max(most.get(key, 0), line.largest)
    for (name, index, kind), size in sizes.items():
        limited = not index and bool(by_name[name].local_indexes)
        yield place(name, index), kind, most[name, index, kind], size, limited


def _collections(estimate: Estimate) -> Iterator[str]:
    yield "## Fullest partition keys"
    yield ""
    yield f"The largest owner of items has {amount(estimate.skew)} times the mean. In a table with LSIs, a partition"
    yield "key is never split, and holds 10 GB with its LSIs. Elsewhere, keys that grow are split between sort keys."
    yield ""
    found = sorted(collections(estimate.lines, estimate.schemas), key=lambda entry: -entry[3])
    rows = [
        (where, kind, amount(items), f"{size / 2**20:,.2f}", f"{size / PARTITION_BYTES:.2%}" if limited else "no limit")
        for where, kind, items, size, limited in found
        if size / PARTITION_BYTES >= LEAST_LISTED
    ]
    yield from table(("table / index", "kind", "items", "MB", "of 10 GB"), rows)


def _pages(estimate: Estimate) -> Iterator[str]:
    yield "## Pages"
    yield ""
    yield "A request costs half a read unit for each 4 KB begun. So does each item of a BatchGetItem. A page costs the"
    yield "sum of its requests."
    yield ""
    times = per_day(estimate.pages, estimate.pages_a_day)
    rows = []
    for page in estimate.pages:
        requests = page_units(page, estimate.lines, estimate.schemas)
        sizes = " + ".join(_repeated(amount(size) for _, size, _ in requests))
        units = sum(units for _, _, units in requests)
        rows.append((page.name, sizes, amount(units), amount(times[page.name]), amount(units * times[page.name])))
    yield from table(("page", "bytes of each request", "read units", "a day", "units a day"), rows)


def _repeated(texts: Iterable[str]) -> Iterator[str]:
    """Each run of equal texts once, with its length: ``8 x 1,225``."""
    for text, run in groupby(texts):
        times = len(list(run))
        yield text if times == 1 else f"{times} x {text}"


def _writes(estimate: Estimate) -> Iterator[str]:
    yield "## Writes"
    yield ""
    yield "In a transaction an item costs two write units for each KB begun, and an entry of an index one. The embedded"
    yield "engine charges that. DynamoDB Local charges two for an entry, too: compare with a bill of AWS first."
    yield ""
    times = per_day(estimate.writes, estimate.writes_a_day)
    rows = []
    for write in estimate.writes:
        units = mean_write_units(write, estimate.schemas)
        parts = " + ".join(f"{amount(number)} {index or name}" for (name, index), number in units.items())
        total = sum(units.values())
        rows.append((write.name, parts, amount(total), amount(times[write.name]), amount(total * times[write.name])))
    yield from table(("write", "write units by table and index", "write units", "a day", "units a day"), rows)


def _hot(estimate: Estimate) -> Iterator[str]:
    yield "## Busiest partition keys"
    yield ""
    yield f"Share of the requests x units x requests a second, at {amount(estimate.peak)} times the mean rate. A"
    yield f"partition takes {PARTITION_WRITES:,} write units and {PARTITION_READS:,} read units a second. A share of"
    yield "100% means that all requests go to the same key. Each line counts only the busiest kind of write or page."
    yield ""
    yield from _hot_table("write", busiest_writes(estimate), PARTITION_WRITES)
    yield from _hot_table("page", busiest_reads(estimate), PARTITION_READS)


def _hot_table(kind: str, keys: Iterable[HotKey], limit: int) -> Iterator[str]:
    rows = [
        (
            place(key.table, key.index),
            key.load,
            f"{key.share:.3%} x {amount(key.units)} x {amount(key.per_second)}",
            amount(key.rate),
            f"{key.rate / limit:.2%}",
        )
        for key in keys
    ]
    yield from table(("table / index", kind, "arithmetic", "units a second", f"of {limit:,}"), rows)


def _partitions(estimate: Estimate, reads: dict[Place, float], writes: dict[Place, float]) -> Iterator[str]:
    yield "## Physical partitions"
    yield ""
    yield "At least the larger of GB / 10 and of read units / 3,000 + write units / 1,000 a second, at the peak."
    yield "Each table has its own partitions, its LSIs included, and so has each GSI."
    yield ""
    stored: dict[Place, float] = defaultdict(float)
    for line in estimate.lines:
        stored[line.table, line.index] += line.total
    sizes, read, written = (by_partitions(values, estimate.schemas) for values in (stored, reads, writes))
    rows = []
    for (name, index), size in sorted(sizes.items()):
        rates = [units.get((name, index), 0) * estimate.peak_rate for units in (read, written)]
        number = physical_partitions(size, *rates)
        rows.append((place(name, index), amount(size / GB), *map(amount, rates), amount(number)))
    yield from table(("table / GSI", "GB", "read units a second", "write units a second", "partitions"), rows)


def _cost(estimate: Estimate, reads: float, writes: float) -> Iterator[str]:
    prices, size = estimate.prices, sum(line.total for line in estimate.lines) / GB
    base = sum(line.total for line in estimate.lines if _is_backed_up(line, estimate.schemas)) / GB
    costs = (
        ("reads", f"{amount(reads)} x {DAYS} / 10^6 x {prices.read_million}", monthly(reads, prices.read_million)),
        ("writes", f"{amount(writes)} x {DAYS} / 10^6 x {prices.write_million}", monthly(writes, prices.write_million)),
        ("storage", f"{amount(size)} GB x {prices.storage_gb}", size * prices.storage_gb),
        ("point-in-time recovery", f"{amount(base)} GB x {prices.backup_gb}", base * prices.backup_gb),
    )
    yield "## Cost a month, US dollars"
    yield ""
    rows = [(name, arithmetic, amount(cost)) for name, arithmetic, cost in costs]
    total = sum(cost for _, _, cost in costs)
    yield from table(("part", "arithmetic", "USD"), [*rows, ("total", "", amount(total))])


def _is_backed_up(line: Stored, schemas: Schemas) -> bool:
    """Backups for recovery hold tables and LSIs."""
    schema = next(schema for schema in schemas.values() if schema.name == line.table)
    return line.index not in {index.name for index in schema.global_indexes}


def _loading(estimate: Estimate) -> Iterator[str]:
    """What it costs to write everything once: in transactions, as the import commands do, without the counts."""
    prices, items = (
        estimate.prices,
        {(line.table, line.kind): line.entries for line in estimate.lines if not line.index},
    )
    rows, total = [], 0.0
    for stock in (stock for stock in estimate.stocks if stock.imported):
        name = estimate.schemas[stock.model.Meta.table_name].name
        units = mean_write_units(creation(stock), estimate.schemas)
        needed = sum(units.values()) * items[name, stock.name]
        total += needed
        rows.append((stock.name, amount(items[name, stock.name]), amount(sum(units.values())), amount(needed)))
    yield "## Write everything once, with the import commands"
    yield ""
    yield from table(("kind", "items", "write units each", "write units"), rows)
    cost = total / MILLION * prices.write_million
    yield f"{amount(total)} / 10^6 x {prices.write_million} = {amount(cost)} US dollars."
