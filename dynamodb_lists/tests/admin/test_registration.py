"""Registering lists: names that cannot work say why, permissions come with migrations, and queries can be narrowed."""

from dataclasses import dataclass, make_dataclass
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.contrib.admin.sites import AdminSite
from django.contrib.auth.models import Permission, User
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.http import HttpRequest
from django.test import Client

from dynamodb_lists import Connection, List, Record
from dynamodb_lists.django.admin import ListAdmin, register
from dynamodb_lists.lists import list as list_module
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.admin.conftest import client_of
from dynamodb_lists.tests.admin.library.admin import BookAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, LOANS, Book
from dynamodb_lists.tests.admin.pages import BOOKS_URL, Shown


def checked(listed: List[Any] = BOOKS, **names: Any) -> list[str]:
    """Return what the system checks say of a class with these names."""
    site = AdminSite(name="other")
    register(listed, site=site)(type("OtherAdmin", (ListAdmin,), {"app_label": "library", **names}))
    ((_, found),) = site._registry.items()
    return [f"{each.id}: {each.msg}" for each in found.check()]


def test_the_same_list_of_another_connection_has_a_model_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_module, "lists_by_name", {})
    monkeypatch.setattr(tables, "_registry", {})
    cellar = Connection("cellar", table_prefix="cellar-")
    site = AdminSite(name="cellar")
    register(List(Book, id="shelf", facets="genre", kind="book", name="books", connection=cellar), site=site)(
        type("CellarAdmin", (ListAdmin,), {"app_label": "library"})
    )
    ((model, _),) = site._registry.items()
    named = model._meta
    assert (named.object_name, named.verbose_name, named.verbose_name_plural) == (
        "CellarBook",
        "cellar book",
        "cellar books",
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"ordering": ["author"]}, "E002: `ordering` names author; Books have no such sort: add it to `sorts`."),
        (
            {"ordering": ["-year", "title"]},
            "E003: `ordering` names 2 sorts; Books have one at a time, and then the id.",
        ),
        ({"list_filter": ["author"]}, "E004: `list_filter` names author, which nothing counts or sorts: add it to"),
        ({"list_filter": [("genre", object)]}, "E004: `list_filter` has a pair for genre;"),
        ({"search_fields": ["genre", "title"]}, "E005: `search_fields` names 'genre', 'title', and Books cannot be"),
        ({"date_hierarchy": "year"}, "E006: `date_hierarchy` names year, of which there are no ranges of days"),
        ({"list_select_related": ["genre"]}, "E001: `list_select_related` cannot work: rows of DynamoDB have no"),
        ({"paginator": object}, "E001: `paginator` cannot work: pages lead on from the rows that they show."),
        ({"view_on_site": True}, "E001: `view_on_site` cannot work: a link by content type finds no row."),
        (
            {"list_editable": ["shelf"], "list_display": ["title", "shelf"]},
            "E012: `list_editable` names shelf, which is",
        ),
        ({"list_display": ["shelf", "summary"]}, "W001: `list_display` names summary, which lists do not read"),
        ({"fields": ["shelf", "title"]}, "W002: A new book needs `author`, which people cannot enter"),
        ({"fields": ["shelf", "title", "author", "titel"]}, "E007: The form has the field titel, which Book does not"),
        ({"owned": ["loans"]}, "E008: `owned` names 'loans', which is no List."),
        ({"exclude": ["nope"]}, "E009: `exclude` names nope, which Book does not have."),
        ({"actions": ["nope"]}, "E010: `actions` names nope, which is no method of the class and no action"),
        (
            {"form": forms.ModelForm},
            "E011: `form` is ModelForm, which cannot save rows: make it a subclass of RowForm.",
        ),
        ({"owned": [BOOKS]}, "E008: `owned` names books, whose owner is no book."),
        ({"readonly_fields": ["title"]}, "W002: A new book needs `title`, which people cannot enter"),
    ],
)
def test_a_name_that_cannot_work_says_why(names: dict[str, Any], said: str) -> None:
    (found,) = checked(**names)
    assert found.startswith(f"dynamodb_lists.{said}")


def test_names_that_work_say_nothing() -> None:
    @admin.display(ordering="-year")
    def age(book: Any) -> int:
        return int(book.age)

    columns = ["shelf", age, "age"]
    assert not checked(list_display=columns, ordering=["pk"], list_filter=["genre", "title", "bought"])
    assert not checked(save_as=True, list_editable=["title"], list_display=["shelf", "title"])
    assert not checked(prepopulated_fields={"shelf": ["title"]}, view_on_site=lambda row: f"/books/{row.shelf}/")
    assert not checked(search_fields=["title"], date_hierarchy="bought", readonly_fields=["revision"])
    assert not checked(
        LOANS,
        search_fields=["number"],
        list_filter=["open", "due"],
        fieldsets=[(None, {"fields": [("library", "number"), "genre", "member", "due"]})],
    )


def test_a_field_that_is_counted_alone_is_a_filter() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Berth(Record):
        number: str
        free: bool = False

    assert not checked(List(Berth, id="number", counted="free"), list_filter=["free"])


def test_the_checks_of_django_are_kept() -> None:
    for names, code in (({"list_display": ["titel"]}, "E108"), ({"ordering": "-year"}, "E031")):
        (found,) = checked(**names)
        assert found.startswith(f"admin.{code}")


def test_a_list_that_django_cannot_show_is_refused() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Cell(Record):
        number: str
        clean: bool = False

    found = List(Cell, id="number")
    with pytest.raises(ImproperlyConfigured, match="Cell has the field 'clean', a name that Django's models need"):
        checked(found)
    with pytest.raises(ImproperlyConfigured, match="register.. takes lists, and .*Cell.* is none"):
        checked(Cell)  # type: ignore[arg-type]
    with pytest.raises(ImproperlyConfigured, match="no installed app has this module: set app_label"):
        register(BOOKS, site=AdminSite())(type("Homeless", (ListAdmin,), {"__module__": "nowhere"}))
    user = List(Book, id="shelf", kind="user")
    with pytest.raises(ImproperlyConfigured, match="The app auth has a model User already"):
        checked(user, app_label="auth")


def test_orders_that_a_list_leaves_out_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"field_{number}" for number in range(13)]
    wide: Any = make_dataclass(
        "Wide", [("number", str), *((name, int) for name in names)], bases=(Record,), frozen=True, kw_only=True
    )
    facets, sorts = names[:3], names[3:5]
    usual, named = (
        List(wide, id="number", kind=f"wide-{kind}", facets=facets, sorts=sorts, orders=orders)
        for kind, orders in (("usual", None), ("named", [*sorts, facets]))
    )
    monkeypatch.setattr(list_module, "lists_by_name", {"usual": usual, "named": named, "books": BOOKS})
    (found,) = [each for each in run_checks() if each.id == "dynamodb_lists.W003"]
    assert (found.obj, str(found.hint)[:17]) == ("usual", "Name the `orders`")
    left = "field_1, field_3 or field_1, field_4 or field_2, field_3 or field_2, field_4"
    assert found.msg.startswith(f"Wide-usuals keep no index by {left}, because")
    assert len(usual.declaration.kept) + 4 == 2 + 3 + 6


def test_migrations_bring_permissions_and_nothing_else(migrated: None) -> None:
    found = Permission.objects.filter(content_type__app_label="library", content_type__model="book")
    assert {each.codename: each.name for each in found} == {
        "add_book": "Can add book",
        "change_book": "Can change book",
        "delete_book": "Can delete book",
        "view_book": "Can view book",
        "explain_book": "Can see what pages of books cost",
    }
    call_command("migrate", verbosity=0)
    assert found.count() == 5
    call_command("makemigrations", check=True, verbosity=0)


def test_costs_need_a_permission(migrated: None) -> None:
    for name, granted in (("dave", ["view_book"]), ("erin", ["view_book", "explain_book"])):
        User.objects.filter(username=name).delete()
        page = Shown(client_of(name, *granted), BOOKS_URL)
        assert bool(page.soup.select("[data-cost]")) == (len(granted) == 2)
    assert "Query" in page.soup.select_one("[data-cost]").get_text()


def test_a_query_that_is_narrowed_hides_all_other_rows(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, genre in enumerate(("Open", "Open", "Secret")):
        BOOKS.save([Book(shelf=f"Q-{number}", title=f"Narrow {number}", author="N", genre=genre)])
    usual = BookAdmin.get_queryset

    def narrowed(self: BookAdmin, request: HttpRequest) -> Any:
        return usual(self, request).where(genre="Open")

    monkeypatch.setattr(BookAdmin, "get_queryset", narrowed)
    try:
        for query in ("", "?q=narrow", "?genre=Secret", "?genre=Open"):
            expected = [] if "Secret" in query else ["Q-0", "Q-1"]
            assert sorted(Shown(ada, BOOKS_URL + query).ids) == expected
        secret = BOOKS.get(shelf="Q-2")
        for page in ("change", "delete", "history"):
            answer = ada.post(f"{BOOKS_URL}Q-2/{page}/?revision={secret.revision}", {"post": "yes"})
            assert answer["Location"] == "/admin/", page
        data = {"action": "delete_selected", "post": "yes", "_selected_action": f"Q-2#{secret.revision}"}
        ada.post(BOOKS_URL, data)
        assert BOOKS.get(shelf="Q-2") == secret
    finally:
        for number in range(3):
            BOOKS.delete(BOOKS.get(shelf=f"Q-{number}"))
