"""``python -m benchmarks.clairvoyant``: what pages cost, beside a reader that knows all items.

Each page is read as people read it, and then in each way alone that the planner knows. The cheapest of these is what a
clairvoyant would have chosen. What it would have to spend to keep the promise of the planner is told beside. Units are
those after the read of the counts, and no speed of a machine changes them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, inf
from random import Random
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks import common
from benchmarks.asked import SUBJECTS, Stock, Subject
from benchmarks.in_memory import from_memory
from dynamodb_lists import GivenUp, Page, Query, ledger, read_page
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.counts import CountedItems
from dynamodb_lists.lists.planned import PlannedList
from dynamodb_lists.planning.sources import FoundWay
from dynamodb_lists.reading import fetching
from dynamodb_lists.reading.sources import SourceListing, whole_rows
from tests.helpers.contents import forget_counts

PAGE = 25
SECOND_PAGES = 0.3
"""How many of the questions go on to a second page."""
STATES = {
    "fresh": "The sample is of the items as they are.",
    "taps": "The sample was taken before 500 changes.",
    "dirty": "All rooms have become dirty since the sample.",
    "other": "The sample is that of another owner, with three times the prices and no dirty room.",
    "none": "There is no sample.",
}
SHOWN, SHOWN_UNITS, MOST_WAVES = 1.3, 0.5, 3
HEADER = (
    "pages",
    "n",
    "units",
    "of best",
    "owed",
    "above 2.5 m + 4",
    "above 2 plain",
    "waves",
    "most",
    f"above {MOST_WAVES}",
)
OWN, OTHER = "abc", "other"


class Read(NamedTuple):
    """A page as it was read: its units and waves; the units of the best way; those with what others must have spent
    before it, so that the promise is kept; and those of a plain Query with a filter.
    """

    units: float
    waves: int
    best: float
    owed: float
    plain: float


def main() -> None:
    """Print for each kind of question how many times the best way's units its pages take."""
    choices = {"state": [*STATES], "of": [*SUBJECTS]}
    options = common.options(
        "Compare pages with the best way.", choices, rooms=(2_000, 120), pages=(40, 2), seed=(1, 1), show=(0, 0)
    )
    common.say(f"{options.rooms:,} {options.of}, seed {options.seed}. {STATES[options.state]}")
    subject = SUBJECTS[options.of]
    with common.fresh_tables():
        sample, rows = stored(subject, options.rooms, options.seed, options.state), list[Sequence[str]]()
        everything = Everything(of_owner(subject))
        with from_memory():
            for kind in subject.questions:
                every = tqdm(questions(subject, kind, options), kind, options.pages, disable=None)
                found = [read for query in every for read in pages(query, sample, everything, show=options.show)]
                rows.append(row(kind, found))
    common.print_table(HEADER, rows)
    common.finish(options)


def row(kind: str, reads: Sequence[Read]) -> Sequence[str]:
    units, waves = sum(read.units for read in reads), [read.waves for read in reads]
    over = sum(read.units > 2.5 * read.best + 4 for read in reads), sum(read.units > 2 * read.plain for read in reads)
    long = sum(each > MOST_WAVES for each in waves)
    best, mean = sum(read.best for read in reads), sum(waves) / len(waves)
    ratios = units / best, sum(read.owed for read in reads) / best
    found = (
        len(reads),
        f"{units / len(reads):.2f}",
        *(f"{ratio:.2f}" for ratio in ratios),
        *over,
        f"{mean:.2f}",
        max(waves),
        long,
    )
    return [kind, *map(str, found)]


def stored(subject: Subject, count: int, seed: int, state: str) -> bytes:
    """Fill in the items of an owner, and return the sample with which its pages are planned."""
    usual = Stock(seed)
    others = {"dirty": usual, "other": Stock(seed + 77, (0.0, 0.0, 0.9), 3)}
    if state in others:
        subject.fill(OTHER, count, others[state])
    subject.fill(OWN, count, usual._replace(statuses=(1.0, 0.0, 0.0)) if state == "dirty" else usual)
    forget_counts()
    counts: Any = of_owner(subject, OTHER if state in others else OWN).counts()
    if state == "taps":
        subject.tap(OWN, count, Random(seed))
        forget_counts()
    return b"" if state == "none" else counts.sample


def of_owner(subject: Subject, owner: str = OWN) -> Query[Any]:
    return subject.listed.query(**{subject.owner: owner})


def questions(subject: Subject, kind: str, options: Any) -> Iterator[Query[Any]]:
    random = Random(f"{options.seed} {kind}")
    for _ in range(options.pages):
        yield subject.questions[kind](random, of_owner(subject))


def pages(query: Query[Any], sample: bytes, everything: "Everything", *, show: bool) -> Iterator[Read]:
    """Read the first page of a query, and perhaps the second one, with counts that nothing was planned with."""
    stored: Any = query._of_page(PAGE, "").counts()
    counts = CountedItems(dict(stored), {"items": stored.items_stored, "moves": stored.moves}, sample)
    counts.of_rules, cursor = stored.of_rules, ""
    for number in range(1 + (Random(query.asked.selected).random() < SECOND_PAGES)):
        page, planned, calls = read_with(query, cursor, counts)
        units = float(calls.read_units)
        best, owed = best_of(planned, units)
        read = Read(units, calls.waves, best, owed, everything.plain(planned.query, number * PAGE))
        yield read
        if show and (units > SHOWN * best + SHOWN_UNITS or calls.waves > MOST_WAVES or units > 2 * read.plain):
            explain(read, planned, calls.calls)
        if not page.next:
            return
        cursor = page.next


def read_with(query: Query[Any], cursor: str, counts: CountedItems) -> tuple[Page[Any], PlannedList[Any], Any]:
    """Read a page. Return it with the ways to read it, and what it took."""
    with ledger.recording() as calls:
        page = read_page(query.listing(PAGE, cursor, counts=counts), PAGE, cursor)
    asked = query._of_page(PAGE, cursor).asked
    return page, query.reader.filled(asked)._planned(asked, counts), calls


def best_of(planned: PlannedList[Any], units: float) -> tuple[float, float]:
    """Return the units of the cheapest way, and those with what the promise makes necessary. What the requests of the
    ways tell of the size of items is forgotten.
    """
    sizes, costs = dict(fetching.sizes), list[tuple[float, bool]]()
    for way in planned.served:
        costs.append((alone(planned, way, 1.01 * units), way.known or way not in planned._raced))
        units = min(units, costs[-1][0])
    fetching.sizes.clear()
    fetching.sizes.update(sizes)
    first = planned.served[:1]
    if first and first[0].ordered and not first[0].dropped:
        return units, units
    unknown = sum(not known for _, known in sorted(costs)[1:])
    hedge = {0: 0.0, 1: (units - 4) / 1.5, 2: units - 8}[unknown]  # the README has the reasons
    return units, units + max(hedge, 0)


def alone(planned: PlannedList[Any], way: FoundWay, most: float) -> float:
    """Return the units of a page that one way reads; infinite if they are more than ``most``."""
    cursor, listing = planned.cursor, replace(planned.by(way), uncounted=None)
    with ledger.recording() as calls, ledger.purpose("list"):
        try:
            if way.ordered:
                replace(listing, most=most).take(planned.query.rows, cursor, bool(cursor and cursor.backward))
            elif whole_rows(_only_read(listing), most) is None:
                return inf
        except GivenUp:
            return inf
    return float(calls.read_units)


def _only_read(listing: SourceListing[Any]) -> SourceListing[Any]:
    """Return a list that takes the same units, but stops at the limit, and makes no rows of items."""
    way = replace(listing.way, told=False)
    return replace(listing, way=way, build=listing.build if way.by_keys else lambda _: None)


class Everything:
    """All items of the owner, as a reader that knows them all has them."""

    def __init__(self, query: Query[Any]) -> None:
        self.reader, self.declaration = query.reader.now, query.reader.declaration
        self.items = [*query.listing(whole=True).stream()]
        self.orders: dict[str, list[Any]] = {}

    def plain(self, asked: ListQuery, passed: int) -> float:
        """Return what one Query with a filter takes, if its limit is just right: in an order that has the sort, from
        the row before the page to its last one; without such an order, all items.
        """
        orders = self.declaration.whole_orders.items()
        by = {index: (*order.fields, self.declaration.id_field) for index, order in orders}
        found = [index for index, names in by.items() if names[: len(asked.sort)] == asked.sort]
        reads = [(index, self._walked(index, asked, passed)) for index in found]
        reads = reads or [(index, len(self.items)) for index in by]
        sizes = ((index, number * self.declaration.item_bytes(asked.owner, index)) for index, number in reads)
        return min(max(ceil(size / 4096), 1) / 2 for _, size in sizes)

    def _walked(self, index: str, asked: ListQuery, passed: int) -> int:
        """Return how many items are read behind so many rows, until a page is full."""
        rows = read = 0
        for item in reversed(self._in_order(index)) if asked.descending else self._in_order(index):
            read += rows >= passed
            rows += self.declaration.agrees(asked, item)
            if rows == passed + PAGE + 1:
                break
        return read

    def _in_order(self, index: str) -> list[Any]:
        if index not in self.orders:
            source = next(each for each in self.declaration.sources if each.name == index)
            self.orders[index] = sorted(self.items, key=lambda item: self.reader.place(item, source).sort_key)
        return self.orders[index]


def explain(read: Read, planned: PlannedList[Any], calls: Sequence[ledger.Call]) -> None:
    """Print why a page takes so much."""
    asked = planned.query
    by_wave = [f"{call.wave}: {call.index or 'table'} {call.items_read} items {call.units}" for call in calls]
    rules = [rule.name for rule in asked.rules]
    tqdm.write(f"\n{read}\n  {asked.in_words} {rules} by {asked.sort} {'downwards' * asked.descending}")
    tqdm.write(f"  {planned.total} rows; {'; '.join(by_wave)}")
    for way in planned.served[:4]:
        told = f"{way.units:.2f} units, {way.items:.0f} items, keeps {way.kept:.3f}"
        tqdm.write(f"    {way.words} {told}{', known' * way.known}{', in turn' * (way in planned._raced)}")


if __name__ == "__main__":
    main()
