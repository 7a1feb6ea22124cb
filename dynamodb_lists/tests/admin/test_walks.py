"""Somebody pages through the admin while others add and delete rows: who stays is shown, on the way on and back."""

from collections.abc import Iterator
from datetime import date
from random import Random

import pytest
from django.test import Client

from dynamodb_lists.tests.admin.library.admin import LoanAdmin
from dynamodb_lists.tests.admin.library.models import LOANS, Loan
from dynamodb_lists.tests.admin.pages import LOANS_URL, Shown
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import follow

LIBRARY, SIZE = "L7", 5
LIST = f"{LOANS_URL}?library={LIBRARY}"


def loan(number: int) -> Loan:
    return Loan(library=LIBRARY, number=f"N-{number:03}", genre="A", member="x", due=date(2026, 1, 1))


@pytest.fixture
def numbers(migrated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers of the loans, on twelve pages. Another one fits between two."""
    monkeypatch.setattr(LoanAdmin, "list_per_page", SIZE)
    monkeypatch.setattr(LoanAdmin, "date_hierarchy", None)
    monkeypatch.setattr(LoanAdmin, "list_display", ["number"])  # cells take most of a page's time
    found = [*range(100, 220, 2)]
    LOANS.save(map(loan, found))
    yield found
    for each in LOANS.query(library=LIBRARY):
        LOANS.delete(each)


def neighbour(page: Shown, step: int) -> str | None:
    """The address of the page after this one, or before it."""
    return page.pages.get(str(page.number + step)) or page.pages.get("Next" if step > 0 else "Previous")


@pytest.mark.parametrize("query", ["", "&due__gte=2026-01-01", "&open=1"], ids=["counted", "uncounted", "sparse"])
@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("seed", range(examples(1)))
def test_every_row_that_stays_is_shown_while_others_come_and_go(
    ada: Client, numbers: list[int], query: str, step: int, seed: int
) -> None:
    """On the way on, pages before become fewer than the rank in a cursor says, and on the way back more."""
    fewer, more = (3, 1) if step > 0 else (1, 4)
    rnd, seen, stays = Random(seed), set[str](), {*numbers}
    page = Shown(ada, LIST + query)
    if step < 0:
        page = page.go([*page.pages.values()][-1])
    for shown in follow(page, lambda shown: neighbour(shown, step), page.go):
        seen |= {*shown.ids}
        gone = {*rnd.sample(numbers, min(fewer, len(numbers)))}
        for number in gone:
            LOANS.delete(LOANS.get(library=LIBRARY, id=f"N-{number:03}"))
        free = sorted({*range(101, 219, 2)} - {*numbers})
        added = rnd.sample(free, min(more, len(free)))
        LOANS.save(map(loan, added))
        stays, numbers[:] = stays - gone, sorted({*numbers, *added} - gone)
    assert {f"N-{number:03}" for number in stays} <= seen
