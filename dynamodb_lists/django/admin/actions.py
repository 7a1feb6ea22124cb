"""Actions on rows that were ticked, or on a whole selection. An action is a function that takes entities."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from itertools import chain, islice
from typing import Any

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.utils import model_ngettext
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, KeyPartError, NotFound
from dynamodb_lists.declared.told import Misfit
from dynamodb_lists.django.admin.queries import RowQuery
from dynamodb_lists.django.admin.rows import place_at, shown_as
from dynamodb_lists.lists.files import csv_lines
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import fields

MOST = 500
"""The most rows of an action: a form that Django takes has at most 1,000 fields."""

CHANGED = (
    "%(count)s of these rows was changed or deleted after you saw it. Nothing was done with it.",
    "%(count)s of these rows were changed or deleted after you saw them. Nothing was done with them.",
)
"""For one row, and for several."""
GONE = (
    "%(count)s of these rows was deleted or changed after you saw it. The file does not have it.",
    "%(count)s of these rows were deleted or changed after you saw them. The file does not have them.",
)
LEFT_OUT = "LEFT OUT: {} is no row: {}"
STOPPED = "The action stopped there. Look at what it has done, and run it again for the rest."
MANY = "These are more than %(most)s rows. Choose fewer, with filters."


def chosen(query: RowQuery, *, changed: bool = False) -> Sequence[Any]:
    """The entities that a query has: of rows that were ticked, those that are still as they were shown.

    With ``changed``, those that still belong to the list, too. Of a whole list, at most one more than an action takes.
    """
    if query.ticked is None:
        return [*islice(query.apart({}).all(), MOST + 1)]
    found = at_keys(query, (shown.rpartition(keys.SEPARATOR)[0] for shown in query.ticked))
    return [each for each in found if changed or shown_as(query.reader.declaration, each) in query.ticked]


def at_keys(query: RowQuery, addresses: Iterable[str]) -> list[Any]:
    """The entities of a query that are stored with these keys."""
    places = []
    for address in addresses:
        with suppress(NotFound):
            places.append(place_at(query.reader.declaration, address))
    with suppress(KeyPartError):
        return [*filter(query.matches, query.reader.at(places, misfits={}))]
    return []


def on_entities(function: Callable[..., Any], name: str, *, asks: bool = False) -> Callable[..., Any]:
    """An action as Django calls it, from a function that takes entities.

    The rows of a whole selection are shown first, and so are those of an action that ``asks``: what is done is done to
    what was shown.
    """

    @wraps(function)
    def run(model_admin: Any, request: HttpRequest, queryset: RowQuery) -> Any:
        entities = chosen(queryset)
        if len(queryset.ticked or entities) > MOST:
            return model_admin.message_user(request, gettext(MANY) % {"most": MOST}, messages.ERROR)
        if left := len(queryset.ticked or entities) - len(entities):
            model_admin.message_user(request, ngettext(*CHANGED, left) % {"count": left}, messages.WARNING)
        if entities and (asks or queryset.ticked is None) and "post" not in request.POST:
            return preview(model_admin, request, name, entities)
        try:
            return function(model_admin, request, entities) if entities else None
        except Conflict as error:
            return model_admin.message_user(request, f"{error} {gettext(STOPPED)}", messages.ERROR)

    return run


def with_function(action: Any, function: Callable[..., Any]) -> Any:
    """An action, a tuple or an object as releases of Django have it, with another function."""
    return (function, *action[1:]) if isinstance(action, tuple) else replace(action, func=function)


def preview(model_admin: Any, request: HttpRequest, name: str, entities: Sequence[Any]) -> HttpResponse:
    """The rows of an action, and a button that runs it for these."""
    rows = [model_admin.model.of(entity) for entity in entities]
    context = {
        **model_admin.admin_site.each_context(request),
        "title": dict(model_admin.get_action_choices(request))[name],
        "rows": [(row, model_admin.in_words(request, row)) for row in rows],
        "action": name,
        "action_checkbox_name": helpers.ACTION_CHECKBOX_NAME,
        "opts": model_admin.opts,
        "media": model_admin.media,
    }
    return TemplateResponse(request, "dynamodb_lists/preview.html", context)


def delete_selected(model_admin: Any, request: HttpRequest, entities: Sequence[Any]) -> None:
    """Delete entities that were shown, and log each. Those that somebody changed meanwhile stay."""
    rows = [model_admin.model.of(entity) for entity in entities]
    if not all(model_admin.has_delete_permission(request, row) for row in rows):
        raise PermissionDenied
    deleted = 0
    for row in rows:
        try:
            model_admin.delete_queryset(request, [row])
        except ChangedMeanwhile:
            continue
        model_admin.log_deletions(request, [row])
        deleted += 1
    if left := len(rows) - deleted:
        model_admin.message_user(request, ngettext(*CHANGED, left) % {"count": left}, messages.WARNING)
    if deleted:
        names = {"count": deleted, "items": model_ngettext(model_admin.opts, deleted)}
        model_admin.message_user(
            request, gettext("Successfully deleted %(count)d %(items)s.") % names, messages.SUCCESS
        )


def exported(model_admin: Any, request: HttpRequest, queryset: RowQuery) -> StreamingHttpResponse:
    """A CSV file of the rows, without the fields that their form leaves out. Its end names what is no row."""
    declared, met = queryset.reader.declaration, dict[str, Misfit]()
    found = [] if queryset.ticked is None else chosen(queryset, changed=True)
    if left := len({*(queryset.ticked or ())}) - len(found):
        model_admin.message_user(request, ngettext(*GONE, left) % {"count": left}, messages.WARNING)
    entities = queryset.apart(met).all() if queryset.ticked is None else iter(found)
    first = [*islice(entities, 1)]
    hidden = model_admin.hidden(request, model_admin.model.of(first[0]) if first else None)
    written = [field for field in fields(declared.entity) if field.column and field.name not in hidden]
    rows = ([getattr(entity, field.name) for field in written] for entity in chain(first, entities))
    left_out = ([LEFT_OUT.format(each, met[each].reason)] for each in met)  # which are known after the last row
    body = csv_lines([str(field.column) for field in written], chain(rows, left_out))
    response = StreamingHttpResponse(body, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{declared.name}.csv"'
    return response
