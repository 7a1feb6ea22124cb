"""Parts of a page that htmx loads: an error of one is shown in it, and never costs what its user has typed."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dynamodb_lists.schema.keys import now
from dynamodb_lists.tests.helpers.answers import answering, refusal
from orders.entities import Guest
from rooms import commands
from rooms.entities import BulkChange, RoomAction
from tests.helpers.markup import ListMarkup
from tests.helpers.pages import EXAMPLES
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HERE = f"/hotels/{ABC}/rooms/101/edit/"
BULK = f"/hotels/{ABC}/rooms/change/{EXAMPLES['change_id']}/"
TAPS = "rooms/_badges.html"
"""The template that a script loads: taps.js."""

PARTS = {
    "hotels/_hotel_bar.html": ("get", "/hotels/switcher/", "switcher-links"),
    "history/_history.html": ("get", f"/history/newest/room/{ABC}/101/", "newest-changes"),
    "unfold/helpers/command.html": ("get", "/search/palette/?q=abc", "command-results"),
    "portal/_choices.html": ("get", f"/hotels/{ABC}/rooms/?choices=type", "choices-type"),
    "portal/_cost.html": ("get", f"/hotels/{ABC}/rooms/", "cost-drawn"),
    "portal/_progress.html": ("post", BULK, "bulk"),
    TAPS: ("post", f"/hotels/{ABC}/rooms/101/status/", ""),  # what the buttons of a row are in, which has no id
}
"""What htmx loads into a part of a page, by template: the method, the address, and the part."""

LISTS = {"portal/_list.html"}
"""The templates that load a whole list. An error of it opens the page of the error, which leads back to the list."""


def fill() -> None:
    make_hotel([make_room("101")], name="Grand Hotel")
    make_hotel(hotel_id="lake", name="Lake View Résort")
    make_hotel(hotel_id="one", name="Twin")
    make_hotel(hotel_id="two", name="Twin")
    create_guest(Guest("alex", "Alex Doe"), "alice")
    change = BulkChange(EXAMPLES["change_id"], RoomAction.VIEW, "101", "anna", now(), text="Sea")
    commands.ask_for(ABC, change)


def asked(client: Client, method: str, url: str, target: str) -> Any:
    """Return the answer to a part that htmx loads while the browser shows the form of a room."""
    headers = {"HX-Request": "true", "HX-Target": target, "HX-Current-URL": f"http://testserver{HERE}"}
    return getattr(client, method)(url, headers=headers)


def told(response: Any) -> str:
    """What the part says. It does not make the browser leave the page, and portal.js knows that it is to be shown."""
    assert "HX-Redirect" not in response
    assert "Location" not in response
    assert response["HX-Reselect"] == "[data-part-error]"
    assert b"<html" not in response.content
    return ListMarkup(response.content).text("[data-part-error][role=alert]")


def away(request: Any, **_: Any) -> Any:
    """No table answers but that of the sessions."""
    return None if b"sessions" in request.body else refusal("InternalServerError")


def test_every_part_is_known() -> None:
    folder = Path(settings.BASE_DIR) / "templates"
    found = {
        str(path.relative_to(folder)).removeprefix("jinja2/")
        for path in folder.rglob("*.html")
        if re.search(r"\bhx-(get|post)=", path.read_text())
    }
    assert found | {TAPS} == PARTS.keys() | LISTS


def test_an_outage_is_told_in_the_part(manager: Client) -> None:
    for method, url, target in PARTS.values():
        with (
            answering(away, "TransactWriteItems"),
            answering(away, "Query"),
            answering(away, "BatchGetItem"),
            answering(away, "GetItem"),
        ):
            response = asked(manager, method, url, target)
        assert response.status_code == 503, url
        assert "Try again in a few seconds" in told(response), url


def test_a_refusal_is_told_in_the_part(newcomer: Client, client: Client, manager: Client) -> None:
    for method, url, target in PARTS.values():
        if not url.startswith("/search/"):  # everybody may search
            response = asked(newcomer, method, url, target)
            assert response.status_code == 403, url
            assert "not allowed to do this" in told(response), url
        response = asked(client, method, url, target)
        assert response.status_code == 403, url
        assert "not logged in any more" in told(response), url
        link = ListMarkup(response.content).element("a[target=_blank]")
        assert link["href"] == f"/admin/login/?next={HERE.replace('/', '%2F')}", url
        response = asked(manager, method, f"/nothing{url}", target)
        assert response.status_code == 404, url
        assert "does not exist, or your account may not see" in told(response), url


def test_a_bad_value_is_told_in_the_part(staff: Client) -> None:
    response = asked(staff, "get", f"/hotels/switcher/?page={'x' * 65}", "switcher-links")
    assert response.status_code == 400
    assert "at most" in told(response)
