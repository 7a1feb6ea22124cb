"""The command palette in a browser: opened, searched and followed with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_legible_in_the_dark
from tests.helpers.browsing import PHONE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]


@pytest.mark.core
def test_the_palette_opens_with_ctrl_k_and_leads_to_what_it_finds(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/hotels/")
    page.keyboard.press("Control+k")
    field = page.locator("#search-input-command")
    expect(field).to_be_focused()
    field.press_sequentially("grand sea")
    expect(page.locator("[data-hit=hotels]")).to_have_count(1)
    assert_legible_in_the_dark(page, "[role=dialog]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-hit=hotels]")).to_contain_class("active")
    assert_accessible(page, "[role=dialog]")
    assert_legible_in_the_dark(page, "[role=dialog]")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/hotels/seaside/$"))
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    field.press_sequentially("grand")
    page.keyboard.press("Enter")  # before the hits are there
    expect(page).to_have_url(re.compile("/hotels/seaside/$"))
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    field.press_sequentially("nowhere")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=nowhere"))


def test_on_a_phone_the_palette_is_the_search_finds_pages_and_keeps_them_until_the_logout(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto("/hotels/seaside/")
    field = page.locator("#search-input-command")
    page.get_by_role("button", name="Search").first.click()
    expect(field).to_be_focused()
    field.press_sequentially("place order")
    expect(page.locator("[data-hit=pages]").first).to_contain_text("Place an order")
    page.locator("[data-hit=pages]").first.click()
    expect(page.locator("[name=room_number]")).to_be_visible()
    store = "Object.keys(localStorage).find(key => key.startsWith('recent'))"
    hits = "[{title: 'Odd', address: '//other.site/'}, {title: 'Odd', address: 'javascript:alert(1)'}]"
    page.evaluate(f"localStorage[{store}] = JSON.stringify(JSON.parse(localStorage[{store}]).concat({hits}))")
    page.keyboard.press("Control+k")
    expect(page.locator("[data-hit=recent]"), "one, and none of another site").to_contain_text("Place an order")
    assert_accessible(page, "[role=dialog]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/orders/place/"))
    page.wait_for_load_state()
    page.locator("#logout-form").evaluate("form => form.requestSubmit()")
    expect(page.get_by_role("link", name="Log in again")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('recent'))") == []
