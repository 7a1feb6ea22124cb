"""Actions on all rows that match, in portions: each row is met once, and what was not done is told."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from dynamodb_lists import Conflict, Unavailable
from dynamodb_lists.django.admin import actions
from dynamodb_lists.tests.admin.library.admin import BookAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, Shown

LIST = f"{BOOKS_URL}?genre=Portions&o=4"
ROWS = 8

Action = Callable[[Sequence[Book]], Any]


@pytest.fixture(autouse=True)
def books(migrated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(BookAdmin, "list_per_action", 3)
    BOOKS.save(
        Book(shelf=f"P-{n}", title=f"Title {n}", author="Ann", genre="Portions", year=2000 - n) for n in range(ROWS)
    )
    yield
    for book in BOOKS.query():
        if book.shelf.startswith("P-"):
            BOOKS.delete(book)


@pytest.fixture
def begun(ada: Client, monkeypatch: pytest.MonkeyPatch) -> Callable[[Action], Shown]:
    """The preview of an action on all rows."""

    def begin(function: Action) -> Shown:
        def act(model_admin: Any, request: Any, entities: Sequence[Book]) -> Any:
            return function(entities)

        monkeypatch.setattr(BookAdmin, "actions", [act])
        data = {"action": "act", "index": "0", "select_across": "1", "_selected_action": Shown(ada, LIST).boxes[:1]}
        return Shown(ada, LIST, ada.post(LIST, data))

    return begin


def go_on(page: Shown) -> Shown:
    """The page after the button of an action is pressed, or its script has done so."""
    return Shown(page.client, page.address, page.posted("form:has([name=step])"))


def progress(page: Shown) -> str:
    return str(page.soup.select_one("[data-progress]").get_text(" ", strip=True)).removeprefix("Act.").strip()


def problems(page: Shown) -> list[str]:
    return [each.get_text() for each in page.soup.select("[data-problems] li")]


def raised(books: Sequence[Book]) -> None:
    """Sort each row behind all others, too."""
    for book in books:
        BOOKS.update(book, price=book.price + 1, year=2500)


def prices() -> list[int]:
    return [int(book.price) for book in BOOKS.query() if book.shelf.startswith("P-")]


def test_each_row_is_done_once_whatever_is_sent_again(begun: Callable[[Action], Shown]) -> None:
    page = begun(raised)
    assert "This will be done for all rows that match, 3 at a time: 8. These are the first ones." in page.text
    assert not [box for box in page.boxes if "#" in box]
    assert set(prices()) == {0}
    for done in (3, 6, 8):
        after, reloaded = go_on(page), go_on(page)
        assert progress(after) == progress(reloaded) == f"{done} of 8 done."
        assert sum(prices()) == done
        page = after
    said = [each.get_text() for each in page.soup.select("form a")]
    assert (said, page.soup.select("[type=submit][value='Go on']"), problems(page)) == (["Back to the list"], [], [])
    assert set(prices()) == {1}
    assert progress(go_on(page)) == "8 of 8 done."
    assert set(prices()) == {1}


def test_rows_that_others_change_meanwhile_are_told(begun: Callable[[Action], Shown]) -> None:
    def meets(books: Sequence[Book]) -> None:
        for book in books:
            if book.shelf == "P-4":
                BOOKS.update(book, title="Meanwhile")
            raised([book])

    page = go_on(go_on(go_on(begun(meets))))
    assert progress(page) == "8 of 8 done."
    assert len(problems(page)) == 1
    assert sorted(prices()) == [0, *[1] * 7]

    def refuses(books: Sequence[Book]) -> None:
        raise Conflict("It cannot be.")

    page = go_on(go_on(go_on(begun(refuses))))
    assert len(problems(page)) == 3
    assert problems(page)[0].startswith("It cannot be. The action stopped there.")


def test_a_portion_that_was_interrupted_is_told_and_not_done_again(
    begun: Callable[[Action], Shown], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def fails(books: Sequence[Book]) -> None:
        nonlocal calls
        calls += 1
        raised(books)
        if calls == 2:
            raise Unavailable("It does not answer.")

    page = go_on(begun(fails))
    assert page.posted("form:has([name=step])").status_code == 503
    page = go_on(go_on(page))
    assert progress(page) == "8 of 8 done."
    assert problems(page) == ["P-3 … P-5: nobody knows whether all of these were done."]
    assert set(prices()) == {1}


def test_a_portion_waits_for_the_one_before(begun: Callable[[Action], Shown]) -> None:
    waiting = list[Shown]()

    def slow(books: Sequence[Book]) -> None:
        if not waiting:  # somebody reloads the page, whose script then sends the next step
            waiting.append(go_on(page))
            waiting.append(go_on(waiting[0]))
        raised(books)

    page = begun(slow)
    after = go_on(page)
    assert [each.soup.select_one("form[data-wait]")["data-wait"] for each in (*waiting, after)] == ["5000", "5000", "0"]
    assert sum(prices()) == 3
    assert "P-0 … P-2: nobody knows" in problems(waiting[1])[0]
    assert not problems(go_on(waiting[1]))


def test_an_action_that_answers_with_a_page_and_one_that_is_forgotten_stop(
    begun: Callable[[Action], Shown], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = go_on(begun(lambda books: HttpResponse("A page")))
    assert problems(page) == [actions.ONE_PAGE]
    page = go_on(begun(raised))
    monkeypatch.setattr(actions, "RUNS", "other")
    answer = page.posted("form:has([name=step])")
    assert answer.status_code == 302
    assert page.go(page.address).said == [actions.FORGOTTEN]
    assert sum(prices()) == 3
