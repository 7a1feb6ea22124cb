"""The frame around pages: rendered once for all pages that share it, and filled for each page.

A frame is rendered without any page: it has no request, no user and no title. So nothing of a page can stay in it.
Without it, pages of five people in three hotels take 1.36 times the processor time. docs/pages.md explains it.
"""

import re
import secrets
from collections.abc import Callable, Hashable

from django import template
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.template import Context, RequestContext
from django.template.base import NodeList, Parser, Token
from django.urls import get_script_prefix
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from portal.frame import current_links, shared

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
register = template.Library()
_kept: dict[Hashable, Frame] = {}


class LiveNode(template.Node):
    """A part that differs from page to page. While the frame is rendered, it only leaves its mark."""

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
    """The page in its frame: in one of its own if the page may change the frame, or while templates are edited."""
    request, source = context["request"], context.template.engine.get_template("portal/frame.html")  # type: ignore[union-attr]
    user = request.user
    if user.is_active and user.is_staff and not settings.DEBUG and not any(map(context.get, DOUBTFUL)):
        with context.push(**shared(request)):
            parts = frame_of(request, source)
            return mark_safe("".join(part if isinstance(part, str) else part(context) for part in parts))  # noqa: S308
    frame = {name: value for name, value in admin.site.each_context(request).items() if name not in context}
    with context.push(**frame):
        return source.render(context)


def frame_of(request: HttpRequest, source: template.Template) -> Frame:
    """The frame for the user and the page of a request, rendered if this process has not kept it.

    Its key is all that a frame depends on, but for what a process reads only when it starts.
    """
    permissions = "all" if request.user.is_superuser else frozenset(request.user.get_all_permissions())
    key = permissions, current_links(request), get_language(), get_script_prefix()
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
