"""System checks: names of a :class:`ListAdmin` that cannot work, each with the reason and what to do."""

from collections.abc import Iterator
from dataclasses import MISSING
from datetime import date
from typing import Any

from django.contrib.admin.utils import flatten_fieldsets
from django.core.checks import CheckMessage, Error, Warning  # noqa: A004

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.django.admin.changelist import named, sorts
from dynamodb_lists.django.admin.filters import filter_of
from dynamodb_lists.lists.conditions import rangeable
from dynamodb_lists.schema.entities import defaults, fields

STOCK = {"admin.E033", "admin.E109", "admin.E115", "admin.E116", "admin.E127", "admin.E128"}
"""The checks of Django that these replace: they ask for columns of SQL."""

WITHOUT_EFFECT = {
    "list_editable": "rows are edited on their own page, which shows what others changed meanwhile",
    "save_as": "an id stays as it is, so a changed row cannot be saved as a new one",
    "inlines": "rows of DynamoDB have no foreign keys; name lists whose owner is a row in `owned`",
    "autocomplete_fields": "rows of DynamoDB have no foreign keys",
    "raw_id_fields": "rows of DynamoDB have no foreign keys",
    "list_select_related": "rows of DynamoDB have no foreign keys",
}


def list_checks(model_admin: Any, stock: list[CheckMessage]) -> list[CheckMessage]:
    """What is wrong with a class: what Django finds, and what its list cannot do."""
    declared = model_admin.listed.declaration
    found = [
        *_without_effect(model_admin),
        *_ordering(model_admin, declared),
        *_list_filter(model_admin, declared),
        *_search_fields(model_admin, declared),
        *_date_hierarchy(model_admin, declared),
        *_list_display(model_admin, declared),
        *_fields(model_admin, declared),
        *_owned(model_admin, declared),
    ]
    own = [
        Error(text, obj=model_admin.__class__, id=f"dynamodb_lists.{code}")
        if code[0] == "E"
        else Warning(text, obj=model_admin.__class__, id=f"dynamodb_lists.{code}")
        for code, text in found
    ]
    return [*(each for each in stock if each.id not in STOCK), *own]


def _without_effect(model_admin: Any) -> Iterator[tuple[str, str]]:
    for name, reason in WITHOUT_EFFECT.items():
        if getattr(model_admin, name):
            yield "E001", f"`{name}` cannot work: {reason}. Remove it."


def _owned(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    for listed in model_admin.owned:
        if len(listed.declaration.owner) != len(declared.owner) + 1:
            yield "E008", f"`owned` names {listed.declaration.name}, whose owner is no {declared.kind}."


def _ordering(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    names = [named(declared, str(each)) for each in model_admin.ordering or ()]
    for name in names:
        if name.removeprefix("-") not in sorts(declared):
            yield "E002", _no_sort(declared, "ordering", name.removeprefix("-"))
    if len(names) > 1:
        yield "E003", f"`ordering` names {len(names)} sorts; {declared.title} have one at a time, and then the id."


def _no_sort(declared: Declaration, where: str, name: str) -> str:
    return f"`{where}` names {name}; {declared.title} have no such sort: add it to `sorts`."


def _list_filter(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    for item in model_admin.list_filter or ():
        if isinstance(item, tuple | list):
            yield "E004", f"`list_filter` has a pair for {item[0]}; {declared.title} take a name or a SimpleListFilter."
        elif filter_of(declared, item) is None:
            yield (
                "E004",
                f"`list_filter` names {item}, which nothing counts or sorts: add it to `facets` of {declared.name} to "
                "choose values, or to `sorts` to choose a range.",
            )


def _search_fields(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    names = {*model_admin.search_fields}
    if not names or names <= {*declared.word_fields} or (len(names) == 1 and names <= {*_texts(declared)}):
        return
    words = ", ".join(repr(name) for name in model_admin.search_fields)
    yield (
        "E005",
        f"`search_fields` names {words}, and {declared.title} cannot be searched by that: declare `words=({words},)`, "
        f"or name one of {', '.join(_texts(declared))} alone, which is searched by its beginning.",
    )


def _texts(declared: Declaration) -> list[str]:
    return [name for name in sorts(declared) if declared.field(name).type is str]


def _date_hierarchy(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    name = model_admin.date_hierarchy
    days = [each for each in rangeable(declared) if issubclass(declared.field(each).type, date)]
    if name and name not in days:
        yield "E006", f"`date_hierarchy` names {name}, of which there are no ranges of days: add a day to `sorts`."


def _list_display(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    shown = {*declared.shown, *declared.owner, declared.id_field}
    described = {field.name for field in fields(declared.entity)}
    for column in model_admin.list_display:
        if isinstance(column, str) and column in described - shown:
            yield "W001", f"`list_display` names {column}, which lists do not read: it is declared `listed=False`."
        method = column if callable(column) else getattr(model_admin, str(column), None)
        sort = getattr(method, "admin_order_field", None)
        if sort and str(sort).removeprefix("-") not in sorts(declared):
            yield "E002", _no_sort(declared, "list_display", f"a column that is sorted by {sort}")


def _fields(model_admin: Any, declared: Declaration) -> Iterator[tuple[str, str]]:
    """A new entity needs a value for each field without a default."""
    needed = {field.name for field in fields(declared.entity) if defaults(declared.entity)[field.name] is MISSING}
    chosen = flatten_fieldsets(model_admin.fieldsets) if model_admin.fieldsets else model_admin.fields
    entered = needed if chosen is None else {*flatten_fieldsets([(None, {"fields": list(chosen)})])}
    known = {*(field.name for field in fields(declared.entity)), *model_admin.readonly_fields}
    for name in sorted({*(entered if chosen is not None else ())} - known - {*model_admin.form.base_fields}):
        yield "E007", f"The form has the field {name}, which {declared.entity.__name__} does not have."
    for name in sorted(needed - entered | needed & {*model_admin.readonly_fields, *(model_admin.exclude or ())}):
        yield "W002", f"A new {declared.kind} needs `{name}`, which people cannot enter: give the field a default."
