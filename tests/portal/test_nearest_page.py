"""A 404 offers the nearest page that exists and that the user may open."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.connection.errors import Unavailable
from hotels import queries as hotels
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM_PAGE = f"/hotels/{ABC}/rooms/999/"


def fill() -> None:
    make_hotel([make_room("101")])


def offered(client: Client, path: str) -> dict[str, str]:
    """The links of a 404 page, without that to the start page, which is always there."""
    response = client.get(path)
    assert response.status_code == 404, path
    links = ListMarkup(response.content).soup.select("section.notice .actions a")
    return {link.get_text(strip=True): str(link["href"]) for link in links[:-1]}


NEAREST: dict[str, dict[str, str]] = {
    f"{ROOM_PAGE}nonsense/?a=1": {"Rooms of Hotel ABC": f"/hotels/{ABC}/rooms/"},
    f"/hotels/{ABC}/nonsense/": {"Hotel ABC": f"/hotels/{ABC}/"},
    "/hotels/nope/rooms/": {"Hotels": "/hotels/"},
    "/guests/nobody/": {"Guests": "/guests/"},
    "/orders/nothing/": {"All orders": "/orders/"},
    "/nothing/here/": {},
    "//elsewhere.example/x/": {},
}


def test_the_nearest_page_is_offered(staff: Client) -> None:
    assert {path: offered(staff, path) for path in NEAREST} == NEAREST


def test_nothing_is_offered_that_the_user_may_not_open(staff: Client, client: Client, alice: User) -> None:
    permit(alice, "rooms.view_room")
    assert offered(staff, f"{ROOM_PAGE}nonsense/") == {"Rooms of Hotel ABC": f"/hotels/{ABC}/rooms/"}
    assert offered(staff, "/hotels/nope/rooms/") == {}
    bind(alice, "other")
    assert offered(staff, f"/hotels/{ABC}/rooms/101/") == {}, "not even the name of a hotel of others"
    assert offered(client, "/guests/nobody/x/y/") == {}


def test_a_database_that_fails_meanwhile_takes_only_the_offer(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise Unavailable("away")

    monkeypatch.setattr(hotels, "hotel", fail)
    assert offered(staff, f"/hotels/{ABC}/nonsense/") == {"Hotels": "/hotels/"}
