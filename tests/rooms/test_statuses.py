"""The status of rooms: changed one by one, by several people at once, and listed while it needs attention."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists.reading.pages import read_page
from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.error_pages import UNKNOWN_OUTCOME
from portal.history.entities import FieldChange
from portal.history.queries import history
from portal.times import today_in
from rooms import commands, queries
from rooms.entities import Room, StatusChange
from rooms.entities.floors import floor_of
from rooms.statuses import Housekeeping, Service
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.people import show_every_hotel
from tests.helpers.rooms import ABC, all_items, assert_in_step, make_hotel, make_room
from tests.storm.proxy import Fault, Proxy

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
DIRTY, CLEAN = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.CLEAN)
BROKEN = StatusChange(service=Service.OUT_OF_ORDER, reason="Dripping tap", until=date(2031, 5, 1))
MENDED = StatusChange(service=Service.IN_SERVICE)


@pytest.fixture
def housekeeper(client: Client) -> Client:
    """A client whose user may change the status of rooms, and nothing else of them."""
    user = show_every_hotel(User.objects.create_user("hanna", password="secret", is_staff=True))
    user.user_permissions.add(Permission.objects.get(codename="change_room_status"))
    user.user_permissions.add(*Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


def stored(number: str) -> Room:
    return queries.room(ABC, number)


def attention() -> list[str]:
    return [room.number for room in queries.rooms_needing_attention(ABC).stream()]


def test_a_room_needs_attention_as_long_as_it_is_dirty_or_out_of_order(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(datetime(2031, 1, 1, 12, 0, second, tzinfo=UTC) for second in range(60))
    monkeypatch.setattr("rooms.commands.rooms.now", lambda: next(times))
    make_hotel([make_room("101"), make_room("102")])
    commands.set_status(ABC, "101", DIRTY, "hanna")
    since = stored("101").attention_since
    assert since is not None
    commands.set_status(ABC, "101", BROKEN, "anna")
    assert (stored("101").reason, stored("101").until) == ("Dripping tap", date(2031, 5, 1))
    broken = stored("101").attention_since
    assert broken is not None, "since it is out of order"
    assert broken > since
    commands.set_status(ABC, "101", CLEAN, "hanna")
    assert attention() == ["101"]
    assert stored("101").attention_since == broken
    commands.set_status(ABC, "101", MENDED, "anna")
    assert attention() == []
    assert stored("101") == replace(make_room("101"), revision=5)
    assert_in_step()


def test_the_same_status_twice_writes_once() -> None:
    make_hotel([make_room("101")])
    _, dirty = commands.set_status(ABC, "101", DIRTY, "hanna")
    before = list(all_items())
    assert commands.set_status(ABC, "101", DIRTY, "hanna") == (dirty, dirty)
    assert list(all_items()) == before


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


def test_an_edit_and_an_import_keep_the_status(tmp_path: Path) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", BROKEN, "anna")
    commands.edit_room(stored("101"), replace(make_room("101"), view="Garden"), "alice")
    assert (stored("101").view, stored("101").reason) == ("Garden", "Dripping tap")
    file = tmp_path / "rooms.csv"
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"
    file.write_text(f"{header}\nabc,Hotel ABC,Paris,101,Sea,40,Suite,99,EUR\n", encoding="utf-8")
    call_command("import_rooms", str(file))
    assert (stored("101").view, stored("101").reason, attention()) == ("Sea", "Dripping tap", ["101"])


def test_an_import_may_say_the_status_and_the_time_zone(tmp_path: Path) -> None:
    file = tmp_path / "rooms.csv"
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency,housekeeping,service,reason,time_zone"
    lines = [
        "abc,Hotel ABC,Paris,101,Sea,40,Suite,99,EUR,dirty,,,Europe/Paris",
        "abc,Hotel ABC,Paris,102,Sea,40,Suite,99,EUR,,out-of-order,No water,Europe/Paris",
    ]
    file.write_text("\n".join([header, *lines]), encoding="utf-8")
    for _ in range(2):
        call_command("import_rooms", str(file))
        assert attention() == ["101", "102"]
        assert (stored("102").reason, stored("102").revision) == ("No water", 1)


def test_no_room_that_needs_attention_says_so(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    page = ListMarkup(housekeeper.get(f"/hotels/{ABC}/attention/").content)
    assert "No room is dirty." in page.text(".nothing")


@pytest.mark.parametrize(
    ("number", "floor"),
    [
        ("101", "1"),
        ("1203", "12"),
        ("014", "0"),
        ("101a", "1"),
        ("101-2", "1"),
        ("99", ""),
        ("B12", ""),
        ("12345", ""),
        ("1-01", ""),
    ],
)
def test_a_number_may_tell_its_floor(number: str, floor: str) -> None:
    assert floor_of(number) == floor


DIRTY_IN_ORDER = ["7", "99", "B2", "B12", "101", "102B", "1001"]
"""Each heading stands once, so rooms without a floor stand together."""


@pytest.mark.parametrize("most", [1000, 3])
def test_dirty_rooms_are_by_floor_and_number_whatever_their_numbers_are(
    housekeeper: Client, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """With more rooms than are sorted in memory, the planner gives the list: no room is missing on any page."""
    monkeypatch.setattr("rooms.queries.lists.MOST_SORTED", most)
    make_hotel([make_room(number) for number in [*reversed(DIRTY_IN_ORDER), "103", "104"]])
    for number in (*DIRTY_IN_ORDER, "104"):
        commands.set_status(ABC, number, BROKEN if number == "104" else DIRTY, "hanna")
    address = f"/hotels/{ABC}/attention/"
    page = ListMarkup(housekeeper.get(address).content)
    assert page.rows == DIRTY_IN_ORDER
    assert page.soup.select_one("[data-list]")["data-total"] == "7"  # type: ignore[index]
    assert "7 dirty of 9 rooms" in page.text(".lead")
    order = [line.get_text(strip=True) for line in page.soup.select("tr.floor")]
    assert order == ["Other rooms", "Floor 1", "Floor 10"]
    for query, rooms in {
        "?status=dirty&sort=-number": [*DIRTY_IN_ORDER[3::-1], *DIRTY_IN_ORDER[:3:-1]],
        "?status=out-of-order": ["104"],
        "?status=clean": ["103", "104"],
        "?status=inspected": [],
        "?status=attention": [*DIRTY_IN_ORDER[:6], "104", *DIRTY_IN_ORDER[6:]],
    }.items():
        assert ListMarkup(housekeeper.get(address + query).content).rows == rooms, query
    by_date = ListMarkup(housekeeper.get(f"{address}?status=attention&sort=date").content)
    assert sorted(by_date.rows) == sorted([*DIRTY_IN_ORDER, "104"])


def test_pages_of_dirty_rooms_go_on_where_the_last_one_ends(housekeeper: Client) -> None:
    numbers = [f"{floor}{door:02d}" for floor in (9, 10) for door in range(1, 9)]
    make_hotel([make_room(number) for number in numbers])
    for number in numbers:
        commands.set_status(ABC, number, DIRTY, "hanna")
    address, seen = f"/hotels/{ABC}/attention/?page_size=10", list[str]()
    page = ListMarkup(housekeeper.get(address).content)
    assert [line.get_text(strip=True) for line in page.soup.select("tr.floor")] == ["Floor 9", "Floor 10"]
    seen += page.rows
    page = ListMarkup(housekeeper.get(f"/hotels/{ABC}/attention/{page.link('next')}").content)
    assert [line.get_text(strip=True) for line in page.soup.select("tr.floor")] == ["Floor 10"]
    assert seen + page.rows == numbers


def test_a_bad_tab_of_the_housekeeping_list_is_named(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    for query in ("status=dusty", "status=in-service", "status=clean&sort=date", "sort=rate"):
        response = housekeeper.get(f"/hotels/{ABC}/attention/?{query}")
        assert response.status_code == 400, query
        name = query.rpartition("&")[2].partition("=")[0]
        assert ListMarkup(response.content).soup.select(f'[data-problem="{name}"]')


def test_one_tap_in_the_list_changes_a_status_and_stays_in_the_list(housekeeper: Client) -> None:
    make_hotel([make_room(str(n), view="Sea view") for n in range(100, 130)])
    url = f"/hotels/{ABC}/rooms/"
    second = str(ListMarkup(housekeeper.get(f"{url}?view=sea-view").content).link("next"))
    page = ListMarkup(housekeeper.get(url + second).content)
    form = page.element(f'tr[data-row="{page.rows[0]}"] form')
    list_address = str(form.select("input[name=list]")[0]["value"])
    response = housekeeper.post(str(form["action"]), {"list": list_address, "housekeeping": "dirty"})
    assert response.status_code == 302
    again = ListMarkup(housekeeper.get(response["Location"]).content)
    assert again.rows == page.rows
    assert again.element(f'tr[data-row="{page.rows[0]}"] button[aria-pressed=true]')["value"] == "dirty"
    assert attention() == [page.rows[0]]


HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/hotels/{ABC}/attention/"}


def row(client: Client, number: str, where: str = "attention/") -> dict[str, str]:
    """What a browser sends of a room's form in a list, beside the button."""
    return hidden(ListMarkup(client.get(f"/hotels/{ABC}/{where}").content).element(f'tr[data-row="{number}"]'))


def hidden(element: Any) -> dict[str, str]:
    boxes = element.select("input[type=hidden]:not([name=csrfmiddlewaretoken])")
    return {str(box["name"]): str(box["value"]) for box in boxes}


def tap(client: Client, number: str, data: dict[str, str], status: int = 200) -> ListMarkup:
    """A tap as htmx sends it: the answer is what is in the row's form."""
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
    changes = [(entry.by, *entry.changes) for entry in read_page(history(f"room#{ABC}#101"), 10).rows[:2]]
    assert changes == [
        ("hanna", FieldChange("housekeeping", "clean", "dirty")),
        ("hanna", FieldChange("housekeeping", "dirty", "clean")),
    ]
    assert_in_step()


def test_a_tap_that_somebody_else_has_overtaken_is_not_undone(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    form = hidden(tap(housekeeper, "101", {**row(housekeeper, "101"), "housekeeping": "clean"}).soup)
    commands.set_status(ABC, "101", StatusChange(Housekeeping.INSPECTED), "anna")
    part = tap(housekeeper, "101", {**form, "undo": "dirty"}, 409)
    assert part.text(".outcome") == "anna has changed this since. Room 101 is inspected now. Nothing was undone."
    assert part.element("button[aria-pressed=true]")["value"] == "inspected"
    assert stored("101").housekeeping == Housekeeping.INSPECTED
    commands.set_status(ABC, "101", CLEAN, "anna")
    tap(housekeeper, "101", {**form, "undo": "dirty"}, 409)  # it is clean again, but that is anna's word now
    commands.set_status(ABC, "101", DIRTY, "anna")
    tap(housekeeper, "101", {**form, "undo": "dirty"}, 409)
    assert housekeeper.post(f"/hotels/{ABC}/rooms/101/status/", {"list": "rooms", "undo": "clean"}).status_code == 200
    assert stored("101").housekeeping == Housekeeping.DIRTY, "what is to be undone must be said"


def test_a_stale_tap_does_not_replace_what_was_said_since(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    stale = row(housekeeper, "101")
    commands.set_status(ABC, "101", StatusChange(Housekeeping.INSPECTED), "anna")
    part = tap(housekeeper, "101", {**stale, "housekeeping": "clean"}, 409)
    words = "Room 101 is inspected now, because somebody else was quicker. Nothing was changed."
    assert (part.text(".outcome"), stored("101").housekeeping) == (words, "inspected")
    page = housekeeper.post(f"/hotels/{ABC}/rooms/101/status/", {**stale, "housekeeping": "clean"}, follow=True)
    assert words in page.content.decode()
    tap(housekeeper, "101", {**stale, **hidden(part.soup), "housekeeping": "clean"})
    assert stored("101").housekeeping == "clean", "the answer names what it is now"


def test_a_room_is_back_in_service_with_one_tap(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", BROKEN, "anna")
    shown = row(housekeeper, "101", "attention/?status=out-of-order")
    page = ListMarkup(housekeeper.get(f"/hotels/{ABC}/attention/?status=out-of-order").content)
    assert page.text(".housekeeping > .next") == "Back in service"
    part = tap(housekeeper, "101", {**shown, "service": "in-service"})
    assert (part.text("[data-outcome]"), part.text("#badge-101")) == ("Back in service.", "In service")
    assert (stored("101").service, stored("101").reason) == (Service.IN_SERVICE, None)
    part = tap(housekeeper, "101", {**hidden(part.soup), "undo": "out-of-order"})
    assert part.text("[data-outcome]") == "Out of order again."
    assert (stored("101").service, stored("101").reason) == (Service.OUT_OF_ORDER, "Dripping tap")


def test_without_scripts_the_message_offers_to_undo_a_tap(housekeeper: Client) -> None:
    make_hotel([make_room(str(n)) for n in range(101, 104)])
    where = "rooms/?status=dirty"
    commands.set_status(ABC, "101", DIRTY, "anna")
    address = f"/hotels/{ABC}/rooms/101/status/"
    sent = {**row(housekeeper, "101", where), "housekeeping": "clean"}
    page = ListMarkup(housekeeper.post(address, sent, follow=True).content)
    assert page.rows == []
    assert page.element(f'form[action="{address}"] .undo')["value"] == "dirty"
    undo = hidden(page.element(f'form[action="{address}"]'))
    page = ListMarkup(housekeeper.post(address, {**undo, "undo": "dirty"}, follow=True).content)
    assert (page.rows, "Room 101 is dirty again." in page.soup.get_text()) == (["101"], True)
    commands.set_status(ABC, "101", StatusChange(Housekeeping.INSPECTED), "anna")
    page = ListMarkup(housekeeper.post(address, {**undo, "undo": "dirty"}, follow=True).content)
    assert "anna has changed this since. Room 101 is inspected now." in page.soup.get_text()
    assert stored("101").housekeeping == Housekeeping.INSPECTED


def test_out_of_order_is_set_from_the_list_and_leads_back_to_it(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", DIRTY, "anna")
    listed = ListMarkup(housekeeper.get(f"/hotels/{ABC}/attention/?sort=number").content)
    address = urljoin(f"/hotels/{ABC}/attention/", str(listed.element(".others a")["href"]))
    form = {**entry_of(ListMarkup(housekeeper.get(address).content)), "service": "out-of-order", "reason": "Tap"}
    room = ListMarkup(housekeeper.post(address, {**form, "until": "2031-05-01"}, follow=True).content)
    assert str(room.element("nav.way-back a")["href"]).startswith(f"/hotels/{ABC}/attention/")


def test_a_tap_that_fails_says_why(portal: Client, proxy: Proxy, dana: User) -> None:
    make_hotel([make_room("101")])
    address, data = f"/hotels/{ABC}/rooms/101/status/", {"list": "rooms?", "housekeeping": "dirty"}
    with proxy.failing(Fault.LOSE, "TransactWriteItems"):
        response = portal.post(address, data, headers=HTMX)
    assert response.status_code == 503
    assert UNKNOWN_OUTCOME in response.content.decode()
    assert tap(portal, "101", data).text("#list-status") == "Room 101 is dirty."
    assert stored("101").revision == 2
    assert (
        b"nothing here that your account may see"
        in portal.post(address.replace("101", "999"), data, headers=HTMX).content
    )
    assert portal.post(address, {**data, "housekeeping": "?"}, headers=HTMX).status_code == 400
    assert b"no permission" in logged_in(dana).post(address, data, headers=HTMX).content


def test_a_list_of_another_site_is_no_way_back(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    address = f"/hotels/{ABC}/rooms/101/status/"
    for wrong in ("//evil.example/", "rooms?view=%00&cursor=x", "x?y"):
        response = housekeeper.post(address, {"list": wrong, "housekeeping": "dirty"})
        assert response["Location"] == f"/hotels/{ABC}/rooms/#row-101"


def test_out_of_order_needs_a_reason_and_keeps_what_was_typed(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    address = f"/hotels/{ABC}/rooms/101/status/"
    response = housekeeper.post(address, {"service": "out-of-order", "until": "2031-05-01"})
    page = ListMarkup(response.content)
    assert "Say why the room is out of order." in page.text(".entry.wrong")
    assert page.element("input[name=until]")["value"] == "2031-05-01"
    sent = {"service": "out-of-order", "until": "2031-05-01", "reason": "Leck"}
    response = housekeeper.post(address, sent, follow=True)
    assert response.redirect_chain == [(f"/hotels/{ABC}/rooms/101/", 302)]
    assert (stored("101").service, stored("101").reason) == (Service.OUT_OF_ORDER, "Leck")
    page = ListMarkup(response.content)
    assert "The status of room 101 was saved." in page.soup.get_text()
    assert "Out of order until 1 May 2031" in page.text("dl.facts")
    assert "Leck" in page.text("dl.facts")


def seen(page: ListMarkup) -> dict[str, str]:
    """What the browser sends of a form that nobody has touched."""
    sent = {}
    for field in page.soup.select("form.entries input[name], form.entries select"):
        (chosen,) = field.select("option[selected]") or [field]
        sent[str(field["name"])] = str(chosen.get("value", ""))
    return sent


def form_values(client: Client, address: str) -> dict[str, str]:
    """What a browser sends of the form as it was loaded."""
    return seen(ListMarkup(client.get(address).content))


def test_a_form_that_is_sent_as_it_was_loaded_changes_nothing(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", BROKEN, "anna")
    address = f"/hotels/{ABC}/rooms/101/status/"
    loaded = form_values(housekeeper, address)
    assert loaded["until"] == "2031-05-01"
    assert housekeeper.post(address, loaded).status_code == 302
    assert stored("101").revision == 2


def test_two_people_do_not_undo_each_other(housekeeper: Client) -> None:
    """One has loaded the form while the other one taps a status."""
    make_hotel([make_room("101")])
    address = f"/hotels/{ABC}/rooms/101/status/"
    loaded = form_values(housekeeper, address)
    commands.set_status(ABC, "101", DIRTY, "hanna")
    housekeeper.post(address, {**loaded, "service": "out-of-order", "reason": "No water"})
    assert (stored("101").housekeeping, stored("101").reason) == (Housekeeping.DIRTY, "No water")
    again = form_values(housekeeper, address)
    commands.set_status(ABC, "101", MENDED, "anna")
    housekeeper.post(address, {**again, "housekeeping": "clean"})
    assert (stored("101").housekeeping, stored("101").service) == (Housekeeping.CLEAN, Service.IN_SERVICE)


def test_two_people_who_set_a_room_out_of_order_at_once_learn_of_each_other(housekeeper: Client) -> None:
    make_hotel([make_room("101")])
    address = f"/hotels/{ABC}/rooms/101/status/"
    form = form_values(housekeeper, address)
    commands.set_status(ABC, "101", BROKEN, "anna")
    sent = {**form, "service": "out-of-order", "reason": "Painting"}
    page = ListMarkup(housekeeper.post(address, sent).content)
    assert "Out of order, Dripping tap, 2031-05-01" in page.text("form.entries .errorlist")
    again = seen(page)
    assert again["reason"] == "Painting"
    assert housekeeper.post(address, again).status_code == 302
    assert stored("101").reason == "Painting"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"service": "in-service", "reason": "Painting"}, "for a room that is out of order"),
        ({"service": "out-of-order", "reason": "Painting", "until": "2020-01-01"}, "This day has passed."),
    ],
)
def test_what_would_be_lost_is_refused(housekeeper: Client, data: dict[str, str], words: str) -> None:
    make_hotel([make_room("101")])
    response = housekeeper.post(f"/hotels/{ABC}/rooms/101/status/", data)
    assert words in ListMarkup(response.content).text(".entry.wrong")
    assert stored("101").revision == 1


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue"])  # at each hour, one of them has not UTC's day
def test_a_room_is_overdue_after_the_last_day_in_its_hotel(housekeeper: Client, zone: str) -> None:
    save_hotels([Hotel(ABC, "Far", currency="EUR", time_zone=zone)])
    commands.save_rooms([make_room("101"), make_room("102")])
    today, page = today_in(zone), f"/hotels/{ABC}/rooms/101/status/"
    data = {"service": "out-of-order", "reason": "Painting"}
    late = housekeeper.post(page, {**data, "until": f"{today - date.resolution}"})
    assert "This day has passed." in ListMarkup(late.content).text(".entry.wrong")
    assert housekeeper.post(page, {**data, "until": f"{today}"}).status_code == 302
    commands.set_status(ABC, "102", replace(BROKEN, until=today - date.resolution), "hanna")
    badges = ListMarkup(housekeeper.get(f"/hotels/{ABC}/attention/?status=out-of-order").content).soup.select(
        ".status.out-of-order"
    )
    assert ["overdue" in badge.get_text() for badge in badges] == [False, True]
    part = housekeeper.get(f"/hotels/{ABC}/rooms/102/")
    assert "overdue" in ListMarkup(part.content).text("main")


def test_an_import_refuses_a_room_that_is_out_of_order_for_no_reason(tmp_path: Path) -> None:
    file = tmp_path / "rooms.csv"
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency,service"
    file.write_text(f"{header}\nabc,Hotel ABC,Paris,101,Sea,40,Suite,99,EUR,out-of-order\n", encoding="utf-8")
    with pytest.raises(CommandError, match="1 row refused"):
        call_command("import_rooms", str(file))
    assert "Say why the room is out of order" in (tmp_path / "rooms.rejected.csv").read_text(encoding="utf-8")
