"""The page for the next shift of a hotel: notes, changes, repairs, rush rooms and waiting orders, in two waves."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.schema.keys import now
from orders import commands as orders
from orders.lists import stored_order
from orders.statuses import Status
from portal.history.commands import entry_put
from portal.history.entities import FieldChange, HistoryEntry, How, What
from portal.history.keys import thing
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Priority, Service
from tests.helpers.days import DAYS, RUSHED, URGENT, make_days, on
from tests.helpers.markup import get
from tests.helpers.orders import make_order, store
from tests.helpers.people import permit
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import edit_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HANDOVER = f"/hotels/{ABC}/handover/"
PARIS = "Europe/Paris"


def fill() -> None:
    """A note of today on an order and on room 102, one from a file on room 103, a repair, two rush rooms."""
    today = today_in(PARIS)
    old = make_room("103", note="The key sticks", housekeeping=Housekeeping.DIRTY)
    make_hotel([*(make_room(str(number)) for number in (101, 102, 104, 105)), old, make_room("106", note="Unseen")])
    broken = StatusChange(service=Service.OUT_OF_ORDER, reason="Tap", until=today - timedelta(days=1), responsible="Bo")
    commands.set_status(ABC, "101", broken, "anna")
    for note in ("First", "A cot"):
        room = queries.room(ABC, "102")
        edit_room(room, replace(room, note=note), "anna")
    rush = StatusChange(day=today, priority=Priority.RUSH)
    commands.set_status(ABC, "104", rush, "anna")
    commands.set_status(ABC, "105", replace(rush, housekeeping=Housekeeping.DIRTY), "anna")
    store([make_order("o-1"), make_order("o-2", status=Status.DELIVERED)])
    order = stored_order("o-1")
    orders.note_order(order, replace(order, note="Ring twice"), "bruno")


def test_everything_that_the_next_shift_has_to_know_is_on_one_page_in_two_waves(manager: Client) -> None:
    page = get(manager, HANDOVER)
    notes = page.text(":has(> #notes-title), section:has(#notes-title)")
    for shown in ("Room 102 A cot anna", "Order o-1 Ring twice bruno", "Room 103 The key sticks"):
        assert shown in notes
    assert not {"First", "Unseen"} & set(notes.split()), "replaced, and of a room that is in no list of today"
    assert "101 Tap Bo" in page.text("section:has(#repairs-title) li")
    rush = [" ".join(row.get_text(" ").split()) for row in page.soup.select("section:has(#rush-title) li")]
    assert rush == ["Room 104 Clean Nobody", "Room 105 Dirty Nobody"]
    assert [link.get_text() for link in page.soup.select("section:has(#orders-title) li a")] == ["o-1"]
    assert "anna" in page.text("section:has(#changes-title)")
    assert page.cost("waves") <= 3, "the hotel, then all else; a session before both"


def test_each_part_needs_its_permission(newcomer: Client, dana: User) -> None:
    permit(dana, "hotels.view_hotel")
    page = get(newcomer, HANDOVER)
    assert not page.soup.select("#repairs-title, #rush-title, #orders-title")
    assert not {"cot", "twice", "sticks"} & set(page.soup.get_text(" ").split())
    permit(dana, "hotels.view_hotel", "orders.view_order")
    page = get(newcomer, HANDOVER)
    assert "Ring twice" in page.text("section:has(#notes-title)")
    assert "A cot" not in page.soup.get_text(" ")


def test_the_handover_is_that_of_today_and_of_a_shift(manager: Client) -> None:
    make_days("far")
    for note, hours in {"early": 13, "late": 11}.items():
        at, changes = now() - timedelta(hours=hours), (FieldChange("note", "", f"Note {note}"),)
        about: dict[str, Any] = {"thing": thing("room", "far", "201"), "hotel_id": "far", "by": "anna"}
        entry = HistoryEntry(**about, at=at, how=How.PORTAL, what=What.CHANGED, changes=changes)
        entry_put(entry).send()
    page = get(manager, "/hotels/far/handover/")
    rush = [" ".join(row.get_text(" ").split()) for row in page.soup.select("section:has(#rush-title) li")]
    names = {URGENT: "Dirty Nobody", RUSHED: "Clean Amy Zorn"}
    assert sorted(rush) == [f"Room {on('today', end)[0]} {words}" for end, words in names.items()]
    jobs = [" ".join(row.get_text(" ").split()) for row in page.soup.select("section:has(#repairs-title) li")]
    assert [job.partition(" Until ")[2].split()[0] for job in jobs] == [*DAYS.values()], "also those that end later"
    assert ["overdue" in job for job in jobs] == [True, False, False]
    assert "Note late" in page.text("section:has(#notes-title)")
    assert "Note early" not in page.soup.get_text(), "it is older than a shift"


def test_what_a_list_leaves_out_is_behind_its_link(manager: Client) -> None:
    today = today_in(PARIS)
    numbers = [str(number) for number in range(301, 316)]
    for number in numbers:
        rush = StatusChange(service=Service.OUT_OF_ORDER, reason="Tap", note="Cot", day=today, priority=Priority.RUSH)
        commands.save_rooms([rush.of(make_room(number))])
    page, lists = get(manager, HANDOVER), ("notes", "repairs", "rush")
    for name in lists:
        section = f"section:has(#{name}-title)"
        link, shown = page.element(f"{section} p a"), len(page.soup.select(f"{section} li"))
        whole = get(manager, f"{HANDOVER}{str(link['href']).partition('#')[0]}")
        assert whole.soup.select(str(link["href"]).partition("?all=on")[2]), "it leads to the list"
        found = len(whole.soup.select(f"{section} li"))
        assert f"And {found - shown} more" in link.get_text(), name
        assert {*numbers} <= {*whole.text(section).split()}, name
        assert not whole.soup.select(f"{section} p a")
