"""Pages of the history: of a thing, and of a member of staff."""

import csv
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries
from ulid import ULID

from dynamodb_lists.tests.helpers.paging import linked, until
from dynamodb_lists.writing.transactions import commit
from orders import commands as orders
from orders.statuses import Status
from portal.history.commands import entry_put
from portal.history.entities import FieldChange, HistoryEntry, How, What
from portal.history.models import HistoryModel
from reviews import commands as reviews
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Housekeeping, Service
from tests.conftest import logged_in
from tests.helpers.kinds import items_of
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_guest, make_order
from tests.helpers.people import DAILY_WORK, bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest, delete_room, edit_review, edit_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM = f"/history/room/{ABC}/101/"
NEWEST = f"/history/newest/room/{ABC}/101/"
AT = datetime(2026, 1, 15, 10, 22, 31, tzinfo=UTC)


def record(count: int, *more: FieldChange, thing: str = f"room#{ABC}#101", at: datetime = AT, **other: Any) -> None:
    """Write entries an hour apart, each with a change of the size and with ``more``."""
    values: dict[str, Any] = {"by": "alice", "how": How.PORTAL, "what": What.CHANGED, **other}
    entries = [
        HistoryEntry(
            thing=thing,
            at=at + timedelta(hours=number),
            changes=(FieldChange("size", str(number), str(number + 1)), *more),
            **values,
        )
        for number in range(count)
    ]
    commit([entry_put(entry) for entry in entries])


def get(client: Client, path: str) -> ListMarkup:
    response = client.get(path)
    assert response.status_code == 200, response.content
    return ListMarkup(response.content)


def rows(page: ListMarkup) -> list[str]:
    """Return the text of each row."""
    return [" ".join(row.get_text(" ").split()) for row in page.soup.select("tbody tr")]


# --- Who may see what -----------------------------------------------------------------------------------


HOTEL = f"/hotels/{ABC}/history/"


def test_a_hotel_lists_what_its_staff_changed(staff: Client, alice: User) -> None:
    make_hotel([make_room("101")])
    make_hotel([], hotel_id="xyz", name="Hotel XYZ")
    room = edit_room(room_queries.room(ABC, "101"), make_room("101", size=41), "bob")
    reviews.add_review(make_review("r-1"), "bob")
    create_guest(make_guest(), "bob")  # belongs to the group
    orders.place_order(make_order(), "bob")
    rooms.save_rooms([replace(room, size=42)])  # by an import
    page = get(staff, HOTEL)
    assert page.rows == ["order#o-1", "review#r-1", f"room#{ABC}#101"]
    assert "Changes in Hotel ABC" in page.soup.get_text()
    assert get(staff, f"{HOTEL}?to=2022-12-31").rows == []
    assert get(staff, "/hotels/xyz/history/").rows == []
    bind(alice, "xyz")
    assert logged_in(alice).get(HOTEL).status_code == 404


def test_the_sidebar_leads_to_ones_own_changes(staff: Client) -> None:
    assert get(staff, "/hotels/").element('a[href="/history/mine/"]')
    assert staff.get("/history/mine/")["Location"] == "/history/staff/alice/"
    assert staff.get("/history/mine/?explain=json&sort=time")["Location"] == (
        "/history/staff/alice/?explain=json&sort=time"
    )


def test_changes_by_machines_are_not_listed_by_author_and_the_page_says_so(manager: Client) -> None:
    for name in ("alice", "channel"):
        record(1, by=name, thing=f"room#{ABC}#{name}")  # the channel manager was a person's account
    with override_settings(MACHINE_ACCOUNTS=frozenset({"channel"})):
        record(1, by="channel")
        assert rows(get(manager, ROOM)), "the history of the thing has it"
        old = get(manager, "/history/staff/channel/")
        assert old.rows == [f"room#{ABC}#channel"]
        assert "channel is not a person." in " ".join(old.element("p.lead").get_text().split())
        assert "that imports made are not listed" in get(manager, "/history/staff/import/").soup.get_text()
        assert "machine" not in get(manager, "/history/staff/alice/").soup.get_text()


def test_the_changes_of_others_need_a_permission(staff: Client, alice: User) -> None:
    record(1, by="bob")
    assert staff.get("/history/staff/bob/").status_code == 403
    assert staff.get("/history/staff/?username=bob").status_code == 403
    assert get(staff, "/history/staff/alice/").soup.select("#members") == []
    assert "/history/staff/bob/" not in staff.get(ROOM).content.decode()
    permit(alice, *DAILY_WORK, "portal.view_history")
    allowed = logged_in(User.objects.get(username="alice"))
    assert len(get(allowed, "/history/staff/bob/").rows) == 1
    assert allowed.get("/history/staff/?username=bob")["Location"] == "/history/staff/bob/"
    assert [allowed.get(f"/history/staff/{'ö' * length}/").status_code for length in (150, 151)] == [200, 404]
    assert get(allowed, ROOM).element('a[href="/history/staff/bob/"]')


def test_staff_are_found_by_their_names_and_unknown_names_are_no_silence(manager: Client) -> None:
    User.objects.create_user("rferrari", first_name="Rosa", last_name="Ferrari", is_staff=True)
    record(1, by="rferrari")
    assert manager.get("/history/staff/?username=rosa ferrari")["Location"] == "/history/staff/rferrari/"
    page = get(manager, "/history/staff/rferrari/")
    assert page.element("#member")["value"] == "Rosa Ferrari"
    assert page.element("datalist option[value='Rosa Ferrari']")
    nobody = get(manager, "/history/staff/rosa/").text("tr.nothing")
    assert nobody == "Nobody has the username “rosa”. Choose a name from the list."
    User.objects.create_user("other", first_name="Rosa", last_name="Ferrari", is_staff=True)
    assert manager.get("/history/staff/?username=Rosa Ferrari")["Location"] == "/history/staff/Rosa%20Ferrari/"


def test_names_tell_no_usernames_without_the_permission(staff: Client) -> None:
    User.objects.create_user("rferrari", first_name="Rosa", last_name="Ferrari", is_staff=True)
    assert staff.get("/history/mine/?username=Rosa Ferrari")["Location"] == "/history/staff/Rosa%20Ferrari/"


SEEN_WITH = {
    f"room/{ABC}/101": "rooms.view_room",
    f"hotel/{ABC}": "hotels.view_hotel",
    "guest/alex": "orders.view_guest",
    "order/o-1": "orders.view_order",
    "review/r-1": "reviews.view_review",
}


def test_the_history_of_a_thing_needs_the_permission_to_see_the_thing(staff: Client, alice: User) -> None:
    for thing, permission in SEEN_WITH.items():
        record(1, thing=thing.replace("/", "#"))
        paths = [f"/history/{thing}/", f"/history/newest/{thing}/"]
        permit(alice, permission)
        assert [staff.get(path).status_code for path in paths] == [200, 200]
        permit(alice, *(other for other in DAILY_WORK if other != permission))
        assert [staff.get(path).status_code for path in paths] == [403, 403]
    mine = get(staff, "/history/staff/alice/")  # without the last permission
    assert sorted(mine.rows) == ["", *sorted(thing.replace("/", "#") for thing in SEEN_WITH if "review" not in thing)]
    (hidden,) = (row for row in mine.soup.select("tbody tr") if not row["data-row"])
    assert " ".join(hidden.get_text(" ").split()).endswith("Something that you may not see changed No values")
    assert not hidden.select('a[href^="/history/"]')


def test_lists_of_changes_hide_what_was_changed_at_other_hotels(staff: Client, alice: User) -> None:
    record(1, hotel_id=ABC)
    record(1, thing="room#xyz#7", hotel_id="xyz")
    record(1, thing="guest#alex")
    bind(alice, "xyz")
    page = get(staff, "/history/staff/alice/")
    assert sorted(page.rows) == ["", "guest#alex", "room#xyz#7"]
    assert ABC not in page.element("tbody").get_text()
    lines = exported(staff, "/history/staff/alice/")[1:]
    assert sorted(line[4:] for line in lines)[0] == ["", "", "", ""]
    assert all(ABC not in " ".join(line) for line in lines)


def test_what_a_hotels_staff_may_not_see_is_one_row_and_none_of_the_overview(staff: Client, alice: User) -> None:
    make_hotel([make_room("101")])
    permit(alice, "hotels.view_hotel", "rooms.view_room")
    record(3, thing="order#o-1", hotel_id=ABC, by="bob")
    record(1, at=AT - timedelta(days=1), hotel_id=ABC)
    page = get(staff, HOTEL)
    assert [*page.rows] == ["", f"room#{ABC}#101"]
    assert rows(page)[0].endswith("No values, and 2 more that you may not see")
    changes = get(staff, f"/hotels/{ABC}/").text(".changed")
    assert ("Room 101" in changes, "may not see" in changes) == (True, False)


def test_an_address_that_no_thing_can_have_is_a_404(staff: Client) -> None:
    for place in ("nothing/1/", f"room/{ABC}/", f"room/{ABC}/101/5/", "room/%23/1/", "room//1/"):
        assert staff.get(f"/history/{place}").status_code == 404, place
        assert staff.get(f"/history/newest/{place}").status_code == 404, place


# --- The history of a thing -----------------------------------------------------------------------------


def test_a_history_is_paged_newest_first(staff: Client) -> None:
    make_hotel()
    record(60)
    pages = linked(get(staff, f"{ROOM}?page_size=25"), lambda link: get(staff, f"{ROOM}{link}"))
    seen = [row for page in pages for row in rows(page)]
    assert seen[0].endswith("Size 59 m² 60 m²")
    assert pages[0].link("prev") is None
    assert [row.split()[-2] for row in seen] == [str(n) for n in range(60, 0, -1)]
    before = get(staff, f"{ROOM}{pages[-1].link('prev')}")
    assert [row.split()[-2] for row in rows(before)] == [str(n) for n in range(35, 10, -1)]
    oldest = get(staff, f"{ROOM}?sort=date&page_size=10")
    assert [row.split()[-2] for row in rows(oldest)] == [str(n) for n in range(1, 11)]


def test_the_panel_on_a_page_costs_nothing_and_loads_the_newest(staff: Client) -> None:
    make_hotel([make_room("101")])
    record(15)
    page = get(staff, f"/hotels/{ABC}/rooms/101/")
    panel = page.element("[data-history]")
    assert panel.select_one(f'a[href="{ROOM}"]')
    assert page.element("[data-history] [hx-get]")["hx-get"] == NEWEST
    part = get(staff, NEWEST)
    assert len(part.rows) == 10
    assert not part.soup.select("html, nav")
    assert part.element(f'a[href="{ROOM}"]')
    empty = get(staff, f"/history/newest/room/{ABC}/102/")
    assert "Nothing has been changed" in empty.soup.get_text()
    assert empty.element(f'a[href="/history/room/{ABC}/102/"]')


def test_the_names_of_all_authors_are_read_at_once(
    staff: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_hotel([make_room("101")])
    for number in range(6):
        User.objects.create_user(f"user{number}", first_name="Ana", last_name=f"Number{number}")
        record(1, by=f"user{number}", hotel_id=ABC, at=AT + timedelta(minutes=number))
    for page in (ROOM, NEWEST, f"/hotels/{ABC}/history/", f"/hotels/{ABC}/"):
        cache.clear()
        with django_assert_max_num_queries(3):  # the user of the session, the saved views, and the names
            assert staff.get(page).status_code == 200
    assert "user3" not in ListMarkup(staff.get(ROOM).content).text("table")
    assert "Ana Number3" in ListMarkup(staff.get(NEWEST).content).text("table")


def test_a_deleted_thing_keeps_its_history(staff: Client) -> None:
    make_hotel()
    rooms.create_room(make_room("101"), "alice")
    delete_room(room_queries.room(ABC, "101"), "alice")
    page = get(staff, ROOM)
    assert [row["data-what"] for row in page.soup.select("tr[data-row]")] == ["deleted", "created"]
    assert page.text("p.lead") == "Room 101 of Hotel ABC does not exist any more."
    rooms.create_room(make_room("101"), "alice")
    assert get(staff, ROOM).element(f'p.lead a[href="/hotels/{ABC}/rooms/101/"]')


def test_values_are_in_words_with_their_currency_and_as_days(staff: Client) -> None:
    make_hotel([make_room("101", rate=Decimal(389))])
    room = room_queries.room(ABC, "101")
    edit_room(room, replace(room, rate=Decimal("1400.5"), size=50), "alice")
    dear = room_queries.room(ABC, "101", consistent=True)
    edit_room(dear, replace(dear, rate=Decimal(50000), currency="JPY"), "alice")
    broken = StatusChange(service=Service.OUT_OF_ORDER, reason="out-of-order", until=date(2026, 11, 27))
    rooms.set_status(ABC, "101", broken, "alice")
    create_guest(make_guest("alex"), "alice")
    orders.take_step(orders.place_order(make_order("o-1"), "alice"), Status.PROCESSING, "alice")
    review = reviews.add_review(make_review("r-1", language="en"), "alice")
    edit_review(review, replace(review, language="de"), "alice")
    for path in (ROOM, NEWEST, "/history/staff/alice/?page_size=100"):
        text = " | ".join(rows(get(staff, path)))
        for words in (
            "Size 40 m² 50 m²",
            "Rate a night EUR 389.00 EUR 1,400.50",
            "Rate a night EUR 1,400.50 JPY 50,000 | Currency EUR JPY",
            "Service status In service Out of order",
            "Reason - blank out-of-order",
            "Out of order until - blank 27 Nov 2026",
        ):
            assert words in text, (path, words)
    text = " | ".join(rows(get(staff, "/history/staff/alice/?page_size=100")))
    for words in ("Status Placed Processing", "Language English German", "Total - blank EUR"):
        assert words in text, words
    assert not re.search(r"PLACED|in-service|\d{4}-\d\d-\d\d", text)
    assert exported(staff, ROOM)[1][5:] == ["Service status", "in-service", "out-of-order"], "files keep the values"


def test_what_this_release_does_not_know_is_shown_as_it_is_recorded(staff: Client) -> None:
    record(1, thing="robot#7")
    assert "robot#7" in rows(get(staff, "/history/staff/alice/"))[0]
    assert exported(staff, "/history/staff/alice/")[1][4] == "robot#7"
    record(1, FieldChange("rate", "389", "400"), FieldChange("until", "… 2026 (of 600 characters)", "x"))
    service, floor = FieldChange("service", "haunted", ""), FieldChange("floor", "1", "2")
    record(1, service, floor, at=AT + timedelta(minutes=1))
    text = " | ".join(rows(get(staff, ROOM)))
    for words in ("Rate a night 389 400", "until … 2026 (of 600 characters) x", "Service status haunted", "floor 1 2"):
        assert words in text, words
    assert "currency" not in items_of(HistoryModel.Meta.table_name)[0]["changes"]["L"][0]["M"]


def is_done(change: BulkChange) -> bool:
    return rooms.take_step_of(ABC, change).tried == len(change.room_numbers)


def test_a_bulk_change_is_one_entry_that_unfolds(staff: Client) -> None:
    make_hotel([make_room(str(n)) for n in range(101, 121)])
    for text in ("Garden", "Park"):
        change = BulkChange(str(ULID()), RoomAction.VIEW, "\n".join(map(str, range(101, 121))), "alice", AT, text=text)
        rooms.ask_for(ABC, change)
        until(partial(is_done, change))
    rooms.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "alice")
    get(staff, f"/hotels/{ABC}/rooms/")  # then the name of the hotel is known
    page = get(staff, "/history/staff/alice/?page_size=50")
    assert len(page.rows) == 41
    tops = page.soup.select("table[data-list] > tbody > tr")
    assert [top.get("data-how") for top in tops] == ["portal", "bulk", "bulk"]
    for top, last in zip(tops[1:], ("Garden Park", "Sea view Garden"), strict=True):
        assert top.select_one("details:not([open]) summary").get_text() == "20 of a bulk change, on this page"  # type: ignore[union-attr]
        inner = [" ".join(row.get_text(" ").split()) for row in top.select("details tbody tr")]
        assert sorted(inner) == [f"Room {n} of Hotel ABC View {last}" for n in range(101, 121)]
    assert "in bulk" in rows(get(staff, ROOM))[1]


def exported(client: Client, path: str) -> list[list[str]]:
    response: Any = client.get(f"{path}?format=csv")
    assert response.status_code == 200
    return list(csv.reader(StringIO(b"".join(response.streaming_content).decode())))
