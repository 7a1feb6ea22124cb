"""The admin of books and loans."""

import os
from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.module_loading import import_string

from dynamodb_lists import between
from dynamodb_lists.django.admin import ListAdmin, register
from dynamodb_lists.tests.admin.library import told
from dynamodb_lists.tests.admin.library.models import BOOKS, LIBRARIES, LOANS, Book

Look: Any = import_string("unfold.admin.ModelAdmin" if os.environ.get("LOOK") == "unfold" else "builtins.object")


@admin.action(description="Mark selected %(verbose_name_plural)s as rare", permissions=["change"])
def mark_rare(model_admin: Any, request: HttpRequest, entities: Sequence[Book]) -> None:
    for book in entities:
        BOOKS.update(book, rare=True)
    model_admin.message_user(request, f"{len(entities)} are rare now.")


class Decade(admin.SimpleListFilter):
    """A filter of the project's own."""

    title, parameter_name = "decade", "decade"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1950", "The fifties"), ("none", "No year")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "none":
            return queryset.where(year=None)
        return queryset.where(year=between(1950, 1959)) if self.value() else None


@register(BOOKS)
class BookAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["title", "author", "genre", "year", "price", "binding", "rare", "bought", "age"]
    list_filter = ["genre", "language", "binding", "rare", "year", "bought", Decade]
    ordering = ["-year"]
    search_fields = ["title", "author"]
    actions = [mark_rare]
    list_per_page = 20
    list_per_action = 15


@register(LIBRARIES)
class LibraryAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["name", "code"]
    owned = [LOANS]


@register(LOANS)
class LoanAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["number", "genre", "member", "due", "returned"]
    list_filter = ["genre", "member", "open"]
    date_hierarchy = "due"
    search_fields = ["number"]

    def owners(self, request: HttpRequest) -> list[str]:
        return ["L1", "L2"]


@register(told.CUSTOMERS)
class CustomerAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["username", "name"]


@register(told.ORDERS)
class OrderAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["order_id", "username", "state", "placed", "total", "express"]
    list_filter = ["state", "placed", "total", "express"]
    search_fields = ["order_id"]
    actions = ["finish"]

    @admin.action(permissions=["change"])
    def finish(self, request: HttpRequest, orders: Sequence[told.Order]) -> None:
        for each in orders:
            told.ORDERS.update(each, state=told.State.DONE)


@register(told.DEVICE_LIST, told.BLOB_LIST, told.WORD_LIST)
class TableAdmin(ListAdmin, Look):  # type: ignore[misc]
    pass


@register(told.NOTE_LIST)
class NoteAdmin(ListAdmin, Look):  # type: ignore[misc]
    list_display = ["id", "text", "count"]
