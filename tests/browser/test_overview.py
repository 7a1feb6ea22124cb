"""The start pages in a browser: bars lead to their lists, and Tab passes the plots by."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.accessibility import assert_accessible, assert_fitting
from tests.helpers.browsing import DESK, PHONE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
STOPS = """() => [...document.querySelectorAll("main :is(a, button, input, summary)")]
    .filter(it => it.tabIndex >= 0 && it.type !== "hidden" && it.checkVisibility()).length"""
OVERLAPS = """() => [...document.querySelectorAll(".upright")].flatMap(plot => {
    const boxes = [...plot.querySelectorAll(".columns text")].map(text => text.getBoundingClientRect());
    return boxes.slice(1).filter((box, index) => box.left < boxes[index].right).map(box => box.left);
})"""


def test_the_labels_of_plots_do_not_overlap_and_their_figures_are_accessible(new_page: NewPage) -> None:
    page = new_page()
    for address in ("/", "/hotels/seaside/"):
        page.goto(address)
        for summary in page.locator(".plot-figures summary").all():
            summary.click()
        assert page.evaluate(OVERLAPS) == []
        page.set_viewport_size(PHONE)
        assert page.evaluate(OVERLAPS) == []
        page.set_viewport_size(DESK)
    assert_accessible(page, ".plot-figures")
    assert_fitting(page)


def test_plots_are_no_stops_of_tab_and_their_bars_are_links(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/hotels/seaside/")
    assert page.evaluate(STOPS) <= 45
    _follow(page, ".upright a >> nth=20", r"/orders/\?from=(\S+)&to=\1$")
    _follow(page, ".stacked a >> nth=0", r"/orders/unfinished/\?status=\w+&(from=\S+&)?to=\S+$")
    _follow(page, "a.lying-bar:has-text('Dirty')", r"/rooms/\?status=dirty$")


def _follow(page: Page, selector: str, address: str) -> None:
    page.locator(selector).click()
    expect(page).to_have_url(re.compile(address))
    page.go_back()
    page.wait_for_load_state()
