"""What the guest of a room wants today: do not disturb, or no service. Who cleans says so by the row's menu."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from portal.people import person_id
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Priority
from tests.conftest import logged_in
from tests.helpers.days import make_housekeeper
from tests.helpers.markup import entry_of, get
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PARIS, PAGES = "Europe/Paris", f"/hotels/{ABC}/"
MINE, PLAN, STATUS = f"{PAGES}my-rooms/", f"{PAGES}plan/", f"{PAGES}rooms/101/status/"


@pytest.fixture
def hana(empty_tables: None, db: None) -> User:
    """Who has the dirty rooms 101 and 102 today."""
    user = make_housekeeper("hana", "Hana Novak")
    make_hotel([make_room(number, housekeeping=Housekeeping.DIRTY) for number in ("101", "102", "103")])
    for number in ("101", "102"):
        commands.set_status(ABC, number, StatusChange(day=today_in(PARIS), assignee=person_id(user)), "sam")
    return user


def tap(client: Client, wish: str) -> Any:
    sent = {"list": "my_rooms?", "priority": wish, "initial-housekeeping": "dirty"}
    return client.post(STATUS, sent, headers={"HX-Request": "true"})


@pytest.mark.parametrize("wish", ["do-not-disturb", "no-service-wanted"])
def test_a_room_is_left_alone_today_and_cleaned_tomorrow(hana: User, manager: Client, wish: str) -> None:
    client, words = logged_in(hana), wish.replace("-", " ").capitalize()
    answer = tap(client, wish)
    assert (answer.status_code, f"Room 101 today: {words}." in answer.content.decode()) == (200, True)
    assert f"{words}</span>" in answer.content.decode(), "the mark of the row"
    page = get(client, MINE)
    assert page.rows == ["102", "101"]
    assert [heading.text for heading in page.soup.select(".floor h2")] == ["To do", "Not to clean today"]
    assert page.text(f'[data-row="101"] .status.{wish}') == words
    assert page.text("[data-live=done] strong") == "0 of 1 done"
    page = get(manager, f"{PLAN}?status={wish}")
    assert (page.rows, "0 of 1 done" in page.text(".shares")) == (["101"], True)
    assert f"Not to clean today: 1 {words}" in get(manager, f"{PAGES}handover/").text("main")
    room = queries.room(ABC, "101", consistent=True)
    assert room.plan
    assert room.plan.assignee == person_id(hana), "who has the room keeps it"
    tomorrow = today_in(PARIS) + timedelta(days=1)
    assert not room.planned_on(tomorrow).left_alone
    tap(client, "normal")
    assert "0 of 2 done" in get(client, MINE).text("main")


def test_a_room_of_nobody_that_is_left_alone_is_not_waiting_for_somebody(hana: User, manager: Client) -> None:
    assert get(manager, f"{PLAN}?status=unassigned").rows == ["103"]
    wish = StatusChange(day=today_in(PARIS), priority=Priority.NO_SERVICE)
    commands.set_status(ABC, "103", wish, "hana")
    assert get(manager, f"{PLAN}?status=unassigned").rows == []
    commands.set_status(
        ABC, "103", StatusChange(day=today_in(PARIS) - timedelta(days=1), priority=Priority.NO_SERVICE), "hana"
    )
    assert get(manager, f"{PLAN}?status=unassigned").rows == ["103"], "that was yesterday"


def test_without_scripts_the_page_of_the_status_has_the_same(hana: User) -> None:
    client = logged_in(hana)
    page = get(client, STATUS)
    assert client.post(STATUS, {**entry_of(page), "priority": "do-not-disturb"}).status_code == 302
    room = queries.room(ABC, "101", consistent=True)
    assert room.planned_on(today_in(PARIS)).priority == Priority.DO_NOT_DISTURB
    assert room.housekeeping == Housekeeping.DIRTY
    assert client.post(STATUS, {"list": "my_rooms?", "priority": "never"}).status_code == 400
