"""The items that a hotel has sold: how they join its catalogue, and how the form to place an order uses them."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from dynamodb_lists import Unavailable
from dynamodb_lists.tests.helpers.answers import answer, answering, refusal
from hotels import queries as hotels
from orders import commands, queries
from orders.entities import Guest, Order, OrderItem
from orders.keys import new_number
from orders.lists import CATALOGUE
from tests.helpers.markup import ListMarkup, errors
from tests.helpers.orders import AT, all_items, make_order
from tests.helpers.rooms import ABC, make_hotel
from tests.helpers.writes import create_guest, edit_hotel

pytestmark = pytest.mark.usefixtures("in_step")
PLACE = "/orders/place/"
NAMES = ("sku", "quantity", "unit_price")
SPA = OrderItem("spa", "Massage", 1, Decimal("95.00"))


def fill() -> None:
    make_hotel()
    make_hotel(hotel_id="sea", name="Sea")
    create_guest(Guest("alex", "Alex Doe"), "alice")


def sale(order_id: str, item: OrderItem = SPA, days: int = 0, **other: Any) -> Order:
    return make_order(order_id, placed_at=AT + timedelta(days=days), items=(item,), total=item.total, **other)


def place(*items: OrderItem) -> Order:
    total = sum((item.total for item in items), Decimal(0))
    return commands.place_order(make_order(new_number(), items=items, total=total), "alice")


def sold(hotel_id: str = ABC) -> dict[str, tuple[str, Decimal]]:
    """Return the name and the price of each item in a catalogue."""
    return {entry.sku: (entry.name, entry.unit_price) for entry in CATALOGUE.query(hotel_id=hotel_id)}


# --- How items join the catalogue -----------------------------------------------------------------------


def test_the_items_of_a_placed_order_are_in_the_catalogue_of_its_hotel_alone() -> None:
    place(SPA, OrderItem("tea #1 / 海", "Tea", 2, Decimal("4.5")))
    assert sold() == {"spa": ("Massage", Decimal(95)), "tea #1 / 海": ("Tea", Decimal("4.5"))}
    assert sold("sea") == {}


def test_files_may_hold_sales_in_any_order_and_be_imported_twice() -> None:
    orders = [sale(f"o-{n}", OrderItem("spa", f"Massage {n}", 1, Decimal(n + 1)), days=n) for n in range(12)]
    random.Random(5).shuffle(orders)
    for _ in range(2):
        for start in range(0, 12, 5):
            commands.save_orders(orders[start : start + 5])
        assert sold() == {"spa": ("Massage 11", Decimal(12))}
    before = list(all_items())
    commands.save_orders(orders)
    assert list(all_items()) == before


def test_a_late_write_does_not_replace_the_entry_of_a_later_sale() -> None:
    """The late write has read the catalogue before the later sale was in it."""
    commands.collect_items([sale("o-2", OrderItem("spa", "Massage, new", 1, Decimal(2)), days=2)])
    with answering(lambda **_: answer(200, Responses={}, UnprocessedKeys={}), "BatchGetItem"):
        commands.collect_items([sale("o-1", OrderItem("spa", "Massage, old", 1, Decimal(1)), days=1)])
        assert sold() == {"spa": ("Massage, new", Decimal(2))}
        commands.collect_items([sale("o-3", OrderItem("spa", "Massage, newest", 1, Decimal(3)), days=3)])
    assert sold() == {"spa": ("Massage, newest", Decimal(3))}


@pytest.mark.usefixtures("impatient")
def test_an_import_whose_catalogue_failed_is_repeated() -> None:
    with answering(lambda **_: refusal("InternalServerError"), "PutItem"), pytest.raises(Unavailable):
        commands.save_orders([sale("o-1")])
    assert commands.save_orders([sale("o-1")]) == (0, {})
    assert "spa" in sold()


# --- The form -------------------------------------------------------------------------------------------


def form(*items: Sequence[str], **header: str) -> dict[str, str]:
    """Return what a browser without scripts sends; an item is its name, quantity and price."""
    lines = {
        f"items-{n}-{name}": value for n, item in enumerate(items) for name, value in zip(NAMES, item, strict=True)
    }
    management = {"items-TOTAL_FORMS": str(len(items)), "items-INITIAL_FORMS": "0"}
    return {"order_id": new_number(), "username": "alex", "hotel_id": ABC, **management, **lines, **header}


def values(page: ListMarkup, line: int = 0) -> list[str]:
    return [str(page.element(f"[name=items-{line}-{name}]").get("value", "")) for name in NAMES]


def placed_items(response: Any) -> tuple[OrderItem, ...]:
    assert response.status_code == 302, errors(response)
    return queries.order(response["Location"].split("/")[2]).items


@pytest.mark.django_db
def test_an_item_is_found_by_its_name_and_its_price_is_filled_in(staff: Client) -> None:
    place(SPA, OrderItem("t#1", "Tea", 1, Decimal("4.5")), OrderItem("t#2", "Tea for two", 1, Decimal(8)))
    response = staff.post(
        PLACE, form(["massage", "2", ""], ["TEA", "1", ""], ["t#2", "1", "7"], ["Massage", "1", "80"])
    )
    assert placed_items(response) == (
        OrderItem("spa", "Massage", 2, Decimal(95)),
        OrderItem("t#1", "Tea", 1, Decimal("4.5")),
        OrderItem("t#2", "Tea for two", 1, Decimal(7)),
        OrderItem("spa", "Massage", 1, Decimal(80)),
    )


@pytest.mark.django_db
def test_a_new_item_gets_a_sku_that_the_hotel_has_not_used(staff: Client) -> None:
    place(SPA, OrderItem("red-wine", "Bordeaux", 1, Decimal(9)))
    assert placed_items(staff.post(PLACE, form(["Red wine", "1", "8"], ["#?", "1", "2"]))) == (
        OrderItem("red-wine-2", "Red wine", 1, Decimal(8)),
        OrderItem("unspecified", "#?", 1, Decimal(2)),
    )
    for name, header in (("unknown", {}), ("Massage", {"hotel_id": "sea"})):
        assert "Enter the price" in errors(staff.post(PLACE, form([name, "1", ""], **header))), name
    hotel = hotels.stored_hotel(ABC)
    edit_hotel(hotel, replace(hotel, currency="USD"), "alice")  # a price in another currency is not filled in
    page = ListMarkup(staff.post(PLACE, form(["spa", "1", ""], update="1")).content)
    assert values(page) == ["Massage", "1", ""]


@pytest.mark.django_db
def test_a_name_that_may_mean_several_items_or_a_new_one_is_asked_about(staff: Client) -> None:
    place(OrderItem("t1", "Tea, green", 1, Decimal("4.5")), OrderItem("t2", "Tea, black", 1, Decimal(4)))
    page = ListMarkup(staff.post(PLACE, form(["tea", "1", ""])).content)
    offered = {
        radio.parent.get_text(" ", strip=True).replace("\N{NO-BREAK SPACE}", " "): radio["value"]
        for radio in page.soup.select("[type=radio]")
        if radio.parent
    }
    assert set(offered) == {"Tea, green EUR 4.50", "Tea, black EUR 4.00", "tea a new item"}
    chosen = {
        name: placed_items(staff.post(PLACE, form(["tea", "1", "3"], **{"items-0-sku-chosen": str(value)})))
        for name, value in offered.items()
    }
    assert {items[0].sku for items in chosen.values()} == {"t1", "t2", "tea"}


@pytest.mark.django_db
def test_without_scripts_a_button_fills_in_and_adds_up(staff: Client) -> None:
    place(SPA)
    data = form(["spa", "2", ""], ["Thing", "3", "0.5"], ["bad", "y", "z"], ["Two", "1", "1.250"], update="1")
    response = staff.post(PLACE, data)
    page = ListMarkup(response.content)
    assert errors(response) == "", "it does not say yet what is wrong"
    assert (values(page), values(page, 2)) == (["Massage", "2", "95.00"], ["bad", "y", "z"])
    assert page.text("[data-running-total]") == "EUR 191.50", "without what has two readings"
    assert page.element("[name=items-TOTAL_FORMS]")["value"] == "4"
    more = ListMarkup(staff.post(PLACE, {**data, "more": "1"}).content)
    assert more.text("[data-running-total]") == "EUR 191.50"
    wrong = ListMarkup(staff.post(PLACE, {name: text for name, text in data.items() if name != "update"}).content)
    assert wrong.text("[data-running-total]") == "EUR 191.50", "also beside errors"
    assert values(wrong)[0] == "Massage"
