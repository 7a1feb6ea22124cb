"""The command palette in a browser: opened, searched and followed with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_legible_in_the_dark
from tests.helpers.browsing import NewPage

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
