"""Headers that tell browsers what a page may load and use, and what to fetch ahead.

docs/headers.md explains each decision.
"""

import json
from urllib.parse import quote

from csp.constants import NONE, SELF

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # stylesheets have small pictures in data: addresses
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
"""The policy of every page: everything is from the portal itself, and nothing is inline. A setting of django-csp."""

UNUSED_FEATURES = """
accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope
hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture
publickey-credentials-create publickey-credentials-get screen-wake-lock serial usb window-management
xr-spatial-tracking
"""
"""Features of browsers that no page uses, so that no script may ask for them."""

PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES.split())
"""The header ``Permissions-Policy`` of every page, which :mod:`hotelapp.middleware` adds."""

_RULES = {"prefetch": [{"where": {"selector_matches": "a[data-ahead]"}, "eagerness": "immediate"}]}
SPECULATION_RULES = f'"data:application/speculationrules+json,{quote(json.dumps(_RULES))}"'
"""The header ``Speculation-Rules`` of pages: a browser fetches the links ahead that ``static/portal/ahead.js`` marks.

The rules are in the address itself. As a file they would be one more request.
"""
