"""Lists of hotels, one after the other, beside plain Python: every row is reached both ways, and pages are bounded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dynamodb_lists import Listing, read_page
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, every_page, rows_of
from hotels import queries
from hotels.queries import HotelByHotel
from portal.people import HotelScope

LOOKED_AT = 7
"""How many hotels a page looks at."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_READ", LOOKED_AT)


def list_of(lengths: Sequence[int], looks: Counter[str], *, descending: bool = False) -> HotelByHotel[str]:
    """Return a list of hotels with so many rows each. The test counts the reads of each hotel's list."""
    numbers = {f"h-{number:03}": length for number, length in enumerate(lengths)}

    def of(hotel_id: str) -> Listing[str]:
        looks[hotel_id] += 1
        rows = [Row(Position(f"{n:03}", (hotel_id,)), f"{hotel_id} {n}") for n in range(numbers[hotel_id])]
        return SortedRows(name="", rows=rows, descending=descending)

    return HotelByHotel(name="hotels", scope=HotelScope(frozenset(numbers)), of=of, descending=descending)


@settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(lengths=[0, 0, 0, 5, 0, 0, 0, 0, 0, 0], size=6, descending=False)
@example(lengths=[0, 0, 0, 0, 0, 0, 5, 0, 0, 0], size=6, descending=True)
@given(
    lengths=st.lists(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 5, 9]), min_size=5, max_size=40),
    size=st.integers(1, 6),
    descending=st.booleans(),
)
def test_every_row_is_on_one_page_both_ways(lengths: list[int], size: int, descending: bool) -> None:
    looks = Counter[str]()
    listing = list_of(lengths, looks, descending=descending)
    wanted = [*listing.stream()]
    assert len(wanted) == sum(lengths)
    read = partial(read_page, listing, size)
    pages = every_page(read, wanted)
    assert rows_of(pages) == wanted
    for page in filter(NEXT, pages):
        looks.clear()
        read(page.next)
        assert looks.total() <= 3 * LOOKED_AT + 1, "beyond the hotel at the cursor, once more, and before it"


def test_one_hotel_is_read_if_it_has_all_rows_of_the_page_and_then_four_at_once() -> None:
    looks = Counter[str]()
    listing = list_of([9, 9, 1, 0, 1, 9, 9], looks)
    first = read_page(listing, 5)
    assert sorted(looks) == ["h-000"]
    second = read_page(listing, 5, first.next or "")
    assert sorted(looks) == [f"h-00{n}" for n in range(5)]
    assert second.rows == ("h-000 5", "h-000 6", "h-000 7", "h-000 8", "h-001 0")


def test_a_page_gives_up_after_some_waves_and_the_next_one_goes_on() -> None:
    assert queries.MOST_WAVES * queries.AT_ONCE >= LOOKED_AT
    listing = list_of([0] * 20 + [1], Counter[str]())
    first = read_page(listing, 5)
    assert (first.rows, first.previous, first.stopped) == ((), None, True)
    last = read_page(listing, 5, first.last or "")
    assert (last.rows, last.next, last.stopped) == (("h-020 0",), None, True)
    following = read_page(listing, 5, first.next or "")
    assert (following.rows, following.next) == (last.rows, None)


@pytest.mark.parametrize("backward", [False, True])
def test_a_page_that_gave_up_leads_on_only_to_rows_that_it_has_seen(backward: bool) -> None:
    """What is beyond the hotels that a page looks at may have rows, or none."""
    for beyond in (0, 1):
        lengths = [2] + [0] * 7 + [beyond]
        listing = list_of(lengths[::-1] if backward else lengths, Counter[str]())
        page = read_page(replace(listing, cursor=Cursor(None, backward=True) if backward else None), 5)
        assert (len(page.rows), page.stopped) == (2, bool(beyond))
        assert bool(page.previous if backward else page.next) == bool(beyond)
