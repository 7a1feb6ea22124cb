"""The status of rooms and bulk changes in a real Chromium: by keyboard, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.browsing import NewPage, assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS, ATTENTION = "/hotels/seaside/rooms/", "/hotels/seaside/attention/"


def test_one_tap_by_keyboard_keeps_the_focus_and_the_ticks_and_is_announced(new_page: NewPage) -> None:
    commands.set_status("seaside", "101", StatusChange(Housekeeping.CLEAN, Service.IN_SERVICE), "anna")
    page = new_page()
    page.goto(f"{ROOMS}?number=10")
    page.check("[name=room][value='102']")
    page.focus("#housekeeping-101-dirty")
    length = page.evaluate("history.length")
    page.keyboard.press("Enter")
    expect(page.locator("#housekeeping-101-dirty")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("history.length") == length, "a tap is no step of the Back button"
    expect(page.locator("#housekeeping-101-dirty")).to_be_focused()
    expect(page.locator("#list-status")).to_contain_text("Room 101 is dirty.")
    expect(page).to_have_url(re.compile(r"\?number=10"))
    expect(page.locator(".tick :checked")).to_have_count(1)
    assert queries.room("seaside", "101").needs_attention
    page.goto(ATTENTION)
    first, second = (str(page.locator("tr[data-row]").nth(n).get_attribute("data-row")) for n in range(2))
    commands.set_status("seaside", first, StatusChange(Housekeeping.DIRTY, Service.IN_SERVICE), "anna")
    page.focus(f"#housekeeping-{first}-clean")
    page.keyboard.press("Enter")
    expect(page.locator(f"tr[data-row='{first}']")).to_have_count(0)
    expect(page.locator(f"#housekeeping-{second}-clean")).to_be_focused()
    expect(page.locator("#list-status")).to_contain_text(f"Room {first} is clean.")


def test_all_rooms_that_match_are_changed_with_a_progress_bar(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?page_size=10")
    page.check("[data-tick-all]")
    expect(page.locator("[name=room]:checked")).to_have_count(10)
    assert_accessible_and_fitting(page)
    page.click("button[name=all]")
    expect(page.locator(".lead")).to_contain_text("240 rooms of Grand Seaside Hotel")
    page.select_option("#new-action", "rate-percent")
    expect(page.locator("#new-view")).to_be_hidden()
    page.fill("#new-rate_percent", "10")
    page.click("text=Preview")
    expect(page.locator("#preview tr[data-row]")).to_have_count(5)
    assert_accessible_and_fitting(page)
    before = queries.room("seaside", "101").rate
    page.click("text=Change 240 rooms")
    expect(page.locator("#bulk [role=status]")).to_contain_text("Done: 240 of 240 rooms")
    expect(page.locator("progress")).to_have_attribute("value", "240")
    assert queries.room("seaside", "101").rate == pytest.approx(before * 11 / 10, abs=1)
    assert_accessible_and_fitting(page)


def test_ticked_rooms_are_changed_without_javascript(new_page: NewPage) -> None:
    page = new_page(scripts=False)
    page.goto(f"{ROOMS}?number=10")
    expect(page.locator(".tick-all")).to_be_hidden()
    page.check("[name=room][value='101']")
    page.check("[name=room][value='102']")
    page.click("text=Change ticked rooms")
    page.select_option("#new-action", "status")
    page.select_option("#new-service", "out-of-order")
    page.fill("#new-reason", "New carpet")
    page.click("text=Preview")
    page.click("text=Change 2 rooms")
    expect(page.locator("#bulk [role=status]")).to_contain_text("0 of 2 rooms")
    page.click("text=Continue")
    expect(page.locator("#bulk [role=status]")).to_contain_text("Done: 2 of 2 rooms. 2 changed")
    page.goto(f"{ATTENTION}?sort=-date")
    expect(page.locator("tr[data-row='102']")).to_contain_text("New carpet")
