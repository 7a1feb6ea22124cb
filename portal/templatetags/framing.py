"""The frame around pages: rendered once for all pages that share it, and filled for each page.

A frame is rendered without any page: it has no request, no user and no title. So nothing of a page can stay in it.
Without it, pages of five people in three hotels take 1.36 times the processor time. docs/pages.md explains it.
"""

import re
import secrets
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, cast

from django import template
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.template import Context, RequestContext
from django.template.base import NodeList, Parser, Token
from django.urls import get_script_prefix
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from portal.frame import current_links, groups_of_apps, shared

RECORDING = "frame_recording"
"""The variable of templates that holds the :class:`Recording` while a frame is rendered."""

MOST_FRAMES = 200
"""The most frames that a process keeps, of about 20 kB each. There is one for each role and link of the sidebar."""

DOUBTFUL = ("opts", "cl", "object", "subtitle", "is_popup")
"""Variables of the admin's pages, which change the frame. A page with one of them has a frame of its own."""

Fill = Callable[[Context], str]
Frame = tuple[str | Fill, ...]
register = template.Library()
_kept: dict[Hashable, Frame] = {}
_lock = Lock()


class Recording:
    """The live parts of a frame while it is rendered: each leaves a mark in the text, where it is rendered later."""

    def __init__(self) -> None:
        self._mark = secrets.token_hex(8)
        self._fills: list[Fill] = []

    def mark(self, fill: Fill) -> SafeString:
        """The mark of a live part."""
        self._fills.append(fill)
        return mark_safe(f"{self._mark}-{len(self._fills) - 1};")  # noqa: S308 (it has no text of a user)

    def split(self, text: str) -> Frame:
        """The frame: the text between the marks, and the live parts."""
        parts = re.split(rf"{self._mark}-(\d+);", text)
        return tuple(self._fills[int(part)] if place % 2 else part for place, part in enumerate(parts))


class LiveNode(template.Node):
    """A part that differs from page to page. While the frame is rendered, it only leaves its mark."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        recording: Recording | None = context.get(RECORDING)
        return recording.mark(self.nodelist.render) if recording else self.nodelist.render(context)


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
        recording = Recording()
        values = {**admin.site.each_context(request), RECORDING: recording}
        frame = recording.split(source.render(RequestContext(HttpRequest(), values)))
        with _lock:
            while len(_kept) >= MOST_FRAMES:
                del _kept[next(iter(_kept))]
            _kept[key] = frame
    return frame


@register.simple_tag(takes_context=True)
def own_groups(context: Context) -> list[dict[str, Any]]:
    """The groups of the sidebar that apps add for the user, such as saved views. They are made once for each page."""
    request = context["request"]
    if not hasattr(request, "own_groups"):
        request.own_groups = groups_of_apps(request) if request.user.is_active else []
    return cast(list[dict[str, Any]], request.own_groups)
