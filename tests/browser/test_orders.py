"""Guests and orders in a real Chromium: search, placing orders, and their steps."""

import re

import pytest
from playwright.sync_api import Page, expect

from orders import queries
from orders.entities import Guest
from orders.statuses import Status
from tests.helpers.accessibility import assert_accessible_and_fitting
from tests.helpers.browsing import PHONE, NewPage, demo, enter
from tests.helpers.orders import make_order, store
from tests.helpers.writes import create_guest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def fill() -> None:
    """Store a guest with an order in each status, and a guest without orders."""
    demo()
    store([make_order(f"o-{status}", hotel_id="seaside", currency="GBP", status=status) for status in Status])
    create_guest(Guest("aaron", "Aaron", "aaron@example.com"), "alice")


def test_each_status_of_an_order_has_a_shape_and_a_colour_of_its_own(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/guests/alex/orders/")
    look = "e => [e.textContent, getComputedStyle(e, '::before').content, getComputedStyle(e).backgroundColor]"
    seen = {tuple(badge.evaluate(look)) for badge in page.locator("tr .status").all()}
    assert [len(set(column)) for column in zip(*seen, strict=True)] == [len(Status)] * 3


@pytest.mark.core
def test_a_second_tap_does_not_take_the_next_step_of_an_order(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/orders/unfinished/?status=PLACED")
    page.click("tr[data-row] a >> nth=0")
    page.click("text=Start processing")
    expect(page.locator("[data-order]")).to_have_attribute("data-status", "PROCESSING")
    assert page.evaluate("Date.now() - sessionStorage.steppedAt < 60_000")
    page.evaluate("sessionStorage.steppedAt = Date.now() + 60_000")  # however slow this machine is
    prevented = (
        "new Promise(done => addEventListener('click', event => setTimeout(() => done(event.defaultPrevented))))"
    )
    page.evaluate(f"window.prevented = {prevented}; null")
    page.locator(".steps button.primary").click()
    assert page.evaluate("window.prevented")
    page.evaluate("sessionStorage.steppedAt = 0")
    page.locator(".steps button.primary").click()
    expect(page.locator("[data-order]")).to_have_attribute("data-status", "SHIPPED")


def test_ticked_orders_move_on_and_enter_in_a_box_does_nothing(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/orders/unfinished/?status=PLACED")
    page.evaluate(
        "document.addEventListener('submit', event => window.sent.push(event.submitter.value)); window.sent = []; null"
    )
    page.hover("tr[data-row]")
    page.locator("tbody .tick input").first.focus()
    for key in ("Space", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("window.sent") == [""], "the button that does nothing"
    expect(page.locator(".bulk-bar .ticked")).to_be_visible()
    page.locator(".bulk-bar [value=next]").press("Enter")
    expect(page.locator(".done")).to_contain_text("1 order was moved on a step.")


def pick(page: Page, name: str, typed: str, found: str) -> None:
    """Type the beginning of a thing into a field, and take the first one that is found with the keyboard."""
    field = page.locator(f"[name={name}]")
    field.press_sequentially(typed)
    expect(page.get_by_role("option").first).to_contain_text(found)
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", re.compile("-found-0$"))
    field.press("Enter")
    expect(page.get_by_role("option")).to_have_count(0)


def test_everything_in_an_order_is_picked_with_the_keyboard(new_page: NewPage) -> None:
    """The demo's hotels have sold the same items. What the user wrote is never replaced."""
    page = new_page()
    page.goto("/orders/place/?room_number=1001")
    enter(page, "[name=room_number]", "")
    page.locator("[name=room_number]").press("ArrowDown")
    expect(page.locator("[data-picker=room] [role=status]")).to_have_text("Choose the hotel first.")
    assert page.locator("[data-picker=room] [role=status]").bounding_box()["height"] > 16, "everybody sees it"  # type: ignore[index]
    pick(page, "username", "ale", "ale")
    pick(page, "hotel_id", "lake", "Lake View Resort")
    expect(page.locator("[name=hotel_id-chosen]")).to_have_value(re.compile("^id=lakeview&name=Lake"))
    pick(page, "room_number", "10", "10")
    pick(page, "items-0-sku", "mass", "Massage, an hour CHF\N{NO-BREAK SPACE}95.00")
    expect(page.locator("[name=items-0-unit_price]")).to_have_value("95.00")
    enter(page, "[name=items-0-quantity]", "2")
    expect(page.locator("[data-running-total]")).to_have_text(re.compile(r"CHF\s?190\.00"))
    enter(page, "[name=items-0-unit_price]", "150.10")
    enter(page, "[name=items-0-sku]", "")
    pick(page, "items-0-sku", "mini", "Minibar")
    expect(page.locator("[name=items-0-unit_price]")).to_have_value("150.10")
    enter(page, "[name=items-1-sku]", "zzz")
    expect(page.locator("[data-picker=item] [role=status]").nth(1)).to_have_text("Nothing was found.")
    enter(page, "[name=items-1-sku]", "flow")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    enter(page, "[name=items-1-sku]", "")
    page.click("text=Place the order")
    expect(page.locator("tfoot")).to_have_text(re.compile(r"CHF\s?300\.20"))
    expect(page.locator("dl.facts a[href*='/rooms/10']")).to_be_visible()


def test_the_remark_on_the_picked_guest_is_shown_until_another_is_typed(new_page: NewPage) -> None:
    create_guest(Guest("zoe", "Zoe", note="ALLERGY: peanuts"), "alice")
    page = new_page(viewport=PHONE)
    page.goto("/orders/place/")
    note = page.locator("[data-picker=guest] .note")
    expect(note).to_be_hidden()
    pick(page, "username", "zoe", "Zoe")
    expect(note).to_have_text("ALLERGY: peanuts")
    page.locator("[name=username]").press("Backspace")
    expect(note).to_be_hidden()


def test_a_phone_says_that_a_number_is_a_rooms(new_page: NewPage) -> None:
    store([make_order("o-room", hotel_id="lakeview", currency="CHF", room_number="106")])
    page = new_page(viewport=PHONE)
    page.goto("/hotels/lakeview/orders/unfinished/?room=106")
    cell = page.locator("[data-row=o-room] [data-label=Room]")
    assert cell.evaluate("e => getComputedStyle(e, '::before').content") == '"Room"'


def test_lines_of_an_order_follow_each_other_and_are_added_up_as_they_are_typed(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/orders/place/?username=aaron&hotel_id=lakeview")
    expect(page.locator("text=More lines")).to_be_hidden()
    for number in range(5):  # each line that is filled in shows the next
        enter(page, f"[name=items-{number}-quantity]", "1")
    page.locator("text=More lines").press("Enter")
    expect(page.locator("fieldset.line")).to_have_count(15)
    expect(page.locator("[name=items-5-sku]")).to_be_focused()
    expect(page.locator("[name=items-4-quantity]")).to_have_value("1")
    for price, total in (
        ("1.250", "-"),
        ("x", "-"),
        (".", "-"),
        ("1 250,5", r"CHF\s?1,250\.50"),
        ("1.250,50", r"CHF\s?1,250\.50"),
        ("37,80", r"CHF\s?37\.80"),
    ):
        enter(page, "[name=items-0-unit_price]", price)
        expect(page.locator("[data-running-total]")).to_have_text(re.compile(f"^{total}$"))
    enter(page, "[name=items-1-unit_price]", "2.20")
    expect(page.locator("[data-running-total]")).to_have_text(re.compile(r"CHF\s?40\.00"))


@pytest.mark.core
def test_going_back_and_placing_again_places_one_order(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/orders/place/?username=aaron&hotel_id=seaside")
    for name, value in {"sku": "Bath", "quantity": "2", "unit_price": "95.5"}.items():
        enter(page, f"[name=items-0-{name}]", value)
    page.click("text=Place the order")
    expect(page.locator("[data-order]")).to_have_attribute("data-status", "PLACED")
    page.go_back()
    expect(page.locator("[name=items-0-sku]")).to_have_value("Bath")
    page.click("text=Place the order")
    expect(page.locator("[data-order]")).to_have_attribute("data-status", "PLACED")
    assert queries.guest("aaron").total_orders == 1


def test_without_a_search_the_form_goes_on(new_page: NewPage) -> None:
    """If the search fails, a picker is a field for a text, and the form asks which match is meant."""
    page = new_page()
    page.goto("/orders/place/")
    page.route("**/search/choices/**", lambda route: route.abort())
    page.locator("[name=username]").press_sequentially("a")
    expect(page.locator("[data-picker=guest] [role=status]")).to_contain_text("does not answer")
    for name, text in {
        "hotel_id": "lakeview",
        "items-0-sku": "Bath",
        "items-0-quantity": "2",
        "items-0-unit_price": "4.5",
    }.items():
        enter(page, f"[name={name}]", text)
    expect(page.locator("[data-running-total]")).to_have_text("9")
    page.click("text=Place the order")
    expect(page.get_by_role("radio").first).to_be_visible()
    assert_accessible_and_fitting(page, "form.entries")
    page.get_by_role("radio").first.check()
    page.click("text=Place the order")
    expect(page.locator("tfoot")).to_have_text(re.compile(r"CHF\s?9\.00"))
