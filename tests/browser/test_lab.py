"""The cost lab in a browser: accessible, light and dark, on a desk and on a phone; its sliders move the break-even."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browsing import DESK, NewPage, assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
RUN = "/lab/?list=rooms&hotel=seaside&view=sea-view&run=1"


@pytest.mark.parametrize("viewport", [DESK, {"width": 390, "height": 844}], ids=["desk", "phone"])
def test_the_lab_is_accessible_and_fits_a_phone(new_page: NewPage, viewport: dict[str, int]) -> None:
    page = new_page(viewport=viewport)
    for address in (RUN, "/lab/break-even/"):
        page.goto(address)
        for summary in page.locator("main .plot-figures summary").all():
            summary.click()
        assert_accessible_and_fitting(page)


def test_a_slider_moves_the_break_even_and_without_scripts_numbers_do(new_page: NewPage) -> None:
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
    page = new_page(scripts=False)
    page.goto("/lab/break-even/")
    expect(page.locator("[type=range]").first).to_be_hidden()
    page.get_by_label("Pages for each write", exact=True).fill("100")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#break-even-title")).to_contain_text("whole hotel from 92 rooms")
