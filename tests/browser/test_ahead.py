"""What is fetched ahead in a real Chromium: once, used without a second request, and never after a change."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from dynamodb_lists.tests.helpers.waiting import eventually
from hotelapp.operations.request_lines import RequestLine, finished
from tests.helpers.browsing import NewPage, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS = "/hotels/seaside/rooms/?page_size=10"
ROW, TAP = "tr[data-row] th a", ".tap button.next"
"""The link of a row, whose focus shows the button of the row."""
Asked = list[tuple[str, bool]]

HOLD_TIMERS = """() => {
    const usual = window.setTimeout;
    window.held = {};
    window.setTimeout = (called, wait, ...given) =>
        [65, 5000].includes(wait) ? (held[wait] = () => called(...given), 0) : usual(called, wait, ...given);
}"""
"""A test says when the pointer has rested, and when what is fetched ahead is too old. A slow machine may take longer to
move the pointer off the pager of the page that comes, where it would rest too.
"""

SUBMIT = """() => {
    const form = document.querySelector("form[action$='/logout/']");
    form.dispatchEvent(new Event("submit", { bubbles: true }));
}"""
"""A form is sent, to another window, say: the page stays."""


@pytest.fixture
def asked() -> Iterator[Asked]:
    """The pages of rooms that the server was asked for: the name of each, and whether ahead."""
    pages: Asked = []

    def note(line: RequestLine, **_: Any) -> None:
        if line.view.startswith("rooms:"):
            pages.append((line.view, line.ahead))

    finished.connect(note)
    yield pages
    finished.disconnect(note)


def turned(
    page: Page, asked: Asked, *, by: str, expected: Asked, before: Callable[[Page], object] = lambda _: None
) -> bool:
    """Rest on a link of the pager until its page is there, do something else, and turn the page.

    Returns whether the server was asked for the expected pages and no others.
    """
    first = page.locator("[data-row]").first.get_attribute("data-row")
    link = page.locator(by)
    asked.clear()
    link.hover()
    page.evaluate("() => held[65]()")
    assert eventually(lambda: len(asked) == 1)
    before(page)
    link.press("Enter")
    expect(page.locator("[data-row]").first).not_to_have_attribute("data-row", str(first))
    page.mouse.move(0, 0)  # the next page that is opened has nothing under the pointer
    return eventually(lambda: sorted(asked) == sorted(expected))  # an answer is noted after it is shown


def tap(page: Page) -> None:
    page.locator(ROW).first.focus()
    page.locator(TAP).first.press("Enter")
    expect(page.locator("#list-status")).to_contain_text("Room")


def test_what_was_fetched_ahead_is_dropped_when_it_is_old_and_when_a_form_is_sent(
    new_page: NewPage, asked: Asked
) -> None:
    page, again = new_page(), [("rooms:rooms", True), ("rooms:rooms", False)]
    page.goto(ROOMS)
    for over in ("() => held[5000]()", SUBMIT):
        page.goto(ROOMS)
        page.evaluate(HOLD_TIMERS)
        assert turned(page, asked, by="#page-next", before=lambda page, over=over: page.evaluate(over), expected=again)  # type: ignore[misc]


def test_what_was_fetched_while_a_change_was_under_way_is_dropped(new_page: NewPage, asked: Asked) -> None:
    page, held = new_page(), list[Route]()
    page.goto(ROOMS)
    page.evaluate(HOLD_TIMERS)
    page.route("**/status/", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks for its code
    page.locator(ROW).first.focus()
    page.locator(TAP).first.press("Enter")
    wait_until(page, lambda: held)

    def end(page: Page) -> None:
        held[0].continue_()
        expect(page.locator("#list-status")).to_contain_text("Room")

    wanted = [("rooms:rooms", True), ("rooms:status", False), ("rooms:rooms", False)]
    assert turned(page, asked, by="#page-next", before=end, expected=wanted)


def test_what_was_fetched_before_a_change_is_dropped_as_soon_as_that_is_sent(new_page: NewPage, asked: Asked) -> None:
    """The change may be stored long before its answer comes. A page with progress sends its form by itself."""
    page, held = new_page(), list[Route]()
    page.goto(ROOMS)
    page.evaluate(HOLD_TIMERS)
    page.route("**/status/", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks for its code

    def begin(page: Page) -> None:
        page.evaluate("() => void htmx.ajax('POST', '101/status/', {target: '#list-status', swap: 'none'})")
        wait_until(page, lambda: held)

    assert turned(page, asked, by="#page-next", before=begin, expected=[("rooms:rooms", True), ("rooms:rooms", False)])
    held[0].fulfill(status=204)


def test_the_next_page_is_fetched_once_and_not_after_a_change(new_page: NewPage, asked: Asked) -> None:
    rooms, ahead = ("rooms:rooms", False), ("rooms:rooms", True)
    page = new_page()
    page.goto(ROOMS)
    page.evaluate(HOLD_TIMERS)
    assert turned(page, asked, by="#page-next", expected=[ahead])
    expect(page).to_have_url(re.compile("cursor="))
    assert turned(page, asked, by="#page-prev", expected=[ahead])
    assert turned(page, asked, by="#page-next", before=tap, expected=[ahead, ("rooms:status", False), rooms])
    page.goto(ROOMS)

    def refuse(route: Route) -> None:
        if route.request.headers.get("purpose"):
            route.abort()
        else:
            route.continue_()

    page.route("**/rooms/**", refuse)
    asked.clear()
    with page.expect_event("requestfailed"):
        page.locator("#page-next").hover()
    page.locator("#page-next").click()
    expect(page).to_have_url(re.compile("cursor="))
    assert eventually(lambda: asked == [rooms])


def test_a_hit_is_fetched_by_the_browser_and_not_after_another_tab(new_page: NewPage, asked: Asked) -> None:
    room, ahead = ("rooms:room", False), ("rooms:room", True)
    page = new_page()
    for elsewhere, expected in ((False, [ahead]), (True, [ahead, room])):
        page.goto("/search/?q=101&hotel=seaside")
        asked.clear()
        page.locator("[data-list=rooms] a >> nth=0").hover()
        assert eventually(lambda: asked == [ahead])
        if elsewhere:  # in another tab, where something may be changed
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.locator("[data-list=rooms] a >> nth=0").press("Enter")
        expect(page.locator("h1")).to_contain_text("Room 101")
        assert eventually(lambda expected=expected: asked == expected)  # type: ignore[misc]
