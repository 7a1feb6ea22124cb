"""Who may do what with orders: steps, buttons, and what staff who are bound to some hotels see and find."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from orders import queries
from orders.entities import Order
from orders.statuses import Status
from tests.helpers.markup import ListMarkup, get
from tests.helpers.orders import AT, by_placed, ids, make_order, store, stored
from tests.helpers.people import bind, permit
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
XYZ = "xyz"
ORDER, GUEST, OPEN = "/orders/o-1/", "/guests/alex/", "/orders/unfinished/"
MOVE, CANCEL = "orders.move_order", "orders.cancel_order"


# --- Permissions ----------------------------------------------------------------------------------------


def take(client: Client, step: str) -> int:
    return client.post(ORDER, {"guest": "alex", "seen": "PLACED", "step": step}).status_code


def steps_offered(client: Client) -> list[str]:
    return [str(button["value"]) for button in get(client, ORDER).soup.select("button[name=step]:not([hidden])")]


@pytest.mark.parametrize(
    ("granted", "offered", "answers"),
    [
        ((), [], {"PROCESSING": 403, "CANCELLED": 403}),
        ((MOVE,), ["PROCESSING"], {"CANCELLED": 403, "PROCESSING": 302}),
        ((CANCEL,), ["CANCELLED"], {"PROCESSING": 403, "CANCELLED": 302}),
    ],
    ids=str,
)
def test_each_step_needs_its_permission(
    newcomer: Client, dana: User, granted: tuple[str, ...], offered: list[str], answers: dict[str, int]
) -> None:
    store([make_order()])
    permit(dana, "orders.view_order", *granted)
    assert steps_offered(newcomer) == offered
    for step, status in answers.items():
        assert take(newcomer, step) == status, step
        assert stored().status == (step if status == 302 else "PLACED")


def test_a_guest_is_shown_without_orders_to_who_may_not_see_these(newcomer: Client, dana: User) -> None:
    store([make_order()])
    permit(dana, "orders.view_guest", "portal.export_data")
    page = get(newcomer, GUEST)
    assert "alex" in page.text("dl.facts")
    assert not page.soup.select("[data-list]")
    assert page.cost("requests") == 2, "the guest, and the hotels for their time zone"
    assert newcomer.get(GUEST, {"format": "csv"}).status_code == 403
    assert newcomer.get("/guests/nobody/").status_code == 404


# --- Bound to hotels ------------------------------------------------------------------------------------


def orders_of_two_hotels(count: int, every: int) -> list[Order]:
    """Alex's open orders, a second apart; one of ``every`` is at the hotel ``xyz``, the others are at ``abc``."""
    return [
        make_order(f"o-{n:03d}", hotel_id=XYZ if n % every == 0 else ABC, placed_at=AT + timedelta(seconds=n))
        for n in range(count)
    ]


def of(orders: list[Order], *hotel_ids: str) -> list[str]:
    """Return the ids of the orders of some hotels, newest first."""
    return ids(sorted((order for order in orders if order.hotel_id in hotel_ids), key=by_placed, reverse=True))


@pytest.fixture
def two_hotels(empty_tables: None) -> list[Order]:
    """Two hotels with twelve open orders each, all of alex."""
    make_hotel()
    make_hotel(hotel_id=XYZ, name="Hôtel XYZ")
    orders = orders_of_two_hotels(24, 2)
    store(orders)
    return orders


def test_the_address_of_an_order_may_have_its_number_as_it_was_read_aloud(staff: Client) -> None:
    make_hotel([])
    store([make_order("X7S4RMZ1")])
    for spoken in ("x7s4rmz1", "X7S4-RMZI"):
        answer = staff.get(f"/orders/{spoken}/?guest=")
        assert answer["Location"] == "/orders/X7S4RMZ1/?guest="
        assert staff.get(answer["Location"]).status_code == 200
    for unknown in ("x7s4rmz2", "nothing"):
        assert staff.get(f"/orders/{unknown}/", follow=True).status_code == 404


def test_staff_see_the_orders_of_their_hotels_alone(staff: Client, alice: User, two_hotels: list[Order]) -> None:
    bind(alice, XYZ)
    page = get(staff, GUEST)
    assert not page.soup.select("[data-count], [data-total], .tabs .count"), "counts are of all hotels"
    assert page.text(".range") == "1–12 of 12"
    for path in (OPEN, "/orders/", GUEST, f"{GUEST}orders/"):
        page = get(staff, f"{path}?page_size=10&sort=-date")
        last = get(staff, f"{path}{page.link('next')}")
        assert [*page.rows, *last.rows] == of(two_hotels, XYZ)
        assert last.link("next") is None
        exported = staff.get(path, {"format": "csv"}).getvalue().decode()
        assert (exported.count(f",{XYZ},"), exported.count(f",{ABC},")) == (12, 0)
    assert staff.get("/orders/o-000/").status_code == 200
    assert staff.get("/orders/o-001/").status_code == 404
    assert staff.get("/orders/o-001/?guest=alex").status_code == 404
    assert staff.get(f"/hotels/{ABC}/orders/big/").status_code == 404

    for guest in ("alex", ""):
        step = {"guest": guest, "seen": "PLACED", "step": "PROCESSING"}
        assert staff.post("/orders/o-001/", step).status_code == 404
    assert stored("o-001").status == Status.PLACED
    assert staff.post("/orders/o-000/", step).status_code == 302
    bind(alice, "elsewhere")
    assert (get(staff, "/guests/").rows, get(staff, GUEST).rows) == (["alex"], []), "guests belong to the whole group"


def placing(hotel_id: str, **other: str) -> dict[str, str]:
    line = {"items-0-sku": "A", "items-0-quantity": "1", "items-0-unit_price": "5"}
    management = {"items-TOTAL_FORMS": "1", "items-INITIAL_FORMS": "0"}
    return {"order_id": f"new-{hotel_id}", "username": "alex", "hotel_id": hotel_id, **line, **management, **other}


def test_the_catalogue_of_another_hotel_is_not_told(staff: Client, alice: User, two_hotels: list[Order]) -> None:
    for hotel_id in (ABC, XYZ):
        staff.post("/orders/place/", placing(hotel_id))
    bind(alice, XYZ)
    found = {each: staff.get(f"/search/choices/?kind=item&hotel={each}").json()["choices"] for each in (ABC, XYZ)}
    assert (found[ABC], {choice["id"] for choice in found[XYZ]}) == ([], {"a", "sku-0"})
    page = ListMarkup(staff.post("/orders/place/", placing(ABC, update="1") | {"items-0-unit_price": ""}).content)
    assert not page.element("[name=items-0-unit_price]").get("value")


def test_an_order_is_placed_at_ones_own_hotel_alone(staff: Client, alice: User, two_hotels: list[Order]) -> None:
    bind(alice, XYZ)
    page = get(staff, "/orders/place/?order_id=new&hotel_id=abc")
    assert not page.element("[data-currency]")["data-currency"], "the currency of another hotel is not told"
    for chosen in ("", f"id={ABC}&name={ABC}&text={ABC}"):
        refused: Any = staff.post("/orders/place/", placing(ABC, **{"hotel_id-chosen": chosen}))
        assert "There is no hotel “abc” here" in ListMarkup(refused.content).text(".errorlist")
        assert queries.orders_as_stored([("alex", f"new-{ABC}")]) == {}
    assert staff.post("/orders/place/", placing(XYZ)).status_code == 302


def test_the_id_of_an_order_of_another_hotel_or_guest_serves_no_new_one_and_tells_nothing(
    staff: Client, alice: User, two_hotels: list[Order]
) -> None:
    bind(alice, XYZ)
    store([make_order("o-bea", "bea", hotel_id=XYZ)])
    before, words = [stored("o-001"), stored("o-bea", "bea")], set()
    for order_id in ("o-001", "o-bea"):
        page = ListMarkup(staff.post("/orders/place/", placing(XYZ, order_id=order_id)).content)
        words.add(page.text(".errorlist"))
        assert page.element("[name=order_id]")["value"] != order_id
    assert words == {
        "This form has already placed an order of another guest or hotel. Send it again to place another order."
    }
    assert [stored("o-001"), stored("o-bea", "bea")] == before
    assert "order o-000" in staff.post("/orders/place/", placing(XYZ, order_id="o-000")).content.decode()
