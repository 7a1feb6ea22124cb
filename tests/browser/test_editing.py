"""Adding and editing rooms in a real Chromium: by keyboard, at the same time as others, and with two clicks."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from rooms import queries
from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import NewPage, enter
from tests.helpers.writes import edit_room

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS, MESSAGES = "/hotels/seaside/rooms/", "#main ul.flex"

CLICK_TWICE = """() => {
    const refused = [], button = document.querySelector("button.primary");
    window.addEventListener("submit", event => { refused.push(event.defaultPrevented); event.preventDefault(); });
    button.click();
    button.click();
    return refused;
}"""
"""Whether the page has refused each of two submits. None of them is sent."""


@pytest.mark.core
def test_a_room_is_added_by_keyboard_with_a_suggested_view_and_edited(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}add/")
    page.focus("[name=number]")
    for text in ("999", "Sea view", "25", "Suite", "80"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(page.locator("#views option[value='Sea view']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/rooms/999/$"))
    page.click(".actions >> text=Edit")
    enter(page, "[name=number]", "998")
    enter(page, "[name=rate]", "99.999")
    page.click("button.primary")
    expect(page.locator(".errorlist")).to_contain_text("too many decimals")
    assert_accessible(page, "form.entries")
    assert_legible_in_the_dark(page, ".errorlist")
    assert_fitting(page)
    enter(page, "[name=rate]", "85.50")
    page.click("button.primary")
    expect(page).to_have_url(re.compile("/rooms/998/$"))
    expect(page.locator("h1")).to_contain_text("Room 998")
    assert_accessible(page, MESSAGES)
    assert_legible_in_the_dark(page, MESSAGES)
    assert queries.room("seaside", "998", consistent=True).rate == Decimal("85.50")


@pytest.mark.core
def test_who_saves_what_somebody_else_has_changed_sees_both_values(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}102/edit/")
    stored = queries.room("seaside", "102", consistent=True)
    edit_room(stored, replace(stored, view="Garden " * 20, rate=stored.rate + 1), "alice")
    enter(page, "[name=rate]", "77.5")
    enter(page, "[name=view]", "Donaudampfschifffahrt" * 5)
    page.click("button.primary")
    expect(page.locator("table.differences tbody tr")).to_have_count(2)
    assert_accessible(page, "table.differences")
    assert_legible_in_the_dark(page, "table.differences")
    assert_fitting(page)
    page.click("button.primary")
    expect(page).to_have_url(re.compile("/rooms/102/$"))
    assert queries.room("seaside", "102", consistent=True).rate == Decimal("77.5")


def test_a_second_click_does_not_send_the_form_again(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}101/edit/")
    refused = page.evaluate(CLICK_TWICE)
    assert refused == [False, True]
