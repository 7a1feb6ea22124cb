"""The status of rooms and bulk changes in a real Chromium: by mouse and by keyboard, and on a slow network."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.accessibility import (
    assert_accessible,
    assert_accessible_and_fitting,
    assert_fitting,
    assert_legible_in_the_dark,
)
from tests.helpers.browsing import NewPage, enter, wait_until
from tests.helpers.writes import delete_room

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOMS, ATTENTION = "/hotels/seaside/rooms/", "/hotels/seaside/attention/"


@pytest.mark.core
def test_one_tap_by_keyboard_keeps_the_focus_and_the_selection_is_announced_and_undone(new_page: NewPage) -> None:
    commands.set_status("seaside", "101", StatusChange(Housekeeping.DIRTY, Service.IN_SERVICE), "anna")
    page = new_page()
    page.goto(f"{ROOMS}?number=10")
    box = page.locator("td.tick input").first
    expect(box, "still there for screen readers").to_have_css("opacity", "0")
    page.click("#open-more")
    page.check("#selecting")
    expect(box, "all boxes, for who asks for them").to_have_css("opacity", "1")
    page.uncheck("#selecting")
    page.keyboard.press("Escape")
    page.hover("#row-102")
    page.check("[name=room][value='102']")
    page.focus("#row-101 th a")
    page.keyboard.press("Tab")
    length, button = page.evaluate("history.length"), page.locator("#housekeeping-101-clean")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("history.length") == length, "a tap is no step of the Back button"
    expect(button).to_be_focused()
    expect(page.locator("#list-status")).to_contain_text("Room 101 is clean.")
    expect(page).to_have_url(re.compile(r"\?number=10"))
    expect(page.locator("tbody .tick :checked")).to_have_count(1)
    assert not queries.room("seaside", "101").needs_attention
    row = page.locator("tr[data-row='101']")
    assert_accessible(page, "tr[data-row='101']")
    assert_legible_in_the_dark(page, "tr[data-row='101']")
    row.locator(".undo").press("Enter")
    expect(row.locator(".outcome")).to_have_text("Dirty again.")
    expect(button).to_be_focused()
    expect(page.locator("#list-status")).to_have_text("Room 101 is dirty again.")
    assert queries.room("seaside", "101").needs_attention


def test_the_other_steps_are_in_one_menu_by_key(new_page: NewPage) -> None:
    commands.set_status("seaside", "101", StatusChange(Housekeeping.CLEAN, Service.IN_SERVICE), "anna")
    page = new_page()
    page.goto(f"{ROOMS}?number=10")
    others, menu = page.locator("#row-101 .others"), page.locator("#others")
    expect(others).to_have_css("opacity", "0")
    page.focus("#row-101 th a")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(others).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("button", name="Mark dirty")).to_be_focused()
    expect(menu.locator("p")).to_have_text("Room 101")
    expect(menu.get_by_role("button")).to_have_text(["Mark dirty", "Mark inspected"])
    assert_accessible(page, "#others")
    page.keyboard.press("Escape")
    expect(others).to_be_focused()
    page.keyboard.press("Space")
    expect(menu).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(menu, "who leaves the menu closes it").to_be_hidden()
    others.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#row-101 [data-outcome]")).to_have_text("Dirty, was clean.")
    assert queries.room("seaside", "101").housekeeping == "dirty"


def box(page: Page, number: str, state: str) -> Any:
    return page.locator(f"#housekeeping-{number}-{state}").bounding_box()


def test_two_taps_at_one_place_change_one_room_which_stays(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?status=dirty")
    first, second = (str(page.locator("tr[data-row]").nth(n).get_attribute("data-row")) for n in range(2))
    page.locator(f"#housekeeping-{second}-clean").scroll_into_view_if_needed()
    places = [box(page, number, "clean") for number in (first, second)]
    x, y = places[0]["x"] + 5, places[0]["y"] + 5
    row = page.locator(f"tr[data-row='{first}']")
    for words in ("Clean, was dirty.", "Clean."):
        with page.expect_response("**/status/"):
            page.mouse.click(x, y)
        expect(row.locator(".outcome")).to_contain_text(words)
        assert [box(page, number, "clean") for number in (first, second)] == places, "nothing moves"
        expect(page.locator(f"#housekeeping-{first}-clean")).to_be_focused()
    expect(page.locator("#list-status")).to_have_text(f"Room {first} is clean.")
    changed = queries.room("seaside", first)
    assert (changed.housekeeping, queries.room("seaside", second).housekeeping) == ("clean", "dirty")
    assert_fitting(page)


def test_what_becomes_of_a_tap_that_fails_is_said_at_its_row(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(ATTENTION)
    number = str(page.locator("tr[data-row]").first.get_attribute("data-row"))
    row = page.locator(f"tr[data-row='{number}']")
    page.route("**/status/", lambda route: route.fulfill(body="<html>Log in to this network</html>"), times=1)
    row.locator(".next").click()
    expect(row.get_by_role("alert")).to_contain_text("did not come from the portal")
    delete_room(queries.room("seaside", number, consistent=True), "anna")
    row.get_by_role("button", name="Send again").click()
    expect(row.get_by_role("alert")).to_contain_text("does not exist, or your account")
    expect(page).to_have_url(re.compile(f"{ATTENTION}$"))


def test_another_tap_while_the_first_is_under_way_is_made_after_it(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?status=dirty")
    row = page.locator("tr[data-row]").first
    held: list[Route] = []
    page.route("**/status/", lambda route: held.append(route), times=1)  # noqa: PLW0108  # Playwright asks for its code
    with page.expect_request("**/status/"):
        row.get_by_role("button", name="Mark clean").click()
    row.locator(".others").click()
    page.locator("#others").get_by_role("button", name="Mark inspected").click()
    wait_until(page, lambda: held)
    held[0].continue_()
    expect(row.locator("[data-outcome]")).to_have_text("Inspected, was clean.")


def test_a_floor_is_not_ticked_any_more_once_one_of_its_rooms_is_not(new_page: NewPage) -> None:
    page = new_page()
    page.goto(ATTENTION)
    floor, room = page.locator("tr.floor .tick input").first, page.locator("tbody td.tick input").first
    page.hover("tr.floor")
    floor.check()
    expect(room).to_be_checked()
    room.uncheck()
    expect(floor).not_to_be_checked()


def test_taps_on_a_slow_network_say_at_their_rows_what_becomes_of_them(new_page: NewPage) -> None:
    """Tap several rooms one after the other on a phone. A tap that fails can be sent again, and no row moves."""
    page = new_page(viewport={"width": 390, "height": 740})
    page.goto(ATTENTION)
    expect(page.locator("tr.floor h2").first).to_contain_text("Floor ")
    rows = [page.locator("tr[data-row]").nth(n) for n in range(3)]
    numbers = [str(row.get_attribute("data-row")) for row in rows]
    large = [row.locator(".next") for row in rows]
    places = [button.bounding_box() for button in large]
    assert all(place and place["height"] >= 48 for place in places)
    held: list[Route] = []
    sent: list[str] = []
    page.on("request", lambda request: sent.extend(re.findall(r"/rooms/(\w+)/status/$", request.url)))
    page.route("**/status/", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks for its code
    for button in (large[0], large[0], large[1]):
        button.click()
    for row in rows[:2]:
        expect(row.locator(".tap")).to_have_attribute("aria-busy", "true")
        expect(row.get_by_role("status")).to_have_text("Saving …")
    rows[2].get_by_role("link", name="Other steps").click()
    with page.expect_request("**/status/"):
        page.locator("#others").get_by_role("button", name="Mark inspected").click()
    expect(rows[2].get_by_role("status")).to_have_text("Saving …")
    wait_until(page, lambda: len(held) == 3)
    held[0].continue_()
    expect(rows[0].locator("[data-outcome]")).to_have_text("Clean, was dirty.")
    held[1].abort()
    expect(rows[1].get_by_role("alert")).to_contain_text("cannot be reached")
    part = '<div class="problem" role="alert" data-part-error><p>The portal is busy.</p></div>'
    held[2].fulfill(status=503, body=part, headers={"HX-Reselect": "[data-part-error]"})
    page.unroute("**/status/")
    rows[1].get_by_role("button", name="Send again").click()
    expect(rows[1].locator("[data-outcome]")).to_have_text("Clean, was dirty.")
    rows[2].get_by_role("button", name="Send again").click()
    expect(rows[2].locator("[data-outcome]")).to_have_text("Inspected, was dirty.")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert [button.bounding_box() for button in large] == places, "nothing moves"
    assert [queries.room("seaside", number).housekeeping for number in numbers] == ["clean", "clean", "inspected"]
    rows[0].get_by_role("button", name="Undo").click()
    expect(rows[0].locator("[data-outcome]")).to_have_text("Dirty again.")
    assert sent == [*numbers, *numbers[1:], numbers[0]], "the second tap on the same button is not sent"
    expect(page.locator("tr[data-row]").first).to_have_attribute("data-row", numbers[0])
    commands.set_status("seaside", numbers[1], StatusChange(Housekeeping.INSPECTED), "anna")
    rows[1].get_by_role("button", name="Undo").click()
    expect(rows[1].locator("[data-outcome]")).to_contain_text("anna has changed this since.")
    expect(rows[1].get_by_role("button", name="Send again")).to_have_count(0)
    rows[2].get_by_role("link", name="Other steps").click()
    page.locator("#others").get_by_role("link", name="Set out of order").click()
    expect(page.get_by_label("Reason")).to_be_visible()


def test_a_tap_after_the_session_ended_is_sent_again_after_the_login(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 740})
    page.goto(ATTENTION)
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    row = page.locator("tr[data-row]").first
    row.locator(".next").click()
    expect(row.get_by_role("alert")).to_contain_text("not logged in any more")
    expect(row.get_by_role("link", name="Log in in another window")).to_be_visible()
    tokens: list[Any] = [{**cookie, "value": "a" * 32} for cookie in cookies if cookie["name"] == "csrftoken"]
    page.context.add_cookies([*cookies, *tokens])  # type: ignore[list-item]  # as a login does
    row.get_by_role("button", name="Send again").click()
    expect(row.locator("[data-outcome]")).to_have_text("Clean, was dirty.")


def test_all_rooms_that_match_are_changed_with_a_progress_bar(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{ROOMS}?type=double&type=twin&page_size=10")
    number = page.locator("[data-list]").get_attribute("data-total")
    page.hover("#row-101, thead")
    page.check("[data-tick-all]")
    expect(page.locator("[name=room]:checked")).to_have_count(10)
    page.click("#open-more")
    page.click("button[name=all]")
    expect(page.locator(".lead")).to_contain_text(f"{number} rooms of Grand Seaside Hotel")
    page.select_option("#new-action", "rate-percent")
    expect(page.locator("#new-view")).to_be_hidden()
    enter(page, "#new-rate_percent", "10")
    page.click("text=Preview")
    expect(page.locator("#preview tr[data-row]")).to_have_count(50)
    page.click("#preview a[rel=next]")
    expect(page.locator("#preview nav")).to_contain_text(f"of {number}")
    assert_accessible_and_fitting(page)
    first = page.locator("#preview [data-row]").first.get_attribute("data-row")
    before = queries.room("seaside", str(first)).rate
    page.click(f"text=Change {number} rooms")
    expect(page.locator("#bulk [role=status]")).to_contain_text(f"Done: {number} of {number} rooms")
    expect(page.locator("progress")).to_have_attribute("value", str(number))
    assert queries.room("seaside", str(first)).rate == pytest.approx(before * 11 / 10, abs=1)
    assert_accessible_and_fitting(page)
    assert_legible_in_the_dark(page, "#bulk")
