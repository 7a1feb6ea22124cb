"""The log of cleanings: what each person cleaned on a day, and how long it took."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from hotels.commands import save_hotels
from hotels.entities import Hotel
from rooms import commands, queries
from rooms.entities import RoomAction, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.bulk_changes import finish, make_change
from tests.helpers.markup import get
from tests.helpers.rooms import ABC, assert_in_step, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PAGE = f"/hotels/{ABC}/cleaned/"
DIRTY, CLEAN, START = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.CLEAN), StatusChange(started=True)
DAY = date(2026, 3, 10)


class Clock:
    """The present time. Its day begins 15 hours earlier in the hotel, which is in Tokyo, than in UTC."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 3, 9, 15, 30, tzinfo=UTC)
        for place in ("rooms.lists.now", "rooms.entities.rooms.now"):
            monkeypatch.setattr(place, lambda: self.now)
        monkeypatch.setattr(timezone, "now", lambda: self.waits(microseconds=1))

    def waits(self, **time: float) -> datetime:
        self.now += timedelta(**time)
        return self.now


@pytest.fixture
def clock(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> Clock:
    save_hotels([Hotel(ABC, "Hotel ABC", currency="EUR", time_zone="Asia/Tokyo")])
    commands.save_rooms([make_room(number, housekeeping=Housekeeping.DIRTY) for number in ("9", "10", "Ä_1")])
    return Clock(monkeypatch)


def take(number: str, change: StatusChange, by: str) -> None:
    commands.set_status(ABC, number, change, by)


def log(first: date = DAY, last: date = DAY) -> dict[str, list[tuple[str, int]]]:
    """Return the rooms and the minutes of each person."""
    works = queries.cleaned_by(ABC, first, last)
    return {work.username: [(each.number, each.minutes) for each in work.cleanings] for work in works}


def clean(clock: Clock, number: str, by: str, minutes: float) -> None:
    take(number, START, by)
    clock.waits(minutes=minutes)
    take(number, CLEAN, by)


def test_a_day_of_the_hotel_has_what_each_person_cleaned_and_how_long_it_took(clock: Clock) -> None:
    clean(clock, "10", "hana", 30)
    clean(clock, "9", "hana", 0.1)
    take("Ä_1", CLEAN, "omar")
    assert log() == {"hana": [("10", 30), ("9", 1)], "omar": [("Ä_1", 0)]}
    for number in ("9", "10"):
        take(number, DIRTY, "desk")
    clean(clock, "10", "hana", 20)
    assert log()["hana"] == [("10", 30), ("9", 1), ("10", 20)], "a room that is dirty again was cleaned all the same"
    clock.waits(days=1)
    clean(clock, "9", "omar", 40)
    assert log() == {"hana": [("10", 30), ("9", 1), ("10", 20)], "omar": [("Ä_1", 0)]}
    assert log(DAY, DAY + timedelta(days=1))["omar"] == [("Ä_1", 0), ("9", 40)]
    (work,) = (work for work in queries.cleaned_by(ABC, DAY, DAY) if work.username == "hana")
    assert (work.rooms, work.minutes) == (3, 20)
    assert_in_step()


def test_an_undo_takes_a_cleaning_out_and_an_undo_of_what_came_after_does_not(clock: Clock, manager: Client) -> None:
    def undone(number: str = "10") -> None:
        serial = queries.room(ABC, number, consistent=True).revision
        manager.post(f"/history/undo/room/{ABC}/{number}/", {"serial": str(serial)})

    clean(clock, "10", "hana", 30)
    undone()
    assert log() == {}
    take("10", CLEAN, "hana")
    take("10", DIRTY, "desk")
    undone()
    assert log() == {"hana": [("10", 30)]}, "it is clean again, since when it was"
    change = make_change([queries.room(ABC, number) for number in ("9", "Ä_1")], RoomAction.STATUS, status=CLEAN)
    finish(change)
    assert len(log()[change.by]) == 2
    manager.post(manager.post(f"/hotels/{ABC}/rooms/change/{change.change_id}/", {"undo": "1"})["Location"])
    assert log() == {"hana": [("10", 30)]}


def test_the_page_names_people_rooms_and_times(clock: Clock, manager: Client) -> None:
    assert "Nobody marked a room as clean" in get(manager, PAGE).text("tbody")
    clean(clock, "Ä_1", "hana", 30)
    clock.waits(days=1)
    clean(clock, "10", "hana", 20)
    cells = {
        tab: [" ".join(each.text.split()) for each in get(manager, f"{PAGE}?status={tab}").soup.select("tbody td")]
        for tab in ("", "today", "last-7-days")
    }
    assert cells[""] == ["1", "30 min", "Ä_1"]
    assert cells["today"] == ["1", "20 min", "10"]
    assert cells["last-7-days"] == ["2", "25 min", "10 Mar: Ä_1 11 Mar: 10"]
    link = get(manager, PAGE).soup.select("tbody td a")[0]
    assert (manager.get(str(link["href"])).status_code, link["title"]) == (200, "01:00, 30 min")
    rows = manager.get(f"{PAGE}?format=csv").getvalue().decode().splitlines()
    assert rows == ["username,name,rooms,minutes,numbers", "hana,hana,1,30,Ä_1"]


def test_an_address_names_the_days_as_those_of_other_lists(clock: Clock, manager: Client) -> None:
    clean(clock, "9", "hana", 20)
    assert get(manager, f"{PAGE}?days=today").rows == get(manager, f"{PAGE}?status=today").rows == ["hana"]
    assert get(manager, f"{PAGE}?days=yesterday").rows == get(manager, PAGE).rows == []
    assert "days=" not in str(get(manager, f"{PAGE}?days=today").element(".tabs a")["href"])
    for days in ("abc", "last-month"):
        assert manager.get(f"{PAGE}?days={days}").status_code == 400
