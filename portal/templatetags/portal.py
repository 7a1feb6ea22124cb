"""Functions of the templates of all pages: amounts, times, the engineers' panel, and templates in the other engine."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django import template

from dynamodb_lists.reading.explaining import MOST_UNITS
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema.entities import field, fields
from portal import cost_panel as cost
from portal import jinja
from portal.forms.fields import seen_text
from portal.forms.values import in_words
from portal.frame import frame_link
from portal.lists.columns import row_writer
from portal.lists.forms import ListForm
from portal.money import money
from portal.people import author_name
from portal.times import day, time_markup, today_in, zone_name

register = jinja.Library()
register.filter("author", author_name)
register.filter("money", money)
register.filter("day", day)
register.filter("zone_name", zone_name)
register.simple_tag(frame_link)
register.function(row_writer)


@register.simple_tag(takes_context=True)
def part(context: template.Context, name: str, **values: Any) -> str:
    """A template of Jinja2 in a page. It has the page's context, and these values."""
    return jinja.part(name, {**context.flatten(), **values})  # type: ignore[dict-item]


@register.simple_tag
def label(entity: Any, name: str) -> str:
    """The label of a field of an entity."""
    return field(entity.__class__, name).label


@register.filter
def facts(entity: Any, others: str) -> list[tuple[str, str]]:
    """The label and the words of each field that people enter, but for ``others``, which the template shows itself."""
    shown = (each for each in fields(entity.__class__) if each.entered and each.name not in others.split())
    values = ((each, getattr(entity, each.name)) for each in shown)
    return [(each.label, in_words(each, value, getattr(entity, "currency", ""))) for each, value in values]


@register.simple_tag
def note_seen(thing: Any) -> str:
    """What the form of a thing's note sends of what its user saw."""
    return seen_text(thing.revision, {"note": thing.note})


@register.function
def shown_range(page: Page[Any]) -> str:
    """The numbers of the page's rows: "26–50 of 2,000", "26–50" without a total, or "25 shown" if they are unknown."""
    if not page.rows:
        return "Nothing to show"
    if not page.numbers:
        return f"{len(page.rows)} shown"
    is_whole = not page.previous and not page.next  # so its rows are all that the list has
    total = len(page.rows) if page.total is None and is_whole else page.total
    return page.numbers if total is None else f"{page.numbers} of {total:,}"


@register.function
def today(context: Mapping[str, Any], zone: str = "") -> date:
    """The day that it is now in a zone, or in that of the page."""
    return today_in(zone or context["view"].zone)


@register.function
def moment(context: Mapping[str, Any], at: datetime, zone: str | None = None) -> str:
    """A time to the minute in a zone, by default the page's, which it names once; to the second in UTC for machines."""
    return time_markup(at, context["view"].shown_zone if zone is None else zone)


@register.function
def cost_panel(context: Mapping[str, Any], shown: int, keys: str = "", revision: int = 0) -> str:
    """The engineers' panel: how this page was read, and what it cost. Others get only the figures, as attributes.

    The requests and plans are drawn for whoever asks for them: by a parameter or, when the panel is opened, by reading
    the page once more. ``keys`` is a template with the keys of the one thing that the page shows, which is at this
    ``revision``. The page's context then has ``places``, a function that returns them.
    """
    request, page, form = context["request"], context.get("page"), context.get("form")
    found = cost.summary(context["ledger"], shown)
    asked, permitted = request.GET.get(cost.EXPLAIN) == "1", request.user.has_perm(cost.VIEW_COSTS)
    again = permitted and getattr(request, "htmx", None) and request.htmx.target == cost.OPENED
    request.cost_badge = found if asked or permitted else None
    drawn = {"request": request, "cost": found, "visible": asked or permitted, "drawn": asked or again, "again": again}
    address = f"{request.path}?{form.address}" if isinstance(form, ListForm) else request.get_full_path()
    drawn["address"] = address.removesuffix("?")
    if asked or again:
        explain = context.get("explanation")
        drawn |= {"permitted": permitted, "form": form}
        drawn |= {"explanation": explain and explain(most_units=MOST_UNITS if asked and permitted else 0)}
        drawn |= {"keys": keys, "revision": revision, "places": context.get("places")}
    return jinja.part("portal/_cost.html", {**drawn, "counts_differ": getattr(page, "counts_differ", False)})
