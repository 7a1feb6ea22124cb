"""The engineers' panel in a real Chromium: a badge beside the title opens a drawer, by mouse and by keyboard."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOMS = "/hotels/seaside/rooms/"


@pytest.fixture(autouse=True)
def engineer(alice: User) -> User:
    """Alice, who may see what pages cost."""
    permission, _ = Permission.objects.get_or_create(
        codename="view_costs", content_type__app_label="portal", content_type__model="portalpermissions"
    )
    alice.user_permissions.add(permission)
    return alice


def test_the_drawer_opens_and_closes_by_keyboard_and_runs_all_plans(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?view=sea-view&sort=-size")
    drawer, badge = page.locator("#cost"), page.locator(".cost-badge")
    expect(drawer).to_be_hidden()
    badge.focus()
    page.keyboard.press("Enter")
    expect(drawer).to_be_visible()
    expect(drawer.get_by_role("button", name="Close")).to_be_focused()
    expect(drawer).to_contain_text("BETWEEN")
    expect(drawer).to_contain_text("read once more")
    page.keyboard.press("Tab")
    expect(drawer.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(badge).to_be_focused()
    badge.click()
    expect(page.locator("#cost [data-measured]")).to_have_count(0)
    page.locator("#cost >> text=Run every plan").click()
    expect(page).to_have_url(re.compile("explain=1"))
    expect(page.locator("#cost")).to_be_visible()
    expect(page.locator("#cost [data-measured] >> nth=5")).to_be_visible()
    assert_accessible(page, "#cost")
    assert_legible_in_the_dark(page, "#cost")
    assert_fitting(page)


def test_the_badge_follows_the_list(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?page_size=100")
    badge, before = page.locator(".cost-badge"), page.locator(".cost-badge").inner_text()
    page.click("a[rel=last]")
    expect(page.locator("[data-cost]")).to_have_attribute("data-items-shown", "40")
    expect(badge).not_to_have_text(before)
    badge.click()
    expect(page.locator("#cost")).to_contain_text("read, 40 shown")
