"""The list that a page was opened from: the way back to it, and the neighbours of a room in it."""

from urllib.parse import quote, urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.soup import Tag
from rooms import commands
from rooms.entities import StatusChange
from rooms.statuses import Service
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.people import permit
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
ROOM = f"{ROOMS}102/"
SUITES = f"{ROOMS}?type=suite&page_size=10"
HOST = "http://testserver"


def fill() -> None:
    make_hotel([make_room(str(number), type="Suite") for number in range(101, 113)])


def opened(client: Client, address: str, referer: str = "") -> ListMarkup:
    response = client.get(address, headers={"Referer": referer} if referer else {})
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def way_back(page: ListMarkup) -> Tag:
    return page.element(".way-back a.link")


def carrying(address: str, listed: str) -> str:
    return f"{address}?{urlencode({'list': listed})}"


def test_a_room_leads_back_to_its_row_of_the_list(staff: Client) -> None:
    page = opened(staff, ROOM, HOST + SUITES)
    assert way_back(page)["href"] == f"{SUITES}#row-102"
    assert page.text(".way-back a.link") == "← Back to the 12 rooms (suite)"
    assert opened(staff, SUITES).element("#row-102")["data-row"] == "102"


def test_a_room_leads_back_to_its_row_of_a_list_of_all_hotels_and_to_its_neighbours(staff: Client) -> None:
    make_hotel([make_room("102", hotel_id="xyz")], "xyz", "Hotel XYZ")
    for hotel_id, number in ((ABC, "102"), (ABC, "103"), ("xyz", "102")):
        commands.set_status(hotel_id, number, StatusChange(service=Service.OUT_OF_ORDER, reason="Water"), "anna")
    for listed in ("/attention/?status=attention", "/repairs/"):
        page = opened(staff, f"{ROOMS}103/", HOST + listed)
        assert way_back(page)["href"] == f"{listed}#row-{ABC}-103"
        assert opened(staff, listed).element(f"#row-{ABC}-103")["data-row"] == "103"
        assert [link["href"] for link in page.soup.select(".beside a")] == [
            carrying(address, listed) for address in (f"{ROOMS}102/", "/hotels/xyz/rooms/102/")
        ]


def test_the_neighbours_of_a_room_take_at_most_two_more_requests(staff: Client) -> None:
    alone, page = opened(staff, ROOM), opened(staff, ROOM, HOST + SUITES)
    assert [link["href"] for link in page.soup.select(".beside a")] == [
        carrying(f"{ROOMS}{number}/", SUITES) for number in (101, 103)
    ]
    assert not alone.soup.select(".beside a")
    assert page.cost("requests") <= alone.cost("requests") + 2
    first, last = (opened(staff, carrying(f"{ROOMS}{number}/", SUITES)) for number in (101, 110))
    assert [link["rel"] for link in first.soup.select(".beside a")] == ["next"]
    beyond = str(last.element(".beside a[rel=next]")["href"])
    assert opened(staff, beyond).rows == ["111", "112"], "the next page of the list"


NO_LISTS = (
    "http://elsewhere.example/hotels/abc/rooms/",
    f"{HOST}/hotels/",
    f"{HOST}{ROOM}",
    f"{HOST}/nothing/here/",
    "//[",
)
ELSEWHERE = ("//evil.example/", "https://evil.example/hotels/", "/admin/", "/search/?q=102", "%", "x" * 3000)


def test_no_other_page_is_a_list_of_the_room(staff: Client) -> None:
    for referer in NO_LISTS:
        page = opened(staff, ROOM, referer)
        assert way_back(page)["href"] in {ROOMS, "/hotels/#row-102"}, referer
        assert not page.soup.select(".beside a"), referer


def test_the_parameter_leads_nowhere_else(manager: Client) -> None:
    for listed in (*ELSEWHERE, "/hotels/\x00/rooms/"):
        assert way_back(opened(manager, carrying(ROOM, listed)))["href"] == ROOMS, listed
        assert "evil" not in opened(manager, carrying(f"{ROOM}edit/", listed)).text("main")


def test_a_bad_list_and_the_list_of_what_does_not_exist_are_no_errors(staff: Client) -> None:
    for listed in ("/hotels/nowhere/orders/", "/guests/nobody/", "/history/x/y/"):
        page = opened(staff, carrying(ROOM, listed))
        assert way_back(page)["href"] == (ROOMS if "history" in listed else f"{listed}#row-102")
    for query in ("?cursor=nonsense", "?type=nothing-like-it", "?size=x&type=suite"):
        assert str(way_back(opened(staff, carrying(ROOM, ROOMS + query)))["href"]).startswith(ROOMS), query


def test_a_list_that_the_user_may_not_open_is_not_offered(alice: User, staff: Client) -> None:
    store([make_order("o-1", "alex")])
    orders = f"/hotels/{ABC}/orders/?status=PLACED"
    assert way_back(opened(staff, carrying(ROOM, orders)))["href"] == f"{orders}#row-102"
    permit(alice, "rooms.view_room")
    assert way_back(opened(staff, carrying(ROOM, orders)))["href"] == ROOMS


def test_an_edit_and_a_deletion_keep_the_list(manager: Client) -> None:
    edit = carrying(f"{ROOM}edit/", SUITES)
    form = {
        "number": "102a",
        "view": "x",
        "size": "9",
        "type": "Suite",
        "rate": "90",
        "currency": "EUR",
        "revision": "1",
    }
    assert manager.post(edit, form)["Location"] == carrying(f"{ROOMS}102a/", SUITES)
    assert opened(manager, edit.replace("102", "103")).element("a.button[href*=list]")["href"] == carrying(
        f"{ROOMS}103/", SUITES
    )
    status = manager.post(carrying(f"{ROOMS}103/status/", SUITES), {"housekeeping": "dirty", "revision": "1"})
    assert status["Location"] == carrying(f"{ROOMS}103/", SUITES)
    deleted = manager.post(carrying(f"{ROOMS}103/delete/", SUITES), {"revision": "2"})
    assert deleted["Location"] == SUITES


def test_an_order_and_its_guest_lead_back(manager: Client) -> None:
    store([make_order("o-1", "alex")])
    orders = f"/hotels/{ABC}/orders/?status=PLACED"
    page = opened(manager, "/orders/o-1/", HOST + orders)
    assert way_back(page)["href"] == f"{orders}#row-o-1"
    assert page.text(".way-back a.link") == "← Back to Orders of Hotel ABC (placed)"
    unanswered = f"{HOST}/hotels/{ABC}/reviews/?unanswered=1&days=last-month&rating=2"
    back = opened(manager, "/orders/o-1/", unanswered).text(".way-back a.link")
    assert back.endswith("of Hotel ABC (last month, rating 2, without a reply)")
    form = page.element("form.steps")
    assert form["action"] == carrying("/orders/o-1/", orders)
    step = {"guest": "alex", "seen": "PLACED", "step": "PROCESSING"}
    moved = manager.post(str(form["action"]), step)
    assert moved["Location"] == f"/orders/o-1/?guest=alex&list={quote(orders, safe='')}"
    assert way_back(opened(manager, "/guests/alex/", HOST + "/guests/?q=al"))["href"] == "/guests/?q=al#row-alex"
    itself = opened(manager, "/guests/alex/?status=PLACED", f"{HOST}/guests/alex/")
    assert way_back(itself)["href"] == "/guests/"
