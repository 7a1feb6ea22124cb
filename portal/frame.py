"""The frame around every page: what it needs from each request, and the sidebar's links, which apps declare."""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

from django.http import HttpRequest
from django.urls import get_script_prefix, resolve, reverse, reverse_lazy

from dynamodb_lists.django.declaring import declaring
from portal.app_config import PortalConfig, SidebarLink, hotels_app

ANY_PERMISSION = "any"
"""Stands for any permission of a link: who has none has nothing to see in the portal."""


def may_open(link: SidebarLink, request: HttpRequest) -> bool:
    """Return whether the sidebar shows a link: by the link's permission or, without one, by that of its page."""
    user = request.user
    if link.permission == ANY_PERMISSION:
        return user.is_superuser or bool(user.get_all_permissions())
    if link.permission:
        return user.has_perm(link.permission)
    match = resolve(reverse(link.url_name))
    page = match.func.view_class()  # type: ignore[attr-defined]
    page.setup(request, *match.args, **match.kwargs)
    return bool(page.may_open())


def shared(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of every page needs: the addresses of the search and of its results in the command palette.

    A page with a ``hotel`` in its context has the bar of that hotel. ``own_groups`` are the groups of the sidebar that
    apps add for the user, such as saved views.
    """
    addresses = {"search_address": frame_link("search"), "palette_address": frame_link("palette")}
    own_groups = []
    for app in _apps() if request.user.is_active else ():
        if app.sidebar_group:
            own_groups.append(app.sidebar_group(request))
    return {**addresses, "hotel_bar": hotels_app().bar_template, "own_groups": own_groups}


@cache
def _apps() -> Sequence[PortalConfig]:
    return declaring(PortalConfig)


def frame_link(name: str, *args: Any) -> str:
    """Return the address of a page that the frame or every list links to, by its name in an app's ``frame_urls``."""
    for app in _apps():
        if name in app.frame_urls:
            return address(app.frame_urls[name], *args)
    raise LookupError(f"No app names the page {name!r}.")


def address(url_name: str, *args: Any) -> str:
    """Return the address of a page, as Django's tag ``url`` does. Recent addresses are cached."""
    return _address(get_script_prefix(), url_name, *args)


@lru_cache(4096)
def _address(_prefix: str, url_name: str, *args: Any) -> str:
    return reverse(url_name, args=args)


def current(url_name: str, request: HttpRequest, *, alone: bool = False) -> str:
    """Return ``aria-current`` of a link of the sidebar. ``alone``: the pages below its address are not its own."""
    here, there = request.path, address(url_name)
    if here == there:
        return "page"
    return "true" if not alone and here.startswith(there) else ""


GROUPS = ("Hotels", "Guests", "Staff")
"""The first groups of the sidebar. Other groups follow, in the order of apps."""


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    """Return the groups of the sidebar, as django-unfold takes them. The group without name is in the palette alone."""
    found: dict[str, list[dict[str, Any]]] = {group: [] for group in GROUPS}
    for link in (link for app in _apps() for link in app.sidebar):
        active, permission = partial(current, link.url_name, alone=link.alone), partial(may_open, link)
        shown = {"title": link.title, "icon": link.icon, "permission": permission, "active": active}
        found.setdefault(link.group, []).append({**shown, "link": reverse_lazy(link.url_name)})
    return found


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sidebar, as django-unfold takes it."""
    return [{"title": title, "items": items} for title, items in groups().items() if title]


def open_links(request: HttpRequest, *, palette: bool = False) -> list[tuple[str, str]]:
    """Return the links of the sidebar that the user may open, and with ``palette`` the palette's own, too."""
    links = [link for title, links in groups().items() if title or palette for link in links]
    return [(link["title"], str(link["link"])) for link in links if link["permission"](request)]
