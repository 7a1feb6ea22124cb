"""Lists in several partitions: the merge returns one sorted list, and reads only a few more items than it returns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, inf, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, OVERRUN, query_cost
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.listing import CHUNK, Batch, Grounds, Row
from dynamodb_lists.reading.merging import Merged
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.keys import HIGHEST, KeyRange
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, every_page, follow, rows_of

SIZES = (10, 25, 50, 100)
MINIMUM = 13
ITEM_BYTES = MINIMUM_BYTES / MINIMUM


@dataclass
class Asked:
    """One request: the part, the limit, and the number of items that it read."""

    part: int
    limit: int
    read: int


class Parts:
    """Partitions in memory that answer as DynamoDB does: at the limit, it does not check whether more items follow.

    An answer has no more than ``at_most`` items, whatever the limit; every ``blank`` th answer is empty. ``dropped``
    are the items that a filter drops.
    """

    def __init__(
        self, parts: Sequence[Sequence[str]], at_most: int = 10**6, blank: int = 0, dropped: Iterable[str] = ()
    ) -> None:
        self.rows = [set(part) for part in parts]
        self.asked: list[Asked] = []
        self.at_most, self.blank, self.dropped = at_most, blank, frozenset(dropped)

    def listing(
        self,
        *,
        descending: bool = False,
        counts: Sequence[int | None] | None = None,
        density: float = 1.0,
        exact: Callable[[], Merged[str]] | None = None,
        budget: int = 0,
    ) -> Merged[str]:
        """The merged list. ``counts`` and ``density`` describe the parts, rightly or wrongly."""
        said = counts or [1] * len(self.rows)
        return Merged(
            name="q",
            descending=descending,
            parts=[(self._fetch(place), (rows or 0) / density) for place, rows in enumerate(said)],
            span=KeyRange("0", HIGHEST),
            density=density,
            counted=counts is not None,
            keep=lambda row: row not in self.dropped,
            grounds=Grounds(item_bytes=ITEM_BYTES),
            exact=exact,
            most=query_cost([budget], ITEM_BYTES).units if exact else inf,
        )

    def remove(self, row: str) -> None:
        for part in self.rows:
            part.discard(row)

    @property
    def read(self) -> int:
        return sum(asked.read for asked in self.asked)

    def _fetch(self, number: int) -> "Answers":
        return Answers(self, number)


@dataclass
class Answers:
    """The fetch function of one part."""

    parts: Parts
    part: int

    def __call__(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[str]:
        assert after is None or after.sort_key in span, "DynamoDB refuses a range that ends before it begins"
        rows = sorted((row for row in self.parts.rows[self.part] if row in span), reverse=not ascending)
        if after:
            rows = [row for row in rows if (row > after.sort_key if ascending else row < after.sort_key)]
        taken = rows[: min(limit, self.parts.at_most)]
        self.parts.asked.append(Asked(self.part, limit, len(taken)))
        stopped = Position(taken[-1], ("o",)) if taken and (len(taken) == limit or len(taken) < len(rows)) else None
        if stopped and self.parts.blank and len(self.parts.asked) % self.parts.blank == 0:
            before = after or Position(span.low if ascending else span.high, ("o",))
            return Batch([], before, len(taken))
        return Batch([Row(Position(row, ("o",)), row) for row in taken], stopped, len(taken))


@st.composite
def spread(draw: st.DrawFn, max_rows: int = 240) -> list[list[str]]:
    """Rows in one to eight parts: evenly, at random, nearly all in one part, or one part after the other."""
    count = draw(st.integers(0, max_rows) | st.sampled_from([n for size in SIZES for n in (size, size + 1)]))
    wide = draw(st.integers(1, 8))
    parts: list[list[str]] = [[] for _ in range(wide)]
    shape = draw(st.sampled_from(["evenly", "by chance", "in one", "one by one"]))
    chance = draw(st.randoms(use_true_random=False))
    for n in range(count):
        part = {
            "evenly": n % wide,
            "by chance": chance.randrange(wide),
            "in one": 0 if chance.random() < 0.97 else chance.randrange(wide),
            "one by one": n * wide // count,
        }[shape]
        parts[part].append(f"{n:03d}")
    chance.shuffle(parts)
    return parts


def pages_on(
    parts: Parts, size: int, descending: bool, counts: Sequence[int] | None = None
) -> Iterator[tuple[Page[str], list[Asked]]]:
    """Every page from the first to the last, with its requests."""

    def read(cursor: str = "") -> tuple[Page[str], list[Asked]]:
        parts.asked.clear()
        page = read_page(parts.listing(descending=descending, counts=counts), size, cursor)
        return page, list(parts.asked)

    return follow(read(), lambda shown: shown[0].next, read)


def most(parts: int, size: int) -> int:
    """The requests that a page may take: one for each part, and one more for every thirteen rows."""
    return parts + (size + 1) // MINIMUM


def in_order(parts: Sequence[Sequence[str]], descending: bool) -> list[str]:
    return sorted((row for part in parts for row in part), reverse=descending)


def assert_pages(listing: Merged[str], model: Sequence[str], size: int) -> None:
    """Check the list against the model: forward, backward, and streamed."""
    assert rows_of(every_page(partial(read_page, listing, size), model)) == list(model)
    assert list(listing.stream()) == list(model)


@settings(max_examples=examples(60))
@given(
    rows=spread(),
    size=st.sampled_from([3, *SIZES]),
    descending=st.booleans(),
    budget=st.integers(1, 120),
    kept=st.floats(0, 1),
    wrong=st.none() | st.sampled_from([0, 1, 30]),
)
def test_each_link_leads_to_other_rows_whatever_a_filter_drops_and_wherever_the_budget_is_spent(
    *, rows: list[list[str]], size: int, descending: bool, budget: int, kept: float, wrong: int | None
) -> None:
    """No page stops, because the rest is read exactly. The counts may be right, or ``wrong`` by so many rows."""
    model = in_order(rows, descending)
    wanted = Random(budget).sample(model, int(kept * len(model)))
    left = Parts([[row for row in part if row in wanted] for part in rows]).listing(descending=descending)
    parts = Parts(rows, dropped={*model} - {*wanted})
    counts = None if wrong is None else [max(len(part) + wrong * (-1) ** place, 0) for place, part in enumerate(rows)]
    listing = parts.listing(descending=descending, budget=budget, exact=lambda: left, counts=counts)
    pages = every_page(partial(read_page, listing, size), wanted)
    assert rows_of(pages) == in_order([wanted], descending)
    assert not any(page.stopped for page in pages)


@settings(max_examples=examples(40))
@given(spread(), st.sampled_from(SIZES), st.booleans(), st.booleans())
def test_a_page_takes_few_requests_wherever_its_rows_are(
    rows: list[list[str]], size: int, descending: bool, counted: bool
) -> None:
    parts = Parts(rows)
    counts = [*map(len, rows)] if counted else None
    pages = list(pages_on(parts, size, descending, counts))
    assert max(len(asked) for _, asked in pages) <= most(len(rows), size)
    parts.asked.clear()
    listing = parts.listing(descending=descending, counts=counts)
    for _ in follow(pages[-1][0], PREVIOUS, partial(read_page, listing, size)):
        assert len(parts.asked) <= most(len(rows), size)
        parts.asked.clear()


def test_a_counted_part_that_has_all_rows_of_a_page_is_asked_three_times() -> None:
    """Such as the shop that opened last, in a list by day: not for its average share of what is left each time."""
    rows = [[f"{n:04d}" for n in range(200 * part, 200 * part + 200)] for part in range(8)]
    _, asked = next(pages_on(Parts(rows), 100, descending=False, counts=[200] * 8))
    assert [request.limit for request in asked if request.part == 0] == [15, 30, 60]
    assert len(asked) == 8 + 2


@pytest.mark.parametrize("wide", [1, 8])
def test_a_long_stream_is_read_in_large_chunks(wide: int) -> None:
    rows = [[f"{n:05d}" for n in range(part, 3000, wide)] for part in range(wide)]
    parts = Parts(rows)
    assert list(parts.listing().stream()) == in_order(rows, False)
    assert len(parts.asked) <= 8 * wide + 3000 * wide // CHUNK
    assert max(request.limit for request in parts.asked) < CHUNK + sqrt(CHUNK) + 1


@pytest.mark.parametrize("blank", [2, 3, 5])
def test_an_answer_without_rows_is_not_the_end_of_its_part(blank: int) -> None:
    """DynamoDB may stop before it finds a row, after 1 MB of items that a filter drops."""
    rows = [[f"{n:03d}" for n in range(part, 100, 4)] for part in range(4)]
    for descending in (False, True):
        pages = [page for page, _ in pages_on(Parts(rows, blank=blank), 10, descending)]
        assert [row for page in pages for row in page.rows] == in_order(rows, descending)
        assert list(Parts(rows, blank=blank).listing(descending=descending).stream()) == in_order(rows, descending)


# --- Parts with counts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wide", [1, 2, 5, 20])
def test_counted_parts_are_asked_for_their_share(wide: int) -> None:
    """A part with nine tenths of the rows is asked for nine tenths of the page."""
    rows = [[f"{n:04d}" for n in range(1000) if (n % 10 == 0 and n // 10 % wide == part)] for part in range(wide)]
    rows.append([f"{n:04d}" for n in range(1000) if n % 10])
    parts = Parts(rows)
    for _, asked in pages_on(parts, 50, False, counts=[len(part) for part in rows]):
        first = {request.part: request.limit for request in asked[: wide + 1]}
        assert 46 <= first.get(wide, 46) <= 51
        assert sum(request.read for request in asked) <= 1.5 * 51 + wide * MINIMUM


@settings(max_examples=examples(25))
@given(spread(), st.sampled_from(SIZES), st.booleans(), st.floats(0, 1), st.sampled_from([0.1, 0.5, 0.9]))
def test_a_filter_that_throws_too_much_away_gives_up(
    rows: list[list[str]], size: int, descending: bool, newest: float, density: float
) -> None:
    """All rows are in one part. Between them are many items that a filter drops."""
    wanted = in_order(rows, False)
    heap = [f"{int(newest * 240):03d}.{n:04d}" for n in range(round(len(wanted) / density) - len(wanted))]
    filtered, exact = Parts([[*wanted, *heap]], dropped=heap), Parts(rows)
    listing = filtered.listing(
        descending=descending,
        counts=[len(wanted)],
        density=density,
        budget=ceil(OVERRUN * (size + 1) / density),
        exact=lambda: exact.listing(descending=descending, counts=[len(part) for part in rows]),
    )
    assert_pages(listing, in_order(rows, descending), size)
    for parts in (filtered, exact):
        parts.asked.clear()
    for _ in follow(read_page(listing, size), NEXT, partial(read_page, listing, size)):
        assert filtered.read <= (OVERRUN + 1) * ((size + 1) / density + 1)
        assert exact.read <= 2 * (size + 1) * len(rows), "a part's rows of the page, and its last request"
        filtered.asked.clear()
        exact.asked.clear()
