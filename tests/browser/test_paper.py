"""Lists and orders on paper: without the frame and its controls, black on white, as dense as a list on a clipboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browsing import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN_ONLY = "#nav-sidebar, .finder, .hotel-nav, .bar, .pager a, .cost, .tick, main button, main a.others"

SHOWN = """selector => [...document.querySelectorAll(selector)].filter(it =>
    it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().height).map(it => it.outerHTML)"""


def pages(page: Page) -> int:
    """Return the number of pages of A4 that the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


@pytest.mark.usefixtures("superuser")
def test_lists_on_paper(new_page: NewPage) -> None:
    page = new_page(color_scheme="dark")
    page.goto("/hotels/seaside/attention/?page_size=100")
    rows = page.locator("tr[data-row]").count()
    assert pages(page) <= -(-rows // 30), "sixty rooms are two pages"
    page.goto("/hotels/seaside/attention/?status=clean")
    page.locator("#open-more").click()
    with page.expect_navigation():
        page.get_by_role("link", name="Print all").click()
    expect(page.locator("tr[data-row]").nth(100), "more than a page").to_be_attached()
    page.emulate_media(media="print")
    expect(page.get_by_text("Printed")).to_be_visible()
    box = "getComputedStyle(document.querySelector('tr[data-row] > th'), '::before').width"
    assert page.evaluate(box) != "auto", "a box to tick"
    page.emulate_media(media="null")
    page.goto("/hotels/seaside/rooms/?type=suite")
    page.emulate_media(media="print")
    assert page.evaluate(SHOWN, SCREEN_ONLY) == []
    for kept in ("Grand Seaside Hotel", "Suite"):
        expect(page.locator("body")).to_contain_text(kept)
    colours = (
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('tbody td')).color]"
    )
    assert page.evaluate(colours) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    page.emulate_media(media="null")
