"""The bar of a hotel's pages, and pages about one thing, in a browser: by keyboard, on a phone, in the dark."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import DESK, PHONE, NewPage, demo
from tests.helpers.orders import make_order, store

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
HOTEL = "/hotels/seaside/"


def fill() -> None:
    demo()
    store([make_order("o-01", "alex", hotel_id="seaside", currency="GBP")])


def test_the_tabs_of_a_hotel_are_in_one_line(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto("/orders/o-01/")
    tabs, bar = page.locator(".hotel-tabs"), page.locator(".hotel-nav")
    expect(tabs.locator("[aria-current=page]")).to_have_text("Orders")
    assert tabs.evaluate("list => list.scrollWidth > list.clientWidth"), "it scrolls in one line"
    assert page.evaluate("scrollY") == 0, "no tab moves the page"
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert bar.evaluate("bar => bar.offsetHeight") <= 48


def test_what_is_rare_is_in_a_menu_that_escape_closes(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{HOTEL}rooms/101/")
    summary = page.locator(".glance .drop summary")
    delete = page.locator(".glance >> text=Delete")
    expect(delete).to_be_hidden()
    summary.focus()
    page.keyboard.press("Enter")
    expect(delete).to_be_visible()
    page.keyboard.press("Escape")
    expect(delete).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    assert_accessible(page, ".glance")
    assert_legible_in_the_dark(page, ".glance")


def test_a_saved_view_is_marked_in_the_sidebar_while_its_list_is_open(new_page: NewPage) -> None:
    page = new_page(viewport=DESK)
    page.goto(f"{HOTEL}rooms/?type=suite")
    page.click("a.save-wide")
    expect(page.locator("#id_name")).to_be_focused()
    page.keyboard.press("Enter")
    link = page.locator("#nav-sidebar-apps a[data-view][href$='type=suite']")
    expect(link).to_have_attribute("aria-current", "page")
    page.click(".active-filters .reset")
    expect(link).not_to_have_attribute("aria-current", "page")
    page.go_back()
    expect(link).to_have_attribute("aria-current", "page")
    page.set_viewport_size(PHONE)
    page.goto(f"{HOTEL}rooms/?type=suite")
    page.click("#open-more")
    page.click("#drop-more >> text=Save this view")
    expect(page.locator("#id_name")).to_be_focused()
    assert_fitting(page)
