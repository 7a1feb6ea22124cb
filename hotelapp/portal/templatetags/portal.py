"""Template tags of all pages: links that keep the filters, column headers, amounts, times, the engineers' panel."""

from datetime import datetime
from typing import Any

from django import template
from django.forms.utils import ErrorList
from django.http import QueryDict
from django.utils.html import format_html

from hotelapp.dynamodb.reading.pages import Page
from hotelapp.dynamodb.schema.entities import field
from hotelapp.dynamodb.schema.keys import time_part
from hotelapp.portal import cost_panel as cost
from hotelapp.portal.forms.parameters import without
from hotelapp.portal.money import money
from hotelapp.portal.times import day, local_time

register = template.Library()
register.filter("money", money)


@register.simple_tag(takes_context=True)
def list_url(context: template.Context, **changes: Any) -> str:
    """The list's address with some parameters changed; ``None`` removes one. The others stay, but not the cursor."""
    params: QueryDict = context["params"].copy()
    for name, value in changes.items():
        if value in (None, ""):
            params.pop(name, None)
        else:
            params[name] = str(value)
    return f"?{params.urlencode()}"


@register.simple_tag(takes_context=True)
def without_value(context: template.Context, name: str, value: str) -> str:
    """The list's address without one value of a parameter that may have several."""
    return f"?{without(context['params'], name, str(value)).urlencode()}"


@register.simple_tag(takes_context=True)
def errors_of(context: template.Context, name: str) -> ErrorList:
    """The errors of a field of the list's form, for a filter that is not drawn by the field's widget."""
    errors: ErrorList = context["form"][name].errors
    return errors


@register.inclusion_tag("portal/_column.html", takes_context=True)
def column(
    context: template.Context, name: str, label: str = "", sort: str = "", numeric: bool | None = None
) -> dict[str, Any]:
    """The header of a column: the entity's label, and a link if the list can be sorted by it.

    ``sort`` names the sort if it has another name than the field.
    """
    described = context["fields"].get(name)
    return {
        "label": label or described.label,
        "numeric": (described is not None and described.numeric) if numeric is None else numeric,
        "header": context["headers"].get(sort or name),
    }


@register.simple_tag
def label(entity: Any, name: str) -> str:
    """The label of a field of an entity."""
    return field(entity.__class__, name).label


@register.simple_tag
def shown_range(page: Page[Any]) -> str:
    """The numbers of the page's rows: "26–50 of 2,000", "26–50" without a total, or "25 shown" if they are unknown."""
    if not page.rows:
        return "Nothing to show"
    if not page.numbers:
        return f"{len(page.rows)} shown"
    is_whole = not page.previous and not page.next  # so its rows are all that the list has
    total = len(page.rows) if page.total is None and is_whole else page.total
    return page.numbers if total is None else f"{page.numbers} of {total:,}"


@register.simple_tag
def moment(at: datetime, time_zone: str = "") -> str:
    """A time to the minute, with its zone: an IANA name, or UTC. In UTC to the second for machines and as a tooltip."""
    utc = f"{day(at)}, {at:%H:%M:%S} UTC"
    markup = '<time datetime="{}" title="{}"><span>{},</span> <span>{}</span></time>'
    return format_html(markup, time_part(at), utc, *local_time(at, time_zone))


@register.inclusion_tag("portal/_cost.html", takes_context=True)
def cost_panel(context: template.Context, shown: int, keys: str = "", revision: int = 0) -> dict[str, Any]:
    """The engineers' panel: how this page was read, and what it cost. Others get only the figures, as attributes.

    ``keys`` is a template with the keys of the one thing that the page shows, which is at this ``revision``.
    """
    request, page = context["request"], context.get("page")
    orders, candidates = context.get("index_orders") or {}, context.get("candidates") or tuple
    found = cost.summary(context["ledger"], shown, orders, candidates)
    visible = request.user.has_perm(cost.VIEW_COSTS) or request.GET.get(cost.EXPLAIN) == "1"
    request.cost_badge = found if visible else None
    return {
        **(context.flatten() if keys and visible else {}),  # type: ignore[dict-item]
        "request": request,
        "cost": found,
        "visible": visible,
        "keys": keys,
        "revision": revision,
        "counts_differ": getattr(page, "counts_differ", False),
    }
