"""Functions of the templates of all pages: amounts, times, the engineers' panel, parts of the other engine, the frame.

The frame around pages is rendered once for all pages that share it, and filled for each page. A frame is rendered
without any page: it has no request, no user and no title. So nothing of a page can stay in it. Without it, pages of
five people in three hotels take 1.36 times the processor time. CONTRIBUTING.md explains it.
"""

import re
import secrets
from collections.abc import Callable, Hashable, Mapping
from datetime import date, datetime
from typing import Any

from django import template
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.template import Context, RequestContext
from django.template.base import NodeList, Parser, Token
from django.urls import get_script_prefix
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from dynamodb_lists import Page
from dynamodb_lists.reading import explaining
from dynamodb_lists.schema import entities
from portal import cost_panel as cost
from portal import jinja
from portal.forms.fields import seen_text
from portal.forms.values import in_words
from portal.frame import frame_link, groups, shared
from portal.lists.forms import ListForm
from portal.money import money
from portal.people import author_name
from portal.times import in_zone, short_day, time_markup, today_in, zone_name

MARK = secrets.token_hex(8)
"""The beginning of what a live part leaves in a frame. It is random, so that nothing else in a frame looks like it."""

FILLS = "frame_fills"
"""The variable of templates that holds the live parts while a frame is rendered."""

MOST_FRAMES = 200
"""The most frames that a process keeps, of about 20 kB each. There is one for each role and link of the sidebar."""

DOUBTFUL = ("opts", "cl", "object", "subtitle", "is_popup")
"""Variables of the admin's pages, which change the frame. A page with one of them has a frame of its own."""

Fill = Callable[[Context], str]
Frame = tuple[str | Fill, ...]
register = jinja.Library()
_kept: dict[Hashable, Frame] = {}
register.filter("author", author_name)
register.filter("money", money)
register.filter("day", short_day)
register.filter("in_zone", in_zone)
register.filter("zone_name", zone_name)
register.function(frame_link)


@register.simple_tag(takes_context=True)
def part(context: template.Context, name: str, **values: Any) -> str:
    """Draw a template of Jinja2 in a page, with the page's context and these values."""
    return jinja.part(name, {**context.flatten(), **values})  # type: ignore[dict-item]


@register.simple_tag
def label(entity: Any, name: str) -> str:
    """Return the label of a field of an entity."""
    return entities.field(entity.__class__, name).label


@register.filter
def facts(entity: Any, others: str) -> list[tuple[str, str]]:
    """Return the label and the words of each field that people enter, without ``others``, which templates show."""
    shown = (each for each in entities.fields(entity.__class__) if each.entered and each.name not in others.split())
    values = ((each, getattr(entity, each.name)) for each in shown)
    return [(each.label, in_words(each, value, getattr(entity, "currency", ""))) for each, value in values]


@register.simple_tag
def note_seen(thing: Any) -> str:
    """Return the hidden value by which the form of a note tells which note its user saw."""
    return seen_text(thing.revision, {"note": thing.note})


@register.function
def shown_range(page: Page[Any]) -> str:
    """Return the numbers of the page's rows: "26–50 of 2,000", "26–50" without a total, or else "25 shown"."""
    if not page.rows:
        return "Nothing to show"
    if not page.numbers:
        return f"{len(page.rows)} shown"
    is_whole = not page.previous and not page.next  # so its rows are all that the list has
    total = len(page.rows) if page.total is None and is_whole else page.total
    return page.numbers if total is None else f"{page.numbers} of {total:,}"


@register.function
def today(context: Mapping[str, Any], zone: str = "") -> date:
    """Return the present day in a zone, or in the zone of the page."""
    return today_in(zone or context["view"].zone)


@register.function
def moment(context: Mapping[str, Any], at: datetime, zone: str | None = None) -> str:
    """Return a time to the minute in a zone, by default the page's, and to the second in UTC for machines."""
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
        drawn |= {"explanation": explain and explain(most_units=explaining.MOST_UNITS if asked and permitted else 0)}
        drawn |= {"keys": keys, "revision": revision, "places": context.get("places")}
    return jinja.part("portal/_cost.html", {**drawn, "counts_differ": getattr(page, "counts_differ", False)})


# --- The frame ------------------------------------------------------------------------------------------------


class LiveNode(template.Node):
    """A part of the frame that differs from page to page. While the frame is rendered, it leaves only a mark."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        fills: list[Fill] | None = context.get(FILLS)
        if fills is None:
            return self.nodelist.render(context)
        fills.append(self.nodelist.render)
        return mark_safe(f"{MARK}-{len(fills) - 1};")  # noqa: S308 (it has no text of a user)


@register.tag
def live(parser: Parser, token: Token) -> LiveNode:
    """Render this part of the frame for each page. It has the page's variables, and none of the frame's."""
    nodelist = parser.parse(("endlive",))
    parser.delete_first_token()
    return LiveNode(nodelist)


@register.simple_tag(takes_context=True)
def framed(context: Context) -> SafeString:
    """Return the page in its frame: in a new frame if the page may change it, or while templates are edited."""
    request, source = context["request"], context.template.engine.get_template("portal/frame.html")  # type: ignore[union-attr]
    user = request.user
    if user.is_active and user.is_staff and not settings.DEBUG and not any(map(context.get, DOUBTFUL)):
        with context.push(**shared(request)):
            parts = frame_of(request, source)
            page = ""
            for part in parts:
                page += part if isinstance(part, str) else part(context)
            return mark_safe(page)  # noqa: S308 (templates have escaped it)
    frame = {name: value for name, value in admin.site.each_context(request).items() if name not in context}
    with context.push(**frame):
        return source.render(context)


def frame_of(request: HttpRequest, source: template.Template) -> Frame:
    """Return the frame for the user and the page of a request, rendered if this process has not kept it.

    The key of a frame is all that the frame depends on, except values that a process reads only at its start.
    """
    permissions = "all" if request.user.is_superuser else frozenset(request.user.get_all_permissions())
    marked = []  # what aria-current says of each link of the sidebar
    for title, links in groups().items():
        for link in links if title else ():
            marked.append(link["active"](request))
    key = permissions, tuple(marked), get_language(), get_script_prefix()
    frame = _kept.get(key)
    if frame is None:
        fills = list[Fill]()
        values = {**admin.site.each_context(request), FILLS: fills}
        text = source.render(RequestContext(HttpRequest(), values))
        parts = re.split(rf"{MARK}-(\d+);", text)  # the text between the marks, and the numbers of the live parts
        frame = tuple(fills[int(part)] if place % 2 else part for place, part in enumerate(parts))
        if len(_kept) >= MOST_FRAMES:
            _kept.clear()
        _kept[key] = frame
    return frame
