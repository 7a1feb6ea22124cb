"""The frame around every page, as django-unfold takes it: its title, its static files and the links of the sidebar.

Its colours are in ``static/portal/theme.css``.
"""

from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import get_script_prefix, resolve, reverse, reverse_lazy
from django.utils.functional import lazy

from dynamodb_lists.django.declarations import declared

_static: Any = lazy(static, str)  # addresses of static files are known once the settings are


def may_open(address: str, request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to a page of the portal: by the permission that the page itself declares."""
    match = resolve(str(address))
    page = match.func.view_class()  # type: ignore[attr-defined]
    page.setup(request, *match.args, **match.kwargs)
    return bool(page.may_open())


def may(permission: str, request: HttpRequest) -> bool:
    """Whether the sidebar shows a link that needs a permission."""
    return request.user.has_perm(permission)


def may_do_something(request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to one's own changes. Without any permission there are none."""
    return request.user.is_superuser or bool(request.user.get_all_permissions())


def shared(request: HttpRequest) -> dict[str, Any]:
    """What the frame of every page needs: the addresses of the search and of its results in the command palette.

    A page with a ``hotel`` in its context has the bar of that hotel.
    """
    addresses = {"search_address": settings.SEARCH_URL, "palette_address": settings.PALETTE_URL}
    return {**addresses, "hotel_bar": "hotels/_hotel_bar.html"}


def address(url_name: str, *args: Any) -> str:
    """The address of a page, as Django's tag ``url`` gives it. Those asked for lately are remembered."""
    return _address(get_script_prefix(), url_name, *args)


@lru_cache(4096)
def _address(_prefix: str, url_name: str, *args: Any) -> str:
    return reverse(url_name, args=args)


def current(url_name: str, request: HttpRequest, *, alone: bool = False) -> str:
    """What ``aria-current`` says of a link of the sidebar; ``alone`` if the pages below its address are not its own."""
    here, there = request.path, address(url_name)
    if here == there:
        return "page"
    return "true" if not alone and here.startswith(there) else ""


def _link(title: str, icon: str, url_name: str, permission: Any = None, *, alone: bool = False) -> dict[str, Any]:
    """A link of the sidebar. Only users with the permission see it: by default, those who may open the page."""
    link: Any = reverse_lazy(url_name)
    active = partial(current, url_name, alone=alone)
    permission = permission or partial(may_open, link)
    return {"title": title, "icon": icon, "link": link, "permission": permission, "active": active}


HOTELS = [
    _link("Overview", "home", "overview:group", alone=True),
    _link("All hotels", "hotel", "hotels:hotels"),
]
GUESTS = [
    _link("Guests", "badge", "orders:guests"),
    _link("Unfinished orders", "checklist", "orders:unfinished"),
    _link("All orders", "receipt_long", "orders:orders", alone=True),
    _link("Place an order", "add_shopping_cart", "orders:place"),
]
STAFF = [
    _link("My changes", "history", "history:mine", may_do_something),
    _link("Staff", "person", "admin:auth_user_changelist", partial(may, "auth.view_user")),
    _link("Roles", "groups", "admin:auth_group_changelist", partial(may, "auth.view_group")),
]


class SidebarLink(NamedTuple):
    """A link that an app adds to a group of the sidebar, in ``sidebar`` of its ``AppConfig``."""

    group: str
    title: str
    icon: str
    url_name: str


@cache
def groups() -> dict[str, list[dict[str, Any]]]:
    """The groups of the sidebar with their links: those of the portal, and those that apps declare."""
    found = {"Hotels": [*HOTELS], "Guests": [*GUESTS], "Staff": [*STAFF]}
    for group, *link in declared("sidebar"):
        found.setdefault(group, []).append(_link(*link))
    return found


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The sidebar, as django-unfold takes it."""
    return [{"title": title, "items": items} for title, items in groups().items()]


def current_links(request: HttpRequest) -> tuple[str, ...]:
    """What ``aria-current`` says of each link of the sidebar on the page of a request."""
    return tuple(link["active"](request) for links in groups().values() for link in links)


def open_links(request: HttpRequest) -> list[tuple[str, str]]:
    """The links of the sidebar that the user may open: titles and addresses."""
    links = [link for links in groups().values() for link in links if link["permission"](request)]
    return [(link["title"], str(link["link"])) for link in links]


def groups_of_apps(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of the sidebar that apps declare as functions of the request. They are made once for each request."""
    if not hasattr(request, "groups_of_apps"):
        declarations = declared("sidebar_groups") if request.user.is_active else ()
        request.groups_of_apps = [of_app(request) for of_app in declarations]  # type: ignore[attr-defined]
    return request.groups_of_apps  # type: ignore[attr-defined, no-any-return]


UNFOLD = {
    "SITE_TITLE": "Hotel portal",
    "SITE_HEADER": "Hotel portal",
    "SITE_SUBHEADER": lambda request: settings.GROUP_NAME,
    "SITE_SYMBOL": "hotel",
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "GLOBAL_CALLBACK": "hotelapp.frame.shared",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _static("portal/favicon.svg")}],
    "STYLES": [*(_static(f"portal/{name}.css") for name in ("portal", "lists", "panel", "print"))],
    "SCRIPTS": [*(_static(f"portal/{name}.js") for name in ("drafts", "portal", "taps", "ahead"))],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("own_password")},
            {"title": "Second factor", "link": reverse_lazy("accounts:second_factor")},
        ],
    },
    "SIDEBAR": {"navigation": navigation},
}
