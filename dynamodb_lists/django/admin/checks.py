"""System checks: names of a :class:`ListAdmin` that cannot work, each with the reason and what to do."""

from collections.abc import Iterator
from dataclasses import MISSING
from datetime import date
from typing import Any

from django.contrib.admin.utils import flatten_fieldsets
from django.core.checks import CheckMessage, Error, Warning  # noqa: A004
from django.core.paginator import Paginator

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.told import Told
from dynamodb_lists.django.admin.changelist import named
from dynamodb_lists.django.admin.filters import spec_of
from dynamodb_lists.django.admin.forms import RowForm
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema.entities import defaults, fields

STOCK = {"admin.E033", "admin.E109", "admin.E115", "admin.E116", "admin.E127", "admin.E128"}
"""The checks of Django that these replace: they ask for columns of SQL."""

KEYLESS = "rows of DynamoDB have no foreign keys"
WITHOUT_EFFECT = {"inlines": f"{KEYLESS}; name lists whose owner is a row in `owned`", "list_select_related": KEYLESS}
OF_TOLD = {
    "owned": "a table that exists already has other kinds in the partition of a row, which its page shows",
    "date_hierarchy": "no key tells the first and the last day of a list in a table that exists already",
}
Problem = tuple[str, str]
"""The end of the id of a check, and its sentence."""


def list_checks(model_admin: Any, stock: list[CheckMessage]) -> list[CheckMessage]:
    """Return the faults of a class: the findings of Django, and options that the list cannot serve."""
    declared, found = model_admin.listed.declaration, [each for each in stock if each.id not in STOCK]
    for check in (_options, _sorts, _filters, _searches, _columns, _form):
        for code, text in check(model_admin, declared):
            kind = Error if code.startswith("E") else Warning
            found.append(kind(text, obj=model_admin.__class__, id=f"dynamodb_lists.{code}"))
    return found


def _options(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    told = OF_TOLD if isinstance(declared, Told) else {}
    for name, reason in {**WITHOUT_EFFECT, **told}.items():
        if getattr(model_admin, name):
            yield "E001", f"`{name}` cannot work: {reason}. Remove it."
    if model_admin.paginator is not Paginator:
        yield "E001", "`paginator` cannot work: pages lead on from the rows that they show. Remove it."
    if model_admin.view_on_site is True:
        yield "E001", "`view_on_site` cannot work: a link by content type finds no row. Name a function of a row."
    for listed in model_admin.owned:
        if not isinstance(listed, List):
            yield "E008", f"`owned` names {listed!r}, which is no List."
        elif len(listed.declaration.owner) != len(declared.owner) + 1:
            yield "E008", f"`owned` names {listed.declaration.name}, whose owner is no {declared.kind}."
    for action in model_admin.actions or ():
        if model_admin.get_action(action) is None:
            yield "E010", f"`actions` names {action}, which is no method of the class and no action of the site."
    day = model_admin.date_hierarchy
    if day and day not in [each for each in declared.ranged if issubclass(declared.field(each).type, date)]:
        yield "E006", f"`date_hierarchy` names {day}, of which there are no ranges of days: add a day to `sorts`."


def _sorts(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    ordering = () if isinstance(model_admin.ordering, str) else model_admin.ordering or ()  # Django says what is wrong
    names = [named(declared, str(each)).removeprefix("-") for each in ordering]
    if len(names) > 1:
        yield "E003", f"`ordering` names {len(names)} sorts; {declared.title} have one at a time, and then the id."
    methods = [each if callable(each) else getattr(model_admin, str(each), None) for each in model_admin.list_display]
    columns = [str(sort) for each in methods if (sort := getattr(each, "admin_order_field", None))]
    for where, found in (("ordering", names), ("list_display", columns)):
        for name in found:
            if name.removeprefix("-") not in declared.sorts:
                yield "E002", f"`{where}` names {name}; {declared.title} have no such sort: add it to `sorts`."


def _filters(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    for item in model_admin.list_filter or ():
        if isinstance(item, tuple | list):
            yield "E004", f"`list_filter` has a pair for {item[0]}; {declared.title} take a name or a SimpleListFilter."
        elif spec_of(declared, item) is None:
            yield (
                "E004",
                f"`list_filter` names {item}, which nothing counts or sorts: add it to `facets` of {declared.name} to "
                "choose values, or to `sorts` to choose a range.",
            )


def _searches(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    kinds = (str, int) if isinstance(declared, Told) else (str,)
    names = {*model_admin.search_fields}
    texts = [name for name in declared.sorts if declared.field(name).type in kinds]
    if names <= {*declared.word_fields} or (len(names) == 1 and names <= {*texts}):
        return
    words = ", ".join(repr(name) for name in model_admin.search_fields)
    yield (
        "E005",
        f"`search_fields` names {words}, and {declared.title} cannot be searched by that: declare `words=({words},)`, "
        f"or name one of {', '.join(texts)} alone, which is searched by its beginning.",
    )


def _columns(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    shown = {*declared.shown, *declared.owner, declared.id_field}
    hidden = {field.name for field in fields(declared.entity) if not isinstance(declared, Told)} - shown
    for column in model_admin.list_display:
        if isinstance(column, str) and column in hidden:
            yield "W001", f"`list_display` names {column}, which lists do not read: it is declared `listed=False`."
    for column in model_admin.list_editable:
        if column in hidden | declared.fixed:
            why = "is part of keys" if column in declared.fixed else "is declared `listed=False`"
            yield "E012", f"`list_editable` names {column}, which {why}: people edit other fields in lists."


def _form(model_admin: Any, declared: Declaration) -> Iterator[Problem]:
    """Check that a form for new entities has each field without a default."""
    described, readonly = [field.name for field in fields(declared.entity)], {*model_admin.readonly_fields}
    adds = not isinstance(declared, Told)
    if not issubclass(model_admin.form, RowForm):
        yield "E011", f"`form` is {model_admin.form.__name__}, which cannot save rows: make it a subclass of RowForm."
    needed = {name for name in described if adds and defaults(declared.entity)[name] is MISSING}
    fieldsets = model_admin.fieldsets or [(None, {"fields": list(model_admin.fields or ())})]
    chosen = flatten_fieldsets(fieldsets) or described
    for name in sorted({*chosen} - {*described} - readonly - {*model_admin.form.base_fields}):
        yield "E007", f"The form has the field {name}, which {declared.entity.__name__} does not have."
    for name in sorted({*(model_admin.exclude or ())} - {*described} - {*model_admin.form.base_fields}):
        yield "E009", f"`exclude` names {name}, which {declared.entity.__name__} does not have."
    for name in sorted(needed - ({*chosen} - readonly - {*(model_admin.exclude or ())})):
        yield "W002", f"A new {declared.kind} needs `{name}`, which people cannot enter: give the field a default."
