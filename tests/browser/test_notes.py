"""A defect is reported from a room, done, and several notes at once; and a room is left alone for today."""

import pytest
from playwright.sync_api import expect

from notes.lists import NOTES
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.accessibility import assert_accessible
from tests.helpers.browsing import NewPage, demo, wait_until
from tests.helpers.notes import make_note, store

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
ROOM, NOTES_OF = "/hotels/seaside/rooms/101/", "/hotels/seaside/notes/"


def fill() -> None:
    demo()
    store(*(make_note(f"n-{n}", f"Note {n}", hotel_id="seaside") for n in range(3)))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_defect_is_reported_and_done_with_and_without_scripts(new_page: NewPage, scripts: bool) -> None:  # noqa: FBT001
    page = new_page(scripts=scripts)
    page.goto(ROOM)
    page.click("text=Report a defect")
    page.fill("[name=text]", "The lamp is broken")
    page.click("main form.entries button.primary")
    expect(page.locator(".of-room", has_text="The lamp is broken")).to_be_visible()
    page.goto("/hotels/seaside/jobs/")
    row = page.locator("tr[data-row]", has_text="The lamp is broken")
    row.get_by_role("button", name="Mark done").press("Enter")
    expect(page.locator("[role=status]", has_text="1 job was marked done.")).to_be_visible()
    expect(row).to_have_count(0)
    page.goto(NOTES_OF)
    if scripts:
        page.click("#open-more")
        page.check("#selecting")
        page.keyboard.press("Escape")
    for number in (0, 1):
        page.check(f"[name=note][value=n-{number}]")
    page.locator("#bulk").get_by_role("button", name="Mark done").click()
    expect(page.get_by_text("2 notes were marked done.")).to_be_visible()
    found = {note.note_id for note in NOTES.query(hotel_id="seaside").where(status="open")}
    assert {name for name in found if name.startswith("n-")} == {"n-2"}


def test_where_a_thing_lies_is_asked_of_lost_things_alone(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{NOTES_OF}add/")
    place, owner = page.locator("[name=place]"), page.locator("[name=handed_to]")
    expect(place).to_be_hidden()
    expect(owner).to_be_hidden()
    page.select_option("[name=kind]", "lost-and-found")
    expect(place).to_be_visible()
    expect(owner).to_be_visible()
    page.select_option("[name=kind]", "job")
    expect(place).to_be_hidden()


def test_a_room_is_left_alone_by_its_menu_and_shows_it(new_page: NewPage) -> None:
    commands.set_status("seaside", "101", StatusChange(Housekeeping.DIRTY, Service.IN_SERVICE), "anna")
    page = new_page()
    page.goto("/hotels/seaside/rooms/?number=10")
    row, menu = page.locator("#row-101"), page.locator("#others")
    for name, gone in (("Do not disturb", ""), ("No service wanted", "Do not disturb")):
        row.locator(".others").focus()
        page.keyboard.press("Enter")
        menu.get_by_role("button", name=name).press("Enter")
        expect(row.locator(f".status.{name.lower().replace(' ', '-')}")).to_have_count(1)
        expect(page.locator("#list-status")).to_have_text(f"Room 101 today: {name}.")
        if gone:
            expect(row.locator(".status.do-not-disturb")).to_have_count(0)
        assert_accessible(page, "#row-101")
    row.locator(".others").click()
    report = menu.get_by_role("link", name="Report a defect")
    expect(report).to_have_attribute("href", f"{NOTES_OF}add/?kind=job&about=room:101")
    expect(menu.get_by_role("button", name="No service wanted")).to_be_hidden()
    menu.get_by_role("button", name="Clean as usual").click()
    expect(row.locator(".status.no-service-wanted")).to_have_count(0)
    wait_until(page, lambda: not (plan := queries.room("seaside", "101").plan) or not plan.left_alone)
