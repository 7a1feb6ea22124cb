"""The filters of lists in a real Chromium: folded on a phone, open on a desk, and with bad input."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.browsing import DESK, NewPage, assert_accessible_and_fitting

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOMS, REVIEWS = "/hotels/seaside/rooms/", "/hotels/seaside/reviews/"
PHONE = {"width": 390, "height": 844}
REFUSED = [
    f"{ROOMS}?size_min=50&size_max=40&view=odd&view=sea-view&number=%23&page_size=10",
    f"{REVIEWS}?rating=6&language=xx&page_size=10",
    "/hotels/?format=xml",
]


@pytest.mark.parametrize("scripts", [True, False])
def test_filters_are_folded_on_a_phone_and_always_open_on_a_desk(new_page: NewPage, scripts: bool) -> None:
    page = new_page(scripts=scripts, viewport=PHONE)
    for path in (REVIEWS, f"{ROOMS}?view=sea-view&size_min=20&sort=size&then=type"):
        page.goto(path)
        expect(page.locator("#view-sea-view, #rating-5").first).to_be_hidden()
        for number in range(2 if scripts else 1):  # without scripts, the links of the sidebar come first
            box = page.locator("tr[data-row]").nth(number).bounding_box()
            assert box, path
            assert box["y"] + box["height"] <= PHONE["height"], path
    page.set_viewport_size(DESK)
    expect(page.locator(".fold")).to_be_hidden()
    expect(page.locator("#view-sea-view")).to_be_visible()
    expect(page.locator("#size_min")).to_be_visible()


def test_filters_stay_open_on_a_phone_while_they_are_set_by_keyboard(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(ROOMS)
    page.locator(".fold summary").press("Enter")
    page.locator("#view-sea-view").press("Space")
    expect(page).to_have_url(re.compile("view=sea-view"))
    expect(page.locator("#view-sea-view")).to_be_focused()
    expect(page.locator(".fold summary")).to_have_text("Filters (1 set)")
    page.locator("#size_min").fill("30")
    page.locator("#size_min").press("Enter")
    expect(page).to_have_url(re.compile("size_min=30"))
    expect(page.locator("#size_min")).to_be_focused()
    expect(page.locator(".fold summary")).to_have_text("Filters (2 set)")
    page.locator(".fold summary").press("Enter")
    page.select_option("#sort", "-size")
    expect(page).to_have_url(re.compile("sort=-size"))
    expect(page.locator("#view-sea-view")).to_be_hidden()


def test_filters_are_set_on_a_phone_without_javascript(new_page: NewPage) -> None:
    page = new_page(scripts=False, viewport=PHONE)
    page.goto(ROOMS)
    page.locator(".fold summary").press("Enter")
    page.locator("#view-sea-view").press("Space")
    page.locator("#size_max").fill("40")
    page.locator("#size_max").press("Enter")
    expect(page).to_have_url(re.compile("view=sea-view.*size_max=40"))
    expect(page.locator(".fold summary")).to_have_text("Filters (2 set)")


def test_bad_input_keeps_the_list_and_the_focus(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{ROOMS}?view=sea-view")
    page.evaluate("window.stayed = true")
    page.locator(".fold summary").press("Enter")
    page.fill("#size_max", "40")
    page.fill("#size_min", "50")
    page.locator("#size_min").press("Enter")
    expect(page.locator("[data-problem=size_min]")).to_be_visible()
    expect(page.locator(".refused")).to_have_attribute("role", "alert")
    expect(page.locator("#size_min_error")).to_contain_text("above the largest")
    expect(page.locator("#size_min")).to_be_focused()
    expect(page.locator("#list-problem")).to_be_hidden()
    expect(page).to_have_url(re.compile("size_min=50"))
    assert page.evaluate("window.stayed"), "the list alone is swapped"
    expect(page.locator("tr[data-row]").first).to_be_visible()
    page.locator("#size_min").fill("30")
    page.locator("#size_min").press("Enter")
    expect(page.locator(".refused")).to_have_count(0)
    expect(page).to_have_url(re.compile("size_min=30&size_max=40$"))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_problem_opens_the_filters_on_a_phone(new_page: NewPage, scripts: bool) -> None:
    page = new_page(scripts=scripts, viewport=PHONE)
    page.goto(ROOMS)
    page.locator(".fold summary").press("Enter")
    page.fill("#size_min", "99999")
    page.locator(".fold summary").press("Enter")
    page.select_option("#sort", "size")
    if not scripts:
        page.locator("text=Apply").press("Enter")
    expect(page.locator("#size_min_error")).to_be_visible()
    expect(page.locator("#size_min")).to_have_value("99999")
    expect(page.locator("tr[data-row]").first).to_be_visible()


def test_a_bad_cursor_of_a_link_shows_the_first_page(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    page.locator("#page-next").focus()
    page.evaluate("htmx.ajax('GET', '?cursor=x', {source: '#page-next', target: '#list'})")
    expect(page.locator("[data-problem=cursor]")).to_be_visible()
    expect(page.locator("nav.pager .range")).to_have_text(re.compile("1–25 of 240"))
    expect(page.locator("#page-next")).to_be_focused()
    page.click("text=Reset the list")
    expect(page).to_have_url(re.compile("/rooms/$"))
    expect(page.locator("#list")).to_be_focused()


def test_no_page_needs_eval(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ROOMS)
    assert page.evaluate("htmx.config.allowEval") is False
    page.evaluate("window.refused = 0")
    page.evaluate("document.addEventListener('htmx:evalDisallowedError', () => window.refused++)")
    page.fill("#size_min", "30")
    page.fill("#size_max", "40")  # the change of a number sends nothing before Apply
    page.locator("#view-sea-view").press("Space")
    expect(page).to_have_url(re.compile("view=sea-view&size_min=30&size_max=40"))
    page.select_option("#page_size", "10")
    expect(page).to_have_url(re.compile("page_size=10"))
    page.click(".switcher summary")
    expect(page.locator("#switcher-links a")).to_have_count(3)
    assert page.evaluate("window.refused") == 0


def test_a_list_with_problems_is_accessible_and_fits_a_phone(new_page: NewPage) -> None:
    page = new_page()
    for path in REFUSED:
        page.goto(path)
        expect(page.locator("[data-problem]").first).to_be_attached()
        assert_accessible_and_fitting(page)


def test_open_filters_are_accessible_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{ROOMS}?view=sea-view&page_size=10")
    page.click(".fold summary")
    assert_accessible_and_fitting(page)
