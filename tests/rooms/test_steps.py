"""The steps of housekeeping: who started, cleaned, inspected or rejected a room, and when."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from portal.history.entities import Actor
from portal.times import now
from rooms import commands, queries
from rooms.apps import INSPECT_ROOMS
from rooms.entities import Plan, Room, RoomAction, StatusChange
from rooms.entities.rooms import Steps
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping, Service
from tests.conftest import logged_in
from tests.helpers.bulk_changes import finish, make_change
from tests.helpers.days import CLEANED, RUSHED, make_days, on
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.people import permit, portal_permissions
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PLAN, HTMX = f"/hotels/{ABC}/plan/", {"hx-request": "true"}
DIRTY, CLEAN, INSPECTED = map(StatusChange, (Housekeeping.DIRTY, Housekeeping.CLEAN, Housekeeping.INSPECTED))
START = StatusChange(started=True)


def stored(number: str = "101") -> Room:
    return queries.room(ABC, number, consistent=True)


def steps(room: Room) -> dict[str, str]:
    """Who took which steps. Each has its time exactly if it has a name."""
    found = {step: getattr(room.steps, f"{step}_by") for step in ("started", "cleaned", "inspected")}
    assert all(bool(by) == bool(getattr(room.steps, f"{step}_at")) for step, by in found.items())
    return {step: by for step, by in found.items() if by}


def take(change: StatusChange, by: str) -> dict[str, str]:
    return steps(commands.set_status(ABC, "101", change, by)[1])


def test_each_step_says_who_took_it_and_lasts_as_long_as_it_is_true() -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY)])
    assert take(START, "hana") == {"started": "hana"}
    before = stored().revision
    for by in ("hana", "omar"):
        assert take(START, by) == {"started": "hana"}
    assert stored().revision == before, "a second tap writes nothing, and nobody takes the room over"
    assert take(CLEAN, "omar") == {"cleaned": "omar"}
    assert take(INSPECTED, "ines") == {"cleaned": "omar", "inspected": "ines"}
    assert take(StatusChange(note="Towels"), "desk") == {"cleaned": "omar", "inspected": "ines"}
    assert take(CLEAN, "ines") == {"cleaned": "omar"}, "it is not inspected any more"
    assert take(DIRTY, "desk") == {}
    assert take(CLEAN, "hana") == {"cleaned": "hana"}
    rejected = commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY, rejected="Hair"), "ines")[1]
    assert (rejected.steps.rejected, rejected.housekeeping) == ("Hair", Housekeeping.DIRTY)
    assert commands.set_status(ABC, "101", CLEAN, "hana")[1].steps.rejected == ""
    assert_in_step()


def test_the_page_of_a_room_says_who_cleaned_it_and_who_inspected_it(manager: Client) -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY)])
    take(CLEAN, "omar")
    take(INSPECTED, "ines")
    said = get(manager, f"/hotels/{ABC}/rooms/101/").text(".facts")
    assert ("omar" in said, "ines" in said) == (True, True)


def test_who_inspects_sends_a_room_back_from_the_menu_of_its_row(manager: Client, dana: User) -> None:
    make_hotel([make_room("101")])
    permit(dana, *portal_permissions() - {INSPECT_ROOMS})
    menus = [get(each, f"/hotels/{ABC}/rooms/").text("#others") for each in (manager, logged_in(dana))]
    assert ["Clean again, because …" in menu for menu in menus] == [True, False]


def test_an_undo_is_no_step_and_removes_what_is_not_true(manager: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY)])

    def undone() -> dict[str, str]:
        manager.post(f"/history/undo/room/{ABC}/101/", {"serial": str(stored().revision)})
        return steps(stored())

    take(START, "hana")
    assert undone() == {}
    since = stored().attention_since
    for step in (CLEAN, INSPECTED):
        monkeypatch.setattr("rooms.lists.now", lambda: now() + timedelta(hours=1))
        take(step, "hana")
        assert undone() == {}
        assert stored().attention_since == since, "it has been dirty all the time"
        monkeypatch.undo()
    take(CLEAN, "hana")
    take(INSPECTED, "ines")
    assert undone() == {"cleaned": "hana"}
    take(DIRTY, "desk")
    assert undone() == {"cleaned": "hana"}, "nobody has cleaned it again"
    assert stored().housekeeping == Housekeeping.CLEAN
    change = make_change([stored()], RoomAction.STATUS, status=DIRTY)
    finish(change)
    manager.post(manager.post(f"/hotels/{ABC}/rooms/change/{change.change_id}/", {"undo": "1"})["Location"])
    assert (stored().housekeeping, steps(stored())) == (Housekeeping.CLEAN, {"cleaned": "hana"})
    assert_in_step()


def test_who_inspects_may_say_what_is_not_clean_and_a_cleaner_sees_it(dana: User) -> None:
    make_hotel([make_room("101")])
    client, form = logged_in(dana), f"/hotels/{ABC}/rooms/101/status/"
    permit(dana, *portal_permissions() - {INSPECT_ROOMS})
    fields = entry_of(get(client, form))
    assert "rejected" not in fields
    client.post(form, {**fields, "rejected": "Hair"})
    assert stored() == make_room("101", revision=stored().revision), "it is not for them to say"
    permit(dana, *portal_permissions())
    fields = entry_of(get(client, form))
    refused = client.post(form, {**fields, "housekeeping": "inspected", "rejected": "Hair"})
    assert b"A room to clean again is dirty." in refused.content
    client.post(form, {**fields, "rejected": "Hair in the <bath>"})
    assert (stored().housekeeping, stored().steps.rejected) == (Housekeeping.DIRTY, "Hair in the <bath>")
    for address in (f"/hotels/{ABC}/attention/", f"/hotels/{ABC}/rooms/101/"):
        assert "Hair in the <bath>" in get(client, address).text("main"), address


def test_a_tap_starts_a_room_and_colleagues_see_who_is_in_it(people: tuple[User, User]) -> None:
    zoe, amy = map(logged_in, people)
    commands.save_rooms([make_room("501", housekeeping=Housekeeping.DIRTY)])
    zoe.post(f"/hotels/{ABC}/rooms/501/status/", {"list": "attention?", "started": "on"})
    assert "In progress" in get(amy, f"/hotels/{ABC}/attention/").text("[data-row='501']")
    assert "Zoe Abel" in get(amy, f"/hotels/{ABC}/attention/").text("[data-row='501']")
    commands.save_rooms([make_room("502", housekeeping=Housekeeping.DIRTY)])
    room = f"/hotels/{ABC}/rooms/502/"
    fields = {
        each["name"]: each["value"] for each in get(amy, room).soup.select("form:has([name=started]) [name=list]")
    }
    assert amy.post(f"{room}status/", {**fields, "started": "1"})["Location"] == room, "its page says so"
    answer = amy.post(f"/hotels/{ABC}/rooms/501/status/", {"list": "attention?", "started": "on"}, headers=HTMX)
    assert answer.status_code == 409
    assert "Zoe Abel has started with room 501 already." in answer.content.decode()


def test_an_old_page_starts_no_room_that_is_out_of_order_by_now(people: tuple[User, User]) -> None:
    commands.save_rooms([make_room("501", housekeeping=Housekeeping.DIRTY)])
    client, address = logged_in(people[0]), f"/hotels/{ABC}/rooms/501/"
    assert "Start cleaning" in get(client, address).text("main")
    commands.set_status(ABC, "501", StatusChange(service=Service.OUT_OF_ORDER, reason="Boiler"), "sam")
    assert "Start cleaning" not in get(client, address).text("main")
    tap = {"list": "room", "started": "1", "initial-housekeeping": "dirty"}
    answer = client.post(f"{address}status/", tap, headers=HTMX)
    assert (answer.status_code, "Room 501 is out of order now" in answer.content.decode()) == (409, True)
    client.post(f"{address}status/", tap)
    assert "somebody else was quicker. Nothing was changed." in get(client, address).text("body")
    assert steps(stored("501")) == {}


def test_a_second_tap_at_one_place_takes_no_other_step_whoever_was_first(people: tuple[User, User]) -> None:
    commands.save_rooms([make_room("501", housekeeping=Housekeeping.DIRTY)])
    commands.set_status(ABC, "501", CLEAN, "somebody")
    client, tap = logged_in(people[0]), {"list": "attention?", "housekeeping": "clean"}
    for seen in ("dirty", "clean"):
        answer = client.post(f"/hotels/{ABC}/rooms/501/status/", {**tap, "initial-housekeeping": seen}, headers=HTMX)
        button = ListMarkup(answer.content).element("button.next")
        assert (button["value"], button["aria-pressed"]) == ("clean", "true"), seen


def test_what_is_to_be_done_again_stays_in_sight_while_somebody_does_it(people: tuple[User, User]) -> None:
    commands.save_rooms([make_room("501")])
    commands.set_status(ABC, "501", StatusChange(Housekeeping.DIRTY, rejected="Hair"), "ines")
    address, tap = f"/hotels/{ABC}/rooms/501/status/", {"list": "attention?", "started": "1"}
    assert "step-501" not in logged_in(people[0]).post(address, tap, headers=HTMX).content.decode()


def test_the_reason_leaves_the_row_of_a_room_that_is_put_back_in_service(people: tuple[User, User]) -> None:
    broken: dict[str, Any] = {"service": Service.OUT_OF_ORDER, "reason": "Boiler", "housekeeping": Housekeeping.DIRTY}
    commands.save_rooms([make_room("501", **broken)])
    client, tap = logged_in(people[0]), {"list": "attention?", "service": "in-service"}
    assert get(client, f"/hotels/{ABC}/attention/?status=attention").text("#why-501") == "Boiler"
    answer = client.post(f"/hotels/{ABC}/rooms/501/status/", tap, headers=HTMX)
    assert ListMarkup(answer.content).element("#why-501")["hx-swap-oob"] == "delete"


@pytest.fixture
def people(empty_tables: None) -> tuple[User, User]:
    return make_days()


@pytest.mark.usefixtures("people")
def test_the_plan_counts_who_did_a_room_and_lists_all_that_were_cleaned_today(manager: Client) -> None:
    zoes, nobodys = on("today", "01")[0], "501"
    commands.save_rooms([make_room(nobodys, housekeeping=Housekeeping.DIRTY)])
    for number in (zoes, nobodys):
        commands.set_status(ABC, number, CLEAN, "zoe")
    page = get(manager, PLAN)
    assert sorted(page.rows) == sorted([*on("today", CLEANED, RUSHED), zoes, nobodys]), "whoever was to clean them"
    shares = [" ".join(each.text.split()) for each in page.soup.select(".shares li > :not(progress)")]
    assert shares == ["Amy Zorn", "3 of 3 done"], "of the rooms with a plan that guests let in"
    commands.set_status(ABC, zoes, INSPECTED, "ines")
    page = get(manager, PLAN)
    assert zoes not in page.rows
    assert "3 of 3 done" in page.text(".shares"), "an inspected room was cleaned, too"


@pytest.mark.usefixtures("people")
def test_more_rooms_to_inspect_than_are_read_at_once_are_listed_page_by_page(
    manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = now()
    rooms = [make_room(f"{600 + n}", steps=Steps(at + timedelta(seconds=n), "amy")) for n in range(1, 31)]
    commands.save_rooms(rooms)
    monkeypatch.setattr(queries, "MOST_BEGUN", 2)
    pages = linked(get(manager, f"{PLAN}?page_size=10"), lambda link: get(manager, PLAN + link))
    assert "(2+)" in pages[0].text(".tabs [aria-current]")
    rows = [row for page in pages for row in page.rows]
    assert rows == [*on("today", CLEANED, RUSHED), *(room.number for room in rooms)]


@pytest.mark.usefixtures("people")
def test_rooms_that_nobody_used_for_a_month_have_a_list(manager: Client) -> None:
    long_ago = now() - timedelta(queries.UNTOUCHED_DAYS + 2)
    old = Steps(long_ago, "amy")
    commands.save_rooms([make_room("701", steps=old), make_room("702", housekeeping=Housekeeping.INSPECTED, steps=old)])
    commands.save_rooms([make_room("703", housekeeping=Housekeeping.DIRTY)])
    page = get(manager, f"{PLAN}?status=untouched")
    assert page.rows == ["701", "702"]
    tabs = [page.soup.select(f".tabs [data-value={each}]") for each in ("untouched", "no-service-wanted", "tomorrow")]
    assert [*map(len, tabs)] == [1, 0, 1], "a tab of an unusual priority has rooms"
    leads = get(manager, f"/hotels/{ABC}/cleaned/").soup.select(f".tabs a[href='{PLAN}?status=untouched']")
    assert [each.get_text() for each in leads] == ["Untouched for 30 days"]
    commands.set_status(ABC, "701", DIRTY, "desk")
    commands.set_status(ABC, "701", CLEAN, "amy")
    assert get(manager, f"{PLAN}?status=untouched").rows == ["702"]


def test_a_room_that_is_imported_as_clean_was_cleaned_by_the_import() -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY)])
    commands.save_rooms([make_room("101")], {(ABC, "101"): CLEAN})
    assert steps(stored()) == {"cleaned": "import"}
    assert isinstance(ROOMS.by(Actor("amy")).update(stored(), StatusChange(day=now().date()).of), Room)
    assert Plan().is_set is False
