"""The frame that pages share: the same page as without it, each with its own user, rights, messages and tokens."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.middleware.csrf import _does_token_match  # type: ignore[attr-defined]
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils.html import escape

from dynamodb_lists.schema.keys import now
from dynamodb_lists.tests.helpers.examples import DEPTH
from portal.templatetags import portal as framing
from saved_views.models import SavedView
from tests.conftest import logged_in
from tests.helpers.addresses import addresses
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel
from tests.helpers.views import SUITES
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HOSTILE = "<script>alert(1)</script>{{ title }}{% live %} 0-0; \\1"
ROOMS, ADD, OTHER_ROOMS = f"/hotels/{ABC}/rooms/", f"/hotels/{ABC}/rooms/add/", "/hotels/xyz/rooms/"
SOME = ("/", ROOMS, SUITES, OTHER_ROOMS, f"{ROOMS}?sort=\0", "/views/", "/nothing/", "/account/second-factor/")
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')
OF_A_VISIT = re.compile(
    rf"{TOKEN.pattern}|(?s:<[^<>]*data-cost\b.*(?=</main>))|\d+ requests?|[\d.]+ units|\d+\s(?:second|minute)s?"
    r"|guest-\w{8}|data-loaded=\"\d+\"|[0-9A-HJKMNP-TV-Z]{26}"
)
"""What differs from visit to visit: tokens, what the page has cost, times, and new ids."""

SHARE = 1 if DEPTH > 1 else 3
Kept = dict[Any, framing.Frame]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """The frames that this process keeps: none so far. Their marks are known, so that a name can look like one."""
    frames: Kept = {}
    monkeypatch.setattr(framing, "_kept", frames)
    monkeypatch.setattr(framing, "MARK", "0")
    return frames


def page(client: Client, url: str, entry: dict[str, str], message: str) -> str:
    """Return a page without what differs from visit to visit. All its tokens are the visitor's."""
    client.cookies["messages"] = message
    response = client.post(url, entry) if entry else client.get(url)
    text = response.getvalue().decode()
    tokens = TOKEN.findall(text)
    assert all(_does_token_match(token, client.cookies["csrftoken"].value) for token in tokens)
    return f"{response.status_code} {OF_A_VISIT.sub('', text)}"


def people(root: User, alice: User, dana: User) -> Iterator[Client]:
    """Browsers of a superuser, a bound housekeeper, and somebody without a permission."""
    permit(alice, "hotels.view_hotel", "rooms.view_room", "rooms.change_room_status")
    bind(alice, ABC)
    for user in (root, alice, dana):
        User.objects.filter(pk=user.pk).update(first_name=HOSTILE, last_name=user.username)
        SavedView.objects.create(user=user, name=HOSTILE, address=SUITES)
        SavedView.objects.create(user=user, name="Other", address="/guests/?q=a")
        yield logged_in(user)


def test_a_page_in_a_kept_frame_is_the_page_as_it_is_without_one(
    kept: Kept, admin_user: User, alice: User, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = now()
    monkeypatch.setattr("overview.views.pages.now", lambda: at)  # it shows the second in which it is printed
    make_hotel(hotel_id="xyz", name=HOSTILE)
    some = [*((url, {}) for url in SOME), (ADD, {"number": HOSTILE}), ("/views/save/?list=/guests/", {"name": "\0"})]
    by_template = {getattr(address.page, "template_name", address.name): address.url for address in addresses()}
    every: list[tuple[str, dict[str, str]]] = [(url, {}) for url in [*by_template.values()][::SHARE]]
    for number, client in enumerate(people(admin_user, alice, dana)):
        client.post(f"/views/save/?list={SUITES}", {"name": HOSTILE, "hotel": ":me"})
        message = client.cookies["messages"].value if "messages" in client.cookies else ""
        for url, entry in [*some, *([] if number else every)]:  # several of them share a frame
            with monkeypatch.context() as patch:
                patch.setattr(framing, "DOUBTFUL", ("title",))
                plain = page(client, url, entry, message)
            assert page(client, url, entry, message) == plain, url
            if "portal-header" in plain:
                assert (escape(HOSTILE) in plain, HOSTILE in plain) == (True, False), url
                assert ('aria-label="Messages"' in plain) == bool(message), url
                assert kept, url
        kept.clear()


def test_frames_are_shared_bounded_and_rendered_once(
    kept: Kept, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in (ROOMS, OTHER_ROOMS, f"{ROOMS}101/", "/hotels/"):
        assert staff.get(url).status_code == 200
    assert len(kept) == 2, "one of a hotel's pages, and one of the list of hotels"
    with monkeypatch.context() as patch:
        patch.delattr(admin.site.__class__, "each_context")
        assert ListMarkup(staff.get(OTHER_ROOMS).content).text("h1") == "Rooms of Hotel XYZ"
    monkeypatch.setattr(framing, "MOST_FRAMES", 2)
    for url in ("/guests/", "/", "/orders/", "/hotels/"):
        assert ListMarkup(staff.get(url).content).element("#nav-sidebar-apps [aria-current]")
        assert 0 < len(kept) <= 2
    monkeypatch.setattr("django.conf.settings.DEBUG", True)
    kept.clear()
    assert (staff.get(ROOMS).status_code, len(kept)) == (200, 0), "templates may change"


def test_pages_of_several_users_at_once_never_mix(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apps.get_app_config("saved_views"), "sidebar_group", None)  # threads have no tables

    def shown(number: int) -> set[str]:
        user: Any = User(pk=number, username=f"user-{number}-", is_staff=True)
        user._perm_cache = user._user_perm_cache = user._group_perm_cache = {"rooms.view_room"} if number % 2 else set()
        request: Any = RequestFactory().get("/nothing/")
        request.user, request._messages = user, [f"message-{number}-"]
        if number % 7 == 0:
            kept.clear()
        text = render_to_string("portal/no_pages.html", {"title": f"title-{number}-"}, request)
        return set(re.findall(r'(?:user|title|message)-\d+-|data-user="\d+"|[a-z] changes', text))

    with ThreadPoolExecutor(8) as pool:
        for number, found in enumerate(pool.map(shown, range(1, 101)), 1):
            words = {f"user-{number}-", f"title-{number}-", f"message-{number}-", f'data-user="{number}"'}
            assert found == words | ({"y changes"} if number % 2 else set())
