"""Lists and start pages show what others change while they are seen, in a real Chromium. Anna is the other person."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from portal.access import StaffMixin
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.accessibility import assert_accessible, assert_fitting
from tests.helpers.browsing import NewPage, log_in, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ATTENTION, CHANGED = "/hotels/seaside/attention/?status=dirty", "/hotels/seaside/changed/"
DIRTY, CLEAN = (StatusChange(state, Service.IN_SERVICE) for state in (Housekeeping.DIRTY, Housekeeping.CLEAN))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask often."""
    monkeypatch.setattr(StaffMixin, "look_seconds", 0.2)


def by_anna(number: str, change: StatusChange) -> None:
    commands.set_status("seaside", number, change, "anna")


def looks(page: Page) -> list[str]:
    """Return the looks of the page from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if CHANGED in request.url else None)
    return asked


def numbers(page: Page) -> list[str]:
    return list(page.locator("tr[data-row]").evaluate_all("rows => rows.map(row => row.dataset.row)"))


def test_two_people_at_one_list_see_each_other_and_nothing_moves(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ATTENTION)
    listed = numbers(page)
    first, second, third = listed[:3]
    new = next(room.number for room in queries.rooms_by_number("seaside", "1", 60) if room.number not in listed)
    total = int(page.locator(".lead strong").inner_text())
    page.hover(f"#row-{second}")
    place = page.locator(f"#row-{second}").bounding_box()
    page.focus(f"#housekeeping-{third}-clean")
    for number in (first, second, third):
        by_anna(number, CLEAN)
    by_anna(new, DIRTY)
    expect(page.locator(f"#row-{first} .left")).to_have_text("Left this list")
    expect(page.locator(".lead strong")).to_have_text(str(total - 2))
    expect(page.locator("#fresh-line")).to_contain_text("4 changes by others.")
    expect(page.get_by_role("status").last).to_contain_text("changed by others, 1 new.")
    assert numbers(page) == listed, "no row is moved, added or taken away"
    assert page.locator(f"#row-{second}").bounding_box() == place
    expect(page.locator(".left"), "what is touched waits").to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.locator(f"#row-{second} .left")).to_be_visible()
    expect(page.locator(f"#housekeeping-{third}-clean")).to_be_focused()
    assert_accessible(page, "main")
    page.get_by_role("button", name="Show them").click()
    expect(page.locator(f"#row-{new}")).to_be_visible()
    assert not {first, second, third} & {*numbers(page)}
    expect(page.locator("#fresh-line")).to_be_hidden()


def test_a_row_that_others_change_is_drawn_anew_with_its_tick_and_an_own_tap_keeps_its_undo(
    new_page: NewPage,
) -> None:
    by_anna("101", CLEAN)
    page = new_page()
    page.goto("/hotels/seaside/rooms/?number=10")
    page.hover("#row-101")
    page.check("[name=room][value='101']")
    page.hover("#row-102")
    page.click("#row-102 .next")
    page.locator("h1").click()
    by_anna("101", DIRTY)
    expect(page.locator("#row-101 .status.dirty")).to_be_visible()
    expect(page.locator("[name=room][value='101']")).to_be_checked()
    expect(page.locator("#row-102 .undo")).to_be_visible()
    page.locator("#row-102 .undo").click()
    expect(page.locator("#row-102 .outcome")).to_contain_text("again")
    page.goto(ATTENTION)
    total, first = int(page.locator(".lead strong").inner_text()), numbers(page)[0]
    page.click(f"#housekeeping-{first}-clean")
    expect(page.locator(".lead strong")).to_have_text(str(total - 1))
    expect(page.locator(f"#row-{first} .undo")).to_be_visible()
    expect(page.locator(".left")).to_have_count(0)
    assert_fitting(page)


def test_a_hidden_page_asks_nothing_and_a_start_page_follows_when_it_is_seen_again(new_page: NewPage) -> None:
    by_anna("101", CLEAN)
    page = new_page()
    page.goto("/hotels/seaside/")
    asked = looks(page)
    wait_until(page, lambda: asked)
    page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_load_state("networkidle")
    asked.clear()
    by_anna("101", DIRTY)
    page.wait_for_timeout(600)  # three looks
    assert asked == []
    page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("section", has_text="Latest changes")).to_contain_text("anna changed Room 101")


def test_looks_get_rarer_while_they_fail_and_end_with_the_right_to_look_or_an_hour_without_input(
    new_page: NewPage, browser: Browser, live_server: LiveServer, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's clock is the test's, so it is a page of its own. Up to 15% of each delay is taken off by chance."""
    monkeypatch.setattr(StaffMixin, "look_seconds", 15)
    new_page()
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    page.clock.install()
    log_in(page, alice, live_server.url)
    answer = [204]
    page.route(f"**{CHANGED}*", lambda route: route.fulfill(status=answer[0]))

    def look(seconds: int, status: int) -> None:
        """Let time pass, and answer the look that begins in it."""
        answer[0] = status
        with page.expect_response(lambda response: CHANGED in response.url):
            page.clock.fast_forward(1000 * seconds)

    def no_look(seconds: int) -> None:
        page.evaluate("calls = 0")
        page.clock.fast_forward(1000 * seconds)
        assert page.evaluate("calls") == 0

    page.goto("/hotels/seaside/")
    page.evaluate("calls = 0, plain = fetch, fetch = (...given) => (calls += 1, plain(...given))")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    look(15, 503)
    no_look(25)
    look(5, 503)
    no_look(50)
    look(10, 204)
    look(15, 204)  # as often as before
    look(3600, 204)
    no_look(60)
    page.mouse.move(10, 10)
    look(1, 404)
    page.mouse.move(20, 20)
    no_look(600)
    context.close()
