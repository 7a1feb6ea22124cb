"""Adding, editing and deleting hotels and rooms in a real Chromium, with and without JavaScript, and accessibility."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from hotels import queries as hotels
from rooms import commands, queries
from tests.helpers.browsing import NewPage, assert_accessible_and_fitting, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS = "/hotels/seaside/rooms/"
PAGES = ["/hotels/add/", f"{ROOMS}add/", f"{ROOMS}101/delete/"]

CLICK_TWICE = """() => {
    const refused = [], button = document.querySelector("button.primary");
    window.addEventListener("submit", event => { refused.push(event.defaultPrevented); event.preventDefault(); });
    button.click();
    button.click();
    return refused;
}"""
"""Whether the page has refused each of two submits. None of them is sent."""


def fill(page: Page, **values: str) -> None:
    for name, value in values.items():
        enter(page, f"[name={name}]", value)


def meet_a_change(page: Page) -> None:
    """Edit a room that somebody else changes at the same time."""
    page.goto(f"{ROOMS}102/edit/")
    stored = queries.room("seaside", "102", consistent=True)
    commands.edit_room(stored, replace(stored, view="Garden " * 20, rate=stored.rate + 1), "alice")
    fill(page, rate="77.5", view="Donaudampfschifffahrt" * 5)
    page.click("button.primary")
    expect(page.locator("table.differences tbody tr")).to_have_count(2)


def test_without_javascript_add_a_hotel_and_a_room_change_it_and_delete_it(new_page: NewPage) -> None:
    page = new_page(scripts=False)
    page.goto("/hotels/")
    page.click("text=Add a hotel")
    fill(page, hotel_id="köln", name="Hôtel am Dom", city="Köln", currency="EUR")
    page.select_option("[name=time_zone]", label="Berlin")
    page.click("button.primary")
    page.click("main >> text=Add a room")
    expect(page.locator("[name=currency]")).to_have_value("EUR")
    fill(page, number="7", view="Dom", size="30", type="Suite", rate="99.999")
    page.click("button.primary")
    expect(page.locator(".errorlist")).to_contain_text("too many decimals")
    expect(page.locator("[name=view]")).to_have_value("Dom")
    fill(page, rate="99.90")
    page.click("button.primary")
    expect(page).to_have_url(re.compile("/rooms/7/$"))
    page.click(".actions >> text=Edit")
    fill(page, number="8", rate="110")
    page.click("button.primary")
    expect(page).to_have_url(re.compile("/rooms/8/$"))
    assert queries.room("köln", "8", consistent=True).rate == Decimal(110)
    page.click(".hotel-nav .dots summary")
    page.click("text=Edit hotel")
    fill(page, name="Dom Hotel")
    page.click("button.primary")
    expect(page.locator("h1")).to_have_text("Dom Hotel")
    page.click(".hotel-tabs >> text=Rooms")
    page.click("tr[data-row='8'] a")
    page.click(".actions summary")
    page.click(".actions >> text=Delete")
    page.click("text=Delete it")
    expect(page.locator(".nothing")).to_contain_text("This hotel has no rooms yet")
    assert hotels.stored_hotel("köln").rooms == 0


def test_a_new_room_is_added_by_keyboard_with_a_suggested_view(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}add/")
    page.focus("[name=number]")
    for text in ("999", "Sea view", "25", "Suite", "80"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(page.locator("#views option[value='Sea view']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/rooms/999/$"))


def test_a_second_click_does_not_send_the_form_again(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}101/edit/")
    refused = page.evaluate(CLICK_TWICE)
    assert refused == [False, True]


def test_every_page_is_accessible_and_fits_a_phone(new_page: NewPage) -> None:
    page = new_page()
    for path in PAGES:
        page.goto(path)
        assert_accessible_and_fitting(page)
    meet_a_change(page)
    assert_accessible_and_fitting(page)
