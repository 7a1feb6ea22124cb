"""The start pages in a browser: bars lead to their lists, and Tab passes the plots by."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible_and_fitting
from tests.helpers.browsing import DESK, PHONE, NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
STOPS = """() => [...document.querySelectorAll("main :is(a, button, input, summary)")]
    .filter(it => it.tabIndex >= 0 && it.type !== "hidden" && it.checkVisibility()).length"""
OVERLAPS = """() => [...document.querySelectorAll(".upright")].flatMap(plot => {
    const boxes = [...plot.querySelectorAll(".columns text")].map(text => text.getBoundingClientRect());
    return boxes.slice(1).filter((box, index) => box.left < boxes[index].right).map(box => box.left);
})"""


def test_the_labels_of_plots_do_not_overlap_their_figures_are_accessible_and_bars_are_links(new_page: NewPage) -> None:
    page = new_page()
    for address in ("/", "/hotels/seaside/"):
        page.goto(address)
        stops = page.evaluate(STOPS)
        for summary in page.locator(".plot-figures summary").all():
            summary.click()
        assert page.evaluate(OVERLAPS) == []
        page.set_viewport_size(PHONE)
        assert page.evaluate(OVERLAPS) == []
        page.set_viewport_size(DESK)
    assert stops <= 55, "bars are none"
    assert_accessible_and_fitting(page, ".plot-figures")
    page.locator(".upright a >> nth=20").click()
    expect(page).to_have_url(re.compile(r"/orders/\?from=(\S+)&to=\1$"))
    page.go_back()
    page.locator(".stacked a >> nth=0").click()
    expect(page).to_have_url(re.compile(r"/orders/unfinished/\?status=\w+&(from=\S+&)?to=\S+$"))
