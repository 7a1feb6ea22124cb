"""Lists of planned ranges, against a partition in memory: one wave has every row, and wrong counts lose none."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning.range_planner import PlannedRange, Segment, plan_wave
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import Ranges
from dynamodb_lists.reading.listing import Batch, Row
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.tests.helpers.examples import examples

Sizes = Sequence[Sequence[int]]
"""For each range, the number of items in its segments: wanted, to drop, wanted, ..."""

sizes = st.lists(
    st.sampled_from([1, 3, 5]).flatmap(lambda n: st.lists(st.integers(0, 4), min_size=n, max_size=n)),
    min_size=1,
    max_size=5,
)


@dataclass
class Partition:
    """A partition in memory that has these items, and the requests that it got."""

    sizes: Sizes
    asked: list[KeyRange] = field(default_factory=list)
    limits: list[int] = field(default_factory=list)

    def rows(self, *, wanted: bool) -> list[Row[str]]:
        """The rows in the order of their keys: those that the selection wants, or all."""
        keys = [
            f"{number}-{place}-{item}"
            for number, segments in enumerate(self.sizes)
            for place, size in enumerate(segments)
            for item in range(size)
            if not (wanted and place % 2)
        ]
        return [Row(Position(key), key) for key in keys]

    def fetch(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[str]:
        """The answer to a Query."""
        self.asked.append(span)
        self.limits.append(limit)
        rows = self.rows(wanted=False)[:: 1 if ascending else -1]
        found = [row for row in rows if row.position.sort_key in span and beyond(row, after, ascending)]
        return Batch(found[:limit], found[limit - 1].position if len(found) >= limit else None, len(found[:limit]))

    def listing(self, counted: Sizes, *, descending: bool) -> Ranges[str]:
        """The list, if the counts say that the segments have these sizes."""
        planned = [
            PlannedRange(
                KeyRange(f"{number}-", f"{number}~"),
                tuple(
                    Segment(KeyRange(f"{number}-{place}-", f"{number}-{place}~"), size, place % 2 == 0)
                    for place, size in enumerate(segments)
                ),
            )
            for number, segments in enumerate(counted)
        ]
        return Ranges(
            name="q",
            descending=descending,
            total=sum(segment.items for part in planned for segment in part.segments if segment.wanted),
            ranges=planned,
            fetch=self.fetch,
            keep=lambda value: value[2] in "024",
        )


def beyond(row: Row[str], after: Position | None, ascending: bool) -> bool:
    return after is None or (row.position > after if ascending else row.position < after)


def draw_cursor(data: st.DataObject, rows: list[Row[str]]) -> Cursor | None:
    """A cursor at one of the rows, which are in the list's order, in one direction; or none."""
    rank = data.draw(st.integers(-1, len(rows) - 1))
    return None if rank < 0 else Cursor(rows[rank].position, data.draw(st.booleans()), rank)


def naive(rows: list[Row[str]], count: int, cursor: Cursor | None) -> list[Row[str]]:
    """The rows that ``take`` must give, in the order in which they are read."""
    if cursor is None or cursor.rank is None:
        return rows[:count]
    return rows[: cursor.rank][::-1][:count] if cursor.backward else rows[cursor.rank + 1 :][:count]


@settings(max_examples=examples(200))
@given(sizes, st.booleans(), st.integers(1, 12), st.data())
def test_with_right_counts_one_wave_has_all_rows(
    sizes: Sizes, descending: bool, count: int, data: st.DataObject
) -> None:
    partition = Partition(sizes)
    listing = partition.listing(sizes, descending=descending)
    rows = partition.rows(wanted=True)[:: -1 if descending else 1]
    cursor = draw_cursor(data, rows)
    backward = bool(cursor and cursor.backward)
    wave = plan_wave(listing.stretches(cursor, descending == backward), count)
    assert listing.take(count, cursor, backward) == naive(rows, count, cursor)
    assert sorted(partition.asked, key=repr) == sorted((stretch.keys for stretch, _ in wave), key=repr)


def test_requests_of_a_page_are_sized_to_what_it_needs() -> None:
    """Of five ranges of ten items, a page of 25 rows and one more asks the first three."""
    partition = Partition([[10]] * 5)
    assert len(partition.listing(partition.sizes, descending=False).take(26, None, backward=False)) == 26
    assert sorted(partition.limits) == [6, 16, 26]
