"""The headers that every answer has: pages, static files, redirects and errors."""

import pytest
from django.test import Client

from hotelapp.headers import UNUSED_FEATURES

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


def policy(header: str) -> dict[str, str]:
    """The directives of a Content-Security-Policy."""
    return {name: sources for name, _, sources in (part.strip().partition(" ") for part in header.split(";"))}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 302),
        ("/hotels/", 200),
        ("/nothing/", 404),
        ("/guests/?x=1&page_size=7", 400),
        ("/hotels", 301),
        ("/admin/auth/user/", 403),
        ("/admin/login/", 302),
        ("/static/portal/portal.js", 200),
    ],
)
def test_every_answer_allows_only_what_is_the_portals_own(staff: Client, path: str, status: int) -> None:
    response = staff.get(path)
    response.close()
    assert response.status_code == status
    allowed = policy(response["Content-Security-Policy"])
    assert allowed["default-src"] == allowed["object-src"] == allowed["base-uri"] == "'none'"
    assert allowed["frame-ancestors"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == allowed["form-action"] == "'self'"
    assert not {"script-src-elem", "script-src-attr", "style-src-elem", "style-src-attr"} & allowed.keys()
    assert "unsafe" not in response["Content-Security-Policy"]
    denied = response["Permissions-Policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"} < set(denied)
    assert len(denied) == len(UNUSED_FEATURES)
