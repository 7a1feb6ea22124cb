"""What django-unfold is told of the frame: its title, its static files and the links of the sidebar.

Its colours are in ``static/portal/theme.css``.
"""

from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import lazy

from portal.frame import navigation

_static: Any = lazy(static, str)  # addresses of static files are known once the settings are

UNFOLD = {
    "SITE_TITLE": "Hotel portal",
    "SITE_HEADER": "Hotel portal",
    "SITE_SUBHEADER": lambda request: settings.GROUP_NAME,
    "SITE_SYMBOL": "hotel",
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "GLOBAL_CALLBACK": "portal.frame.shared",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _static("portal/favicon.svg")}],
    "STYLES": [*(_static(f"portal/{name}.css") for name in ("portal", "lists", "panel", "print"))],
    "SCRIPTS": [*(_static(f"portal/{name}.js") for name in ("drafts", "portal", "taps", "ahead", "fresh", "palette"))],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("own_password")},
            {"title": "Second factor", "link": reverse_lazy("accounts:second_factor")},
        ],
    },
    "SIDEBAR": {"navigation": navigation},
}
