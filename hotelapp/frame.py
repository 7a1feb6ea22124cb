"""The frame around every page, as django-unfold takes it: its title, its static files and the links of the sidebar.

Its colours are in ``static/portal/theme.css``.
"""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import resolve, reverse_lazy
from django.utils.functional import lazy

from hotelapp.declarations import declared

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
    return bool(request.user.get_all_permissions())


def shared(request: HttpRequest) -> dict[str, Any]:
    """What the frame of every page needs: the addresses of the search and of its results in the command palette.

    A page with a ``hotel`` in its context has the bar of that hotel.
    """
    addresses = {"search_address": settings.SEARCH_URL, "palette_address": settings.PALETTE_URL}
    return {**addresses, "hotel_bar": "hotels/_hotel_bar.html"}


def _link(title: str, icon: str, url_name: str, permission: Any = None) -> dict[str, Any]:
    """A link of the sidebar. Only users with the permission see it: by default, those who may open the page."""
    link: Any = reverse_lazy(url_name)
    return {"title": title, "icon": icon, "link": link, "permission": permission or partial(may_open, link)}


HOTELS = [
    _link("Overview", "home", "overview:group") | {"active": lambda request: request.path == "/"},
    _link("All hotels", "hotel", "hotels:hotels"),
]
GUESTS = [
    _link("Guests", "badge", "orders:guests"),
    _link("Unfinished orders", "checklist", "orders:unfinished"),
    _link("All orders", "receipt_long", "orders:orders") | {"active": lambda request: request.path == "/orders/"},
    _link("Place an order", "add_shopping_cart", "orders:place"),
]
STAFF = [
    _link("My changes", "history", "history:mine", may_do_something),
    _link("Staff", "person", "admin:auth_user_changelist", partial(may, "auth.view_user")),
    _link("Roles", "groups", "admin:auth_group_changelist", partial(may, "auth.view_group")),
]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of the sidebar: the portal's, and those that apps declare as functions of the request."""
    groups = {"Hotels": HOTELS, "Guests": GUESTS, "Staff": STAFF}
    of_apps = [of_app(request) for of_app in declared("sidebar_groups")] if request.user.is_active else []
    return [*({"title": title, "items": items} for title, items in groups.items()), *of_apps]


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
    "SCRIPTS": [*(_static(f"portal/{name}.js") for name in ("drafts", "portal", "taps"))],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("own_password")},
            {"title": "Second factor", "link": reverse_lazy("accounts:second_factor")},
        ],
    },
    "SIDEBAR": {"navigation": navigation},
}
