"""Actions on rows that were ticked, and on a whole selection: what is done is done to what was shown."""

import csv
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client

from dynamodb_lists import NotFound
from dynamodb_lists.connection.client import client
from dynamodb_lists.django.admin import actions
from dynamodb_lists.tests.admin.conftest import client_of
from dynamodb_lists.tests.admin.library.admin import BookAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, Shown

LIST = f"{BOOKS_URL}?genre=Actions"
ROWS = 8
"""On two pages."""


@pytest.fixture(autouse=True)
def books(migrated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    LogEntry.objects.all().delete()
    monkeypatch.setattr(BookAdmin, "list_per_page", 5)
    BOOKS.save(
        Book(
            shelf=f"A-{n:02}",
            title=f"=Title {n}",
            author="Ann, the 'first'",
            genre="Actions",
            year=2000 - n,
            summary="S",
        )
        for n in range(ROWS)
    )
    yield
    for book in BOOKS.query().where(genre="Actions"):
        BOOKS.delete(book)


def run(page: Shown, action: str, *, rows: slice = slice(0), everything: bool = False) -> Shown:
    """Return the page after an action on some rows of a page, or on all rows of the list."""
    data = {"action": action, "index": "0", "select_across": str(int(everything))}
    answer = page.client.post(page.address, {**data, "_selected_action": page.boxes[rows]}, follow=True)
    return Shown(page.client, answer.request["PATH_INFO"], answer)


def confirmed(page: Shown, preview: Shown) -> Shown:
    """The page after the button of a preview is pressed."""
    found = preview.soup.select("#content form input, .content form input, form[method=post] input[name=post]")
    boxes = [str(each["value"]) for each in preview.soup.select("input[name=_selected_action]")]
    action = preview.soup.select_one("input[name=action]")["value"]
    assert found
    answer = page.client.post(page.address, {"action": action, "post": "yes", "_selected_action": boxes}, follow=True)
    return Shown(page.client, page.address, answer)


def left() -> set[str]:
    return {book.shelf for book in BOOKS.query().where(genre="Actions")}


def test_one_row_that_is_ticked_is_deleted_alone(ada: Client) -> None:
    page = Shown(ada, LIST)
    preview = run(page, "delete_selected", rows=slice(0, 1))
    assert len(left()) == ROWS
    assert "Title: =Title 0" in preview.text
    done = confirmed(page, preview)
    assert done.said == ["Successfully deleted 1 book."]
    assert len(left()) == ROWS - 1
    assert [(each.action_flag, each.object_id) for each in LogEntry.objects.all()] == [(3, "A-00")]
    assert confirmed(page, preview).said == [actions.CHANGED[0] % {"count": 1}]  # as after a lost answer
    assert LogEntry.objects.count() == 1


def test_a_row_that_was_changed_after_it_was_shown_stays(ada: Client) -> None:
    page = Shown(ada, LIST)
    BOOKS.update(BOOKS.get(shelf="A-01"), title="Changed")
    preview = run(page, "delete_selected", rows=slice(0, 3))
    assert preview.said[0].startswith("1 of these rows was changed")
    assert "Changed" not in preview.text.partition("<form")[2]
    BOOKS.update(BOOKS.get(shelf="A-02"), title="Changed, too")
    assert [text[:2] for text in confirmed(page, preview).said] == ["1 ", "Su"]
    assert {f"A-{n:02}" for n in range(ROWS)} - left() == {"A-00"}


@pytest.mark.parametrize("name", ["delete_model", "delete_queryset"])
def test_the_action_that_deletes_asks_the_class(ada: Client, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def retired(model_admin: Any, request: HttpRequest, rows: Any) -> None:
        for row in rows if name == "delete_queryset" else [rows]:
            BOOKS.update(row.entity, rare=True)

    monkeypatch.setattr(BookAdmin, name, retired)
    page = Shown(ada, LIST)
    assert confirmed(page, run(page, "delete_selected", rows=slice(0, 2))).said == ["Successfully deleted 2 books."]
    assert len(left()) == ROWS
    assert {book.shelf for book in BOOKS.query().where(genre="Actions", rare=True)} == {"A-00", "A-01"}


def test_a_whole_selection_is_shown_first(ada: Client) -> None:
    page = Shown(ada, f"{LIST}&year__gte=1995")
    preview = run(page, "mark_rare", rows=slice(0, 1), everything=True)
    assert len(preview.soup.select("input[name=_selected_action]")) == 6
    assert not [book for book in BOOKS.query().where(genre="Actions") if book.rare]
    assert confirmed(page, preview).said == ["6 are rare now."]
    assert {book.shelf for book in BOOKS.query().where(genre="Actions", rare=True)} == {f"A-{n:02}" for n in range(6)}


def test_an_own_action_gets_the_ticked_entities_and_says_what_it_meets(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    update = BOOKS.update

    def slow(seen: Book, **changes: Any) -> Book:
        update(seen, title="Meanwhile")
        return update(seen, **changes)

    monkeypatch.setattr(BOOKS, "update", slow)
    said = run(Shown(ada, LIST), "mark_rare", rows=slice(2, 4)).said
    assert len(said) == 2  # each of both was changed meanwhile
    assert not [text for text in said if text.endswith(actions.STOPPED)]
    monkeypatch.undo()
    assert run(Shown(ada, LIST), "mark_rare", rows=slice(4, 6)).said == ["2 are rare now."]
    rare = BOOKS.query().where(genre="Actions", rare=True)
    assert {book.shelf: book.summary for book in rare} == {"A-04": "S", "A-05": "S"}


def test_boxes_that_no_page_has_choose_nothing(ada: Client) -> None:
    for box in ("", "A-00", "A-00#", "#", "A-00#1", "a#b#c#1", "\x00#1", "x" * 3000 + "#1"):
        data = {"action": "delete_selected", "post": "yes", "_selected_action": box}
        assert ada.post(LIST, data).status_code == 302, box
        assert len(left()) == ROWS, box


def exported(page: Shown, count: int, *, everything: bool = False) -> list[dict[str, str]]:
    """Return the rows of a file of the first rows of a page, or of the whole list."""
    data = {"action": "export_csv", "index": "0", "select_across": str(int(everything))}
    answer: Any = page.client.post(page.address, {**data, "_selected_action": page.boxes[:count]})
    return [*csv.DictReader(b"".join(answer).decode().splitlines())]


def test_rows_are_exported_as_they_are_now_in_the_order_of_the_list(ada: Client) -> None:
    page = Shown(ada, f"{LIST}&o=4")
    for everything, count in ((True, ROWS), (False, 3)):
        rows = exported(page, 3, everything=everything)
        assert [row["shelf"] for row in rows] == [f"A-{n:02}" for n in range(ROWS - 1, ROWS - 1 - count, -1)]
        assert rows[0]["title"] == "'=Title 7"  # a spreadsheet would run it
        assert (rows[0]["author"], rows[0]["summary"], rows[0]["rare"]) == ("Ann, the 'first'", "S", "False")
    BOOKS.update(BOOKS.get(shelf="A-07"), title="Changed")
    BOOKS.delete(BOOKS.get(shelf="A-06"))
    assert [row["title"] for row in exported(page, 3)] == ["Changed", "'=Title 5"]
    assert page.go(page.address).said == [actions.GONE[0] % {"count": 1}]


@pytest.fixture
def foreign() -> Iterator[dict[str, Any]]:
    """An item of another kind among the keys of the books."""
    table, key = BOOKS.model.Meta.table_name, {"pk": {"S": "books"}, "sk": {"S": "0-foreign"}}
    client().put_item(TableName=table, Item={**key, "title": {"N": "1"}})
    yield key
    client().delete_item(TableName=table, Key=key)


def test_an_item_that_is_no_row_stops_no_page_action_and_file(
    ada: Client, foreign: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BookAdmin, "ordering", ["pk"])
    monkeypatch.setattr(BookAdmin, "list_per_page", 300)
    page = Shown(ada, BOOKS_URL)
    (misfit,) = page.soup.select("[data-misfits] li a")
    assert "title is" in page.go(page.at(misfit)).soup.select_one(".errornote").get_text()
    boxes = [*page.boxes, "0-foreign#1"]
    for across in ("0", "1"):
        data = {"action": "export_csv", "index": "0", "select_across": across, "_selected_action": boxes}
        lines = b"".join(ada.post(BOOKS_URL, data)).decode().splitlines()
        assert (sum("Actions" in line for line in lines), "LEFT OUT: 0-foreign" in lines[-1]) == (ROWS, across == "1")
        preview = Shown(ada, BOOKS_URL, ada.post(BOOKS_URL, {**data, "action": "delete_selected"}))
        assert "0-foreign" not in preview.text


def test_actions_need_their_permission(migrated: None) -> None:
    User.objects.filter(username="carol").delete()
    carol = client_of("carol", "view_book")
    page = Shown(carol, LIST)
    assert [option["value"] for option in page.soup.select("[name=action] option")] == ["", "export_csv"]
    run(page, "delete_selected", rows=slice(0, 1))
    run(page, "mark_rare", rows=slice(0, 1))
    assert len(left()) == ROWS
    with pytest.raises(NotFound):
        BOOKS.get(shelf="A-99")
