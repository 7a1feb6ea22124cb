"""Who cleans which room today, and how urgent it is."""

from datetime import date, timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from dynamodb_lists.declared.samples import pack_items, unpack_items
from dynamodb_lists.tests.helpers.paging import until
from portal.people import person_id
from portal.times import day, today_in
from rooms import commands, queries
from rooms.entities import BulkChange, Plan, StatusChange
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping, Priority
from tests.conftest import logged_in
from tests.helpers.bulk_changes import URL, preview
from tests.helpers.days import make_housekeeper
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.people import bind, join, permit
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
DIRTY = StatusChange(Housekeeping.DIRTY)
MINE, PLAN = f"/hotels/{ABC}/my-rooms/", f"/hotels/{ABC}/plan/"
NUMBERS = ("99", "101", "102", "103", "104", "201", "202")


def fill() -> None:
    make_hotel([make_room(number) for number in NUMBERS])


def today() -> date:
    return today_in("Europe/Paris")


def plan_of(number: str) -> Plan:
    return queries.room(ABC, number).planned_on(today())


@pytest.fixture
def supervisor(newcomer: Client, dana: User) -> Client:
    """Dana's browser. She plans the day."""
    permit(dana)
    join(dana, "Supervisor")
    return newcomer


def confirm(client: Client, address: str) -> BulkChange:
    """Confirm the preview at an address, and take every step of the change."""
    _, address, sent = preview(client, address)
    progress = client.post(address, sent)["Location"]
    change = queries.bulk_change(ABC, progress.split("/")[-2])
    until(
        lambda: client.post(progress) and queries.bulk_progress(ABC, change.change_id).tried == len(change.room_numbers)
    )
    return change


def test_a_floor_and_some_rooms_are_shared_evenly_among_people_and_taken_back(supervisor: Client) -> None:
    eve, bob = (person_id(make_housekeeper(name.lower(), name)) for name in ("Eve", "Bob"))
    make_housekeeper("far", "Far away", "elsewhere")
    for number in NUMBERS:
        commands.set_status(ABC, number, DIRTY, "dana")
    page = get(supervisor, f"/hotels/{ABC}/attention/")
    assert [str(box["value"]) for box in page.soup.select(".floor .tick input")] == ["1", "2"]
    selected = "?status=dirty&floor=1&room=201&room=99"
    of_floor = get(supervisor, f"{URL}change/?status=dirty&all=on&floor=2&new-first=assign")
    assert "2 rooms of Hotel ABC are selected." in of_floor.text(".lead"), "all of the floor"
    offered = get(supervisor, f"{URL}change/{selected}&new-first=assign")
    names = [label.get_text(strip=True) for label in offered.soup.select(".choices label")]
    assert [name for name in names if name in {"Bob", "Eve", "Far away"}] == ["Bob", "Eve"]
    change = confirm(supervisor, f"{URL}change/{selected}&new-action=assign&new-people={bob}&new-people={eve}")
    assert change.words == f"assigned to Bob, Eve, {day(today())}"
    assert {number: plan_of(number).assignee for number in NUMBERS} == {
        **dict.fromkeys(("99", "101", "102"), bob),
        **dict.fromkeys(("103", "104", "201"), eve),
        "202": "",
    }
    assert_in_step()
    confirm(supervisor, f"{URL}change/?room=101&room=99&new-action=priority&new-priority=rush")
    confirm(supervisor, f"{URL}change/?room=99&new-action=unassign")
    assert (plan_of("99"), plan_of("101")) == (
        Plan(today(), "", Priority.RUSH),
        Plan(today(), bob, Priority.RUSH),
    )
    undo = supervisor.post(f"{URL}change/{change.change_id}/", {"undo": "1"})["Location"]
    supervisor.post(undo)
    assert plan_of("202").assignee == plan_of("103").assignee == ""
    assert plan_of("101").assignee == bob, "changed since"


def test_tomorrow_is_planned_once_a_room_is_clean_and_is_today_on_the_next_day(
    supervisor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = make_housekeeper("bob", "Bob")
    for number in ("101", "102", "103"):
        commands.set_status(ABC, number, DIRTY, "dana")
    assign("101 102", "bob")
    commands.set_status(ABC, "102", StatusChange(Housekeeping.CLEAN), "bob")
    selected = "?room=101&room=102&room=103&new-action=assign&new-day=tomorrow&new-people=" + person_id(bob)
    page, *_ = preview(supervisor, f"{URL}change/{selected}")
    assert "somebody has still to clean it today" in page.text("#preview")
    assert "Tomorrow:" in page.text("#preview")
    confirm(supervisor, f"{URL}change/{selected}")
    assert plan_of("101") == Plan(today(), person_id(bob)), "it is still to be cleaned today"
    page = get(supervisor, f"{PLAN}?status=tomorrow")
    assert page.rows == ["102", "103"]
    assert [name.get_text() for name in page.soup.select("tr .person")] == ["Bob", "Bob"]
    assert page.text("h1") == "Assignments of Hotel ABC, tomorrow"
    assert "Tomorrow: Bob" in " ".join(get(supervisor, f"{URL}103/").text("main").split())
    assert get(supervisor, f"{PLAN}?status=assigned").rows == ["101"]
    assert get(logged_in(bob), MINE).rows == ["101"]
    present = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: present() + timedelta(days=1))
    assert get(logged_in(bob), MINE).rows == ["103", "102"]
    assert get(supervisor, f"{PLAN}?status=tomorrow").rows == []


def test_planning_needs_its_permission_and_is_undone_with_it(supervisor: Client, dana: User) -> None:
    commands.set_status(ABC, "101", StatusChange(day=today(), assignee="eve"), "dana")
    undo, sent = f"/history/undo/room/{ABC}/101/", {"serial": "2"}
    permit(dana, "rooms.view_room", "rooms.change_room_status")
    dana.groups.clear()
    assert "new-people" not in supervisor.get(f"{URL}change/?room=101").content.decode()
    wanted = f"?room=101&new-action=assign&new-people={dana.pk}"
    assert not get(supervisor, f"{URL}change/{wanted}").soup.select("#preview")
    assert supervisor.post(undo, sent).status_code == 403
    join(dana, "Supervisor")
    supervisor.post(undo, sent)
    assert plan_of("101").assignee == ""


def test_a_plan_is_in_words_in_the_history_and_another_one_is_undone_to_it(supervisor: Client) -> None:
    eve, bob = (person_id(make_housekeeper(name.lower(), name)) for name in ("Eve", "Bob"))
    commands.set_status(ABC, "101", StatusChange(day=today(), assignee=eve, priority=Priority.RUSH), "dana")
    commands.set_status(ABC, "101", StatusChange(day=today(), assignee=bob), "dana")
    User.objects.get(username="bob").delete()
    changes = get(supervisor, f"/history/room/{ABC}/101/").soup.get_text()
    assert "Eve, rush" in changes
    assert f"account {bob}, rush" in changes
    supervisor.post(f"/history/undo/room/{ABC}/101/", {"serial": "3"})
    assert plan_of("101") == Plan(today(), eve, Priority.RUSH)


def test_the_plan_of_yesterday_has_ended() -> None:
    yesterday = today() - timedelta(days=1)
    commands.set_status(ABC, "101", StatusChange(day=yesterday, assignee="eve", priority=Priority.RUSH), "dana")
    assert plan_of("101") == Plan(today())
    commands.set_status(ABC, "101", StatusChange(day=today(), priority=Priority.DO_NOT_DISTURB), "dana")
    assert plan_of("101") == Plan(today(), "", Priority.DO_NOT_DISTURB)


def assign(numbers: str, username: str, **others: Any) -> None:
    person = person_id(User.objects.get(username=username))
    for number in numbers.split():
        commands.set_status(ABC, number, StatusChange(day=today(), assignee=person, **others), "dana")


@pytest.fixture
def housekeeper() -> Client:
    """Eve's browser. She cleans in one hotel."""
    return logged_in(make_housekeeper("eve", "Eve"))


def test_a_housekeeper_begins_with_her_rooms_the_urgent_ones_first_and_those_done_last(housekeeper: Client) -> None:
    assert housekeeper.get("/")["Location"] == MINE, "without rooms, too"
    assert "You have no rooms today" in get(housekeeper, MINE).text("main")
    for number in NUMBERS:
        commands.set_status(ABC, number, DIRTY, "dana")
    assign("99 101 102 103", "eve")
    commands.set_status(ABC, "103", StatusChange(day=today(), priority=Priority.RUSH), "dana")
    commands.set_status(ABC, "99", StatusChange(day=today(), priority=Priority.DO_NOT_DISTURB), "dana")
    commands.set_status(ABC, "101", StatusChange(Housekeeping.CLEAN), "eve")
    assert housekeeper.get("/")["Location"] == MINE
    page = get(housekeeper, MINE)
    assert page.rows == ["103", "102", "99", "101"]
    assert page.text("[data-live=done] strong") == "1 of 3 done"
    assert [heading.text for heading in page.soup.select(".floor h2")] == ["To do", "Not to clean today", "Done"]
    assert page.text('[data-row="103"] .status.rush') == "Rush"
    sent = {"list": "my_rooms?", "housekeeping": "clean", "initial-housekeeping": "dirty"}
    assert housekeeper.post(f"{URL}103/status/", sent)["Location"].startswith(MINE)
    page = get(housekeeper, MINE)
    assert page.text("[data-live=done] strong") == "2 of 3 done"
    large = [len(page.soup.select(f'[data-row="{number}"] .tap > button.next')) for number in (102, 103)]
    assert large == [1, 0], "nobody inspects the own rooms by a slip"
    bind(User.objects.get(username="eve"), ABC, "xyz")
    assert housekeeper.get("/")["Location"] == MINE, "also in several hotels"


def test_my_rooms_and_assignments_count_the_same_rooms_as_done(housekeeper: Client, supervisor: Client) -> None:
    """A room that was clean before midnight is not done today, and one that somebody else cleaned is not one's own."""
    for number in ("101", "102"):
        commands.set_status(ABC, number, DIRTY, "dana")
    assign("101 102 103", "eve")  # 103 is clean, but not since midnight
    assert get(housekeeper, MINE).text("[data-live=done] strong") == "0 of 2 done"
    commands.set_status(ABC, "101", StatusChange(Housekeeping.CLEAN), "eve")
    commands.set_status(ABC, "102", StatusChange(Housekeeping.CLEAN), "dana")
    assert get(housekeeper, MINE).text("[data-live=done] strong") == "1 of 1 done"
    assert "1 of 1" in get(supervisor, PLAN).text(".shares")
    commands.set_status(ABC, "103", DIRTY, "dana")
    commands.set_status(ABC, "103", StatusChange(Housekeeping.INSPECTED), "dana")
    assert get(housekeeper, MINE).text("[data-live=done] strong") == "2 of 2 done", "nobody else cleaned it"
    assert "2 of 2" in get(supervisor, PLAN).text(".shares")


def test_one_room_is_planned_on_its_page_and_a_plan_of_somebody_else_is_shown(supervisor: Client) -> None:
    eve = person_id(make_housekeeper("eve", "Eve"))
    address = f"{URL}101/plan/"
    assert f'value="{eve}"' in supervisor.get(address).content.decode()
    seen = entry_of(get(supervisor, address))
    assign("101", "dana")
    refused = supervisor.post(address, {**seen, "priority": "rush", "assignee": eve})
    assert "Compare both versions" in refused.content.decode()
    done = supervisor.post(address, {**entry_of(ListMarkup(refused.content)), "priority": "rush", "assignee": eve})
    assert done["Location"] == f"{URL}101/"
    assert plan_of("101") == Plan(today(), eve, Priority.RUSH)
    assert [" ".join(dd.text.split()) for dd in get(supervisor, f"{URL}101/").soup.select(".facts dd")][1] == "Rush Eve"


def test_the_sample_of_a_hotel_has_rooms_with_a_plan() -> None:
    rooms = [make_room("101", plan=Plan(today(), "eve", Priority.RUSH)), make_room("102")]
    sample = pack_items(ROOMS.declaration, ROOMS.model, rooms)
    assert unpack_items(ROOMS.model, partial(ROOMS.model.built, hotel_id=ABC), sample) == rooms


def test_a_file_sets_status_person_priority_and_note_and_an_export_has_them(manager: Client, tmp_path: Path) -> None:
    eve = person_id(make_housekeeper("eve", "Eve"))
    assign("102", "eve", priority=Priority.RUSH)
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency,assignee,priority,note,service,reason\n"
    row = "abc,Hotel ABC,Paris,{},Sea view,40,Suite,120.50,EUR,{}\n"
    file = tmp_path / "rooms.csv"
    cells = {"101": "eve,rush,Cot,,", "102": ",do-not-disturb,,out-of-order,Tap", "103": "evelyn,,,,"}
    cells["104"] = ",,,out-of-order,"
    file.write_text(header + "".join(row.format(number, its) for number, its in cells.items()))
    with pytest.raises(CommandError, match="2 rows refused"):
        call_command("import_rooms", file)
    for complaint in ("“evelyn”", "Say why the room is out of order"):
        assert complaint in (tmp_path / "rooms.rejected.csv").read_text()
    assert (queries.room(ABC, "102").reason, queries.room(ABC, "101").out_of_order) == ("Tap", False)
    assert plan_of("101") == Plan(today(), eve, Priority.RUSH)
    assert plan_of("102") == Plan(today(), eve, Priority.DO_NOT_DISTURB), "a blank cell leaves what is there"
    assert queries.room(ABC, "101").note == "Cot"
    exported = b"".join(manager.get(f"{URL}?format=csv&sort=number"))
    assert b"Cot" in exported
    (tmp_path / "again.csv").write_bytes(exported)
    out = StringIO()
    call_command("import_rooms", tmp_path / "again.csv", stdout=out)
    assert out.getvalue() == "7 rooms read, 0 written, 7 left as they are.\n"
