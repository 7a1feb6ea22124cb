"""Who may use what: every address of the URL configuration keeps to the table in ``tests/helpers/pages.py``.

An anonymous user is sent to log in. A user with every permission but the one in the table gets a 403, with this one
alone not, and a user who is bound to another hotel a 404. What is sent needs a CSRF token.
"""

from collections import defaultdict
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from portal.access import ANY_STAFF
from portal.lists.views import ListPage
from rooms import commands as rooms
from rooms.apps import OPEN_LAB
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.addresses import Address, addresses
from tests.helpers.forms import fill as fill_examples
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.pages import PAGES, Access
from tests.helpers.people import DAILY_WORK, bind, permit, portal_permissions
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HTMX = {"HX-Request": "true", "HX-Target": "list"}
EVERY = addresses()
FORM = {"seen": "PLACED", "step": "PROCESSING", "revision": "1", "serial": "2"}
FORM |= {"order": "o-1/alex/PLACED", "to": "next"}
"""What the forms of the portal need, so that a refusal is not that of a blank form."""


def fill() -> None:
    """What the examples of addresses name, and another hotel."""
    fill_examples()
    make_hotel(hotel_id="xyz", name="Hotel XYZ")


def writes(response: Any) -> list[tuple[str, str]]:
    """The writes of a request, without those of its session."""
    calls = response.wsgi_request.ledger.calls
    return [(call.operation, call.table) for call in calls if not call.reads and call.purpose != "session"]


def statuses(client: Client, url: str) -> list[int]:
    """Return the answers to reading and writing, as a page, as the part that htmx loads, and as an export."""
    answers = [client.get(url), client.get(url, headers=HTMX), client.get(url, {"format": "csv"})]
    answers.append(client.post(url, FORM))
    for answer in answers:
        assert writes(answer) == []
    return [answer.status_code for answer in answers]


def by_permission(of: Callable[[Access], str] = attrgetter("permission")) -> dict[str, list[Address]]:
    """Return the addresses that need each permission to read them, without those that all staff may open."""
    needing = defaultdict[str, list[Address]](list)
    for address in EVERY:
        if of(address.access) not in {ANY_STAFF, "-"}:
            needing[of(address.access)].append(address)
    return needing


def of_managers() -> list[Address]:
    """Return the addresses that a manager may open: all but those of the people who run the portal."""
    return [address for address in EVERY if address.access.permission != OPEN_LAB]


# --- The table ------------------------------------------------------------------------------------------


def test_the_table_has_every_page_and_no_other() -> None:
    routes = {address.route for address in EVERY}
    missing, gone = sorted(routes - PAGES.keys()), sorted(PAGES.keys() - routes)
    assert (missing, gone) == ([], []), "say in tests/helpers/pages.py who may use these pages"


# --- Every address --------------------------------------------------------------------------------------


def test_an_anonymous_user_is_sent_to_log_in(client: Client) -> None:
    for address in EVERY:
        for method in ("get", "post"):
            response = getattr(client, method)(address.url)
            assert response.status_code == 302, (address.name, method)
            assert response["Location"].startswith("/admin/login/?next="), (address.name, method)
            assert writes(response) == [], (address.name, method)
        answer = client.get(address.url, headers=HTMX)
        assert answer["HX-Redirect"].startswith("/admin/login/?next="), address.name


def test_without_staff_access_it_is_a_403(outsider: Client) -> None:
    for address in EVERY:
        for method in ("get", "post"):
            assert getattr(outsider, method)(address.url).status_code == 403, (address.name, method)


def test_the_permission_in_the_table_is_enough_to_read(newcomer: Client, dana: User) -> None:
    for_all = [address for address in EVERY if address.access.permission == ANY_STAFF]
    assert {newcomer.get(address.url, follow=True).status_code for address in for_all} == {200}
    for permission, needing in by_permission().items():
        permit(dana, permission)
        found = {address.route: newcomer.get(address.url, follow=True).status_code for address in needing}
        assert {*found.values()} <= {200, 405}, (permission, found)


def test_without_the_permission_every_other_one_is_not_enough(newcomer: Client, dana: User) -> None:
    for permission, needing in by_permission().items():
        permit(dana, *portal_permissions() - {permission})
        found = {address.route: {*statuses(newcomer, address.url)} for address in needing}
        assert found == {address.route: {403} for address in needing}, f"without {permission}"


def test_without_the_permission_to_write_every_other_one_is_not_enough(newcomer: Client, dana: User) -> None:
    for permission, needing in by_permission(attrgetter("post")).items():
        permit(dana, *portal_permissions() - {permission})
        answers = {address.route: newcomer.post(address.url, FORM) for address in needing}
        assert {route: answer.status_code for route, answer in answers.items()} == dict.fromkeys(answers, 403)
        assert [writes(answer) for answer in answers.values()] == [[]] * len(answers), f"without {permission}"


def test_the_permissions_in_the_table_are_enough_to_send_what_it_takes(newcomer: Client, dana: User) -> None:
    for address in EVERY:
        if address.access.post != "-":
            permit(dana, *{address.access.permission, address.access.post} - {ANY_STAFF})
            assert newcomer.post(address.url, FORM).status_code in {200, 302, 409}, address.route


def test_what_belongs_to_another_hotel_is_a_404(manager: Client, mary: User) -> None:
    bind(mary, "xyz")
    for address in of_managers():
        if address.access.elsewhere == "-":
            assert manager.get(address.url).status_code in {200, 302}, address.route
        else:
            page, *others = statuses(manager, address.url)
            assert page == int(address.access.elsewhere), address.route
            assert {*others} <= {page, 405}, address.route


def test_what_is_sent_needs_a_csrf_token(empty_tables: None, mary: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(mary)
    for address in EVERY:
        response = strict.post(address.url)
        assert response.status_code == 403, address.name
        assert b"Please send the form again" in response.content, address.name
        assert writes(response) == [], address.name


def test_a_page_takes_the_methods_in_the_table_and_no_other(manager: Client) -> None:
    for address in of_managers():
        sent = set() if address.access.post == "-" else {"POST"}
        allowed = manager.options(address.url)["Allow"]
        assert {*allowed.split(", ")} == {"GET", "HEAD", "OPTIONS"} | sent, address.name
    for refused in (manager.put("/guests/"), manager.post("/guests/"), manager.patch("/guests/add/")):
        assert (refused.status_code, writes(refused)) == (405, [])


# --- What a page offers ---------------------------------------------------------------------------------


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


LISTS = [address for address in EVERY if issubclass(address.page, ListPage)]


def test_exports_need_their_own_permission(staff: Client, alice: User) -> None:
    lists = [address.url for address in LISTS if address.access.permission in DAILY_WORK]
    assert len(lists) > 10
    for url in lists:
        assert staff.get(url, {"format": "csv"}).streaming, url
        assert "Export CSV" in staff.get(url, headers=HTMX).content.decode(), url
    permit(alice, *(permission for permission in DAILY_WORK if permission != "portal.export_data"))
    for url in lists:
        assert staff.get(url, {"format": "csv"}).status_code == 403, url
        part = staff.get(url, headers=HTMX)
        assert (part.status_code, "Export CSV" in part.content.decode()) == (200, False), url


def fill_hotel(hotel_id: str) -> None:
    """A hotel with something in each list: alex has changed a room, and has a big order there."""
    make_hotel([make_room("101", hotel_id=hotel_id)], hotel_id, f"Hotel {hotel_id}")
    broken = StatusChange(Housekeeping.DIRTY, Service.OUT_OF_ORDER, "Painting")
    rooms.set_status(hotel_id, "101", broken, "alex")
    store_orders([make_order(f"o-{hotel_id}", hotel_id=hotel_id, total=100_000)])
    store_reviews([make_review(f"r-{hotel_id}", hotel_id=hotel_id)])


def shown(client: Client, urls: list[str]) -> dict[str, tuple[list[str], list[str], str]]:
    """Return the rows of these lists, the counts beside them, and the export."""
    found = {}
    for url in urls:
        page = ListMarkup(client.get(url).content)
        counts = [str(each[name]) for name in ("data-count", "data-total") for each in page.soup.select(f"[{name}]")]
        counts += [each.get_text(" ", strip=True) for each in page.soup.select(".tabs .count")]
        rows = [row.get_text(" ", strip=True) for row in page.soup.select("tr[data-row]")]
        found[url] = rows, counts, client.get(url, {"format": "csv"}).getvalue().decode()
    return found


def test_no_list_shows_exports_or_counts_what_is_at_another_hotel(
    manager: Client, mary: User, staff: Client, alice: User
) -> None:
    """Things of another hotel change nothing in the lists of a user who is bound to one hotel, and change each list of
    a user who sees all hotels.

    Lists of changes do say that a change happened; the tests of the history show that they say no more.
    """
    lists = [each for each in of_managers() if each in LISTS and not each.name.startswith("history:")]
    urls = [address.url for address in lists if address.access.elsewhere == "-"]
    permit(alice, *portal_permissions())
    bind(mary, "xyz")
    fill_hotel("xyz")
    before, all_before = shown(manager, urls), shown(staff, urls)
    fill_hotel(ABC)
    after, all_after = shown(manager, urls), shown(staff, urls)
    assert after == before
    assert {url for url in urls if all_after[url] == all_before[url]} == {"/guests/"}, "which belong to the group"
