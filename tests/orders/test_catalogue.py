"""The items that a hotel has sold: how they join its catalogue, and how the form to place an order uses them."""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from hotelapp.dynamodb.connection import ledger, retries
from hotelapp.dynamodb.connection.client import client as dynamodb_client
from hotelapp.dynamodb.connection.errors import Unavailable
from orders import commands, keys, models, queries
from orders.entities import CatalogueEntry, Guest, Order, OrderItem
from orders.keys import new_number
from tests.helpers.answers import answer, answering, cancelled, refusal
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup, errors
from tests.helpers.orders import AT, all_items, assert_orders_in_step, make_items, make_order, store
from tests.helpers.rooms import ABC, make_hotel

pytestmark = pytest.mark.usefixtures("in_step")
PLACE, PART = "/orders/place/", "/orders/place/items/"
SPA = OrderItem("spa", "Massage", 1, Decimal("95.00"))


def fill() -> None:
    make_hotel()
    make_hotel(hotel_id="sea", name="Sea")
    commands.create_guest(Guest("alex", "Alex Doe"), "alice")


@pytest.fixture
def filling() -> Fill:
    return fill


@pytest.fixture
def in_step(empty_tables: None) -> Iterator[None]:
    """Check after each test that the table is in step."""
    yield
    assert_orders_in_step()


def sale(order_id: str, item: OrderItem = SPA, days: int = 0, **other: Any) -> Order:
    return make_order(order_id, placed_at=AT + timedelta(days=days), items=(item,), total=item.total, **other)


def place(*items: OrderItem) -> Order:
    total = sum((item.total for item in items), Decimal(0))
    return commands.place_order(make_order(new_number(), items=items, total=total), "alice")


def sold(hotel_id: str = ABC) -> dict[str, tuple[str, Decimal]]:
    """The name and the price of each item in a catalogue."""
    return {entry.sku: (entry.name, entry.unit_price) for entry in queries.catalogue(hotel_id).stream()}


# --- How items join the catalogue -----------------------------------------------------------------------


def test_the_items_of_a_placed_order_are_in_the_catalogue_of_its_hotel_alone() -> None:
    place(SPA, OrderItem("tea #1 / 海", "Tea", 2, Decimal("4.5")))
    assert sold() == {"spa": ("Massage", Decimal(95)), "tea #1 / 海": ("Tea", Decimal("4.5"))}
    assert sold("sea") == {}


def test_the_last_sale_gives_name_and_price(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(datetime(2023, 1, 1, 12, 0, second, tzinfo=UTC) for second in range(60))
    monkeypatch.setattr("orders.commands.orders.now", lambda: next(times))
    place(SPA)
    place(OrderItem("spa", "Massage, an hour", 3, Decimal(99)))
    assert sold() == {"spa": ("Massage, an hour", Decimal(99))}


def test_an_item_that_is_known_writes_nothing_and_costs_one_read() -> None:
    """Beside the guest, whose name the order keeps."""
    place(SPA)
    with ledger.recording() as calls:
        place(SPA, SPA)
    assert [call.operation for call in calls.calls] == ["GetItem", "TransactWriteItems", "BatchGetItem"]
    assert calls.read_units == Decimal("1.5")


def test_ninety_new_items_join_beside_the_order() -> None:
    place(*make_items(90))
    assert len(sold()) == 90


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


def test_sales_at_once_leave_the_last_one() -> None:
    orders = [sale(f"o-{n}", OrderItem("spa", f"Massage {n}", 1, Decimal(n + 1)), days=n) for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda order: commands.collect_items([order]), orders))
    assert sold() == {"spa": ("Massage 23", Decimal(24))}


def test_a_late_write_does_not_replace_the_entry_of_a_later_sale() -> None:
    """The late write has read the catalogue before the later sale was in it."""
    commands.collect_items([sale("o-2", OrderItem("spa", "Massage, new", 1, Decimal(2)), days=2)])
    with answering(lambda **_: answer(200, Responses={}, UnprocessedKeys={}), "BatchGetItem"):
        commands.collect_items([sale("o-1", OrderItem("spa", "Massage, old", 1, Decimal(1)), days=1)])
        assert sold() == {"spa": ("Massage, new", Decimal(2))}
        commands.collect_items([sale("o-3", OrderItem("spa", "Massage, newest", 1, Decimal(3)), days=3)])
    assert sold() == {"spa": ("Massage, newest", Decimal(3))}


def test_an_order_without_items_and_a_refused_one_add_nothing() -> None:
    store([make_order("o-1", items=(), total=0)])
    assert commands.save_orders([sale("o-1", username="bea")])[1]
    assert sold() == {}


def test_the_order_is_placed_although_the_catalogue_cannot_be_written(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.0001)
    with answering(lambda **_: refusal("InternalServerError"), "PutItem"):
        placed = place(SPA)
    assert queries.order(placed.order_id).items == (SPA,)
    assert "not in the catalogue" in caplog.text
    assert sold() == {}
    place(SPA)
    assert "spa" in sold(), "the next order adds it"


def test_an_import_whose_catalogue_failed_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_WAIT", 0.0001)
    with answering(lambda **_: refusal("InternalServerError"), "PutItem"), pytest.raises(Unavailable):
        commands.save_orders([sale("o-1")])
    assert commands.save_orders([sale("o-1")]) == (0, {})
    assert "spa" in sold()


def test_an_order_that_is_refused_adds_nothing() -> None:
    with answering(lambda **_: cancelled("ValidationError")), pytest.raises(Unavailable):
        place(SPA)
    assert sold() == {}


def test_orders_of_the_release_before_join_by_a_command() -> None:
    store([sale(f"o-{n}", OrderItem(f"sku-{n}", "Thing", 1, Decimal(n + 1)), days=n) for n in range(5)])
    store([sale("s-1", hotel_id="sea")])
    whole = (sold(), sold("sea"))
    for item in all_items():
        if keys.is_catalogue(item["PK"]["S"]):
            dynamodb_client().delete_item(TableName=models.TABLE, Key={"PK": item["PK"], "SK": item["SK"]})
    assert (sold(), sold("sea")) == ({}, {})
    out = StringIO()
    call_command("build_catalogue", orders=2, stdout=out)
    assert set(sold()) == {"sku-3", "sku-4"}, "the newest orders come first"
    call_command("build_catalogue", stdout=out)
    assert (sold(), sold("sea")) == whole
    assert "abc: 5 orders read, 3 items new or different." in out.getvalue()


def test_entries_are_read_in_one_request() -> None:
    place(SPA, *make_items(30))
    wanted = [(ABC, "spa"), ("sea", "spa"), (ABC, "sku-7"), (ABC, "nothing")]
    with ledger.recording() as calls:
        entries = queries.catalogue_entries(wanted)
    assert set(entries) == {(ABC, "spa"), (ABC, "sku-7")}
    assert [call.operation for call in calls.calls] == ["BatchGetItem"]
    assert isinstance(entries[ABC, "spa"], CatalogueEntry)


# --- The form -------------------------------------------------------------------------------------------


def form(*items: Sequence[str], **header: str) -> dict[str, str]:
    """What a browser sends; an item is its SKU, name, quantity and price."""
    names = ("sku", "name", "quantity", "unit_price")
    lines = {
        f"items-{n}-{name}": value for n, item in enumerate(items) for name, value in zip(names, item, strict=True)
    }
    management = {"items-TOTAL_FORMS": str(len(items)), "items-INITIAL_FORMS": "0"}
    fixed = {"order_id": new_number(), "username": "alex", "hotel_id": ABC, "currency": "EUR"}
    return {**fixed, **management, **lines, **header}


def values(page: ListMarkup, line: int = 0) -> list[str]:
    names = ("sku", "name", "quantity", "unit_price")
    return [str(page.element(f"[name=items-{line}-{name}]").get("value", "")) for name in names]


@pytest.mark.django_db
def test_the_form_offers_what_the_hotel_has_sold(staff: Client) -> None:
    place(SPA, OrderItem("<b>", 'A "<i>" & b', 1, Decimal("1234.5")))
    page = ListMarkup(staff.get(f"{PLACE}?hotel_id={ABC}&username=alex", follow=True).content)
    options = {str(option["value"]): option for option in page.soup.select("#catalogue-items option")}
    assert set(options) == {"spa", "<b>"}
    assert options["spa"]["data-name"] == "Massage"
    assert Decimal(str(options["spa"]["data-unit_price"])) == 95
    assert options["<b>"]["data-name"] == 'A "<i>" & b'
    assert options["<b>"]["data-unit_price"] == "1234.5", "a plain number for scripts"
    assert page.element("[name=items-0-sku]")["list"] == "catalogue-items"
    assert not ListMarkup(staff.get(PLACE, follow=True).content).soup.select("#catalogue-items option")


@pytest.mark.django_db
def test_htmx_loads_the_items_of_a_hotel(staff: Client, client: Client, outsider: Client) -> None:
    place(SPA)
    response = staff.get(f"{PART}?hotel_id={ABC}")
    assert b"<html" not in response.content
    assert ListMarkup(response.content).element("option")["value"] == "spa"
    assert b"Sea has sold nothing yet" in staff.get(f"{PART}?hotel_id=sea").content
    assert b"There is no hotel" in staff.get(f"{PART}?hotel_id=nowhere").content
    assert b"Choose a hotel" in staff.get(PART).content
    assert staff.get(f"{PART}?hotel_id=a%00b").status_code == 400
    assert client.get(PART)["Location"].startswith("/admin/login/")
    assert outsider.get(PART).status_code == 403


@pytest.mark.django_db
def test_a_known_sku_is_enough(staff: Client) -> None:
    place(SPA)
    response = staff.post(PLACE, form(["spa", "", "2", ""], [" spa ", "With oil", "1", ""], ["spa", "", "1", "80"]))
    assert response.status_code == 302
    assert queries.order(response["Location"].split("/")[2]).items == (
        OrderItem("spa", "Massage", 2, Decimal(95)),
        OrderItem("spa", "With oil", 1, Decimal(95)),
        OrderItem("spa", "Massage", 1, Decimal(80)),
    )


@pytest.mark.django_db
def test_what_the_hotel_has_not_sold_must_be_written(staff: Client) -> None:
    place(SPA)
    for sku, header in (("unknown", {}), ("spa", {"hotel_id": "sea"}), ("spa", {"hotel_id": "nowhere"}), ("", {})):
        response = staff.post(PLACE, form([sku, "", "1", ""], **header))
        assert "required" in errors(response), (sku, header)


@pytest.mark.django_db
def test_any_sku_can_be_asked_for(staff: Client) -> None:
    place(SPA)
    for sku in ("x" * 5000, "海" * 64, "\0", "a#b\n", "%", "\u202e"):
        for button in ({}, {"update": "1"}):
            assert staff.post(PLACE, form([sku, "", "1", ""], **button)).status_code == 200, sku


@pytest.mark.django_db
def test_a_price_in_another_currency_is_not_filled_in(staff: Client) -> None:
    store([make_order("old", currency="USD", items=(SPA,), total=95)])
    page = ListMarkup(staff.post(PLACE, form(["spa", "", "1", ""], update="1")).content)
    assert values(page) == ["spa", "Massage", "1", ""]
    assert not page.element("#catalogue-items option").has_attr("data-unit_price")


@pytest.mark.django_db
def test_without_scripts_a_button_fills_in_and_adds_up(staff: Client) -> None:
    place(SPA)
    data = form(["spa", "", "2", ""], ["new", "Thing", "3", "0.5"], ["bad", "x", "y", "z"], currency="", update="1")
    response = staff.post(PLACE, data)
    page = ListMarkup(response.content)
    assert errors(response) == "", "nothing is checked yet"
    assert values(page)[:3] == ["spa", "Massage", "2"]
    assert Decimal(values(page)[3]) == 95
    assert values(page, 2) == ["bad", "x", "y", "z"]
    assert page.text("[data-running-total]") == "EUR 191.50"
    assert page.element("[name=items-TOTAL_FORMS]")["value"] == "3"
    assert page.element("[name=currency]").get("value", "") == "", "another hotel may have another currency"
    more = ListMarkup(staff.post(PLACE, {**data, "more": "1"}).content)
    assert more.text("[data-running-total]") == "EUR 191.50"
    wrong = ListMarkup(staff.post(PLACE, {name: text for name, text in data.items() if name != "update"}).content)
    assert wrong.text("[data-running-total]") == "EUR 191.50", "also beside errors"
    assert values(wrong)[1] == "Massage"


@pytest.mark.django_db
def test_the_form_is_cheap_for_a_hotel_of_many_items(staff: Client) -> None:
    items = [OrderItem(f"sku-{n:03d}", "Thing", 1, Decimal(n + 1)) for n in range(510)]
    commands.collect_items([sale(f"o-{item.sku}", item) for item in items])
    page = ListMarkup(staff.get(f"{PART}?hotel_id={ABC}").content)
    assert len(page.soup.select("#catalogue-items option")) == 500
    with ledger.recording() as calls:
        queries.catalogue(ABC).take(500, None, backward=False)
    assert calls.requests == 1
    assert calls.read_units <= 12
    response = staff.post(PLACE, form(["sku-509", "", "1", ""], update="1"))
    assert values(ListMarkup(response.content))[1] == "Thing", "an item that is not offered is found by its SKU"


def run_twice(call: Callable[[], object]) -> None:
    for _ in range(2):
        call()


def test_the_same_form_twice_changes_the_catalogue_once() -> None:
    order = make_order(new_number(), items=(SPA,), total=95)
    run_twice(partial(commands.place_order, order, "alice"))
    before = list(all_items())
    commands.place_order(order, "alice")
    assert list(all_items()) == before
