"""A form that is sent twice is one change: in the history, in the log of accounts, and in what the user is told."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.helpers.contents import Fill
from tests.helpers.history import all_entries
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC
from tests.project.test_access import fill

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
PRICED = {"size": "9", "rate": "90", "currency": "EUR"}
ORDER = {"order_id": "n-1", "username": "alex", "hotel_id": ABC, "items-TOTAL_FORMS": "1"}
ITEM = {f"items-0-{name}": value for name, value in {"sku": "A", "quantity": "1", "unit_price": "1"}.items()}
PASSWORD = {"password1": "xYz12345!", "password2": "xYz12345!", "usable_password": "true"}


@pytest.fixture
def filling() -> Fill:
    return fill


def send_twice(client: Client, url: str, entry: dict[str, str]) -> list[str]:
    """Send a form twice, and return the messages on the next page."""
    assert client.post(url, entry).status_code == 302
    client.post(url, entry)
    page = ListMarkup(client.get("/hotels/").content)
    return [message.get_text(" ", strip=True) for message in page.soup.select("#main ul.flex > li > div")]


@pytest.mark.parametrize(
    ("url", "entry", "told"),
    [
        ("/hotels/add/", {"hotel_id": "x", "name": "X", "currency": "EUR", "time_zone": "UTC"}, "X was added."),
        (f"/hotels/{ABC}/edit/", {"name": "X", "currency": "EUR", "time_zone": "UTC", "revision": "1"}, "The change"),
        (f"{ROOMS}add/", {"number": "9", **PRICED}, "Room 9 was added."),
        (f"{ROOMS}101/edit/", {"number": "101", **PRICED, "revision": "1"}, "The change was saved."),
        (f"{ROOMS}101/status/", {"housekeeping": "dirty", "initial-housekeeping": "clean"}, "The status of room 101"),
        (f"{ROOMS}101/delete/", {"revision": "1"}, "Room 101 was deleted."),
        ("/guests/add/", {"username": "bo", "name": "Bo"}, "Bo was added."),
        ("/guests/alex/edit/", {"name": "Bo", "revision": "1"}, "The change was saved."),
        ("/guests/alex/erase/", {"revision": "1"}, "personal data was erased."),
        ("/orders/place/", {**ORDER, "items-INITIAL_FORMS": "0", **ITEM}, "The order is placed."),
        ("/orders/o-1/", {"seen": "PLACED", "step": "PROCESSING", "guest": "alex"}, "The order is now processing."),
        (f"/hotels/{ABC}/reviews/add/", {"review_id": "r-9", "author": "A", "language": "en", "rating": "5"}, "added"),
        ("/reviews/r-1/edit/", {"author": "Bo", "language": "en", "rating": "5", "revision": "2"}, "The change"),
        ("/reviews/r-1/reply/delete/", {"revision": "2"}, "The reply was deleted."),
        ("/reviews/r-1/delete/", {"revision": "2"}, ""),
    ],
)
def test_a_page_records_and_tells_it_once(admin_client: Client, url: str, entry: dict[str, str], told: str) -> None:
    before = len(all_entries())
    messages = send_twice(admin_client, url, entry)
    assert len(all_entries()) == before + 1
    assert len(messages) <= 1, messages  # the 404 page has shown that the review was deleted
    assert told in "".join(messages)


def test_the_log_of_accounts_has_it_once(admin_client: Client) -> None:
    user, group = (model.objects.create(**{name: "old"}) for model, name in ((User, "username"), (Group, "name")))
    for url, entry in (
        ("user/add/", {"username": "bobby", "reach": "every", **PASSWORD}),
        (f"user/{user.pk}/password/", PASSWORD),
        (f"user/{user.pk}/delete/", {"post": "yes"}),
        ("group/add/", {"name": "n"}),
        (f"group/{group.pk}/change/", {"name": "k"}),
        (f"group/{group.pk}/delete/", {"post": "yes"}),
    ):
        before = len(all_entries())
        send_twice(admin_client, f"/admin/auth/{url}", entry)
        assert len(all_entries()) == before + 1, url


def test_different_messages_are_all_shown(admin_client: Client) -> None:
    admin_client.post(f"{ROOMS}add/", {"number": "9", **PRICED})
    messages = send_twice(admin_client, f"{ROOMS}add/", {"number": "10", **PRICED})
    assert messages == ["Room 9 was added. Undo this change", "Room 10 was added. Undo this change"]
