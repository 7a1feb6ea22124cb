"""Actions: on selected rows at once, and on all rows that match in portions, one a request.

An action is a function of entities. A portion begins once, whatever is sent again, because the session has the progress
of the action. The action goes through the rows in the order of their ids, which no action changes, so it comes to no
row twice.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from itertools import chain, islice
from time import time
from typing import Any

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.utils import model_ngettext
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext, ngettext

from dynamodb_lists.connection.errors import BadCursor, ChangedMeanwhile, Conflict, KeyPartError, NotFound
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.django.admin.queries import RowQuery
from dynamodb_lists.django.admin.rows import key_of, place_at, shown_as
from dynamodb_lists.lists.files import csv_lines
from dynamodb_lists.lists.queries import QueryPage
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

RUNS = "dynamodb_lists_runs"
"""What a session knows of the last actions that were begun."""
KEPT, LONGEST, MOST_PROBLEMS = 10, 60, 100
"""How many of them, the seconds after which a portion counts as interrupted, and the problems that stop an action."""

FORGOTTEN = "Nothing was done: this action is not known any more. Begin it again."
ONE_PAGE = "This action answers with a page of its own, so it stopped after the first rows. Choose fewer, with filters."
UNKNOWN = "%(first)s … %(last)s: nobody knows whether all of these were done."


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
        said = gettext("Successfully deleted %(count)d %(items)s.") % names
        model_admin.message_user(request, said, messages.SUCCESS)


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


# --- Actions as Django calls them ----------------------------------------------------------------------


def on_entities(function: Callable[..., Any], name: str, *, asks: bool = False) -> Callable[..., Any]:
    """Return an action as Django calls it, from a function that takes entities.

    An action on all rows, or one that ``asks``, first shows the rows, and then gets the rows as they were shown.
    """

    @wraps(function)
    def run(model_admin: Any, request: HttpRequest, queryset: RowQuery) -> Any:
        if queryset.ticked is None:
            return run_on_all(model_admin, request, name, function, queryset)
        entities = chosen(queryset, queryset.ticked)
        if left := len(queryset.ticked) - len(entities):
            model_admin.message_user(request, ngettext(*CHANGED, left) % {"count": left}, messages.WARNING)
        if entities and asks and "post" not in request.POST:
            return preview(model_admin, request, name, entities)
        answer, problems = attempted(function, model_admin, request, queryset, entities)
        for problem in problems:
            model_admin.message_user(request, problem, messages.ERROR)
        return answer

    return run


def run_on_all(
    model_admin: Any, request: HttpRequest, name: str, function: Callable[..., Any], query: RowQuery
) -> HttpResponseBase | None:
    """Show the rows of a whole selection; or call the function with the next portion of rows, and show the progress."""
    declared = query.reader.declaration
    if not (isinstance(declared, Told) or query.asked.typed):
        query = query.order_by(declared.id_field)
    if "post" not in request.POST:
        page = query.page(model_admin.list_per_action)
        return preview(model_admin, request, name, whole(query, page), page) if page.rows else None
    runs, token, step = request.session.get(RUNS, {}), request.POST.get("run", ""), request.POST.get("step", "")
    begun = {"step": 0, "cursor": "", "given": 0, "total": None, "until": 0, "problems": []}
    run = runs.get(token, begun if step == "0" else None)
    if run is None:
        return model_admin.message_user(request, gettext(FORGOTTEN), messages.ERROR)  # type: ignore[no-any-return]
    said = list[str]()
    if step == str(run["step"]) and run["cursor"] is not None and run["until"] < time():
        request.session[RUNS] = {**dict([*runs.items()][1 - KEPT :]), token: run}
        said = next_portion(model_admin, request, function, query, run)
    context = {
        "said": said,
        "run": token,
        "state": run,
        "given": f"{run['given']:,}",
        "total": f"{max(run['total'], run['given']):,}" if run["total"] else "",
        "wait": 5000 if run["until"] > time() else 0,  # another request may still work on the portion before
    }
    return drawn(model_admin, request, "progress", name, messages=(), **context)  # the page itself has them


def next_portion(
    model_admin: Any, request: HttpRequest, function: Callable[..., Any], query: RowQuery, run: dict[str, Any]
) -> list[str]:
    """Call the function with the next portion, and return its answer. Its problems are kept in ``run``."""
    declared, problems = query.reader.declaration, run["problems"]
    try:
        page = query.page(model_admin.list_per_action, run["cursor"])
    except BadCursor as error:
        run["cursor"] = None
        problems.append(f"{error} {gettext(STOPPED)}")
        return []
    run |= {"step": run["step"] + 1, "cursor": page.next, "given": run["given"] + len(page.rows)}
    run |= {"total": run["total"] or page.total, "until": time() + LONGEST}
    ends = {"first": key_of(declared, page.rows[0]), "last": key_of(declared, page.rows[-1])} if page.rows else {}
    problems.append(gettext(UNKNOWN) % ends if ends else "")
    request.session.save()  # before it is begun: whatever happens to this request, it is not begun again
    try:
        answer, found = attempted(function, model_admin, request, query, whole(query, page))
    finally:
        run["until"] = 0
        request.session.save()
    said = [*messages.get_messages(request)]
    problems[-1:] = [*found, *(str(each) for each in said if each.level >= messages.WARNING)]
    if answer is not None or len(problems) >= MOST_PROBLEMS:
        run["cursor"] = None
        problems.append(gettext(STOPPED if answer is None else ONE_PAGE))
    return [str(each) for each in said if each.level < messages.WARNING]


def whole(query: RowQuery, page: QueryPage[Any]) -> Sequence[Any]:
    """Return the entities of a page with all their fields, as they are stored, in the order of the page."""
    return chosen(query, [shown_as(query.reader.declaration, each) for each in page.rows], changed=True)


def preview(
    model_admin: Any, request: HttpRequest, name: str, entities: Sequence[Any], page: QueryPage[Any] | None = None
) -> HttpResponse:
    """Return a page with the rows of an action, or the first rows of ``page``, and a button that runs the action."""
    rows = [(row, model_admin.in_words(request, row)) for row in map(model_admin.model.of, entities)]
    more = page is not None and page.next is not None
    total = f"{page.total:,}" if page and page.total else ""
    return drawn(model_admin, request, "preview", name, rows=rows, more=more, total=total, run=get_random_string(12))


def drawn(model_admin: Any, request: HttpRequest, template: str, name: str, **context: Any) -> HttpResponse:
    shared = {
        **model_admin.admin_site.each_context(request),
        "title": dict(model_admin.get_action_choices(request))[name],
        "action": name,
        "action_checkbox_name": helpers.ACTION_CHECKBOX_NAME,
        "opts": model_admin.opts,
        "media": model_admin.media,
    }
    return TemplateResponse(request, f"dynamodb_lists/{template}.html", {**shared, **context})
