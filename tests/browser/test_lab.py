"""The cost lab in a browser: its sliders move the break-even, and its figures are accessible."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_fitting
from tests.helpers.browsing import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]


def test_a_slider_moves_the_break_even(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/lab/break-even/")
    title = page.locator("#break-even-title")
    expect(title).to_contain_text("keys cost less than the whole hotel from 1,712 rooms")
    page.get_by_label("Pages for each write, slider").fill("2")
    expect(title).to_contain_text("With 100 pages for each write, keys cost less than the whole hotel from 92 rooms")
    expect(page).to_have_url("/lab/break-even/?rooms=1000&share=5&pages=100")
    slider = page.get_by_label("Pages for each write, slider")
    page.get_by_label("Pages for each write", exact=True).fill("")
    expect(title).to_contain_text("from 1,712 rooms")
    expect(slider).to_have_value("0.5")
    for summary in page.locator("main .plot-figures summary").all():
        summary.click()
    assert_accessible(page, ".plot-figures")
    assert_fitting(page)
