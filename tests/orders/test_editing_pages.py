"""Pages that write orders: sent twice, at the same time, and while the database is unavailable."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.connection.client import client as dynamodb_client
from dynamodb_lists.tests.helpers.answers import answer, answering
from hotels.commands import add_missing_hotel
from hotels.entities import Hotel
from orders import commands, models, queries
from orders.entities import Guest, Order
from orders.statuses import UNFINISHED, Status
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup, errors
from tests.helpers.orders import assert_orders_in_step, make_order, store, stored
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.usefixtures("empty_tables", "in_step"), pytest.mark.django_db]
PLACE, ORDER = "/orders/place/", "/orders/o-1/"
_started: list[str] = []
ITEM = {"sku": "Massage", "sku-chosen": "id=spa&name=Massage&text=Massage", "quantity": "2", "unit_price": "95.00"}


def fill() -> None:
    make_hotel([make_room("101")])
    create_guest(Guest("alex", "Alex Doe", "alex@example.com"), "alice")


@pytest.fixture
def in_step(empty_tables: None) -> Any:
    """Check after each test that orders, items, indexes and counts agree."""
    _started.append(uuid4().hex)
    yield
    assert_orders_in_step()


def order_id() -> str:
    """Return the id in the form. Each test has its own, because the engine remembers tokens for ten minutes."""
    return f"form-{_started[-1]}"


def form(*items: Mapping[str, str], **header: str) -> dict[str, str]:
    """Return the data that a browser sends to place an order."""
    lines = {f"items-{n}-{name}": value for n, item in enumerate(items) for name, value in item.items()}
    management = {"items-TOTAL_FORMS": str(len(items)), "items-INITIAL_FORMS": "0"}
    fixed = {"order_id": order_id(), "username": "alex", "hotel_id": ABC}
    return {**fixed, **management, **lines, **header}


def orders_of_alex() -> list[Order]:
    return list(queries.guest_orders(queries.guest("alex")))


# --- Placing an order -----------------------------------------------------------------------------------


def test_a_name_instead_of_a_username_leads_to_the_guest(staff: Client) -> None:
    create_guest(Guest("alexa", "Alexa Roe", "roe@example.com", "+43 660 1234"), "alice")
    page = ListMarkup(staff.post(PLACE, form(ITEM, username="al")).content)
    assert "Alexa Roe roe@example.com" in page.text(".entry.wrong")
    assert page.element("[name=username]")["value"] == "al"
    assert page.element("[name=items-0-sku]")["value"] == "Massage"
    second = str(page.soup.select("[name=username-chosen][type=radio]")[1]["value"])
    for number, entry in enumerate(({"username": "doe"}, {"username": "al", "username-chosen": second})):
        response = staff.post(PLACE, form(ITEM, **entry, order_id=f"o-{number}{order_id()}"))
        assert response.status_code == 302, entry
    assert {order.username for order in queries.placed(UNFINISHED)} == {"alex", "alexa"}
    staff.post(PLACE, form(ITEM, username="1234"))
    assert queries.order(order_id()).username == "alexa", "the last digits of the phone"


def test_an_order_is_placed_and_names_a_room_with_a_link(staff: Client) -> None:
    place = staff.get(f"/hotels/{ABC}/rooms/101/").content.decode()
    assert f"{PLACE}?hotel_id={ABC}&amp;room_number=101" in place
    page = ListMarkup(staff.post(PLACE, form(ITEM, room_number="101"), follow=True).content)
    assert page.element("[data-order]")["data-status"] == "PLACED"
    assert "EUR 190.00" in page.text("tfoot")
    assert "The order is placed" in page.soup.get_text()
    assert page.element(f"a[href='/hotels/{ABC}/rooms/101/']").get_text() == "101"
    for address in (f"/hotels/{ABC}/orders/", "/orders/unfinished/", "/guests/alex/"):
        row = ListMarkup(staff.get(address).content).element(f"[data-row={order_id()}]")
        assert row.select_one(f"a[href='/hotels/{ABC}/rooms/101/']"), address


def test_a_link_names_the_guest_and_the_hotel(staff: Client) -> None:
    page = ListMarkup(staff.get(f"{PLACE}?username=alex&hotel_id={ABC}", follow=True).content)
    assert [page.element(f"[name={name}]")["value"] for name in ("username", "hotel_id")] == ["Alex Doe", "Hotel ABC"]
    chosen = [page.element(f"[name={name}-chosen]")["value"] for name in ("username", "hotel_id", "room_number")]
    assert chosen == ["id=alex&name=Alex+Doe&text=Alex+Doe", f"id={ABC}&name=Hotel+ABC&text=Hotel+ABC", ""]
    assert staff.get(f"{PLACE}?username=a%23b").status_code == 400


def test_an_allergy_and_a_wish_reach_the_kitchen(staff: Client) -> None:
    """The guest's remark stands beside the chosen guest, whatever else is wrong, and on the page of the order."""
    create_guest(Guest("ada", "Ada", note="ALLERGY: peanuts"), "alice")
    assert (
        ListMarkup(staff.get(f"{PLACE}?username=ada", follow=True).content).text(".picker .note") == "ALLERGY: peanuts"
    )
    entry = form(ITEM, username="ada", **{"username-chosen": "id=ada&name=Ada&text=Ada"}, note="No ice")
    for change in ({"more": "1"}, {"items-0-quantity": "0"}):
        page = ListMarkup(staff.post(PLACE, {**entry, "username": "Ada", **change}).content)
        assert page.text(".picker .note") == "ALLERGY: peanuts"
        assert page.element("[name=note]")["value"] == "No ice"
    for _ in range(2):  # the second time, nothing is written
        page = ListMarkup(staff.post(PLACE, {**entry, "username": "Ada"}, follow=True).content)
        assert "ALLERGY: peanuts" in page.text("dl.facts")
        assert "No ice" in page.text(".note-of")
    offered = staff.get("/search/choices/?kind=guest&q=ada").json()["choices"]
    assert [each["facts"] for each in offered] == [{"note": "ALLERGY: peanuts"}]


def test_who_may_not_see_guests_sees_no_remark_on_them(db: None) -> None:
    create_guest(Guest("ada", "Ada", note="ALLERGY: peanuts"), "alice")
    store([make_order("o-2", "ada")])
    user = User.objects.create_user("kim", is_staff=True)
    permit(user, "orders.view_order")
    bind(user, ABC)
    page = logged_in(user).get("/orders/o-2/")
    assert (page.status_code, "peanuts" in page.content.decode()) == (200, False)


def test_the_only_hotel_of_a_user_is_chosen(staff: Client) -> None:
    alice = User.objects.get(username="alice")
    for hotels, chosen in (((ABC,), "Hotel ABC"), ((ABC, "sea"), None)):
        bind(alice, *hotels)
        page = ListMarkup(staff.get(PLACE, follow=True).content)
        assert page.element("[name=hotel_id]").get("value") == chosen


WRONG: list[tuple[dict[str, str], str]] = [
    ({"username": "nobody"}, "no guest “nobody”"),
    ({"username": "ghost", "username-chosen": "id=ghost&name=ghost&text=ghost"}, "no guest “ghost”"),
    ({"room_number": "999", "room_number-chosen": "id=999&name=999&text=999"}, "no room “999”"),
    ({"hotel_id": "nowhere"}, "no hotel “nowhere”"),
    ({"items-0-unit_price": "1.005"}, "too many decimals: EUR has 2"),
    ({"items-0-unit_price": "-1"}, "a price of 0 or more"),
    ({"items-0-quantity": "0"}, "greater than or equal to 1"),
    ({"items-0-quantity": ""}, "required"),
    ({"items-0-sku": ""}, "required"),
    ({"items-0-unit_price": ""}, "Enter the price"),
    ({"order_id": "a#b"}, "order's id"),
    ({"items-TOTAL_FORMS": "x"}, "whole number"),
]


def test_what_is_wrong_with_an_order_stands_in_the_form(staff: Client) -> None:
    for change, complaint in WRONG:
        page = staff.post(PLACE, {**form(ITEM), **change})
        assert complaint in errors(page), change
    assert orders_of_alex() == []


def test_an_order_needs_an_item_and_holds_ninety(staff: Client) -> None:
    blank = dict.fromkeys(ITEM, "")
    assert "at least one item" in errors(staff.post(PLACE, form(blank, blank)))
    assert "at most 90 items" in errors(staff.post(PLACE, form(*[ITEM] * 91)))
    assert orders_of_alex() == []
    assert staff.post(PLACE, form(*[ITEM] * 90)).status_code == 302
    assert len(queries.order(order_id()).items) == 90


def test_a_hotel_of_an_import_has_no_currency_yet(staff: Client) -> None:
    add_missing_hotel(Hotel("new", "New"))
    response = staff.post(PLACE, form(ITEM, hotel_id="new"))
    assert "no currency yet" in errors(response)
    store([make_order("o-2", hotel_id="new", currency="USD")])
    assert staff.post(PLACE, form(ITEM, hotel_id="new")).status_code == 302
    assert queries.order(order_id()).currency == "USD", "that of what it has sold"


# --- Steps ----------------------------------------------------------------------------------------------


def step(client: Client, seen: str, to: str, **options: Any) -> Any:
    return client.post(ORDER, {"seen": seen, "step": to}, **options)


def test_the_second_of_two_is_told_who_was_first(staff: Client, bob: Client) -> None:
    store([make_order(status=Status.PROCESSING)])
    assert step(staff, "PROCESSING", "SHIPPED").status_code == 302
    response = step(bob, "PROCESSING", "CANCELLED")
    assert response.status_code == 409
    page = ListMarkup(response.content)
    assert "alice was first: the order is now on its way." in page.text(".problem")
    assert [button["value"] for button in page.soup.select("button[name=step]")] == ["DELIVERED"]
    assert stored().status == Status.SHIPPED


def test_a_step_that_no_order_can_take_is_a_400(staff: Client) -> None:
    store([make_order()])
    for seen, to, field in (
        ("PLACED", "DELIVERED", "step"),
        ("DELIVERED", "PLACED", "step"),
        ("PLACED", "", "step"),
        ("LOST", "SHIPPED", "seen"),
    ):
        response = staff.post(ORDER, {"seen": seen, "step": to, "csrfmiddlewaretoken": "secret"})
        assert response.status_code == 400, (seen, to)
        page = ListMarkup(response.content)
        assert page.element("[data-problem]")["data-problem"] == field, (seen, to)
        assert b"secret" not in response.content, "what was sent is put into no link"
    assert stored().status == Status.PLACED


def test_an_index_that_is_behind_hides_no_order_from_who_wrote_it(staff: Client) -> None:
    """On AWS a global index may be seconds behind; here the index never shows the order. The pages do not wait for
    it.
    """
    store([make_order()])
    with answering(lambda **_: answer(200, Items=[], Count=0, ScannedCount=0), "Query"):
        assert staff.get(ORDER).status_code == 404
        page = ListMarkup(staff.get(f"{ORDER}?guest=alex").content)
        assert page.element("dl.facts")["data-status"] == "PLACED"
        response = staff.post(ORDER, {"guest": "alex", "seen": "PLACED", "step": "PROCESSING"})
        assert response["Location"] == f"{ORDER}?guest=alex"
        assert ListMarkup(staff.get(response["Location"]).content).element("dl.facts")["data-status"] == "PROCESSING"
    assert staff.get(f"{ORDER}?guest=a b").status_code == 400
    assert staff.get(f"{ORDER}?guest=nobody").status_code == 404
    assert staff.get("/orders/nothing/?guest=alex").status_code == 404


def test_an_index_with_an_old_copy_takes_no_step_back_in_time(staff: Client) -> None:
    """The index still shows the order as it was placed. The next step starts from the order in the table."""
    store([make_order()])
    old = dynamodb_client().query(
        TableName=models.TABLE,
        IndexName="orders-by-id",
        KeyConditionExpression="order_id = :id",
        ExpressionAttributeValues={":id": {"S": "o-1"}},
    )
    at = commands.take_step(stored(), Status.PROCESSING, "bob").status_at
    with answering(lambda **_: answer(200, Items=old["Items"], Count=old["Count"], ScannedCount=old["Count"]), "Query"):
        staff.post(ORDER, {"seen": "PROCESSING", "step": "SHIPPED"})
    order = stored()
    assert [step.status for step in order.history] == ["PLACED", "PROCESSING", "SHIPPED"]
    assert order.status_at >= at
