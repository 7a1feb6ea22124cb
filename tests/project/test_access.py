"""Who may open what, for every address of the URL configuration.

An anonymous user is sent to log in. A user without the page's permission gets a 403, and a user who is bound to another
hotel a 404. Unsafe methods need a CSRF token. A GET writes nothing.
"""

from collections import defaultdict
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from hotelapp.dynamodb.schema.keys import now
from hotelapp.portal.access import ANY_STAFF, StaffMixin, StaffPage
from lab.apps import OPEN_LAB
from reviews import commands as reviews
from reviews import queries as review_queries
from rooms import commands
from rooms.entities import BulkChange, RoomAction
from tests.helpers import addresses as helpers
from tests.helpers.addresses import IN_A_HOTEL, IN_THE_GROUP, UNSAFE, UNUSED, Address, addresses
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.people import DAILY_WORK, bind, permit, portal_permissions
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HTMX = {"HX-Request": "true", "HX-Target": "list"}
EVERY = addresses()
OF_MANAGERS = [address for address in EVERY if address.permission != OPEN_LAB]
"""The addresses that a manager may open: all but those for who runs the portal."""

FORM = {"seen": "PLACED", "step": "PROCESSING", "revision": "1"}
"""What the forms of the portal need, so that a refusal is not that of a blank form."""


def fill() -> None:
    """Two hotels, and in the first one a room, a guest's order and a review."""
    make_hotel([make_room("101")])
    make_hotel(hotel_id="xyz", name="Hotel XYZ")
    store([make_order()])
    store_reviews([make_review(IN_A_HOTEL["review_id"], "en", 5)])
    reviews.reply_to_review(review_queries.review(IN_A_HOTEL["review_id"]), "Thank you", "anna")
    commands.ask_for(ABC, BulkChange(IN_A_HOTEL["change_id"], RoomAction.VIEW, "101", "anna", now(), text="Sea"))


@pytest.fixture
def filling() -> Fill:
    return fill


def writes(response: Any) -> list[tuple[str, str]]:
    """The writes of a request, without those of its session."""
    calls = response.wsgi_request.ledger.calls
    return [(call.operation, call.table) for call in calls if not call.reads and call.purpose != "session"]


def statuses(client: Client, url: str) -> set[int]:
    """The answers to reading and writing, as a page, as the part that htmx loads, and as an export."""
    answers = [client.get(url), client.get(url, headers=HTMX), client.get(url, {"format": "csv"})]
    answers += [getattr(client, method)(url, FORM) for method in UNSAFE]
    for answer in answers:
        assert writes(answer) == []
    return {answer.status_code for answer in answers}


def by_permission() -> dict[str, list[Address]]:
    """The addresses that need each permission, without those that all staff may open."""
    needing = defaultdict[str, list[Address]](list)
    for address in EVERY:
        if address.permission != ANY_STAFF:
            needing[address.permission].append(address)
    return needing


# --- Every address --------------------------------------------------------------------------------------


def test_an_anonymous_user_is_sent_to_log_in(client: Client) -> None:
    for address in EVERY:
        for method in ("get", *UNSAFE):
            response = getattr(client, method)(address.url)
            assert response.status_code == 302, (address.name, method)
            assert response["Location"].startswith("/admin/login/?next="), (address.name, method)
            assert writes(response) == [], (address.name, method)
        answer = client.get(address.url, headers=HTMX)
        assert answer["HX-Redirect"].startswith("/admin/login/?next="), address.name


def test_a_page_declares_a_permission_that_exists() -> None:
    existing = portal_permissions() | {ANY_STAFF}
    for address in EVERY:
        page = address.page
        assert issubclass(page, StaffMixin), address.name
        assert page.permission in existing, address.name


def test_without_staff_access_it_is_a_403(outsider: Client) -> None:
    for address in EVERY:
        for method in ("get", "post"):
            assert getattr(outsider, method)(address.url).status_code == 403, (address.name, method)


def test_without_any_permission_only_a_page_for_all_staff_opens(newcomer: Client) -> None:
    for address in EVERY:
        status = newcomer.get(address.url, follow=True).status_code
        assert status == (200 if address.permission == ANY_STAFF else 403), address.name


def test_without_the_permission_every_other_one_is_not_enough(newcomer: Client, dana: User) -> None:
    for permission, needing in by_permission().items():
        permit(dana, *portal_permissions() - {permission})
        for address in needing:
            assert statuses(newcomer, address.url) == {403}, address.name


def test_what_belongs_to_another_hotel_is_a_404(manager: Client, mary: User) -> None:
    bind(mary, "xyz")
    of_a_hotel = [address for address in EVERY if address.of_a_hotel]
    for address in of_a_hotel:
        assert statuses(manager, address.url) <= {404, 405}, address.name
        read = manager.get(address.url).status_code
        assert read == 404 or manager.post(address.url, FORM).status_code == 404, address.name
    bind(mary, "xyz", ABC)
    for address in of_a_hotel:
        assert manager.get(address.url).status_code in {200, 302, 405}, address.name


def test_a_manager_may_open_it_and_reading_writes_nothing(manager: Client) -> None:
    for address in OF_MANAGERS:
        assert statuses_of_reading(manager, address) <= {200, 302, 405}, address.name


def test_unsafe_methods_need_a_csrf_token(empty_tables: None, mary: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(mary)
    for address in EVERY:
        for method in UNSAFE:
            response = getattr(strict, method)(address.url)
            assert response.status_code == 403, (address.name, method)
            assert b"Please send the form again" in response.content, (address.name, method)
            assert writes(response) == [], (address.name, method)


def test_methods_that_the_portal_does_not_use_are_a_405(manager: Client) -> None:
    for address in OF_MANAGERS:
        for method in UNUSED:
            response = getattr(manager, method)(address.url)
            assert response.status_code == 405, (address.name, method)
            assert writes(response) == [], (address.name, method)


def statuses_of_reading(client: Client, address: Address) -> set[int]:
    """The answers to GET, in all forms, with the page that a redirect leads to. None may have written."""
    answers: list[Any] = [client.get(address.url), client.get(address.url, headers=HTMX)]
    answers += [client.get(address.url, {"format": "csv"})]
    answers += [client.get(answer["Location"]) for answer in answers if answer.status_code == 302]
    for answer in answers:
        if answer.streaming:
            assert answer.getvalue(), address.name
        assert writes(answer) == [], address.name
    return {answer.status_code for answer in answers}


# --- The test itself ------------------------------------------------------------------------------------


def test_a_page_without_a_permission_is_refused_when_django_starts() -> None:
    class Undeclared(StaffPage):
        template_name = "portal/no_pages.html"

    with pytest.raises(ImproperlyConfigured, match="Undeclared declares no permission"):
        Undeclared.as_view()


def test_the_walk_finds_every_address() -> None:
    names = {address.name for address in EVERY}
    assert {
        "overview:group",
        "overview:hotel",
        "hotels:hotels",
        "rooms:room",
        "orders:order",
        "reviews:delete_review",
    } <= names
    assert not any(name.startswith("admin:") for name in names)
    assert {name for address in EVERY for name in address.kwargs} == IN_A_HOTEL.keys() | IN_THE_GROUP.keys()


def test_the_walk_finds_a_new_page_and_refuses_what_it_does_not_know() -> None:
    def plain(request: HttpRequest) -> HttpResponse:
        """A view without a class."""
        return HttpResponse()

    inner = [path("<str:secret>/", plain, name="secret")]
    (address,) = helpers._walk([path("new/", include((inner, "new")))], "")
    assert (address.name, address.kwargs) == ("new:secret", ("secret",))
    with pytest.raises(KeyError, match="secret"):
        _ = address.url
    with pytest.raises(AttributeError):
        _ = address.page


# --- What a page offers ---------------------------------------------------------------------------------


def test_no_link_leads_to_a_page_that_the_user_may_not_open(newcomer: Client, dana: User) -> None:
    """With the page's own permission alone, every link and form on it must be allowed, except Cancel."""
    for permission, needing in by_permission().items():
        permit(dana, permission)
        links: dict[str, str] = {}
        for address in needing:
            response = newcomer.get(address.url, follow=True)
            assert response.status_code in {200, 405}, address.name
            links |= dict.fromkeys(offered(response), address.name)
        for url, name in links.items():
            assert newcomer.get(url).status_code in {200, 302, 405}, f"{name} offers {url} with {permission}"


def offered(response: Any) -> list[str]:
    """The addresses of the portal that a page links to, in its frame and in its content."""
    if response.status_code != 200:
        return []
    soup = ListMarkup(response.content).soup
    back = {str(link["href"]) for link in soup.select("form.entries .actions a")}  # Cancel: to what is changed
    links = {str(link["href"]) for link in soup.select("a[href^='/'], a[href^='?']")}
    links |= {str(form["action"]) for form in soup.select("form[action^='/']")}
    here = response.request["PATH_INFO"]
    found = {f"{here}{link}" if link.startswith("?") else link for link in links - back}
    return sorted(url for url in found if not url.startswith(("/admin/", "/static/")))


def test_a_member_of_staff_lands_on_the_first_page_that_they_may_open(newcomer: Client, dana: User) -> None:
    page = newcomer.get("/")
    assert "Your account has no permission yet" in page.content.decode()
    assert ListMarkup(page.content).soup.select("#nav-sidebar-apps a") == []
    for permission, start in (
        ("orders.add_order", "/orders/place/"),
        ("orders.view_guest", "/guests/"),
        ("orders.view_order", "/"),
        ("hotels.view_hotel", "/"),
    ):
        permit(dana, permission)
        assert newcomer.get("/").get("Location", "/") == start
        links = ListMarkup(newcomer.get(start, follow=True).content).soup.select("#nav-sidebar-apps a")
        assert (links[0]["href"], links[-1]["href"]) == (start, "/history/mine/")
        assert {newcomer.get(str(link["href"]), follow=True).status_code for link in links} == {200}


def test_accounts_and_groups_are_for_those_who_may_change_them(manager: Client, admin_client: Client) -> None:
    accounts = {"/admin/auth/user/", "/admin/auth/group/"}
    assert not accounts & links_of_the_sidebar(manager)
    assert accounts <= links_of_the_sidebar(admin_client)
    assert {manager.get(url).status_code for url in accounts} == {403}
    assert {admin_client.get(url).status_code for url in accounts} == {200}


def links_of_the_sidebar(client: Client) -> set[str]:
    links = ListMarkup(client.get("/hotels/").content).soup.select("#nav-sidebar-apps a")
    return {str(link["href"]) for link in links}


LISTS = ["/hotels/", f"/hotels/{ABC}/rooms/", "/guests/", "/guests/alex/", "/guests/alex/orders/"]
LISTS += ["/orders/", "/orders/unfinished/", f"/hotels/{ABC}/orders/", f"/hotels/{ABC}/attention/"]
LISTS += [f"/hotels/{ABC}/orders/big/", f"/hotels/{ABC}/reviews/", f"/history/room/{ABC}/101/"]


def test_exports_need_their_own_permission(staff: Client, alice: User) -> None:
    for url in LISTS:
        assert staff.get(url, {"format": "csv"}).streaming, url
        assert "Export CSV" in staff.get(url).content.decode(), url
    permit(alice, *(permission for permission in DAILY_WORK if permission != "portal.export_data"))
    for url in LISTS:
        assert staff.get(url, {"format": "csv"}).status_code == 403, url
        page = staff.get(url)
        assert (page.status_code, "Export CSV" in page.content.decode()) == (200, False), url
        assert "Export CSV" not in staff.get(url, headers=HTMX).content.decode(), url
