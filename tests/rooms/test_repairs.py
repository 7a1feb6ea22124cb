"""Rooms that are out of order: what, who, until when; the list by due day, of a hotel and of several."""

from csv import DictReader
from datetime import UTC, date, datetime
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from hotels import queries as hotels
from portal.times import in_zone
from rooms import commands, queries
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
REPAIRS, STATUS = f"/hotels/{ABC}/repairs/", f"/hotels/{ABC}/rooms/101/status/"


def broken(number: str, until: date | None, hotel_id: str = ABC, **others: Any) -> None:
    change = StatusChange(service=Service.OUT_OF_ORDER, reason="Dripping tap", until=until, **others)
    commands.set_status(hotel_id, number, change, "anna")


def test_the_form_says_who_is_responsible_and_one_button_ends_it(manager: Client) -> None:
    make_hotel([make_room("101")])
    entry = {**entry_of(get(manager, STATUS)), "service": "out-of-order", "reason": "Tap", "responsible": "Bauer"}
    manager.post(STATUS, entry)
    assert queries.room(ABC, "101").responsible == "Bauer"
    manager.post(STATUS, {**entry_of(get(manager, STATUS)), "responsible": ""})
    room = queries.room(ABC, "101")
    assert (room.responsible, room.reason) == ("", "Tap")
    button = get(manager, f"/hotels/{ABC}/rooms/101/").element("form:has([value=in-service])")
    revision = ListMarkup(str(button).encode()).element("[name=revision]")["value"]
    manager.post(str(button["action"]), {"service": "in-service", "revision": revision})
    assert not queries.room(ABC, "101").out_of_order
    assert get(manager, REPAIRS).rows == []


def test_a_repair_says_since_when_in_the_time_of_its_hotel(manager: Client) -> None:
    make_hotel([make_room("101", housekeeping=Housekeeping.DIRTY, attention_since=datetime(2023, 1, 1, tzinfo=UTC))])
    broken("101", None)
    since, zone = queries.room(ABC, "101").attention_since, hotels.hotel(ABC).time_zone
    assert since
    assert since.year > 2023, "not since the room was dirty"
    for page in (REPAIRS, "/repairs/"):
        shown = get(manager, page).element("[data-row] .since")
        assert shown.get_text(" ", strip=True).startswith("since")
        assert f"{in_zone(since, zone):%-d %b}" in shown.get_text()
    assert since.strftime("%Y-%m-%dT%H:%M") in manager.get(f"{REPAIRS}?format=csv").getvalue().decode()


def test_the_page_of_a_room_shows_when_it_was_out_of_order(staff: Client) -> None:
    make_hotel([make_room("101"), make_room("102")])
    for reason in ("Leak", "Paint"):
        turned = StatusChange(service=Service.OUT_OF_ORDER, reason=reason)
        commands.set_status(ABC, "101", turned, "hanna")
        commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "zoe")  # no repair
        commands.set_status(ABC, "101", StatusChange(Housekeeping.CLEAN, Service.IN_SERVICE), "rita")
    broken("101", None)
    page, another = (get(staff, f"/hotels/{ABC}/rooms/{number}/") for number in ("101", "102"))
    shown = [row.get_text(" ", strip=True) for row in page.soup.select("[data-list=past-repairs] li")]
    assert [text.split()[0] for text in shown] == ["Out", "In", "Out", "In", "Out"]
    assert [name for name in ("Dripping", "Paint", "Leak") if any(name in text for text in shown[::2])]
    assert ["by rita" in text for text in shown] == [False, True, False, True, False]
    assert "Nothing is recorded." in another.soup.get_text()


def test_a_file_of_several_hotels_names_each(manager: Client) -> None:
    for hotel_id, name in ((ABC, "Grand Seaside"), ("xyz", "Alpine Lodge")):
        make_hotel([make_room("101", hotel_id=hotel_id)], hotel_id=hotel_id, name=name)
        broken("101", None, hotel_id, housekeeping=Housekeeping.DIRTY)
    for page in ("repairs/?", "attention/?status=out-of-order&"):
        rows = DictReader(StringIO(manager.get(f"/{page}format=csv").getvalue().decode()))
        named = [(row["hotel_id"], row["hotel_name"], row["number"]) for row in rows]
        assert named == [(ABC, "Grand Seaside", "101"), ("xyz", "Alpine Lodge", "101")]
