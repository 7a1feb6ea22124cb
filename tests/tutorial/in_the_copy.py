"""What the tutorial's app does. These tests run in the copy of the project into which the tutorial was typed."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from playwright.sync_api import expect

from dynamodb_lists.connection.errors import ChangedMeanwhile
from dynamodb_lists.schema.keys import text_part
from dynamodb_lists.tests.helpers.paging import linked
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import Change
from portal.history.entities import Actor
from tests.helpers import contents
from tests.helpers.accessibility import assert_accessible_and_fitting
from tests.helpers.browsing import NewPage, choose, enter
from tests.helpers.markup import ListMarkup, differences, errors

GENRES, LANGUAGES = ("Fantasy", "Science fiction", "History"), ("English", "Dutch", "French", "Polish")
BOOKS = [
    {
        "shelf": f"{GENRES[number % 3][0]}-{number}",
        "title": f"{('The', 'A', 'Żart')[number % 3]} book {number % 17}",
        "author": f"Author {number % 11}",
        "genre": GENRES[number % 3],
        "language": LANGUAGES[0 if number % 5 < 2 else number % 4],
        "year": str(1900 + number * 7 % 60),
    }
    for number in range(137)
]
SELECTIONS: list[dict[str, list[str]]] = [
    {},
    {"genre": ["fantasy"]},
    {"language": ["french"]},
    {"genre": ["fantasy", "science-fiction"], "language": ["english"]},
    {"genre": ["history"], "language": ["dutch", "french"]},
]
PAGES = {"view": "", "add": "add/", "change": "F-0/edit/", "delete": "F-0/delete/"}


def imported(rows: list[dict[str, str]]) -> str:
    """Import books from a file; returns what the command says."""
    with TemporaryDirectory() as folder:
        path, said = Path(folder, "books.csv"), StringIO()
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*BOOKS[0]])
            writer.writeheader()
            writer.writerows(rows)
        call_command("import_books", str(path), stdout=said, stderr=said)
        return said.getvalue()


def fill() -> None:
    imported(BOOKS)


@pytest.fixture
def librarian(empty_tables: None, admin_client: Client) -> Client:
    """A superuser's browser. The tables have all books."""
    return admin_client


def listed(client: Client, address: str, **query: Any) -> ListMarkup:
    response = client.get(address if "?" in address else f"/books/{address}", query or None)
    assert response.status_code == 200
    return ListMarkup(response.content)


def expected(selection: Mapping[str, list[str]], sort: str) -> list[str]:
    """The shelf numbers of the books of a selection in their order, worked out without the portal."""
    found = [book for book in BOOKS if all(text_part(book[facet]) in values for facet, values in selection.items())]
    name = sort.removeprefix("-")
    found.sort(
        key=lambda book: (text_part(book[name]) if name == "title" else book[name], book["shelf"]),
        reverse=sort.startswith("-"),
    )
    return [book["shelf"] for book in found]


@pytest.mark.parametrize("sort", ["shelf", "title", "year"])
def test_every_filter_and_sort_is_walked_both_ways(librarian: Client, sort: str) -> None:
    for number, selection in enumerate(SELECTIONS):
        order = f"-{sort}" if number % 2 else sort
        first = listed(librarian, "", sort=order, page_size=50, **selection)
        pages = linked(first, lambda link: listed(librarian, f"/books/{link}"))
        rows = [row for page in pages for row in page.rows]
        assert rows == expected(selection, order), (selection, order)
        assert all(page.cost("items-read") < 2 * len(BOOKS) for page in pages)
        assert pages[-1].link("first") or len(pages) == 1
        assert first.total == len(rows)
        last = listed(librarian, f"/books/{first.link('last')}") if first.link("last") else first
        back = linked(last, lambda link: listed(librarian, f"/books/{link}"), "prev")
        assert [page.rows for page in reversed(back)] == [page.rows for page in pages]


@pytest.mark.django_db
def test_the_page_of_six_books_costs_what_the_tutorial_says(endpoint: str, admin_client: Client) -> None:
    contents.empty()
    admin_client.force_login(User.objects.get(username="admin"))
    call_command("import_books", str(Path(settings.BASE_DIR, "books.csv")), stdout=StringIO())
    for query in ({}, {"genre": "fantasy", "sort": "-year"}):
        page = listed(admin_client, "", **query)
        assert (page.cost("requests"), page.cost("read-units")) == (2, 1)
    assert listed(admin_client, "", title="the").rows == ["S-3", "F-1", "S-2"]
    said = StringIO()
    call_command("explain", "/books/?genre=fantasy&sort=-year", stdout=said)
    assert "index by-genre-year (chosen)" in said.getvalue()
    assert "by-year" in said.getvalue()


def test_filters_have_the_counts_under_the_other_filter(librarian: Client) -> None:
    page = listed(librarian, "", genre="fantasy")
    assert page.count("genre", "history") == len(expected({"genre": ["history"]}, "shelf"))
    assert page.count("language", "french") == len(expected({"genre": ["fantasy"], "language": ["french"]}, "shelf"))


def test_a_book_is_found_by_the_beginning_of_its_title_or_number(librarian: Client) -> None:
    assert listed(librarian, "", title="żart BO", page_size=50).rows == [
        shelf for shelf in expected({}, "title") if shelf.startswith("H-")
    ]
    assert listed(librarian, "", shelf="F-1", page_size=50).rows == [
        shelf for shelf in expected({}, "shelf") if shelf.startswith("F-1")
    ]


@pytest.mark.parametrize(
    "query",
    [
        "genre=poetry",
        "genre=a%23b",
        "sort=author",
        "cursor=x",
        "page_size=7",
        "title=the&genre=fantasy",
        "title=the&shelf=F",
        "title=the&sort=year",
        "title=%23",
    ],
)
def test_a_bad_parameter_is_a_400_that_names_it(librarian: Client, query: str) -> None:
    response = librarian.get(f"/books/?{query}")
    assert response.status_code == 400
    assert ListMarkup(response.content).soup.select("[data-problem]")


def test_each_page_needs_its_permission(librarian: Client, newcomer: Client, client: Client, dana: User) -> None:
    stored = Permission.objects.filter(content_type__app_label="books")
    permissions = {permission.codename.partition("_")[0]: permission for permission in stored}
    for action, address in PAGES.items():
        dana.user_permissions.set([each for name, each in permissions.items() if name != action])
        assert newcomer.get(f"/books/{address}").status_code == 403, action
        assert client.get(f"/books/{address}").status_code == 302
        assert librarian.get(f"/books/{address}").status_code == 200
    assert librarian.get("/books/F-999/").status_code == 404


def test_an_import_repeats_nothing_and_refuses_bad_rows(librarian: Client) -> None:
    assert "137 books read, 0 written" in imported(BOOKS)
    with pytest.raises(CommandError, match="2 rows refused"):
        imported([{**BOOKS[0], "title": "Changed"}, {**BOOKS[1], "year": "-3"}, {**BOOKS[2], "shelf": "a#b"}])
    assert "Changed" in listed(librarian, "F-0/").text("dl.facts")
    exported = b"".join(librarian.get("/books/?format=csv&genre=history").streaming_content).decode()  # type: ignore[attr-defined]
    assert [row["shelf"] for row in csv.DictReader(StringIO(exported))] == expected({"genre": ["history"]}, "shelf")


def test_what_is_stored_agrees_after_changes_and_a_wrong_count_is_repaired(librarian: Client) -> None:
    new = {**BOOKS[0], "shelf": "N-1", "genre": "Poetry"}
    assert librarian.post("/books/add/", new)["Location"] == "/books/N-1/"
    assert "already a book N-1" in errors(librarian.post("/books/add/", {**new, "title": "Another"}))
    assert "negative" not in errors(librarian.post("/books/add/", {**new, "shelf": "N-2", "year": "-1"}))
    edited = {**new, "genre": "History", "language": "Latin", "revision": "1"}
    assert librarian.post("/books/N-1/edit/", edited).status_code == 302
    shown = librarian.post("/books/N-1/edit/", {**edited, "title": "Mine"})
    assert differences(shown) == [("Title", BOOKS[0]["title"], "Mine")]
    assert librarian.post("/books/N-1/delete/", {"revision": "2"}).status_code == 302
    assert listed(librarian, "", page_size=10).total == len(BOOKS)
    assert listed(librarian, "/history/book/N-1/?").rows
    call_command("verify_data", stdout=StringIO())
    first = listed(librarian, "", language="french", sort="title", page_size=10)
    count = import_module("books.models").BOOKS.models.count
    wrong = count("books#counts", "history#french")
    single_items.update(wrong, [count.number.add(5000)])  # now a page is read in the other way
    page = listed(librarian, f"/books/{first.link('next')}")
    assert first.rows + page.rows == expected({"language": ["french"]}, "title")[:20]
    single_items.update(count("books#counts", "fantasy#english"), [count.number.add(3)])
    assert listed(librarian, "", genre="fantasy").rows == expected({"genre": ["fantasy"]}, "shelf")[:25]
    with pytest.raises(CommandError):
        call_command("verify_data", stdout=StringIO())
    call_command("verify_data", "--repair", stdout=StringIO())
    call_command("verify_data", stdout=StringIO())


def test_a_change_of_what_somebody_else_has_changed_is_refused(librarian: Client) -> None:
    writer = import_module("books.commands").BookWriter(Actor("anna"))
    book = writer.load("F-0")
    writer.update(book, replace(book, title="First"))
    with pytest.raises(ChangedMeanwhile):
        writer.update(book, replace(book, title="Second"))
    with pytest.raises(ChangedMeanwhile):
        writer.delete(book)
    assert "First" in listed(librarian, "F-0/").text("dl.facts")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("superuser")
def test_the_list_and_its_forms_in_chromium(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.click("#nav-sidebar-apps >> text=Books")
    choose(page, "genre", "fantasy")
    expect(page.locator("table[data-list=books]")).to_have_attribute("data-total", "46")
    page.click("#sort-year")
    page.click("#page-next")
    expect(page.locator("tr[data-row]")).to_have_count(21)
    assert_accessible_and_fitting(page)
    page.click("text=Add a book")
    for name, value in {**BOOKS[0], "shelf": "N-1"}.items():
        enter(page, f"[name={name}]", value)
    page.click("form.entries button.primary")
    expect(page.locator("dl.facts")).to_contain_text("N-1")
    page.click(".actions >> text=Edit")
    import_module("books.commands").BookWriter(Actor("bob")).save(lambda: renamed("N-1", "The other title"))
    enter(page, "[name=title]", "My title")
    page.click("form.entries button.primary")
    expect(page.locator("table.differences")).to_contain_text("The other title")
    page.click("form.entries button.primary")
    expect(page.locator("dl.facts")).to_contain_text("My title")
    expect(page.locator("main")).to_contain_text("bob")
    assert_accessible_and_fitting(page)


def renamed(shelf: str, title: str) -> list[Change[Any]]:
    """The change of a book's title by somebody else."""
    writer = import_module("books.commands").BookWriter(Actor("bob"))
    book = writer.load(shelf)
    return [Change(book, writer.as_stored(book, replace(book, title=title)))]
