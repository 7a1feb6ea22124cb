"""Lists of rooms and the frame in a real Chromium: by mouse and by keyboard, light and dark, wide and narrow."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browsing import PHONE, NewPage, choose

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOMS = "/hotels/seaside/rooms/"


def rows(page: Page) -> list[str]:
    return list(page.locator("tr[data-row]").evaluate_all("rows => rows.map(row => row.dataset.row)"))


def chip(page: Page, facet: str, value: str) -> Any:
    return page.locator(f'[data-facet="{facet}"][data-value="{value}"]')


@pytest.mark.core
def test_filter_sort_page_and_come_back(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/hotels/")
    page.click("tr[data-row=seaside] a")
    page.click(".hotel-tabs >> text=Rooms")
    expect(page.locator("table[data-list]")).to_have_attribute("data-total", "240")
    page.evaluate("window.stayed = true")
    count = chip(page, "view", "sea-view").get_attribute("data-count")
    choose(page, "view", "sea-view")
    expect(page.locator("table[data-list]")).to_have_attribute("data-total", count)
    expect(page).to_have_url(re.compile(r"view=sea-view"))
    page.click("a[data-sort=size]")
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Size")
    first = rows(page)
    page.click("a[rel=next]")
    expect(page.locator("nav.pager .range")).to_have_text(re.compile(r"26–\d+ of"))
    assert page.evaluate("window.stayed"), "the list alone is swapped"
    step(page, "back")
    expect(page.locator("nav.pager .range")).to_have_text(re.compile("1–25 of"))
    expect(page).to_have_url(re.compile("sort=size$"))
    assert rows(page) == first
    expect(chip(page, "view", "sea-view").locator("input")).to_be_checked()
    step(page, "back")
    expect(page.locator("th[aria-sort]")).to_have_count(0)
    step(page, "back")
    expect(page.locator("table[data-list]")).to_have_attribute("data-total", "240")
    expect(chip(page, "view", "sea-view").locator("input")).not_to_be_checked()
    step(page, "forward")
    expect(page.locator("table[data-list]")).to_have_attribute("data-total", count)
    expect(chip(page, "view", "sea-view").locator("input")).to_be_checked()


def step(page: Page, way: str) -> None:
    """Press the browser's Back or Forward button, and wait until the page is loaded again."""
    with page.expect_event("load"):
        page.evaluate(f"history.{way}()")


def test_by_keyboard_alone(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the list")
    page.keyboard.press("Enter")
    expect(page.locator("#rows")).to_be_focused()
    page.locator("#open-view").press("Enter")
    page.locator("#view-sea-view").press("Space")
    expect(page).to_have_url(re.compile("view=sea-view"))
    expect(page.locator("#view-sea-view")).to_be_focused()
    expect(page.locator("#list-status")).to_have_text(re.compile(r"Rooms: 1–25 of \d+"))
    page.keyboard.press("Escape")
    expect(page.locator("#open-view")).to_be_focused()
    for _ in range(5):  # View, type, size, rate and status are one stop of the Tab key with the menu of sorts.
        page.keyboard.press("ArrowRight")
    for way, words in (("ascending", "size"), ("descending", "-size")):
        page.keyboard.press("Enter")
        page.locator(f"[data-sort-by='{words}']").press("Enter")
        expect(page.locator(f"th[aria-sort={way}]")).to_contain_text("Size")
        expect(page.locator("#open-sort")).to_be_focused()
    page.locator("a[rel=next]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("nav.pager .range")).to_have_text(re.compile(r"26–\d+ of"))
    page.locator("#list .active-filters a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#list .active-filters")).to_have_count(0)
    expect(page.locator("#list")).to_be_focused()


def test_a_server_that_is_away_is_said(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    page.context.set_offline(True)
    choose(page, "view", "sea-view")
    expect(page.locator("#list-problem")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    page.evaluate(
        "htmx.trigger('#list', 'htmx:responseError', {xhr: {status: 502, getResponseHeader: () => null}})"
    )  # as a proxy answers
    expect(page.locator("#list-problem")).to_contain_text("an error (502)")
    choose(page, "view", "city-view")
    expect(page).to_have_url(re.compile("view="))
    expect(page.locator("#list-problem")).to_be_hidden()


def test_the_browsers_colours_are_the_pages(new_page: NewPage) -> None:
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        page.goto("/hotels/")
        assert page.evaluate("document.documentElement.classList.contains('dark')") == (scheme == "dark"), scheme


def test_screen_readers_hear_no_icon_and_the_menu_of_the_user_opens_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        heard = page.locator("body").aria_snapshot()
        assert "Seaside" in heard, width
        for icon in ("badge", "pending_actions", "chevron_right", "unfold_more"):
            assert icon not in heard, width
    page.locator("#nav-sidebar summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log out").last).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#logout-form")).to_be_hidden()
    expect(page.locator("#nav-sidebar summary")).to_be_focused()
    page.keyboard.press("Enter")
    with page.expect_navigation():
        page.locator("#logout-form button").press("Enter")
    page.goto(ROOMS)
    expect(page).to_have_url(re.compile("/admin/login/"))


def test_the_focus_follows_into_the_sidebar_of_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(ROOMS)
    sidebar, toggles = page.locator("#nav-sidebar"), page.get_by_role("button", name="Open or close the sidebar")
    toggles.first.press("Enter")
    expect(sidebar.get_by_role("button", name="Open or close the sidebar")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sidebar).to_be_hidden()
    expect(toggles.first).to_be_focused()
    toggles.first.press("Space")
    expect(sidebar).to_be_visible()
    page.locator("#nav-sidebar summary").press("Enter")
    expect(page.locator("#logout-form button")).to_be_visible()
    page.locator("#logout-form button").press("Tab")
    expect(sidebar).to_be_hidden()


def test_the_page_stays_where_it_is_when_a_filter_is_removed(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{ROOMS}?view=sea-view&view=city-view")
    page.locator("#page-next").press("Enter")
    expect(page.locator("nav.pager .range")).to_have_text(re.compile("26–"))
    before = page.evaluate("scrollY")
    page.locator(".active-filters a").first.press("Enter")
    expect(page).to_have_url(re.compile(r"\?view=[a-z-]+$"))
    assert page.evaluate("scrollY") == before
