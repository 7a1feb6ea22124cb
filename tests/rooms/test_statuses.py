"""The status of rooms: changed one by one, by several people at once, and listed while it needs attention."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.history.entities import FieldChange
from portal.history.queries import history
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import Room, StatusChange
from rooms.entities.rooms import Steps, floor_of
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping, Service
from rooms.views.rooms import RoomListPage
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.people import permit, portal_permissions
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
DIRTY, CLEAN = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.CLEAN)
BROKEN = StatusChange(service=Service.OUT_OF_ORDER, reason="Dripping tap", until=date(2031, 5, 1))
MENDED = StatusChange(service=Service.IN_SERVICE)
INSPECTED = StatusChange(Housekeeping.INSPECTED)
ATTENTION, ROOM = f"/hotels/{ABC}/attention/", f"/hotels/{ABC}/rooms/101/"
STATUS = f"{ROOM}status/"


@pytest.fixture
def housekeeper(newcomer: Client, dana: User) -> Client:
    """Dana's browser. Dana may see everything, and change only the status of rooms."""
    permit(dana, "rooms.change_room_status", *(name for name in portal_permissions() if ".view_" in name))
    return newcomer


def stored(number: str) -> Room:
    return queries.room(ABC, number)


def attention() -> list[str]:
    return [room.number for room in queries.needing_attention(ROOMS.query(hotel_id=ABC)).listing().stream()]


def test_a_room_needs_attention_as_long_as_it_is_dirty_or_out_of_order(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(datetime(2031, 1, 1, 12, 0, second, tzinfo=UTC) for second in range(60))
    monkeypatch.setattr("rooms.lists.now", lambda: next(times))
    make_hotel([make_room("101"), make_room("102")])
    commands.set_status(ABC, "101", DIRTY, "hanna")
    since = stored("101").attention_since
    assert since is not None
    commands.set_status(ABC, "101", BROKEN, "anna")
    assert (stored("101").reason, stored("101").until) == ("Dripping tap", date(2031, 5, 1))
    broken = stored("101").attention_since
    assert broken, "since it is out of order"
    assert broken > since
    commands.set_status(ABC, "101", CLEAN, "hanna")
    assert attention() == ["101"]
    assert stored("101").attention_since == broken
    commands.set_status(ABC, "101", MENDED, "anna")
    assert attention() == []
    at = stored("101").cleaned_at
    assert stored("101") == replace(
        make_room("101"), revision=5, cleaned_at=at, steps=Steps(at, "hanna", dirty_since=broken)
    )
    assert_in_step()


def test_the_list_of_hotels_has_rooms_out_of_order_last_and_that_of_a_hotel_one_order_of_time(
    housekeeper: Client,
) -> None:
    at = datetime(2023, 5, 1, tzinfo=UTC)
    days = {"101": DIRTY, "102": BROKEN, "103": DIRTY, "104": replace(BROKEN, housekeeping=Housekeeping.DIRTY)}
    rooms = [
        change.of(make_room(number, attention_since=at - timedelta(number in {"102", "104"}, int(number))))
        for number, change in days.items()
    ]
    make_hotel(rooms)
    make_hotel([make_room("1", hotel_id="other")], "other", "Another hotel")
    assert get(housekeeper, f"{ATTENTION}?status=attention&sort=date").rows == ["104", "102", "103", "101"]
    assert get(housekeeper, f"{ATTENTION}?status=dirty&sort=date").rows == ["104", "103", "101"]
    for sign, numbers, place in (
        ("", ["103", "101", "104", "102"], "last"),
        ("-", ["102", "104", "101", "103"], "first"),
    ):
        page = get(housekeeper, f"/attention/?status=attention&sort={sign}date")
        assert page.rows == numbers
        assert page.text(".ordered-by") == f"Hotel by hotel, rooms out of order {place}, and sorted within each."
    assert get(housekeeper, "/attention/?status=dirty").rows == ["103", "101", "104"]


def test_the_form_has_the_status_as_it_is(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", BROKEN, "anna")
    form = ListMarkup(housekeeper.get(STATUS).content).soup.select_one("main form")
    assert form is not None
    chosen = [option["value"] for option in form.select("option[selected]") if option["value"]]
    typed = [form.select(f"[name={name}]")[0]["value"] for name in ("reason", "until")]
    assert [*chosen, *typed] == ["clean", "out-of-order", BROKEN.reason, str(BROKEN.until)]


def test_many_people_at_once_lose_nothing() -> None:
    numbers = [str(n) for n in range(101, 107)]
    make_hotel([make_room(number) for number in numbers])

    def change(n: int) -> bool:
        before, after = commands.set_status(ABC, numbers[n % 6], DIRTY if n < 6 else BROKEN, f"user{n}")
        return before != after

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(change, range(12)))
    rooms = [stored(number) for number in numbers]
    assert {(room.housekeeping, room.service) for room in rooms} == {(Housekeeping.DIRTY, Service.OUT_OF_ORDER)}
    assert sorted(attention()) == numbers
    assert_in_step()


def test_a_number_may_tell_its_floor() -> None:
    floors = {"101": "1", "1203": "12", "014": "0", "101a": "1", "101-2": "1"}
    assert {number: floor_of(number) for number in floors} == floors
    assert {floor_of(number) for number in ("99", "B12", "12345", "1-01")} == {""}


DIRTY_IN_ORDER = ["7", "99", "B2", "B12", "101", "102B", "1001"]
"""Each heading stands once, so rooms without a floor stand together."""


def floors(page: ListMarkup) -> list[str]:
    return [line.get_text(strip=True) for line in page.soup.select("tr.floor")]


def test_dirty_rooms_are_by_floor_and_number_whatever_their_numbers_are(housekeeper: Client) -> None:
    make_hotel([make_room(number) for number in [*reversed(DIRTY_IN_ORDER), "103", "104"]])
    for number in (*DIRTY_IN_ORDER, "104"):
        commands.set_status(ABC, number, BROKEN if number == "104" else DIRTY, "hanna")
    page = get(housekeeper, ATTENTION)
    assert page.rows == DIRTY_IN_ORDER
    assert page.soup.select_one("[data-list]")["data-total"] == "7"  # type: ignore[index]
    assert "7 dirty of 9 rooms" in page.text(".lead")
    assert floors(page) == ["Other rooms", "Floor 1", "Floor 10"]
    for query, rooms in {
        "?status=dirty&sort=-number": [*DIRTY_IN_ORDER[3::-1], *DIRTY_IN_ORDER[:3:-1]],
        "?status=out-of-order": ["104"],
        "?status=clean": ["103", "104"],
        "?status=inspected": [],
        "?status=attention": [*DIRTY_IN_ORDER[:6], "104", *DIRTY_IN_ORDER[6:]],
    }.items():
        assert get(housekeeper, ATTENTION + query).rows == rooms, query
    by_date = get(housekeeper, f"{ATTENTION}?status=attention&sort=date")
    assert sorted(by_date.rows) == sorted([*DIRTY_IN_ORDER, "104"])


def test_the_list_is_narrowed_to_days_since_when(housekeeper: Client) -> None:
    now = timezone.now()
    ages = {"101": 0, "9": 7, "102": 8, "103": 40}
    make_hotel(
        [
            make_room(number, attention_since=now - timedelta(days=age), housekeeping=Housekeeping.DIRTY)
            for number, age in ages.items()
        ]
    )
    for query, rooms in {
        "days=older-than-7-days": ["9", "102", "103"],
        "days=older-than-7-days&sort=date": ["103", "102", "9"],
        "days=older-than-7-days&number=10": ["102", "103"],
        "days=older-than-30-days&status=attention": ["103"],
        "days=today": ["101"],
        "days=yesterday": [],
        f"from={(now - timedelta(days=8)).date()}": ["9", "101", "102"],
    }.items():
        page = get(housekeeper, f"{ATTENTION}?{query}")
        assert page.rows == rooms, query
        assert page.cost("items-read") <= len(rooms) + 1, "a range of the index"
        assert not page.soup.select("[form=bulk][name=all], #bulk [name=all]"), "the list of all rooms has no such days"
    shown = get(housekeeper, f"{ATTENTION}?days=older-than-7-days")
    assert "Older than 7 days" in shown.text(".active-filters")
    assert "3 dirty of 4 rooms" in shown.text(".lead")
    group = get(housekeeper, "/attention/?days=older-than-7-days")
    assert group.rows == ["103", "102", "9"]
    assert "Older than 7 days" in group.text(".active-filters")
    for refused in ("status=clean&days=today", "status=clean&sort=date", "status=in-service"):
        assert housekeeper.get(f"{ATTENTION}?{refused}").status_code == 400, refused


def test_one_tap_in_the_list_changes_a_status_and_stays_in_the_list(housekeeper: Client) -> None:
    make_hotel([make_room(str(n), view="Sea view") for n in range(100, 130)])
    url = f"/hotels/{ABC}/rooms/"
    page = get(housekeeper, f"{url}{get(housekeeper, f'{url}?view=sea-view').link('next')}")
    line = page.element(f'tr[data-row="{page.rows[0]}"]')
    response = housekeeper.post(
        f"{url}{page.rows[0]}/status/", {**hidden(line), **hidden(page.element("#tap")), "housekeeping": "dirty"}
    )
    again = get(housekeeper, response["Location"])
    assert again.rows == page.rows
    assert "dirty" in again.element(f'tr[data-row="{page.rows[0]}"] .status')["class"]
    assert attention() == [page.rows[0]]
    undo = again.element(f'form[action^="{url}{page.rows[0]}/status/"]:has(.undo)')
    assert undo.select(".undo")[0]["value"] == "clean", "the message offers it without scripts"
    page = ListMarkup(housekeeper.post(str(undo["action"]), {**hidden(undo), "undo": "clean"}, follow=True).content)
    assert "is clean again." in page.soup.get_text()
    assert attention() == []


HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/hotels/{ABC}/attention/"}


def row(client: Client, number: str, where: str = "attention/") -> dict[str, str]:
    """Return what a browser sends of a room's form in a list, beside the button."""
    return hidden(get(client, f"/hotels/{ABC}/{where}").element(f'tr[data-row="{number}"]'))


def hidden(element: Any) -> dict[str, str]:
    """What a browser sends beside a button: the hidden fields of its form, and what the address of the button says."""
    boxes = element.select("input[type=hidden]:not([name=csrfmiddlewaretoken])")
    fields = {str(box["name"]): str(box["value"]) for box in boxes}
    for button in element.select("[formaction]"):
        fields |= parse_qsl(urlsplit(str(button["formaction"])).query)
    return {"list": "attention?", **fields}


def tap(client: Client, number: str, data: dict[str, str], status: int = 200) -> ListMarkup:
    """Return a tap as htmx sends it: the answer is what is in the row's form."""
    response = client.post(f"/hotels/{ABC}/rooms/{number}/status/", data, headers=HTMX)
    assert response.status_code == status, response.content
    return ListMarkup(response.content)


def test_a_tap_answers_with_its_row_and_can_be_undone(housekeeper: Client) -> None:
    make_hotel([make_room(str(n)) for n in range(101, 104)])
    for number in ("101", "102"):
        commands.set_status(ABC, number, DIRTY, "anna")
    form = row(housekeeper, "101")
    for _ in range(2):  # the second tap of an impatient thumb changes nothing, and leaves the Undo there
        part = tap(housekeeper, "101", {**form, "housekeeping": "clean"})
        assert not part.soup.select("table, tr, html, .tap")
        assert part.element("button[aria-pressed=true]")["value"] == "clean"
        assert part.element("#list-status")["hx-swap-oob"] == "innerHTML"
        assert part.text("#list-status") == "Room 101 is clean."
        assert part.element("button.undo")["value"] == "dirty"
        form = hidden(part.soup)
    assert attention() == ["102"]
    assert part.text(".outcome").startswith("Clean.")
    for _ in range(2):
        part = tap(housekeeper, "101", {**form, "undo": "dirty"})
        assert part.text("#list-status") == "Room 101 is dirty again."
        assert not part.soup.select(".undo")
    assert sorted(attention()) == ["101", "102"]
    changes = [(entry.by, entry.changes[0]) for entry in history(f"room#{ABC}#101").take(2)]
    assert changes == [
        ("dana", FieldChange("housekeeping", "clean", "dirty")),
        ("dana", FieldChange("housekeeping", "dirty", "clean")),
    ]
    assert_in_step()


def test_a_tap_that_somebody_else_has_overtaken_is_not_undone(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    form = hidden(tap(housekeeper, "101", {**row(housekeeper, "101"), "housekeeping": "clean"}).soup)
    commands.set_status(ABC, "101", INSPECTED, "anna")
    part = tap(housekeeper, "101", {**form, "undo": "dirty"}, 409)
    assert part.text(".outcome") == "anna has changed this since. Room 101 is inspected now. Nothing was undone."
    assert "inspected" in part.element(".status")["class"]
    assert stored("101").housekeeping == Housekeeping.INSPECTED
    for since in (CLEAN, DIRTY):  # it is clean again, but that is anna's word now
        commands.set_status(ABC, "101", since, "anna")
        tap(housekeeper, "101", {**form, "undo": "dirty"}, 409)
        part = tap(housekeeper, "101", {**form, "housekeeping": "clean"}, 200 if since == CLEAN else 409)
        assert not part.soup.select(".undo")
        assert str(since.housekeeping) in part.element(".status")["class"]
    assert housekeeper.post(STATUS, {"list": "rooms", "undo": "clean"}).status_code == 400
    assert stored("101").housekeeping == Housekeeping.DIRTY, "what is to be undone must be said"


def test_a_stale_tap_does_not_replace_what_was_said_since(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    stale = row(housekeeper, "101")
    commands.set_status(ABC, "101", INSPECTED, "anna")
    part = tap(housekeeper, "101", {**stale, "housekeeping": "clean"}, 409)
    words = "Room 101 is inspected now, because somebody else was quicker. Nothing was changed."
    assert (part.text(".outcome"), stored("101").housekeeping) == (words, "inspected")
    page = housekeeper.post(STATUS, {**stale, "housekeeping": "clean"}, follow=True)
    assert words in page.content.decode()
    tap(housekeeper, "101", {**stale, **hidden(part.soup), "housekeeping": "clean"})
    assert stored("101").housekeeping == "clean", "the answer names what it is now"


def test_a_room_is_back_in_service_with_one_tap(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", BROKEN, "anna")
    page = get(housekeeper, f"{ATTENTION}?status=out-of-order")
    assert page.text(".tap > .next") == "Put back in service"
    part = tap(housekeeper, "101", {**hidden(page.element("[data-row]")), "service": "in-service"})
    assert (part.text("[data-outcome]"), part.text("#badge-101")) == ("Back in service.", "In service")
    assert (stored("101").service, stored("101").reason) == (Service.IN_SERVICE, None)
    part = tap(housekeeper, "101", {**hidden(part.soup), "undo": "out-of-order"})
    assert part.text("[data-outcome]") == "Out of order again."
    assert (stored("101").service, stored("101").reason) == (Service.OUT_OF_ORDER, "Dripping tap")


def test_the_other_steps_of_a_row_are_on_a_page_without_scripts(housekeeper: Client) -> None:
    make_hotel([make_room("101"), make_room("102")])
    for where in ("rooms/", "attention/?status=clean"):
        listed = get(housekeeper, f"/hotels/{ABC}/{where}")
        other = listed.element('tr[data-row="101"] a.others')["href"]
        assert get(housekeeper, str(other)).soup.select("main form select[name=housekeeping]")
        assert len(listed.soup.select("#others")) == 1, "one menu for all rows"


def test_who_may_not_set_a_status_has_no_buttons_for_it(newcomer: Client, dana: User) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    permit(dana, "rooms.view_room")
    for shown in (ATTENTION, f"/hotels/{ABC}/rooms/"):
        assert not get(newcomer, shown).element("[data-row]").select("button, form")


def test_a_list_of_another_site_is_no_way_back(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    for wrong in ("//evil.example/", "rooms?view=%00&cursor=x", "x?y"):
        response = housekeeper.post(STATUS, {"list": wrong, "housekeeping": "dirty"})
        assert response["Location"] == f"/hotels/{ABC}/rooms/#row-101"


def test_out_of_order_needs_a_reason_and_keeps_what_was_typed(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    entry = entry_of(get(housekeeper, STATUS))
    page = ListMarkup(housekeeper.post(STATUS, {**entry, "service": "out-of-order", "until": "2031-05-01"}).content)
    assert "Say why the room is out of order." in page.text(".entry.wrong")
    assert page.element("input[name=until]")["value"] == "2031-05-01"
    response = housekeeper.post(STATUS, {**entry, "service": "in-service", "reason": "Painting"})
    assert "set the service status to" in ListMarkup(response.content).text(".entry.wrong")
    assert stored("101").revision == 1
    sent = {**entry, "service": "out-of-order", "until": "2031-05-01", "reason": "Leck"}
    response = housekeeper.post(STATUS, sent, follow=True)
    assert response.redirect_chain == [(ROOM, 302)]
    assert (stored("101").service, stored("101").reason) == (Service.OUT_OF_ORDER, "Leck")
    page = ListMarkup(response.content)
    assert "The change was saved." in page.soup.get_text()
    assert "Out of order until 1 May 2031 Leck" in page.text("dl.facts")


def test_two_people_do_not_undo_each_other(housekeeper: Client) -> None:
    """The first person has loaded the form before the second person taps a status. Both changes stay."""
    make_hotel([make_room("101")])
    loaded = entry_of(get(housekeeper, STATUS))
    commands.set_status(ABC, "101", DIRTY, "hanna")
    page = ListMarkup(housekeeper.post(STATUS, {**loaded, "service": "out-of-order", "reason": "No water"}).content)
    assert "No water" in page.text("table")
    housekeeper.post(STATUS, entry_of(page))
    assert (stored("101").housekeeping, stored("101").reason) == (Housekeeping.DIRTY, "No water")
    loaded = entry_of(get(housekeeper, STATUS))
    commands.set_status(ABC, "101", MENDED, "anna")
    page = ListMarkup(housekeeper.post(STATUS, {**loaded, "housekeeping": "clean"}).content)
    housekeeper.post(STATUS, entry_of(page))
    assert (stored("101").housekeeping, stored("101").service) == (Housekeeping.CLEAN, Service.IN_SERVICE)


def test_two_people_who_set_a_room_out_of_order_at_once_learn_of_each_other(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    form = entry_of(get(housekeeper, STATUS))
    commands.set_status(ABC, "101", BROKEN, "anna")
    sent = {**form, "service": "out-of-order", "reason": "Painting"}
    page = ListMarkup(housekeeper.post(STATUS, sent).content)
    assert "Somebody else changed this meanwhile." in page.text("form.entries .errorlist")
    assert "Dripping tap" in page.text("table")
    assert housekeeper.post(STATUS, entry_of(page)).status_code == 302
    assert stored("101").reason == "Painting"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])  # at each hour, one of them has not UTC's day
def test_the_last_day_of_a_repair_may_be_today_in_its_hotel(housekeeper: Client, zone: str) -> None:
    save_hotels([Hotel(ABC, "Far", currency="EUR", time_zone=zone)])
    commands.save_rooms([make_room("101")])
    today, data = today_in(zone), {"revision": "1", "service": "out-of-order", "reason": "Painting"}
    late = housekeeper.post(STATUS, {**data, "until": f"{today - date.resolution}"})
    assert "This day has passed." in ListMarkup(late.content).text(".entry.wrong")
    assert housekeeper.post(STATUS, {**data, "until": f"{today}"}).status_code == 302
    badge = get(housekeeper, f"{ATTENTION}?status=out-of-order").element(".status.out-of-order")
    assert "overdue" not in badge.get_text()


def test_each_status_is_drawn_once_and_each_row_has_its_own_number_and_note(housekeeper: Client) -> None:
    rooms = [make_room("101"), make_room("1 02"), make_room("103", note="103 & 104"), make_room("104")]
    drawn: list[str] = []
    write = RoomListPage.once(lambda room: drawn.append(room.number) or escape(f"{room.number} {room.note}"))  # type: ignore[func-returns-value]
    assert [*map(write, rooms)] == ["101 ", "1 02 ", "103 103 &amp; 104", "104 "]
    assert (len(drawn), drawn[1]) == (3, "1 02")
    make_hotel(rooms)
    for address in (f"/hotels/{ABC}/rooms/", f"{ATTENTION}?status=clean"):
        for row in get(housekeeper, address).soup.select("tr[data-row]"):
            name = str(row["data-row"]).replace(" ", "_")
            buttons = [button["id"] for button in row.select("button[form=tap]")]
            assert buttons, address
            assert all(str(each).split("-")[1] == name for each in buttons), (address, buttons)
