"""What is said of today, of rooms of yesterday, today and tomorrow, in a hotel whose day is not UTC's."""

import csv
from collections.abc import Iterable
from datetime import date, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from hotels.commands import save_hotels
from hotels.entities import Hotel
from hotels.queries import hotel
from portal.people import person_id
from portal.times import now, today_in
from rooms import commands, queries
from rooms.entities import Plan, StatusChange
from rooms.entities.rooms import Steps
from rooms.statuses import Housekeeping, Priority, Service
from tests.conftest import logged_in
from tests.helpers.days import CLEANED, REPAIR, RUSHED, TO_CLEAN, UNDISTURBED, URGENT, make_days, on
from tests.helpers.markup import get
from tests.helpers.people import bind
from tests.helpers.rooms import ABC, make_hotel, make_room
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
    assert shares == ["Amy Zorn", "2 of 2 done", "Zoe Abel", "0 of 1 done"], (
        "nobody cleans what is out of order, or not to be disturbed"
    )
    amy = str(page.soup.select(".shares a")[0]["href"])
    assert get(manager, PLAN + amy.rpartition("/")[2]).rows == on("today", CLEANED, RUSHED)


def dirty(numbers: Iterable[int], plan: Plan | None = None) -> list[str]:
    """Store dirty rooms of these numbers."""
    rooms = [make_room(str(number), housekeeping=Housekeeping.DIRTY, plan=plan) for number in numbers]
    commands.save_rooms(rooms)
    return [room.number for room in rooms]


def test_more_dirty_rooms_than_are_sorted_are_listed_page_by_page(
    people: tuple[User, User], manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = sorted([*TABS["unassigned"], *dirty(range(401, 415))])
    monkeypatch.setattr(queries, "MOST_BEGUN", 2)
    pages = linked(get(manager, f"{PLAN}?status=unassigned&page_size=10"), lambda link: get(manager, PLAN + link))
    assert f"({len(every)}+)" in pages[0].text(".tabs [aria-current]"), "those out of order may be clean"
    assert sorted(row for page in pages for row in page.rows) == every
    assert get(manager, f"{PLAN}{pages[2].link('prev')}").rows == pages[1].rows
    of_zoe = [*on("yesterday", TO_CLEAN, UNDISTURBED), *on("tomorrow", TO_CLEAN, UNDISTURBED)]
    assert sorted(get(manager, f"{PLAN}?status=unassigned&person={person_id(people[0])}").rows) == of_zoe
    exported = manager.get(f"{PLAN}?status=unassigned&format=csv").getvalue().decode()
    assert len([*csv.reader(StringIO(exported))]) == 1 + len(every)


def test_tabs_have_the_same_numbers_at_each_load(manager: Client) -> None:
    make_hotel([make_room(str(number), housekeeping=Housekeeping.DIRTY) for number in range(101, 141)])
    steps = [Steps(now() - timedelta(seconds=number), "amy") for number in range(30)]
    commands.save_rooms([make_room(str(201 + number), steps=each) for number, each in enumerate(steps)])
    for status, to_inspect in {"": "30", "unassigned": "9+", "assigned": "9+"}.items():
        for _ in range(2):
            tabs = get(manager, f"{PLAN}?status={status}").text(".tabs")
            assert tabs.startswith(f"To inspect ({to_inspect}) Not assigned (40) Assigned (0)"), (status, tabs)


def test_a_page_that_gives_up_does_not_say_that_there_is_nothing(
    people: tuple[User, User], manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(today_in(hotel(ABC).time_zone), person_id(people[0]), Priority.NORMAL)
    for number in TABS["unassigned"]:
        delete_room(queries.room(ABC, number), "anna")
    dirty(range(401, 491), plan)
    dirty([500])
    monkeypatch.setattr(queries, "MOST_BEGUN", 2)
    monkeypatch.setattr(queries, "UNASSIGNED_UNITS", 0.0)
    pages = linked(get(manager, f"{PLAN}?status=unassigned&page_size=10"), lambda link: get(manager, PLAN + link))
    assert [row for page in pages for row in page.rows] == ["500"]
    assert "Nothing was found yet. Go to the next page to look further." in pages[0].text("tbody")
    assert "Every dirty room is assigned." not in pages[0].text("main")


def test_ones_rooms_are_those_of_today_and_a_room_out_of_order_is_none_to_clean(people: tuple[User, User]) -> None:
    client = logged_in(people[0])
    assert client.get("/")["Location"] == MINE
    page = get(client, MINE)
    assert page.rows == on("today", TO_CLEAN, UNDISTURBED, REPAIR)
    assert [heading.text for heading in page.soup.select(".floor h2")] == [
        "To do",
        "Not to clean today",
        "Out of order",
    ]
    assert page.text("[data-live=done] strong") == "0 of 1 done"
    for number in on("today", TO_CLEAN, UNDISTURBED):
        client.post(f"{ROOMS}{number}/status/", {"list": "my_rooms?", "housekeeping": "clean"})
    assert get(client, MINE).text("[data-live=done] strong") == "2 of 2 done"
    for number in on("today", TO_CLEAN, UNDISTURBED, REPAIR):
        delete_room(queries.room(ABC, number, consistent=True), "anna")
    bind(people[0], ABC, "xyz")
    assert client.get("/").status_code == 200, "rooms of other days alone lead nobody to them"


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
