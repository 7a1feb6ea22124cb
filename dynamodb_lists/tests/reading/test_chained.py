"""Lists of owners, one after the other, beside plain Python: every row is reached both ways, and pages are bounded."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dynamodb_lists.reading import chained
from dynamodb_lists.reading.chained import Chained, Owners
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Listing, Row
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow

LOOKED_AT = 7
"""How many owners a page looks at."""


def chain_of(lengths: Sequence[int], looks: Counter[str], *, descending: bool = False) -> Chained[str]:
    """A list of owners with so many rows. It counts the reads of each owner's list."""
    ids = [f"owner-{number:03}" for number in range(len(lengths))]
    numbers = dict(zip(ids, lengths, strict=True))

    def owners(beyond: str, backward: bool) -> Owners:
        left = [each for each in ids if not beyond or (each < beyond if backward else each > beyond)]
        found = (left[::-1] if backward else left)[:LOOKED_AT]
        return Owners(found, found[-1] if len(left) > len(found) else None)

    def of(owner: str) -> Listing[str]:
        looks[owner] += 1
        rows = [Row(Position(f"{n:03}", (owner,)), f"{owner} {n}") for n in range(numbers[owner])]
        return SortedRows(name="", rows=rows, descending=descending)

    return Chained(name="chain", owners=owners, of=of, descending=descending)


def texts(pages: Sequence[Page[str]]) -> list[str]:
    return [*chain.from_iterable(page.rows for page in pages)]


@settings(max_examples=300)
@example(lengths=[0, 0, 0, 5, 0, 0, 0, 0, 0, 0], size=6, descending=False)
@example(lengths=[0, 0, 0, 0, 0, 0, 5, 0, 0, 0], size=6, descending=True)
@given(
    lengths=st.lists(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 5, 9]), min_size=5, max_size=40),
    size=st.integers(1, 6),
    descending=st.booleans(),
)
def test_every_row_is_on_one_page_both_ways(lengths: list[int], size: int, descending: bool) -> None:
    looks = Counter[str]()
    listing = chain_of(lengths, looks, descending=descending)
    wanted = [*listing.stream()]
    assert len(wanted) == sum(lengths)
    read = partial(read_page, listing, size)
    pages = [*follow(read(), NEXT, read)]
    assert texts(pages) == wanted
    assert pages[-1].next is None
    for start in (pages[-1], read(pages[0].last) if pages[0].last else pages[0]):
        back = [*follow(start, PREVIOUS, read)][::-1]
        assert texts(back) == wanted
        assert back[0].previous is None
    looks.clear()
    for page in pages:
        if page.next:
            read(page.next)
            assert looks.total() <= LOOKED_AT + 1, "and the owner at the cursor"
        looks.clear()


def test_one_owner_is_read_if_it_has_all_rows_of_the_page_and_then_four_at_once() -> None:
    looks = Counter[str]()
    listing = chain_of([9, 9, 1, 0, 1, 9, 9], looks)
    first = read_page(listing, 5)
    assert sorted(looks) == ["owner-000"]
    second = read_page(listing, 5, first.next or "")
    assert sorted(looks) == [f"owner-00{n}" for n in range(5)]
    assert second.rows == ("owner-000 5", "owner-000 6", "owner-000 7", "owner-000 8", "owner-001 0")


def test_a_page_gives_up_after_some_waves_and_the_next_one_goes_on() -> None:
    looks = Counter[str]()
    empty = chain_of([0] * 6 + [1], looks)
    assert read_page(empty, 5).rows == ("owner-006 0",)
    assert chained.MOST_WAVES * chained.AT_ONCE >= LOOKED_AT
    longer = chain_of([0] * 20 + [1], looks)
    first = read_page(longer, 5)
    assert (first.rows, first.previous) == ((), None)
    assert first.next
    last = read_page(longer, 5, first.last or "")
    assert last.rows == ("owner-020 0",)
    assert last.previous
    assert last.next is None
