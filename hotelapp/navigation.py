"""The frame around every page: its title and the links of the sidebar, as django-unfold takes them.

Its colours are in ``static/portal/theme.css``.
"""

from functools import partial
from typing import Any

from django.urls import reverse_lazy

from hotelapp.portal.frame import may_open


def _page(title: str, icon: str, url_name: str) -> dict[str, Any]:
    """A link of the sidebar to a page of the portal. Only users who may open the page see it."""
    link: Any = reverse_lazy(url_name)
    return {"title": title, "icon": icon, "link": link, "permission": partial(may_open, link)}


UNFOLD = {
    "SITE_TITLE": "Hotel portal",
    "SITE_HEADER": "Hotel portal",
    "SITE_SUBHEADER": "On DynamoDB",
    "SITE_SYMBOL": "hotel",
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "GLOBAL_CALLBACK": "hotelapp.portal.frame.search",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "hotelapp.portal.frame.favicon"}],
    "STYLES": ["hotelapp.portal.frame.stylesheet"],
    "SCRIPTS": ["hotelapp.portal.frame.script"],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("own_password")},
            {"title": "Second factor", "link": reverse_lazy("accounts:second_factor")},
        ],
    },
    "SIDEBAR": {
        "navigation": [
            {
                "title": "Hotels",
                "items": [_page("All hotels", "hotel", "hotels:hotels")],
            },
            {
                "title": "Guests",
                "items": [
                    _page("Guests", "badge", "orders:guests"),
                    _page("Unfinished orders", "checklist", "orders:unfinished"),
                    _page("Open orders", "pending_actions", "orders:open"),
                    _page("Place an order", "add_shopping_cart", "orders:place"),
                ],
            },
            {
                "title": "Staff",
                "items": [
                    {
                        "title": "My changes",
                        "icon": "history",
                        "link": reverse_lazy("history:mine"),
                        "permission": "hotelapp.portal.frame.may_do_something",
                    },
                    {
                        "title": "Users",
                        "icon": "person",
                        "link": reverse_lazy("admin:auth_user_changelist"),
                        "permission": "hotelapp.portal.frame.may_see_users",
                    },
                    {
                        "title": "Groups",
                        "icon": "groups",
                        "link": reverse_lazy("admin:auth_group_changelist"),
                        "permission": "hotelapp.portal.frame.may_see_groups",
                    },
                ],
            },
        ],
    },
}
