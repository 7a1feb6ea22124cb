"""Actions on selected rows, or on all rows that match. An action is a function of entities."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import model_ngettext
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext, ngettext

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, KeyPartError, NotFound
from dynamodb_lists.declared.told import Misfit
from dynamodb_lists.django.admin.queries import RowQuery
from dynamodb_lists.django.admin.rows import place_at, shown_as
from dynamodb_lists.lists.files import csv_lines
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import fields

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


def chosen(query: RowQuery, ticked: Sequence[str], *, changed: bool = False) -> Sequence[Any]:
    """Return the entities of the selected rows that are still as shown; with ``changed``, of all selected rows."""
    found = at_keys(query, (shown.rpartition(keys.SEPARATOR)[0] for shown in ticked))
    return [each for each in found if changed or shown_as(query.reader.declaration, each) in ticked]


def at_keys(query: RowQuery, addresses: Iterable[str]) -> list[Any]:
    """Return the entities of a query that are stored with these keys."""
    places = []
    for address in addresses:
        with suppress(NotFound):
            places.append(place_at(query.reader.declaration, address))
    with suppress(KeyPartError):
        return [*filter(query.matches, query.reader.at(places, misfits={}))]
    return []


def attempted(
    function: Callable[..., Any], model_admin: Any, request: HttpRequest, query: RowQuery, entities: Sequence[Any]
) -> tuple[Any, list[str]]:
    """Call a function with entities, and return its answer and its problems.

    If somebody else has changed an entity meanwhile, the function is called again without this entity, and without the
    entities that the function has changed itself.
    """
    problems = list[str]()
    while entities:
        try:
            return function(model_admin, request, entities), problems
        except Conflict as error:
            left = chosen(query, [shown_as(query.reader.declaration, each) for each in entities])
            stays = len(left) == len(entities)  # it would meet the same again
            problems.append(f"{error} {gettext(STOPPED)}" if stays else str(error))
            entities = () if stays else left
    return None, problems


def delete_selected(model_admin: Any, request: HttpRequest, entities: Sequence[Any]) -> None:
    """Delete entities that were shown, and log each deletion. Entities that somebody has changed stay."""
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
    """Return a CSV file of the rows, without fields that forms hide. Items that are no rows are named at the end."""
    declared, met = queryset.reader.declaration, dict[str, Misfit]()
    ticked = queryset.ticked or ()
    found = chosen(queryset, ticked, changed=True)
    if left := len({*ticked}) - len(found):
        model_admin.message_user(request, ngettext(*GONE, left) % {"count": left}, messages.WARNING)
    every = replace(queryset, asked=replace(queryset.asked, misfits=met))
    entities = every.all() if queryset.ticked is None else iter(found)
    first = [*islice(entities, 1)]
    hidden = model_admin.hidden(request, model_admin.model.of(first[0]) if first else None)
    written = [field for field in fields(declared.entity) if field.column and field.name not in hidden]
    rows = ([getattr(entity, field.name) for field in written] for entity in chain(first, entities))
    left_out = ([LEFT_OUT.format(each, met[each].reason)] for each in met)  # which are known after the last row
    body = csv_lines([str(field.column) for field in written], chain(rows, left_out))
    response = StreamingHttpResponse(body, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{declared.name}.csv"'
    return response
