"""A walk with a filter, which changes over to a list that is sorted in memory: beside plain lists."""

from collections.abc import Sequence
from random import Random

import pytest

from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.planning.request_cost import OVERRUN
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import Ranges
from dynamodb_lists.reading.listing import Batch, Listing, Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import HIGHEST, KeyRange


class Shelf:
    """A partition in memory. ``kept`` are the rows that a filter keeps."""

    def __init__(self, chosen: Sequence[int], kept: Sequence[int]) -> None:
        self.rows = [Row(Position(f"{number:04d}", (f"item-{number}",)), number) for number in sorted(chosen)]
        self.kept = frozenset(kept)
        self.read = self.changed_over = 0
        self.limits = list[int]()

    def fetch(self, span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[int]:
        found = [row for row in self.rows if row.position.sort_key in span]
        found = found if ascending else found[::-1]
        if after:
            found = [row for row in found if (row.position > after if ascending else row.position < after)]
        self.read += len(found[:limit])
        self.limits.append(limit)
        return Batch(found[:limit], found[limit - 1].position if len(found) >= limit else None, len(found[:limit]))

    def in_memory(self, descending: bool) -> SortedRows[int]:
        self.changed_over += 1
        kept = [row for row in self.rows if row.value in self.kept]
        return SortedRows(name="q", index="i", descending=descending, rows=kept, total=len(kept))

    def walk(self, *, descending: bool, share: float, budget: int) -> Listing[int]:
        return Ranges(
            name="q",
            index="i",
            descending=descending,
            ranges=[PlannedRange(KeyRange("0000", "0030")), PlannedRange(KeyRange("0031", HIGHEST))],
            fetch=self.fetch,
            keep=lambda value: value in self.kept,
            density=share,
            budget=lambda: budget,
            otherwise=lambda: self.in_memory(descending),
        )


@pytest.mark.parametrize("descending", [False, True])
def test_a_walk_without_luck_spends_its_budget_and_then_sorts_in_memory(descending: bool) -> None:
    """All rows that match are at the far end, as when the rate and a facet go together."""
    far_end = range(10) if descending else range(990, 1000)
    shelf = Shelf(range(1000), far_end)
    listing = shelf.walk(descending=descending, share=0.5, budget=100)
    assert [row.value for row in listing.take(5, None, backward=False)] == sorted(far_end, reverse=descending)[:5]
    assert (shelf.changed_over, shelf.read <= 2 * 100) == (1, True)


def test_a_walk_with_luck_never_changes_over() -> None:
    kept = Random(1).sample(range(1000), 300)
    shelf = Shelf(range(1000), kept)
    listing = shelf.walk(descending=False, share=0.3, budget=OVERRUN * 87)
    assert [row.value for row in listing.take(26, None, backward=False)] == sorted(kept)[:26]
    assert shelf.changed_over == 0
    assert shelf.read <= OVERRUN * 87, "26 of 30 in a hundred"
    assert [*listing.stream()] == sorted(kept), "in several requests"


def test_a_walk_does_not_bet_on_a_low_estimate() -> None:
    """Every row matches, where one of a hundred was expected: the first request is for eight times the page."""
    shelf = Shelf(range(1000, 3000), range(1000, 3000))
    shelf.walk(descending=False, share=0.01, budget=5000).take(26, None, backward=False)
    assert {*shelf.limits} == {8 * 26}
