"""The history in a real Chromium: the panel on a thing's page, with and without JavaScript, and accessibility."""

from dataclasses import replace
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from rooms import commands, queries
from tests.helpers.browsing import NewPage, assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOM = "/hotels/seaside/rooms/101/"


def change_a_room() -> None:
    stored = queries.room("seaside", "101", consistent=True)
    long = replace(stored, view="Donaudampfschifffahrt" * 5, rate=stored.rate + Decimal(1))
    commands.edit_room(commands.edit_room(stored, long, "alice"), replace(long, number="9-101"), "bob")
    renumbered = queries.room("seaside", "9-101", consistent=True)
    commands.edit_room(renumbered, replace(renumbered, number="101"), "bob")


def test_a_room_shows_its_newest_changes(new_page: NewPage) -> None:
    page = new_page()
    stored = queries.room("seaside", "101", consistent=True)
    commands.edit_room(stored, replace(stored, view="New view"), "alice")
    page.goto(ROOM)
    page.locator("text=History of changes").scroll_into_view_if_needed()
    expect(page.locator("table.changes tbody tr")).to_have_count(1)
    expect(page.locator("table.changes")).to_contain_text("New view")
    page.click("main >> text=All changes")
    expect(page.locator("h1")).to_have_text("History of Room 101 of Grand Seaside Hotel")
    page.click("table.changes >> text=alice")
    expect(page.locator("h1")).to_have_text("Changes by alice")


def test_without_javascript_the_panel_is_a_link(new_page: NewPage) -> None:
    page = new_page(scripts=False)
    page.goto(ROOM)
    page.click("main >> text=All changes")
    expect(page.locator(".nothing")).to_contain_text("Nothing has been changed yet")


def test_the_pages_are_accessible_and_fit_a_phone(new_page: NewPage) -> None:
    page = new_page()
    change_a_room()
    page.goto(ROOM)
    page.locator("text=History of changes").scroll_into_view_if_needed()
    expect(page.locator("table.changes tbody tr")).to_have_count(4)
    assert_accessible_and_fitting(page)
    for path in ("/history/room/seaside/101/", "/history/staff/bob/"):
        page.goto(path)
        assert_accessible_and_fitting(page)
