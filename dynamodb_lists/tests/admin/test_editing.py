"""Add, change and delete rows: permissions, the log, and what happens when two people edit one row."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.test import Client

from dynamodb_lists import NotFound, Unavailable
from dynamodb_lists.django.admin.forms import RowForm
from dynamodb_lists.lists.writing import ListWriter
from dynamodb_lists.schema.entities import fields
from dynamodb_lists.tests.admin.conftest import client_of
from dynamodb_lists.tests.admin.library.admin import BookAdmin, LoanAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, LIBRARIES, LOANS, Binding, Book, Library, Loan
from dynamodb_lists.tests.admin.pages import BOOKS_URL, CHANGE, LOANS_URL, Shown, log

pytestmark = pytest.mark.usefixtures("nothing_stored")
FORM = {
    "shelf": "H-1",
    "title": "Hobbit",
    "author": "Tolkien",
    "genre": "Fantasy",
    "language": "Dutch",
    "year": "1937",
    "binding": "hardback",
    "rare": "on",
    "price": "12.50",
    "bought_0": "2024-07-01",
    "bought_1": "12:00:00",
    "summary": "There\r\nand back again",
}


def test_a_row_is_added_with_a_value_of_each_type(ada: Client) -> None:
    answer = ada.post(f"{BOOKS_URL}add/", FORM, follow=True)
    assert answer.redirect_chain == [(BOOKS_URL, 302)]
    assert '“<a href="/admin/library/book/H-1/change/">Hobbit (H-1)</a>” was added' in answer.content.decode()
    stored = BOOKS.get(shelf="H-1")
    assert stored == Book(
        shelf="H-1",
        title="Hobbit",
        author="Tolkien",
        genre="Fantasy",
        language="Dutch",
        year=1937,
        binding=Binding.HARDBACK,
        rare=True,
        price=Decimal("12.5"),
        bought=datetime(2024, 7, 1, 10, tzinfo=UTC),  # people type the times of Amsterdam
        summary="There\r\nand back again",
    )
    assert log() == [(1, "H-1", "Added.")]
    shown = Shown(ada, CHANGE).soup
    assert shown.select_one("[name=bought_1]")["value"] == "12:00:00"
    assert shown.select_one(".field-shelf .readonly").get_text() == "H-1"


def test_a_form_that_is_sent_twice_adds_once(ada: Client) -> None:
    for _ in range(2):
        assert ada.post(f"{BOOKS_URL}add/", FORM)["Location"] == BOOKS_URL
    assert len(log()) == 1
    other = ada.post(f"{BOOKS_URL}add/", {**FORM, "title": "Another"})
    assert "There is already a book H-1. Choose another shelf." in other.content.decode()
    assert BOOKS.get(shelf="H-1").title == "Hobbit"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("shelf", "", "required"),
        ("shelf", "a#b", "cannot be a part of a key"),
        ("shelf", "é" * 600, "longer than"),
        ("year", "9" * 21, "less than or equal"),
        ("year", "x", "whole number"),
        ("price", "1e30", "digits"),
        ("binding", "leather", "valid choice"),
        ("title", "a\x00", "Null"),
    ],
)
def test_what_keys_cannot_hold_is_an_error_of_its_field(ada: Client, name: str, value: str, words: str) -> None:
    answer = ada.post(f"{BOOKS_URL}add/", {**FORM, name: value})
    assert answer.status_code == 200
    page = Shown(ada, f"{BOOKS_URL}add/", answer)
    assert words in page.soup.select_one(f".field-{name} .errorlist").get_text()
    assert not log()


def test_what_dynamodb_does_not_take_is_an_error_of_its_field(ada: Client, book: Book) -> None:
    """A new item, and a transaction that changes one."""
    for address in (f"{BOOKS_URL}add/", CHANGE):
        page = Shown(ada, address)
        values = {**FORM, "shelf": "H-2"} if address != CHANGE else {}
        again = Shown(ada, address, page.posted("#book_form", **{**values, "title": "Long", "summary": "x" * 500_000}))
        assert "summary must be shorter" in again.soup.select_one(".field-summary .errorlist").get_text()
        assert again.soup.select_one("[name=title]")["value"] == "Long"
    assert not log()


def test_a_change_writes_what_was_changed(ada: Client, book: Book) -> None:
    page = Shown(ada, f"{CHANGE}?_changelist_filters=genre%3DFantasy%26o%3D1")
    answer = page.posted("#book_form", title="The Hobbit")
    assert answer["Location"] == f"{BOOKS_URL}?genre=Fantasy&o=1"
    stored = BOOKS.get(shelf="H-1")
    assert (stored.title, stored.summary, stored.revision) == ("The Hobbit", "S", book.revision + 1)
    assert log() == [(2, "H-1", "Changed Title.")]
    again = page.posted("#book_form", title="The Hobbit")  # as after a lost answer
    assert again["Location"] == f"{BOOKS_URL}?genre=Fantasy&o=1"
    assert BOOKS.get(shelf="H-1").revision == stored.revision
    assert len(log()) == 1


def test_no_digit_of_a_decimal_is_lost(ada: Client, book: Book) -> None:
    for price in ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345679"):
        assert Shown(ada, CHANGE).posted("#book_form", price=price).status_code == 302
        assert BOOKS.get(shelf="H-1").price == Decimal(price)


def test_a_line_break_in_a_text_of_one_line_stays(ada: Client, book: Book) -> None:
    for written in ("One\nTwo", "One\rTwo"):
        stored = BOOKS.update(BOOKS.get(shelf="H-1", consistent=True), title=written)
        page = Shown(ada, CHANGE)
        assert page.soup.select_one("textarea[name=title]")
        assert not page.soup.select_one("textarea[name=author]")
        shown = page.soup.select_one("textarea[name=title]").get_text().strip()
        sent = re.sub("\r\n|\r|\n", "\r\n", shown)  # as browsers do
        page.posted("#book_form", author=f"{stored.author}!", title=sent)
        changed = BOOKS.get(shelf="H-1", consistent=True)
        assert (changed.title, changed.author) == (written, f"{stored.author}!")


def test_what_a_form_leaves_out_is_on_no_page_and_in_no_file(
    ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    BOOKS.update(book, summary="A secret", language="Ditto")
    shown = [field.name for field in fields(Book) if field.name not in {"language", "summary", "revision"}]
    for names in ({"exclude": ["summary", "language"]}, {"fields": shown}):
        with monkeypatch.context() as patched:
            for name, value in names.items():
                patched.setattr(BookAdmin, name, value)
            page = Shown(ada, CHANGE)
            stored = BOOKS.get(shelf="H-1", consistent=True)
            BOOKS.update(stored, summary=f"{stored.summary}!")
            conflict = Shown(ada, CHANGE, page.posted("#book_form", title="The Hobbit"))
            assert conflict.soup.select_one("[data-conflict] tbody").get_text(" ", strip=True) == (
                "Title Hobbit Hobbit The Hobbit"
            )
            boxes = Shown(ada, f"{BOOKS_URL}?genre=Fantasy").boxes
            answers = [page.text, conflict.text, ada.get(f"{BOOKS_URL}H-1/delete/", follow=True).content.decode()]
            for action in ("delete_selected", "export_csv"):
                answer = ada.post(BOOKS_URL, {"action": action, "index": "0", "_selected_action": boxes})
                answers.append("".join(part.decode() for part in answer))
            assert "shelf,title,author,genre,year,binding,rare,price,bought\r\n" in answers[-1]
        for answer in answers:
            assert "Hobbit" in answer
            assert "secret" not in answer
            assert "Ditto" not in answer


def test_a_database_without_an_answer_is_a_page(ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable(*_: Any, **__: Any) -> Any:
        raise Unavailable("It does not answer", maybe_written=True)

    page = Shown(ada, CHANGE)
    with monkeypatch.context() as patched:
        patched.setattr(ListWriter, "update", unavailable)
        answer = page.posted("#book_form", title="The Hobbit")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Nobody knows whether the last write was made." in answer.content.decode()
    assert not log()
    assert page.posted("#book_form", title="The Hobbit").status_code == 302
    assert log() == [(2, "H-1", "Changed Title.")]


def test_what_a_subclass_sets_on_a_row_is_written(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = BookAdmin.save_model

    def save(self: Any, request: Any, obj: Any, form: Any, change: bool) -> None:
        obj.author, obj.summary = request.user.username, f"Saved by {request.user.username}"
        usual(self, request, obj, form, change)

    monkeypatch.setattr(BookAdmin, "save_model", save)
    monkeypatch.setattr(BookAdmin, "exclude", ["summary"])
    ada.post(f"{BOOKS_URL}add/", FORM)
    stored = BOOKS.get(shelf="H-1")
    assert (stored.author, stored.summary, stored.genre) == ("ada", "Saved by ada", "Fantasy")
    stored = BOOKS.update(stored, author="Tolkien", summary="")
    Shown(ada, CHANGE).posted("#book_form", title="The Hobbit")
    changed = BOOKS.get(shelf="H-1")
    assert (changed.title, changed.author, changed.summary) == ("The Hobbit", "ada", "Saved by ada")
    assert changed.revision == stored.revision + 1


def test_a_field_that_a_form_declares_is_written_though_the_class_excludes_it(
    ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = type("Declared", (RowForm,), {"summary": forms.CharField(initial="New")})
    monkeypatch.setattr(BookAdmin, "form", declared)
    monkeypatch.setattr(BookAdmin, "exclude", ["summary"])
    Shown(ada, CHANGE).posted("#book_form", summary="Declared")
    assert BOOKS.get(shelf="H-1", consistent=True).summary == "Declared"


def test_a_row_is_added_only_where_its_user_would_see_it(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = LoanAdmin.get_queryset

    def own(self: Any, request: HttpRequest) -> Any:
        if self.get_owner(request) == ("L9",):
            raise PermissionDenied
        return usual(self, request).where(genre="A")

    loan = {"number": "N-1", "genre": "A", "member": "x", "due": "2026-02-03", "returned": ""}
    with monkeypatch.context() as patched:
        patched.setattr(LoanAdmin, "get_queryset", own)
        for query in ("", "?library=L9", "?library=L8", "?_changelist_filters=library%3DL8"):
            assert ada.post(f"{LOANS_URL}add/{query}", {**loan, "library": "L9"}).status_code == 403
        assert ada.post(f"{LOANS_URL}add/", {**loan, "library": "L8", "genre": "B"}).status_code == 403
        assert ada.post(f"{LOANS_URL}add/?library=L9", {**loan, "library": "L8"}).status_code == 302
    LOANS.delete(LOANS.get(library="L8", id="N-1"))
    with pytest.raises(NotFound):
        LOANS.get(library="L9", id="N-1", consistent=True)


def test_a_row_stays_where_its_editor_sees_it(ada: Client, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, saved = BookAdmin.get_queryset, BookAdmin.save_model
    monkeypatch.setattr(BookAdmin, "get_queryset", lambda self, request: usual(self, request).where(genre="Fantasy"))
    again = Shown(ada, CHANGE, Shown(ada, CHANGE).posted("#book_form", genre="Poetry", title="Typed"))
    assert "You may not see rows with this value" in again.soup.select_one(".field-genre .errorlist").get_text()
    assert again.soup.select_one("[name=title]")["value"] == "Typed"

    def moved(self: Any, request: Any, obj: Any, form: Any, change: bool) -> None:
        obj.genre = "Poetry"
        saved(self, request, obj, form, change)

    monkeypatch.setattr(BookAdmin, "save_model", moved)
    assert Shown(ada, CHANGE).posted("#book_form", title="Typed").status_code == 403
    assert BOOKS.get(shelf="H-1", consistent=True) == book
    assert not log()


@pytest.mark.parametrize("names", [{"readonly_fields": ["author"]}, {"exclude": ["author"]}])
def test_a_row_without_a_value_that_it_needs_is_not_added(
    ada: Client, monkeypatch: pytest.MonkeyPatch, names: dict[str, Any]
) -> None:
    for name, value in names.items():
        monkeypatch.setattr(BookAdmin, name, value)
    assert ada.get(f"{BOOKS_URL}add/").status_code == 200
    again = Shown(ada, f"{BOOKS_URL}add/", ada.post(f"{BOOKS_URL}add/", FORM))
    said = again.soup.select_one(".errorlist.nonfield").get_text()
    assert "this form does not have all that it needs" in said
    assert "'author'" in said
    assert again.soup.select_one("[name=title]")["value"] == "Hobbit"


@pytest.mark.parametrize("shelf", [".", "..", "%2E", "a/../b", "é ?#".replace("#", "")])
def test_a_row_has_a_page_whatever_its_id(ada: Client, shelf: str) -> None:
    answer: Any = ada.post(f"{BOOKS_URL}add/", {**FORM, "shelf": shelf, "_continue": "1"}, follow=True)
    try:
        page = Shown(ada, answer.redirect_chain[-1][0], answer)
        for link in page.soup.select(f"a[href*='{BOOKS_URL}'][href*='/history/'], a[href*='/delete/']"):
            assert shelf in Shown(ada, page.address, ada.get(page.at(link), follow=True)).text
        page.posted("#book_form", title="Changed")
        listed = Shown(ada, f"{BOOKS_URL}?q=changed")
        assert listed.column("title") == ["Changed"]
        link = listed.at(listed.soup.select_one("#result_list tbody th a"))
        assert listed.go(link).soup.select_one(".field-shelf .readonly").get_text() == shelf
    finally:
        BOOKS.delete(BOOKS.get(shelf=shelf, consistent=True))


def test_rows_of_owners(ada: Client) -> None:
    page = Shown(ada, f"{LOANS_URL}add/?_changelist_filters=library%3DL9")
    assert page.soup.select_one("[name=library]")["value"] == "L9"
    answer = page.posted("#loan_form", number="N-1", genre="A", member="x", due="2026-02-03", returned="")
    assert answer["Location"] == f"{LOANS_URL}?library=L9"
    assert LOANS.get(library="L9", id="N-1").due == date(2026, 2, 3)
    listed = Shown(ada, f"{LOANS_URL}?library=L9")
    change = Shown(ada, listed.at(listed.soup.select_one("#result_list tbody th a")))
    assert change.posted("#loan_form", returned="2026-02-04")["Location"] == f"{LOANS_URL}?library=L9"
    assert LOANS.get(library="L9", id="N-1").returned == date(2026, 2, 4)
    for key in ("L9", "L9_23N-1_23x", "_23N-1", "L9_23", "N-1", "x" * 3000):
        assert ada.get(f"{LOANS_URL}{key}/change/")["Location"] == "/admin/", key
    history = ada.get(f"{LOANS_URL}L9_23N-1/history/").content.decode()
    assert "Changed Returned." in history
    recent = ada.get("/admin/").content.decode()
    assert f'href="{LOANS_URL}L9_23N-1/change/"' in recent


def test_the_page_of_an_owner_shows_what_it_owns(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    LIBRARIES.save([Library(code="L9", name="North"), Library(code="L8", name="South")])
    LOANS.save([Loan(library="L9", number="N-1", genre="A", member="x", due=date(2026, 2, 3))])
    page = Shown(ada, "/admin/library/library/L9/change/")
    owned = page.soup.select_one("[data-owned=loan]")
    assert [cell.get_text() for cell in owned.select("tbody th, tbody td")] == ["N-1", "A", "x", "Feb. 3, 2026", "-"]
    assert owned.select_one("tbody a")["href"] == f"{LOANS_URL}L9_23N-1/change/"
    assert Shown(ada, page.at(owned.select("a")[-1])).ids == ["N-1"]
    assert not Shown(ada, "/admin/library/library/L8/change/").soup.select("[data-owned] tbody tr")
    User.objects.filter(username="fred").delete()
    fred = client_of("fred", "view_library")
    assert not Shown(fred, "/admin/library/library/L9/change/").soup.select("[data-owned]")
    for columns, cells in ((["due", str, "number"], ["Feb. 3, 2026", "N-1"]), (["__str__"], ["N-1"])):
        monkeypatch.setattr(LoanAdmin, "list_display", columns)
        owned = Shown(ada, "/admin/library/library/L9/change/").soup.select_one("[data-owned=loan]")
        assert [cell.get_text() for cell in owned.select("tbody th, tbody td")] == cells


ACTIONS = {"view": BOOKS_URL, "add": f"{BOOKS_URL}add/", "change": CHANGE, "delete": f"{BOOKS_URL}H-1/delete/"}


@pytest.mark.parametrize("granted", ["", *ACTIONS])
def test_each_page_needs_a_login_and_its_permission(book: Book, granted: str) -> None:
    assert all(Client().get(address)["Location"].startswith("/admin/login/") for address in ACTIONS.values())
    User.objects.filter(username="bob").delete()
    bob = client_of("bob", *([f"{granted}_book"] if granted else []))
    allowed = {"": set(), "view": {"view"}, "change": {"view", "change"}}.get(granted, {granted})
    for action, address in ACTIONS.items():
        answer = bob.get(address, follow=True)
        readable = action == "change" and granted == "view"
        assert answer.status_code == (200 if action in allowed or readable else 403), (granted, action)
        if action in {"change", "delete"} and action not in allowed:
            assert bob.post(f"{address}?revision={book.revision}", {"post": "yes", **FORM}).status_code == 403
    index = bob.get("/admin/").content.decode()
    assert (f'href="{BOOKS_URL}"' in index) == (granted in {"view", "change"})
    if granted == "view":
        page = Shown(bob, CHANGE)
        assert not page.soup.select("#book_form [name=title], [name=_save]")
        assert not Shown(bob, BOOKS_URL).soup.select("[data-cost]")
    assert BOOKS.get(shelf="H-1").revision == book.revision
