"""Bulk changes: many rooms, each changed exactly once, with a preview and a report."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.http import urlencode

from dynamodb_lists import begins
from dynamodb_lists.schema.keys import now
from dynamodb_lists.tests.helpers.answers import answering, cancelled
from dynamodb_lists.tests.helpers.paging import until
from hotels import commands as hotels
from hotels.entities import Hotel
from portal.people import names_of
from rooms import commands, queries
from rooms.entities import BulkChange, BulkProgress, Room, RoomAction, RoomFailure, RoomRefused, StatusChange
from rooms.entities.bulk import RATES
from rooms.statuses import Housekeeping
from tests.helpers.bulk_changes import TEN_PER_CENT, URL, finish, make_change, preview
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup, get
from tests.helpers.people import permit
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room, of_abc
from tests.helpers.writes import delete_room, edit_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


def some_rooms(number: int) -> list[Room]:
    """Rooms from number 100 on. Every second room has a view of the garden."""
    return [make_room(str(100 + n), view=("Sea view", "Garden")[n % 2], rate=Decimal(100 + n)) for n in range(number)]


def fill() -> None:
    make_hotel(some_rooms(30))


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    return fill if "rooms" in request.fixturenames else None


@pytest.fixture
def rooms(empty_tables: None) -> list[Room]:
    """Thirty rooms, 100 to 129."""
    return some_rooms(30)


def raised(rooms: list[Room]) -> BulkChange:
    return make_change(rooms, RoomAction.RATE_PERCENT, amount=Decimal(10))


def edit(number: str, by: str, **values: Any) -> None:
    """Somebody edits a room."""
    room = queries.room(ABC, number)
    edit_room(room, replace(room, **values), by)


def rate(number: str) -> Decimal:
    return queries.room(ABC, number).rate


def test_every_room_is_changed_exactly_once_however_often_a_step_is_repeated(rooms: list[Room]) -> None:
    change = raised(rooms)
    commands.ask_for(ABC, change)
    assert finish(change) == BulkProgress(30, 30)
    for _ in range(3):
        assert commands.take_step_of(ABC, change).changed == 30
    assert [rate(room.number) for room in rooms] == [room.rate * Decimal("1.1") for room in rooms]
    assert_in_step()


def test_what_cannot_be_changed_is_told_with_its_reason_as_far_as_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.commands.TOLD_FAILURES", 3)
    rooms = [make_room("101", rate=Decimal(5)), make_room("102"), make_room("103", currency="CHF"), make_room("104")]
    make_hotel([*rooms, make_room("105", rate=Decimal(5))])
    change = make_change([*rooms, make_room("105")], RoomAction.RATE_BY, amount=Decimal(-10))
    delete_room(queries.room(ABC, "104"), "alice")
    progress = finish(change)
    assert (progress.tried, progress.changed, progress.failed) == (5, 1, 4)
    assert progress.failures == (
        RoomFailure("101", "the rate would be below zero"),
        RoomFailure("103", "its rate is in CHF"),
        RoomFailure("104", "the room does not exist any more"),
    )
    assert rate("102") == Decimal("110.50")


@pytest.mark.parametrize(
    ("action", "amount", "before", "after"),
    [
        (RoomAction.RATE_PERCENT, "7.5", "99.99", "107.49"),
        (RoomAction.RATE_PERCENT, "-50", "0.01", "0.01"),
        (RoomAction.RATE_TO, "120.505", "1", "120.51"),
        (RoomAction.RATE_BY, "-1", "1", "0.00"),
    ],
)
def test_rates_are_rounded_half_up_to_the_currency(action: RoomAction, amount: str, before: str, after: str) -> None:
    room = make_room("101", rate=Decimal(before))
    change = BulkChange("x", action, "101", "anna", now(), Decimal(amount), currency="EUR")
    assert change.of(room).rate == Decimal(after)
    yen = replace(change, currency="JPY", action=RoomAction.RATE_PERCENT, amount=Decimal(10))
    assert change.of(room) == replace(room, rate=Decimal(after))
    assert yen.of(replace(room, currency="JPY", rate=Decimal(15))).rate == Decimal(17)
    with pytest.raises(RoomRefused, match="digits"):
        replace(change, action=RoomAction.RATE_BY, amount=Decimal(10**18)).of(room)


def test_without_a_currency_of_the_hotel_no_rate_can_be_changed(manager: Client) -> None:
    hotels.save_hotels([Hotel(ABC, "Hotel ABC")])
    commands.save_rooms([make_room("100")])
    page = get(manager, f"{URL}change/?room=100")
    offered = [option["value"] for option in page.soup.select("#new-action option")]
    assert offered == [action for action in RoomAction if action not in RATES]


def undone_on_pages(client: Client, change: BulkChange) -> BulkChange:
    """Undo a bulk change as its page offers it; returns the change that does so, once it is done."""
    address = f"{URL}change/{change.change_id}/"
    (button,) = get(client, address).soup.select("#bulk button[name=undo]")
    sent = {"undo": str(button["value"])}
    undoing = client.post(address, sent)["Location"]
    assert not get(client, undoing).soup.select("button[name=undo]"), "not done"
    undo = queries.bulk_change(ABC, undoing.split("/")[-2])
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: finish(undo), range(3)))
    assert client.post(address, sent)["Location"] == undoing, "a change is undone once"
    return undo


def test_a_bulk_change_is_undone_but_for_rooms_that_somebody_changed_since(manager: Client, rooms: list[Room]) -> None:
    edit("129", "alice", rate=Decimal(0))
    change = raised(rooms)
    assert finish(change) == BulkProgress(30, 29, 1)
    edit("101", "bôb", size=99)
    for _ in range(6):  # back and forth: it has the bulk change's values again, and more entries than an undo reads
        for size in (1, 40):
            edit("102", "bôb", size=size)
    delete_room(queries.room(ABC, "103"), "alice")
    names_of(["alice", "bôb"])  # which are kept: threads of a test cannot read SQL in memory
    undo = undone_on_pages(manager, change)
    progress = queries.bulk_progress(ABC, undo.change_id)
    assert (progress.changed, progress.same, undo.by) == (26, 1, "mary")
    assert [(failure.number, failure.reason) for failure in progress.failures] == [
        ("101", "bôb has changed this since."),
        ("102", "bôb has changed this since."),
        ("103", "the room does not exist any more"),
    ]
    assert [rate(room.number) for room in rooms[4:29]] == [room.rate for room in rooms[4:29]]
    page = get(manager, f"{URL}change/{undo.change_id}/")
    assert "26 changed, 1 was like that already" in page.text("#bulk .lead")
    assert "Undo of: rate +10 % . Asked for by mary ." in page.text("#bulk p.muted")
    again = undone_on_pages(manager, undo)
    assert [rate(room.number) for room in rooms[4:29]] == [room.rate * Decimal("1.1") for room in rooms[4:29]]
    assert_in_step()
    mine = get(manager, "/history/mine/")
    assert mine.element(f'a[href="{URL}change/{again.change_id}/"]')


def test_an_undone_bulk_change_of_a_facet_keeps_counts_and_who_may_not_make_it_may_not_undo_it(
    manager: Client, newcomer: Client, dana: User, rooms: list[Room]
) -> None:
    change = make_change(rooms, RoomAction.VIEW, text="Park")
    address = f"{URL}change/{change.change_id}/"
    assert manager.post(address, {"undo": "1"})["Location"] == address, "it is not done"
    finish(change)
    assert_in_step()
    permit(dana, "rooms.change_room_status")
    assert newcomer.post(address, {"undo": "1"}).status_code == 403
    undone_on_pages(manager, change)
    views = {room.number: room.view for room in queries.all_rooms(of_abc(number=begins("1")))}
    assert views == {room.number: room.view for room in rooms}
    assert_in_step()


def test_a_step_that_others_keep_from_being_taken_is_refused_and_goes_on_later(
    manager: Client, rooms: list[Room]
) -> None:
    address = f"{URL}change/{raised(rooms).change_id}/"
    with answering(lambda **_: cancelled("ConditionalCheckFailed")):
        response = manager.post(address)
    words = ListMarkup(response.content).text("p.problem:not([hidden])")
    assert (response.status_code, words) == (409, "Others are changing these rooms, too. Continue in a moment.")
    assert manager.post(address).status_code == 302
    assert rate("100") == 110


def test_selected_rooms_are_previewed_changed_and_reported(staff: Client, manager: Client, rooms: list[Room]) -> None:
    page = get(manager, f"{URL}?page_size=10")
    assert len(page.soup.select('input[name=room][form="bulk"]')) == 10
    address = f"{URL}change/?room=100&room=101&room=999&new-action=rate-percent&new-rate_percent=10"
    page, address, sent = preview(manager, address)
    assert "2 rooms of Hotel ABC are selected." in page.text(".lead")
    assert page.text('#preview tr[data-row="101"] td[data-label=Then]').startswith("EUR 111.10")
    assert rate("101") == 101, "a preview changes nothing"
    assert len({(response := manager.post(address, sent))["Location"] for _ in range(2)}) == 1
    page = get(manager, response["Location"])
    assert "0 of 2 rooms" in page.text("#bulk")
    assert page.element("#bulk form")["hx-trigger"].startswith("load")
    for _ in range(2):
        manager.post(response["Location"])
        page = get(manager, response["Location"])
        assert "Done: 2 of 2 rooms. 2 changed, 0 were like that already, 0 failed." in page.text("#bulk .lead")
    assert [rate("100"), rate("101"), rate("102")] == [Decimal(110), Decimal("111.1"), Decimal(102)]


def test_the_preview_shows_every_room_in_pages_and_sums_up_in_words(manager: Client) -> None:
    rooms = [make_room(str(100 + n), type="Suite", view="Sea view", rate=Decimal(220 + n)) for n in range(60)]
    others = make_room("300", rate=Decimal(0)), make_room("301", currency="CHF"), make_room("999", type="x")
    make_hotel([*rooms, *others])
    _, address, _ = preview(manager, f"{URL}change/?all=on&type=suite&view=sea-view&{urlencode(TEN_PER_CENT)}")
    first = get(manager, address)
    page = get(manager, f"{URL}change/{first.element('#preview a[rel=next]')['href']}")
    seen = [row for page in (first, page) for row in page.soup.select("#preview tr[data-row]")]
    fates = dict.fromkeys((room.number for room in rooms), "changed") | {"300": "same", "301": "refused"}
    assert {row["data-row"]: row["data-fate"] for row in seen} == fates
    assert page.text("#bulk-words") == ("Rate +10 %: 60 rooms. 1 stays the same. 1 cannot be changed.")
    assert page.text('tr[data-row="301"] td:last-child') == "not changed: its rate is in CHF"
    assert len(page.soup.select("#preview mark")) == 10
    assert page.text("#preview form button") == "Change 60 rooms"
    assert get(manager, f"{URL}change/{page.element('#preview a[rel=prev]')['href']}").rows == first.rows
    assert get(manager, f"{address}&new-page=99").rows == page.rows
    assert not get(manager, f"{address}&new-page=0").soup.select("#preview")
    _, address, sent = preview(manager, f"{address}&new-page=2")
    done = manager.post(address, sent)
    change_id = done["Location"].split("/")[-2]
    assert len(queries.bulk_change(ABC, change_id).room_numbers) == 62, done
    assert page.element("form.bulk a.button")["href"] == f"{URL}?type=suite&view=sea-view", "Cancel keeps the filters"
    from_plan = get(manager, f"{URL}change/?room=101&list=/hotels/abc/plan/")
    back = [from_plan.element(each)["href"] for each in ("form.bulk a.button", "p.lead a.link")]
    assert set(back) == {"/hotels/abc/plan/"}
    until(lambda: manager.post(done["Location"]) and queries.bulk_progress(ABC, change_id).tried == 62)
    failed = get(manager, done["Location"]).element('tr[data-row="301"] a')
    assert failed["href"] == f"{URL}301/"


def test_a_wrong_change_and_a_wrong_selection_are_explained(manager: Client, rooms: list[Room]) -> None:
    for query, words in {
        "new-action=rate-to": "Enter the new value.",
        "new-action=rate-percent&new-rate_percent=-101": "greater than or equal to -100",
        "new-action=status": "Choose a cleaning status",
        "new-action=status&new-service=out-of-order": "Say why",
        "new-action=status&new-service=out-of-order&new-reason=x&new-until=2020-01-01": "This day has passed.",
        "new-action=explode": "Select a valid choice",
    }.items():
        page = get(manager, f"{URL}change/?room=100&{query}")
        assert words in page.text("main")
        assert not page.soup.select("#preview")
    for query in ("room=%23", "all=on&view=nowhere", "all=on&rate_min=x"):
        assert manager.get(f"{URL}change/?{query}").status_code == 400, query


def test_who_may_change_only_the_status_takes_no_step_of_another_change(
    newcomer: Client, dana: User, rooms: list[Room]
) -> None:
    dearer, dirty = (
        raised(rooms[:3]),
        make_change(rooms[:3], RoomAction.STATUS, status=StatusChange(Housekeeping.DIRTY)),
    )
    permit(dana, "rooms.change_room_status")
    assert newcomer.post(f"{URL}change/{dearer.change_id}/").status_code == 403
    assert newcomer.post(f"{URL}change/{dirty.change_id}/").status_code == 302
    assert rate("100") == 100
    assert queries.room(ABC, "100").housekeeping == Housekeeping.DIRTY
    page = get(newcomer, f"{URL}change/?room=100")
    assert [option["value"] for option in page.soup.select("#new-action option")] == ["status"]
    refused = newcomer.post(f"{URL}change/?room=100&{urlencode(TEN_PER_CENT)}")
    assert "/change/?room=100" in refused["Location"]


def test_who_may_not_see_rooms_learns_nothing_of_their_rates_and_views(
    newcomer: Client, dana: User, rooms: list[Room]
) -> None:
    permit(dana, "rooms.change_room_status")
    change = "new-action=status&new-housekeeping=dirty"
    page = get(newcomer, f"{URL}change/?room=100&room=101&{change}")
    assert [row.get_text(" ", strip=True) for row in page.soup.select("#preview tr[data-row]")] == [
        "100 Clean Dirty changes",
        "101 Clean Dirty changes",
    ]
    for secret in ("Sea view", "Garden", "Suite", "€", "101.00"):
        assert secret not in page.soup.get_text() + str(page.soup.select("option"))
    for query in (f"all=on&rate_min=102&{change}", f"all=on&number=1&{change}"):
        assert newcomer.get(f"{URL}change/?{query}", follow=True).status_code == 403, "how many match would tell"
        assert newcomer.post(f"{URL}change/?{query}", follow=True).status_code == 403


def test_two_managers_who_confirm_the_same_preview_raise_a_rate_once(manager: Client, admin_client: Client) -> None:
    make_hotel([make_room("101", rate=Decimal(129)), make_room("102", rate=Decimal(1), view="City")])
    address = f"{URL}change/?all=on&rate_min=100&{urlencode(TEN_PER_CENT)}"
    (_, first, sent), (_, second, also_sent) = preview(manager, address), preview(admin_client, address)
    edit("102", "bôb", rate=Decimal(200))
    done = manager.post(first, sent)["Location"]
    late = admin_client.post(second, also_sent)["Location"]
    for client, progress in ((manager, done), (admin_client, late)):
        client.post(progress)
    assert (rate("101"), rate("102")) == (Decimal("141.9"), Decimal(200)), "102 matches only since the preview"
    report = get(admin_client, late)
    assert report.text('tr[data-row="101"] td') == "changed meanwhile by mary"
    assert manager.get(first)["Location"] == done, "a confirmed preview is not offered again, after Back"
    assert manager.post(first, sent)["Location"] == done
    assert rate("101") == Decimal("141.9")


def test_ids_and_rooms_of_a_bulk_change_are_those_that_the_server_signed(
    manager: Client, admin_client: Client, rooms: list[Room]
) -> None:
    _, address, sent = preview(manager, f"{URL}change/?room=100&{urlencode(TEN_PER_CENT)}")
    for client, there, seen in (
        (manager, address.split("&new-id=")[0] + "&new-id=ZZZZZZZZZZZZZZZZZZZZZZZZZZ", sent),
        (manager, address, {"seen": sent["seen"][:-1] + "\0"}),
        (admin_client, address, sent),
        (manager, address.replace("percent=10", "percent=50"), sent),
    ):
        assert client.post(there, seen)["Location"] == there, "a new preview"
    assert rate("100") == 100


def test_a_late_step_does_not_take_the_progress_back(rooms: list[Room], monkeypatch: pytest.MonkeyPatch) -> None:
    """Use rooms that are as wanted already, whose writes no other step disturbs."""
    late = rooms[: commands.STEP_ROOMS]
    for room in late:
        commands.set_status(ABC, room.number, StatusChange(housekeeping=Housekeeping.DIRTY), "bob")
    seen = [queries.room(ABC, room.number) for room in rooms]
    change = make_change(seen, RoomAction.STATUS, status=StatusChange(housekeeping=Housekeeping.DIRTY))
    commands.ask_for(ABC, change)
    usual, done = commands._plan, list[BulkProgress]()

    def interrupted(*args: Any) -> Any:
        planned = usual(*args)
        if not done:
            done.append(BulkProgress())
            done.append(finish(change))
        return planned

    monkeypatch.setattr(commands, "_plan", interrupted)
    commands.take_step_of(ABC, change)
    assert queries.bulk_progress(ABC, change.change_id) == done[-1]
