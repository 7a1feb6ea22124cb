"""The portal without JavaScript, where elements of HTML do what scripts would: menus, forms, links that return.

The test client proves that each form and link works without scripts. These three flows prove that a browser can reach
and send them: with several forms and buttons on one page, by the keyboard, and on a phone.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.browsing import PHONE, NewPage, choose, enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS = "/hotels/seaside/rooms/"


def test_a_list_is_filtered_and_a_room_leads_back_to_its_row(new_page: NewPage) -> None:
    page = new_page(scripts=False)
    page.goto("/guests/")
    enter(page, "#finder-q", "grand")
    page.click("form.finder button")
    expect(page.locator("ul[data-list=hotels] a")).to_have_text("Grand Seaside Hotel")
    page.goto(f"{ROOMS}?page_size=10&sort=type")
    choose(page, "view", "sea-view")
    page.click("#open-size")
    enter(page, "#size_min", "30")
    page.locator("#size_min").press("Enter")
    expect(page).to_have_url(re.compile(r"view=sea-view.*size_min=30"))
    page.locator(".cost-badge").press("Enter")
    page.click("#cost >> text=Show its requests")
    page.locator(".cost-badge").press("Enter")
    expect(page.locator("#cost")).to_contain_text("BETWEEN")
    page.keyboard.press("Escape")
    expect(page.locator("#cost")).to_be_hidden()
    number = str(page.locator("[data-row]").nth(4).get_attribute("data-row"))
    page.locator("[data-row] th a").nth(4).click()
    expect(page.locator("h1")).to_contain_text(f"Room {number}")
    page.click(".way-back a.link")
    expect(page.locator(":target")).to_have_attribute("data-row", number)
    page.click(".switcher summary")
    page.click("#switcher-links a")
    expect(page).to_have_url(re.compile("/hotels/$"))


def test_a_phone_finds_its_way_to_pages_filters_and_out(new_page: NewPage) -> None:
    page = new_page(scripts=False, viewport=PHONE)
    page.goto("/hotels/")
    for words, address in {"Guests": "/guests/", "Place an order": "/orders/place/"}.items():
        page.click(f".plain-nav >> text={words}")
        expect(page).to_have_url(re.compile(address))
    page.goto(ROOMS)
    expect(page.locator("#open-view")).to_be_hidden()
    page.locator(".fold summary").press("Enter")
    choose(page, "view", "sea-view")
    page.click("#open-size")
    page.locator("#size_max").fill("99999")
    expect(page.locator(".show .live")).to_be_hidden()
    page.click(".show")
    expect(page).to_have_url(re.compile("view=sea-view.*size_max=99999"))
    expect(page.locator("#size_max_error")).to_be_visible()
    page.locator("#size_max").fill("40")
    page.click(".show")
    expect(page).to_have_url(re.compile("view=sea-view.*size_max=40"))
    expect(page.locator(".fold summary")).to_have_text(re.compile(r"Filters\s+2 set"))
    expect(page.locator("tr[data-row]").first).to_be_visible()
    page.click(".plain-nav >> text=Log out")
    page.goto(ROOMS)
    expect(page).to_have_url(re.compile("/admin/login/"))
