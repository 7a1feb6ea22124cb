"""The filters of lists in a real Chromium: drop-downs on a desk, a sheet on a phone, and with bad input."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessibility import assert_accessible, assert_fitting, assert_legible_in_the_dark
from tests.helpers.browsing import DESK, PHONE, NewPage, enter
from tests.helpers.rooms import make_hotel, make_room

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOMS = "/hotels/seaside/rooms/"
FILTERED = f"{ROOMS}?view=sea-view&view=garden-view&type=suite&size_min=20&size_max=80&rate_min=10&sort=-size"
IN_SIGHT = """() => [...document.querySelectorAll("[data-row]")].filter(row => {
    const box = row.getBoundingClientRect();
    return box.height && box.top >= 0 && box.bottom <= innerHeight;
}).length"""
STOPS = """() => {
    const first = document.querySelector("[data-row]");
    const all = document.querySelectorAll("#list :is(a[href], button, input:not([type=hidden]), select, summary)");
    return [...all].filter(it => it.tabIndex >= 0 && it.checkVisibility()
        && (it.compareDocumentPosition(first) & 4) && !first.contains(it)).length;
}"""
"""The stops of the Tab key in the list before its first row."""


def test_rooms_are_seen_first_and_filters_are_a_sheet_on_a_phone_and_in_a_line_on_a_desk(new_page: NewPage) -> None:
    page = new_page()
    for path in (ROOMS, FILTERED):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path)
        assert page.evaluate(IN_SIGHT) >= 9
        assert page.evaluate(STOPS) <= 5
        page.set_viewport_size(PHONE)
        assert page.evaluate(IN_SIGHT) >= 5
        expect(page.locator(".folded .drop").first).to_be_hidden()
    page.set_viewport_size(DESK)
    expect(page.locator(".fold")).to_be_hidden()
    page.click("#open-view")
    expect(page.locator("#view-sea-view")).to_be_visible()
    page.click("#open-size")
    expect(page.locator("#size_min")).to_be_visible()
    expect(page.locator("#view-sea-view")).to_be_hidden()


def test_drop_downs_are_accessible_and_close_by_escape_and_by_a_click_elsewhere(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?view=sea-view&sort=size&page_size=10")
    for name in ("view", "size", "sort", "more"):
        page.click(f"#open-{name}")
        assert_accessible(page, f"#drop-{name}")
        if name in {"view", "more"}:
            assert_legible_in_the_dark(page, f"#drop-{name}")
        assert_fitting(page, 1280, 768)  # a phone has them in a sheet
    for outside in (False, True):
        page.click("#open-type")
        expect(page.locator("#drop-type .panel")).to_be_visible()
        if outside:
            page.click("caption + thead", position={"x": 900, "y": 5})
        else:
            page.keyboard.press("Escape")
        expect(page.locator("#drop-type .panel")).to_be_hidden()


def test_the_sheet_stays_open_while_it_is_filled_in_by_keyboard(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(ROOMS)
    page.locator(".fold summary").press("Enter")
    page.locator("#open-view").press("Enter")
    page.locator("#view-sea-view").press("Space")
    expect(page).to_have_url(re.compile("view=sea-view"))
    expect(page.locator("#view-sea-view")).to_be_focused()
    expect(page.locator(".fold summary")).to_have_text(re.compile(r"Filters\s+1 set"))
    count = page.locator("[data-list]").get_attribute("data-total")
    expect(page.locator(".show")).to_have_text(f"Show {count} rooms")
    page.locator("#open-size").press("Enter")
    page.locator("#size_min").fill("30")
    page.locator("#size_min").press("Enter")
    expect(page).to_have_url(re.compile("size_min=30"))
    expect(page.locator("#size_min")).to_be_focused()
    expect(page.locator(".fold summary")).to_have_text(re.compile(r"Filters\s+2 set"))
    assert_accessible(page, ".fold")
    assert_legible_in_the_dark(page, ".fold")
    assert_fitting(page)
    page.locator(".show").press("Enter")
    expect(page.locator("#open-view")).to_be_hidden()
    expect(page.locator("#open-filters")).to_be_focused()


def test_a_facet_with_many_values_sends_the_others_on_demand(new_page: NewPage) -> None:
    make_hotel([make_room(str(n), type=f"Type {n % 40}", hotel_id="long") for n in range(100)], "long")
    page = new_page()
    page.goto("/hotels/long/rooms/?type=type-39")
    page.click("#open-type")
    choices = page.locator("#choices-type .choice")
    expect(choices).to_have_count(11)  # the ten with most rooms, and the one that is set
    page.locator("#narrow-type").press_sequentially("type 33")
    expect(choices).to_have_count(40)
    expect(page.locator("#choices-type .choice:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("type=type-33&type=type-39$"))
    expect(page.locator("#type-type-33")).to_be_checked()


def test_the_sliders_set_the_sizes_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    page.click("#open-size")
    slider = page.locator("#slide-size_min")
    low = int(slider.get_attribute("min") or 0)
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"size_min={low + 1}$"))
    expect(slider).to_be_focused()
    expect(page.locator("#size_min")).to_have_value(str(low + 1))
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile("/rooms/$"))


def test_bad_input_keeps_the_list_and_the_focus(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{ROOMS}?view=sea-view")
    page.evaluate("window.stayed = true")
    page.locator(".fold summary").press("Enter")
    page.locator("#open-size").press("Enter")
    enter(page, "#size_max", "40")
    enter(page, "#size_min", "50")
    expect(page).to_have_url(re.compile("view=sea-view$"))  # the change of a number sends nothing
    page.locator("#size_min").press("Enter")
    expect(page.locator("[data-problem=size_min]")).to_be_attached()
    expect(page.locator(".refused")).to_have_attribute("role", "alert")
    expect(page.locator("#size_min_error")).to_contain_text("above the largest")
    expect(page.locator("#size_min")).to_be_focused()
    expect(page.locator("#list-problem")).to_be_hidden()
    expect(page).to_have_url(re.compile("size_min=50"))
    assert page.evaluate("window.stayed"), "the list alone is swapped"
    page.locator("#size_min").fill("30")
    page.locator("#size_min").press("Enter")
    expect(page.locator(".refused")).to_have_count(0)
    expect(page).to_have_url(re.compile("size_min=30&size_max=40$"))


def test_an_export_says_that_it_is_prepared(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    page.locator("#open-more").click()
    excel = page.locator("[data-export][href*=xlsx]")
    with page.expect_download():
        excel.click()
    expect(page.get_by_text("The file is being prepared.")).to_be_visible()
