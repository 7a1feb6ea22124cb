"""What is said of today, of rooms of yesterday, today and tomorrow, in a hotel whose day is not UTC's."""

import csv
from datetime import date
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client

from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Service
from tests.conftest import logged_in
from tests.helpers.days import CLEANED, REPAIR, RUSHED, TO_CLEAN, UNDISTURBED, URGENT, make_days, on
from tests.helpers.markup import get
from tests.helpers.rooms import ABC, make_room
from tests.helpers.writes import delete_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PLAN, MINE, ROOMS = (f"/hotels/{ABC}/{page}/" for page in ("plan", "my-rooms", "rooms"))
TABS = {
    "": on("today", CLEANED, RUSHED),
    "unassigned": [
        *on("yesterday", TO_CLEAN, URGENT, UNDISTURBED),
        *on("today", URGENT),
        *on("tomorrow", TO_CLEAN, URGENT, UNDISTURBED),
    ],
    "assigned": on("today", TO_CLEAN, CLEANED, UNDISTURBED, REPAIR, RUSHED),
    "rush": on("today", URGENT, RUSHED),
    "do-not-disturb": on("today", UNDISTURBED),
}
"""The rooms of each tab of the plan. Who has a room on another day hides no dirty one, and is in no list."""


@pytest.fixture
def people(empty_tables: None) -> tuple[User, User]:
    return make_days()


@pytest.mark.usefixtures("people")
def test_the_plan_is_that_of_today_and_its_people_are_by_name(manager: Client) -> None:
    for tab, numbers in TABS.items():
        page = get(manager, f"{PLAN}?status={tab}")
        assert page.rows == numbers, tab
        assert f"({len(numbers)})" in page.text(".tabs [aria-current]"), tab
    shares = [" ".join(each.text.split()) for each in page.soup.select(".shares li > :not(progress)")]
    assert shares == ["Amy Zorn", "2 of 2 done", "Zoe Abel", "0 of 2 done"], "nobody cleans what is out of order"
    amy = str(page.soup.select(".shares a")[0]["href"])
    assert get(manager, PLAN + amy.rpartition("/")[2]).rows == on("today", CLEANED, RUSHED)


def test_ones_rooms_are_those_of_today_and_a_room_out_of_order_is_none_to_clean(people: tuple[User, User]) -> None:
    client = logged_in(people[0])
    assert client.get("/")["Location"] == MINE
    page = get(client, MINE)
    assert page.rows == on("today", TO_CLEAN, UNDISTURBED, REPAIR)
    assert [heading.text for heading in page.soup.select(".floor h2")] == ["To do", "Out of order"]
    assert page.text("[data-live=done] strong") == "0 of 2 done"
    for number in on("today", TO_CLEAN, UNDISTURBED):
        client.post(f"{ROOMS}{number}/status/", {"list": "my_rooms?", "housekeeping": "clean"})
    assert get(client, MINE).text("[data-live=done] strong") == "2 of 2 done"
    for number in on("today", TO_CLEAN, UNDISTURBED, REPAIR):
        delete_room(queries.room(ABC, number, consistent=True), "anna")
    assert client.get("/")["Location"] == f"/hotels/{ABC}/", "rooms of other days alone lead nobody to them"


@pytest.mark.usefixtures("people")
def test_lists_and_files_of_rooms_name_those_who_have_them_today(manager: Client) -> None:
    named = {row["data-row"] for row in get(manager, ROOMS).soup.select("tr[data-row]:has(.person, .rush)")}
    assert named == {*on("today", TO_CLEAN, CLEANED, URGENT, UNDISTURBED, REPAIR, RUSHED)}
    rows = csv.DictReader(StringIO(manager.get(f"{ROOMS}?format=csv").getvalue().decode()))
    assert {row["number"]: row["assignee"] for row in rows if row["assignee"]} == {
        **dict.fromkeys(on("today", TO_CLEAN, UNDISTURBED, REPAIR), "amy"),
        **dict.fromkeys(on("today", CLEANED, RUSHED), "zoe"),
    }


@pytest.mark.usefixtures("people")
def test_what_is_overdue_is_so_on_the_days_of_each_hotel(manager: Client) -> None:
    save_hotels([Hotel("xyz", "Near", currency="EUR", time_zone="UTC")])
    for number, until in {"1": today_in() - date.resolution, "2": today_in()}.items():
        broken = StatusChange(service=Service.OUT_OF_ORDER, reason="Tap", until=until)
        commands.save_rooms([broken.of(make_room(number, hotel_id="xyz"))])
    far, late = [on(day, REPAIR)[0] for day in ("yesterday", "today", "tomorrow")], on("yesterday", REPAIR)
    for address, numbers, overdue in (
        (f"/hotels/{ABC}/repairs/?", far, late),
        (f"/repairs/?hotel={ABC}", far, late),
        ("/repairs/?", [*far, "1", "2"], [*late, "1"]),
    ):
        page = get(manager, address)
        assert page.rows == numbers
        assert [row["data-row"] for row in page.soup.select("tr[data-row]:has(.out-of-order)")] == overdue, address
        assert get(manager, f"{address}&status=overdue").rows == overdue, address
    assert get(manager, f"/hotels/{ABC}/").text("a[href$='status=overdue']") == "1 overdue"
