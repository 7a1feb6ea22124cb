"""The admin of a list whose table lacks some of what is declared: it offers the rest, and says what to do."""

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.django import declaring
from dynamodb_lists.lists import items
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.admin.library.models import BOOKS, LIBRARIES, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL

LATE = ("year", "genre-year", "language-year", "binding-year", "rare-year")


@pytest.fixture
def unfilled(migrated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The table of books has no index by years yet, and no words. Commands know two lists."""
    own: dict[str, Any] = {"books": BOOKS, "libraries": LIBRARIES}
    monkeypatch.setattr(items, "SHAPE_SECONDS", 0.1)
    monkeypatch.setattr(declaring, "lists_by_name", own)
    monkeypatch.setattr(tables, "names", lambda: [each.model.Meta.table_name for each in own.values()])
    BOOKS.save([Book(shelf="0", title="Ronja", author="Ende", genre="Children", year=1973)])
    assert BOOKS.reader.now
    shape = BOOKS.reader.shape or Shape.of(BOOKS.declaration)
    orders = {index: order for index, order in shape.orders.items() if index.removeprefix("by-") not in LATE}
    BOOKS.reader.store_shape(replace(shape, orders=orders, words=()))
    yield
    if BOOKS.reader.lacks:  # the test has not finished it
        now = BOOKS.reader.shape or shape
        BOOKS.reader.store_shape(replace(shape, tried=now.tried))


@pytest.mark.usefixtures("unfilled")
def test_a_changelist_offers_what_the_table_has_and_names_the_rest(ada: Client) -> None:
    page = ada.get(BOOKS_URL)
    text = page.content.decode()
    assert (page.status_code, "Ronja" in text, "By genre" in text, "By year" in text) == (200, True, True, False)
    assert "The table lacks the index by-year" in text
    assert "words of title and author. manage.py migrate_lists fills it." in text
    assert ada.get(f"{BOOKS_URL}?genre=Children").status_code == 200
    for asked in ({"o": 4}, {"year__gte": 1970}, {"q": "ronja"}, {"year": 1973}):
        answer = ada.get(f"{BOOKS_URL}?{urlencode(asked)}", follow=True)
        assert (answer.status_code, "Ronja" in answer.content.decode()) == (200, True)
    assert "cannot be found by &#x27;search&#x27; yet" in ada.get(f"{BOOKS_URL}?q=ronja", follow=True).content.decode()


@pytest.mark.usefixtures("unfilled")
def test_a_table_is_planned_filled_and_finished_by_a_command(ada: Client) -> None:
    out = StringIO()
    call_command("migrate_lists", "--plan", stdout=out)
    assert "books: it lacks the index by-year" in out.getvalue()
    assert "libraries: the table has all that is declared." in out.getvalue()
    call_command("migrate_lists", "--units", "100000", stdout=out)
    assert "books: filled. Once no older release runs, run migrate_lists --finish." in out.getvalue()
    assert BOOKS.reader.lacks
    call_command("migrate_lists", "--finish", stdout=out)
    assert "books: finished.\n" in out.getvalue()
    assert not BOOKS.reader.lacks
    assert "By year" in ada.get(BOOKS_URL).content.decode()
    assert [book.title for book in BOOKS.query().search("ronj")] == ["Ronja"]
    assert [book.title for book in BOOKS.query().where(year=1973, genre="Children")] == ["Ronja"]


@pytest.mark.usefixtures("unfilled")
def test_a_fault_that_nobody_can_repair_is_named_and_nothing_is_finished(ada: Client) -> None:
    broken = BOOKS.models.item.item(BOOKS.get(shelf="0")).to_dynamodb_dict()
    table = BOOKS.model.Meta.table_name
    client().put_item(TableName=table, Item={**broken, "sk": {"S": "0-2"}, "year": {"S": "last"}})
    err = StringIO()
    with pytest.raises(CommandError, match="Not everything could be done"):
        call_command("migrate_lists", "--finish", stdout=StringIO(), stderr=err)
    assert "0-2 cannot be read" in err.getvalue()
    assert BOOKS.reader.lacks
    client().delete_item(TableName=table, Key={"pk": broken["pk"], "sk": {"S": "0-2"}})
