"""The history in a real Chromium: from a thing's page to all its changes and to those of a member of staff."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from rooms import commands, queries
from tests.helpers.accessibility import assert_accessible, assert_fitting
from tests.helpers.browsing import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOM = "/hotels/seaside/rooms/101/"


def test_a_room_shows_its_newest_changes(new_page: NewPage) -> None:
    page = new_page()
    stored = queries.room("seaside", "101", consistent=True)
    commands.edit_room(stored, replace(stored, view="Donaudampfschifffahrt" * 5, rate=stored.rate + 1), "alice")
    page.goto(ROOM)
    page.locator("text=History of changes").scroll_into_view_if_needed()
    expect(page.locator("table.changes")).to_contain_text("Donaudampf")
    assert_accessible(page, "#newest-changes")
    assert_fitting(page)
    page.click("main >> text=All changes")
    expect(page.locator("h1")).to_have_text("History of Room 101 of Grand Seaside Hotel")
    page.click("table.changes >> text=alice")
    expect(page.locator("h1")).to_have_text("Changes by alice")
