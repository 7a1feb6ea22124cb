"""Drafts of forms in a real Chromium: they come back until the form is saved, and to their own user alone."""

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rooms import queries
from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import NewPage, enter, give_password, log_in
from tests.helpers.writes import edit_room

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
EDIT, ROOM = "/hotels/seaside/rooms/102/edit/", "/hotels/seaside/rooms/102/"
DRAFTS = "Object.keys(localStorage).filter(key => key.startsWith('draft:')).length"
NOTE = "p.draft"


@pytest.mark.core
def test_a_draft_outlives_the_session_and_a_failed_send_until_it_is_saved(new_page: NewPage) -> None:
    page = new_page()
    page.goto(EDIT)
    stored = page.input_value("[name=view]")
    enter(page, "[name=view]", "Harbour view")
    page.goto(ROOM)
    page.goto(EDIT)
    expect(page.locator(NOTE)).to_contain_text(re.compile(r"Your unsent draft of \d\d:\d\d was restored\."))
    expect(page.locator("[name=view]")).to_have_value("Harbour view")
    assert_accessible(page, NOTE)
    assert_legible_in_the_dark(page, NOTE)
    assert_fitting(page)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(NOTE)).to_have_count(0)
    expect(page.locator("[name=view]")).to_have_value(stored)

    enter(page, "[name=view]", "Harbour view")
    page.route(f"**{EDIT}", lambda route: route.fulfill(status=502, body="<html>Bad gateway</html>"), times=1)
    page.click("button.primary")
    expect(page.locator("body")).to_have_text("Bad gateway")
    page.goto(ROOM)
    page.goto(EDIT)
    expect(page.locator("[name=view]")).to_have_value("Harbour view")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.click("button.primary")
    expect(page).to_have_url(re.compile("/admin/login/"))
    give_password(page)
    expect(page.locator("[name=view]")).to_have_value("Harbour view")
    assert page.evaluate(DRAFTS) == 1
    page.click("button.primary")
    expect(page).to_have_url(re.compile(f"{ROOM}$"))
    page.goto(EDIT)
    expect(page.locator("[name=view]")).to_have_value("Harbour view")
    expect(page.locator(NOTE)).to_have_count(0)
    assert page.evaluate(DRAFTS) == 0
    assert [cookie for cookie in page.context.cookies() if "draft" in cookie.get("name", "")] == []


def test_a_draft_is_of_one_user_and_says_what_somebody_else_has_changed(new_page: NewPage) -> None:
    page = new_page()
    page.goto(EDIT)
    enter(page, "[name=view]", "Harbour view")
    mine = page.context.cookies()
    log_in(page, User.objects.create_superuser("bob"), page.url)
    page.goto(EDIT)
    expect(page.locator("main")).to_have_attribute("data-user", re.compile(r"\d+"))
    expect(page.locator(NOTE)).to_have_count(0)
    stored = queries.room("seaside", "102", consistent=True)
    edit_room(stored, replace(stored, type="Suite", rate=stored.rate + 1), "bob")
    page.context.add_cookies(mine)  # type: ignore[arg-type]
    page.goto(EDIT)
    expect(page.locator("[name=view]")).to_have_value("Harbour view")
    page.click("button.primary")
    expect(page.locator("table.differences")).to_contain_text("Harbour view")
    assert queries.room("seaside", "102", consistent=True).view == stored.view
    page.evaluate("key => localStorage.setItem(key, JSON.stringify({at: Date.now() - 8 * 86400000}))", "draft:7:/old/")
    page.goto(ROOM)
    assert page.evaluate(DRAFTS) == 1, "the old one is dropped"


def test_a_draft_of_an_order_brings_its_lines_and_is_only_offered_beside_another_guest(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/orders/place/")
    enter(page, "[name=username]", "some guest")
    for number in range(5):
        enter(page, f"[name=items-{number}-sku]", "TOWEL")
    page.click("[name=more]")
    expect(page.locator("fieldset.line")).to_have_count(15)
    enter(page, "[name=items-5-quantity]", "3")
    page.goto("/orders/place/?username=alex")
    expect(page.locator(NOTE)).to_contain_text("You have an unsent draft")
    expect(page.locator("[name=username]")).to_have_value("alex")
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("fieldset.line")).to_have_count(15)
    expect(page.locator("[name=username]")).to_have_value("some guest")
    expect(page.locator("[name=items-4-sku]")).to_have_value("TOWEL")
    expect(page.locator("[name=items-5-quantity]")).to_have_value("3")
    expect(page.locator(NOTE)).to_have_count(0)
