"""Headers that tell browsers what a page may load and use, and what to fetch ahead.

docs/headers.md explains each decision.
"""

import json
from urllib.parse import quote

UNUSED_FEATURES = """
accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope
hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture
publickey-credentials-create publickey-credentials-get screen-wake-lock serial usb window-management
xr-spatial-tracking
"""
"""Features of browsers that no page uses, so that no script may ask for them."""

SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    ),
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES.split()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every answer that a browser gets: everything is from the portal itself, and nothing is inline."""

_RULES = {"prefetch": [{"where": {"selector_matches": "a[data-ahead]"}, "eagerness": "immediate"}]}
SPECULATION_RULES = f'"data:application/speculationrules+json,{quote(json.dumps(_RULES))}"'
"""The header ``Speculation-Rules`` of pages: a browser fetches the links ahead that ``static/portal/ahead.js`` marks.

The rules are in the address itself. As a file they would be one more request.
"""
