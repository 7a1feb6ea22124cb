"""Fields that are edited in a list, and a row that is saved as a new one."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from dynamodb_lists import Conflict
from dynamodb_lists.tests.admin.library.admin import BookAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, Shown, log

LIST = f"{BOOKS_URL}?genre=Edited"
SAVE = {"_save": "Save"}


@pytest.fixture(autouse=True)
def books(migrated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    LogEntry.objects.all().delete()
    monkeypatch.setattr(BookAdmin, "list_editable", ["title", "year", "rare", "bought", "genre"])
    monkeypatch.setattr(BookAdmin, "list_display", ["shelf", "author", *BookAdmin.list_editable])
    BOOKS.save(Book(shelf=f"E-{n}", title=f"Title {n}", author="Ann", genre="Edited", year=2000 - n) for n in range(3))
    yield
    for book in BOOKS.query():
        if book.shelf.startswith("E-"):
            BOOKS.delete(book)


def stored(number: int) -> Book:
    return BOOKS.get(shelf=f"E-{number}", consistent=True)


def save(page: Shown, **values: Any) -> Any:
    """What the list answers, with these values in place of those that it shows: ``title_1`` of its second row."""
    sent = {f"form-{name[-1]}-{name[:-2]}": value for name, value in values.items()}
    return page.posted("#changelist-form", **sent, **SAVE)


def errors(page: Shown) -> dict[str, str]:
    """Return the errors of rows, by the name of the input beside each."""
    found = page.soup.select("#result_list td:has(.errorlist)")
    return {
        str(each.select_one("input, select, textarea")["name"]): each.select_one(".errorlist").text for each in found
    }


def test_rows_that_were_changed_are_written_and_logged(ada: Client) -> None:
    page = Shown(ada, LIST)
    before = stored(2)
    assert page.go(
        save(page, title_0="New", rare_1="on", **{"bought_0_1": "2024-07-01", "bought_1_1": "12:00:00"})["Location"]
    ).said == ["2 books were changed successfully."]
    assert (stored(0).title, stored(1).rare, str(stored(1).bought)[:13]) == ("New", True, "2024-07-01 10")
    assert stored(2) == before
    assert [each[1:] for each in log()] == [("E-0", "Changed Title."), ("E-1", "Changed Rare and Bought.")]
    assert save(page, title_0="New").status_code == 302  # as after a lost answer
    assert len(log()) == 2


def test_a_conflict_is_told_at_its_row_and_the_others_are_saved(ada: Client) -> None:
    page = Shown(ada, LIST)
    BOOKS.update(stored(0), title="Theirs", year=1900)
    BOOKS.update(stored(1), author="Bo")  # a field that is not edited here is no conflict
    BOOKS.update(stored(2), title="Also theirs")
    again = Shown(ada, LIST, save(page, title_0="Mine", title_1="Right"))
    assert {*errors(again)} == {"form-0-title", "form-0-year"}
    assert "Somebody else changed this to “Theirs”" in errors(again)["form-0-title"]
    assert (stored(0).title, stored(1).title, stored(1).author) == ("Theirs", "Right", "Bo")
    assert again.said == ["1 book was changed successfully."]
    shown = {
        each["name"]: each.get("value", "")
        for each in again.soup.select("#result_list input[type=text], #result_list input[type=number]")
    }
    assert (shown["form-0-title"], shown["form-0-year"], shown["form-1-title"]) == ("Mine", "1900", "Right")
    assert shown["form-2-title"] == "Also theirs"
    assert save(again, title_1="Right again").status_code == 302
    assert [(stored(n).title, stored(n).year) for n in range(3)] == [
        ("Mine", 1900),
        ("Right again", 1999),
        ("Also theirs", 1998),
    ]


def test_a_wrong_value_keeps_what_was_seen(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Shown(ada, LIST, save(Shown(ada, LIST), year_0="x", title_1="Saved"))
    assert errors(wrong) == {"form-0-year": "Enter a whole number."}
    assert stored(1).title == "Saved"
    BOOKS.update(stored(0), title="Theirs")
    again = Shown(ada, LIST, save(wrong, year_0="7"))
    assert [*errors(again)] == ["form-0-title"]
    usual = BookAdmin.get_queryset
    monkeypatch.setattr(BookAdmin, "get_queryset", lambda self, request: usual(self, request).where(genre="Edited"))
    assert "You may not see rows" in errors(Shown(ada, LIST, save(Shown(ada, LIST), genre_1="Other")))["form-1-genre"]
    assert stored(1).genre == "Edited"


def test_a_write_between_the_read_and_the_write_and_a_row_that_is_gone(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, update = Shown(ada, LIST), BOOKS.update

    def slow(seen: Book, changes: Any) -> Book:
        monkeypatch.setattr(BOOKS, "update", update)
        update(seen, title="Meanwhile")
        return update(seen, changes)

    monkeypatch.setattr(BOOKS, "update", slow)
    assert "Meanwhile" in errors(Shown(ada, LIST, save(page, title_0="Mine")))["form-0-title"]

    def refuses(seen: Book, changes: Any) -> Book:
        raise Conflict("Not today.")

    with monkeypatch.context() as patched:
        patched.setattr(BOOKS, "update", refuses)
        again = Shown(ada, LIST, save(Shown(ada, LIST), title_1="Mine"))
    assert again.soup.select_one("#result_list .errorlist").get_text() == "Not today."
    BOOKS.delete(stored(2))
    answer: Any = save(page, title_1="Mine", title_2="Lost")
    assert [each[:30] for each in page.go(answer["Location"]).said] == [
        "1 of these rows was changed or",
        "1 book was changed successfully"[:30],
    ]
    assert stored(1).title == "Mine"


def test_a_row_is_saved_as_a_new_one_with_another_id(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BookAdmin, "save_as", True)
    page = Shown(ada, f"{BOOKS_URL}E-0/change/")
    again = Shown(ada, page.address, page.posted("#book_form", title="Copy", _saveasnew="1"))
    assert "required" in again.soup.select_one(".field-shelf .errorlist").get_text()
    answer = again.posted("#book_form", shelf="E-9", _saveasnew="1")
    assert answer["Location"] == f"{BOOKS_URL}E-9/change/"
    monkeypatch.setattr(BookAdmin, "prepopulated_fields", {"shelf": ["title"]})  # of a row, the form has no id
    assert page.go(page.address).soup.select("[name=title]")
    assert (stored(9).title, stored(9).author, stored(0).title) == ("Copy", "Ann", "Title 0")
