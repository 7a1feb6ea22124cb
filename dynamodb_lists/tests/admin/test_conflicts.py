"""Two people edit or delete one row: each sees what the other has done, and nothing that was typed is lost."""

from typing import Any

import pytest
from django.test import Client

from dynamodb_lists import NotFound
from dynamodb_lists.tests.admin.library.models import BOOKS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, CHANGE, Shown, log
from dynamodb_lists.tests.helpers.soup import parsed

pytestmark = pytest.mark.usefixtures("nothing_stored")


def test_of_two_editors_the_second_sees_both_versions(ada: Client, book: Book) -> None:
    first, second = Shown(ada, CHANGE), Shown(ada, CHANGE)
    first.posted("#book_form", title="The Hobbit", year="1938")
    answer = second.posted("#book_form", title="There and back again", author="J. R. R. Tolkien")
    conflict = Shown(ada, CHANGE, answer)
    rows = [
        [cell.get_text() for cell in row.select("th, td")] for row in conflict.soup.select("[data-conflict] tbody tr")
    ]
    assert rows == [
        ["Title", "Hobbit", "The Hobbit", "There and back again"],
        ["Author", "Tolkien", "Tolkien", "J. R. R. Tolkien"],
        ["Year", "1937", "1938", "not changed by you"],
    ]
    assert BOOKS.get(shelf="H-1").title == "The Hobbit"
    assert len(log()) == 1
    third = Shown(ada, CHANGE)
    third.posted("#book_form", language="Dutch")
    again = Shown(ada, CHANGE, conflict.posted("#book_form"))  # a third editor came between
    rows = [[cell.get_text() for cell in row.select("th, td")] for row in again.soup.select("[data-conflict] tbody tr")]
    assert ["Language", "-", "Dutch", "not changed by you"] in rows
    assert ["Title", "The Hobbit", "The Hobbit", "There and back again"] in rows
    assert again.posted("#book_form").status_code == 302
    stored = BOOKS.get(shelf="H-1")
    assert (stored.title, stored.author, stored.year, stored.language) == (
        "There and back again",
        "J. R. R. Tolkien",
        1938,
        "Dutch",
    )
    assert log()[-1] == (2, "H-1", "Changed Title and Author.")


def test_a_write_between_the_read_and_the_write_is_a_conflict(
    ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Shown(ada, CHANGE)
    update = BOOKS.update

    def slow(seen: Book, changes: Any) -> Book:
        monkeypatch.undo()
        update(seen, title="Meanwhile")
        return update(seen, changes)

    monkeypatch.setattr(BOOKS, "update", slow)
    conflict = Shown(ada, CHANGE, page.posted("#book_form", author="X"))
    assert "Meanwhile" in conflict.soup.select_one("[data-conflict]").get_text()
    assert not log()


def test_what_was_typed_for_a_row_that_is_deleted_meanwhile_is_shown(
    ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Shown(ada, CHANGE)
    update = BOOKS.update

    def slow(seen: Book, changes: Any) -> Book:
        BOOKS.delete(seen)
        return update(seen, changes)

    monkeypatch.setattr(BOOKS, "update", slow)
    for _ in range(2):  # the row goes before the write, and before the read
        answer: Any = page.posted("#book_form", summary="Much\r\n<text>", bought_0="2024-07-01", bought_1="12:00:00")
        assert answer.status_code == 404
        soup = parsed(answer.content)
        assert "Perhaps it was deleted?" in soup.get_text()
        entered = [each.get_text().strip() for each in soup.select("textarea")]
        assert "Hobbit" in entered
        assert entered[-2:] == ["2024-07-01 12:00:00", "Much\n<text>"]


def test_an_error_of_a_form_keeps_what_was_seen(ada: Client, book: Book) -> None:
    page = Shown(ada, CHANGE)
    wrong = Shown(ada, CHANGE, page.posted("#book_form", year="x"))
    BOOKS.update(book, title="Meanwhile")
    conflict = Shown(ada, CHANGE, wrong.posted("#book_form", year="1940"))
    assert "Meanwhile" in conflict.soup.select_one("[data-conflict]").get_text()


def test_a_deletion_deletes_what_was_shown(ada: Client, book: Book) -> None:
    confirm = ada.get(f"{BOOKS_URL}H-1/delete/?_changelist_filters=o%3D1", follow=True)
    address = confirm.redirect_chain[-1][0]
    assert "Title: Hobbit" in confirm.content.decode()
    BOOKS.update(book, title="Meanwhile")
    answer = ada.post(address, {"post": "yes"}, follow=True)
    assert "Somebody changed this after you saw it" in answer.content.decode()
    assert "Title: Meanwhile" in answer.content.decode()
    assert not log()
    answer = ada.post(answer.redirect_chain[-1][0], {"post": "yes"})
    assert answer["Location"] == f"{BOOKS_URL}?o=1"
    with pytest.raises(NotFound):
        BOOKS.get(shelf="H-1", consistent=True)
    assert log() == [(3, "H-1", "")]
    assert ada.post(address, {"post": "yes"})["Location"] == "/admin/"  # as after a lost answer
    assert len(log()) == 1
