"""Pages that add, edit and delete rooms: permissions, errors in the form, forms sent twice or at the same time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from unicodedata import normalize

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists import NotFound
from dynamodb_lists.writing import changes
from portal.form_pages import AS_STORED
from rooms import commands, queries
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.markup import ListMarkup, differences, entry_of, errors
from tests.helpers.orders import AT, make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as save_reviews
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room, of_abc
from tests.helpers.writes import delete_room, edit_room

pytestmark = [pytest.mark.usefixtures("in_step"), pytest.mark.django_db]
LIST = f"/hotels/{ABC}/rooms/"
ADD, ROOM = f"{LIST}add/", f"{LIST}101/"
EDIT, DELETE = f"{ROOM}edit/", f"{ROOM}delete/"
ENTRY = {
    "number": "A-1",
    "view": "Vườn, “hoa”",
    "size": "35",
    "type": "Suite",
    "rate": "99.90",
    "currency": "eur",
    "revision": "1",
}


def fill() -> None:
    make_hotel([make_room("101"), make_room("102", view="Garden", type="Double")])


@pytest.fixture
def in_step(empty_tables: None) -> Iterator[None]:
    """Check after each test that rooms, counts and totals agree."""
    yield
    assert_in_step()


def stored(number: str = "101") -> Room:
    return queries.room(ABC, number, consistent=True)


def numbers() -> list[str]:
    return sorted(room.number for room in queries.all_rooms(of_abc()))


def shown(client: Client, path: str = EDIT) -> dict[str, str]:
    """Return what a form shows."""
    return entry_of(ListMarkup(client.get(path).content))


# --- Adding ---------------------------------------------------------------------------------------------


def test_a_room_is_added(manager: Client) -> None:
    response = manager.post(ADD, ENTRY, follow=True)
    assert response.redirect_chain == [(f"{LIST}A-1/", 302)]
    assert "Room A-1 was added" in response.content.decode()
    added = stored("A-1")
    assert (added.view, added.size, added.type, added.rate, added.currency, added.revision) == (
        "Vườn, “hoa”",
        35,
        "Suite",
        Decimal("99.90"),
        "EUR",
        1,
    )
    assert ListMarkup(manager.get(f"{LIST}?size=35").content).rows == ["A-1"]


def test_a_room_that_was_there_before_was_not_added_and_offers_no_undo(
    manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.post(ADD, ENTRY)
    assert "Room A-1 was added" in manager.post(ADD, ENTRY, follow=True).content.decode(), "the answer was lost"
    monkeypatch.setattr("portal.history.views.SENT_AGAIN", timedelta(seconds=-5))
    page = ListMarkup(manager.post(ADD, ENTRY, follow=True).content)
    assert "Room A-1 is there already, with these values." in page.soup.get_text()
    assert page.soup.select("form[action*=undo]") == []


def test_the_form_begins_with_the_hotels_currency_and_suggests_its_words(manager: Client) -> None:
    delete_room(stored("102"), "alice")
    page = ListMarkup(manager.get(ADD).content)
    assert page.element("[name=currency][type=hidden]")["value"] == "EUR"
    assert [str(option["value"]) for option in page.soup.select("#views option")] == ["Sea view"], "those of no room go"
    assert page.element("[name=type]")["list"] == "types"


WRONG: list[tuple[dict[str, str], str]] = [
    ({"number": "101"}, "There is already a room 101"),
    ({"number": "1#1"}, "A room number has"),
    ({"number": "add"}, "cannot be a room's number"),
    ({"size": "0"}, "greater than or equal to 1"),
    ({"size": "10000"}, "less than or equal to 9999"),
    ({"rate": "-1"}, "greater than or equal to 0"),
    ({"rate": "1.005"}, "too many decimals"),
    ({"currency": "USD"}, "The prices of Hotel ABC are in EUR"),
]


def test_what_is_wrong_stands_in_the_form(manager: Client) -> None:
    for change, complaint in WRONG:
        response = manager.post(ADD, {**ENTRY, **change})
        assert complaint in errors(response), change
        kept = entry_of(ListMarkup(response.content))
        assert {**ENTRY, **change}.items() <= {**kept, "revision": "1"}.items()
    assert numbers() == ["101", "102"]


# --- Changing -------------------------------------------------------------------------------------------


def test_a_room_is_changed_with_its_number_and_facets(manager: Client) -> None:
    entry = shown(manager)
    values = {"number": "101", "view": "Sea view", "size": "40", "type": "Suite", "rate": "120.50", "currency": "EUR"}
    assert values.items() <= entry.items()
    assert entry["revision"].partition(" ")[0] == "1"
    before = stored()
    response = manager.post(EDIT, {**shown(manager), "number": "201", "view": "", "rate": "99"}, follow=True)
    assert response.redirect_chain == [(f"{LIST}201/", 302)]
    assert "The change was saved" in response.content.decode()
    changed = stored("201")
    assert (changed.view, changed.rate, changed.size, changed.revision) == ("", Decimal(99), before.size, 2)
    assert numbers() == ["102", "201"]


def test_a_rate_that_moves_by_more_than_ten_times_asks_once_more(manager: Client) -> None:
    entry = {**shown(manager), "rate": "12050"}
    asked = manager.post(EDIT, entry)

    assert "The rate was EUR\N{NO-BREAK SPACE}120.50 and becomes EUR\N{NO-BREAK SPACE}12,050.00." in errors(asked)
    assert 'type="checkbox" name="rate_is_right"' in asked.content.decode()
    assert stored().rate == Decimal("120.5")
    assert manager.post(EDIT, {**entry, "rate_is_right": "on"})["Location"] == ROOM
    assert stored().rate == Decimal(12050)


def test_the_second_of_two_sees_both_versions_and_may_save_again(manager: Client) -> None:
    seen = shown(manager)
    edit_room(stored(), replace(stored(), view="Garden", rate=Decimal("1.5")), "alice")
    late = manager.post(EDIT, {**seen, "size": "41", "rate": "14"})
    assert "Somebody else changed this meanwhile" in errors(late)
    assert differences(late) == [
        ("View", "Garden", AS_STORED),
        ("Size", "40 m²", "41 m²"),
        ("Rate a night", "EUR\N{NO-BREAK SPACE}1.50", "EUR\N{NO-BREAK SPACE}14.00"),
    ]
    assert stored().rate == Decimal("1.5")
    manager.post(EDIT, entry_of(ListMarkup(late.content)))
    assert (stored().rate, stored().view, stored().revision) == (Decimal(14), "Garden", 3)


def test_what_was_typed_is_shown_if_the_room_is_gone(manager: Client) -> None:
    seen = shown(manager)
    delete_room(stored(), "alice")
    response = manager.post(EDIT, {**seen, "view": "Typed with care"})
    assert response.status_code == 404
    page = ListMarkup(response.content)
    assert page.text("[role=alert]").startswith("Somebody has deleted or renamed this")
    assert "Typed with care" in page.text("dl.facts")


def test_a_room_keeps_the_currency_that_it_has(manager: Client) -> None:
    edit_room(stored(), replace(stored(), currency="USD"), "alice")
    entry = shown(manager)
    assert manager.post(EDIT, {**entry, "rate": "50"}).status_code == 302
    assert "are in EUR" in errors(manager.post(EDIT, {**shown(manager), "currency": "GBP"}))
    assert manager.post(EDIT, {**shown(manager), "currency": "EUR"}).status_code == 302


# --- Deleting -------------------------------------------------------------------------------------------


def test_deleting_asks_once_and_says_what_will_go(manager: Client) -> None:
    page = ListMarkup(manager.get(DELETE).content)
    for fact in ("Delete room 101?", "Hotel ABC", "101", "Sea view", "40 m²", "EUR 120.50"):
        assert fact in page.text("form.entries")
    assert page.element("form.entries a")["href"] == ROOM
    entry = entry_of(page)
    response = manager.post(DELETE, entry, follow=True)
    assert response.redirect_chain == [(LIST, 302)]
    assert "Room 101 was deleted" in response.content.decode()
    assert numbers() == ["102"]
    with pytest.raises(NotFound):
        stored()
    assert manager.post(DELETE, entry)["Location"] == LIST, "sent twice"


def test_an_order_that_comes_meanwhile_is_told_before_its_room_is_deleted(manager: Client) -> None:
    entry = shown(manager, DELETE)
    store_orders([make_order(hotel_id=ABC, room_number="101")])
    again = manager.post(DELETE, entry)
    assert "What names room 101 has changed meanwhile. Do you still want to delete it?" in errors(again)
    assert "Room 101 is named by 1 unfinished order." in " ".join(again.content.decode().split())
    assert stored(), "nothing is deleted yet"
    assert manager.post(DELETE, entry_of(ListMarkup(again.content))).status_code == 302
    assert numbers() == ["102"]


# --- Failures -------------------------------------------------------------------------------------------


def test_an_edit_leaves_the_status_alone(manager: Client) -> None:
    make_hotel([make_room("101")])
    commands.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "hanna")
    sent = shown(manager)
    assert manager.post(EDIT, sent).status_code == 302
    assert stored().revision == 2, "nothing was changed, so nothing is written"
    commands.set_status(ABC, "101", StatusChange(Housekeeping.INSPECTED), "hanna")
    response = manager.post(EDIT, {**sent, "size": "41"})
    assert [cells[0] for cells in differences(response)] == ["Size"]


# --- What names a room -----------------------------------------------------------------------------------


def name_room(newer: int) -> None:
    """A review and an unfinished order name room 101; others of the hotel, even newer ones, do not."""
    save_reviews([make_review("r-1", room_number="101"), make_review("r-2", room_number="102")])
    others = [make_order(f"o-2{n:03d}", placed_at=AT + timedelta(days=1)) for n in range(newer)]
    store_orders([make_order("o-1", room_number="101"), *others])


def test_what_names_a_room_is_said_before_its_number_changes_hands(manager: Client) -> None:
    name_room(newer=2)
    assert "Room 101 is named by 1 unfinished order and 1 review." in manager.get(DELETE).content.decode()
    entry = {**shown(manager), "number": "109"}
    page = manager.post(EDIT, entry)
    assert "Room 101 is named by 1 unfinished order and 1 review. They stay with the number 101" in errors(page)
    assert "There is already a room 102." in errors(manager.post(EDIT, {**entry, "number": "102"}))
    assert numbers() == ["101", "102"]
    assert manager.post(EDIT, {**entry, "confirmed": "on"}).status_code == 302
    added = {**ENTRY, "number": "101"}
    assert "They will belong to the new room." in errors(manager.post(ADD, added))
    assert "There is already a room 102." in errors(manager.post(ADD, {**added, "number": "102"}))
    assert manager.post(ADD, {**added, "confirmed": "on"}).status_code == 302
    unnamed = f"{LIST}109/edit/"
    assert manager.post(unnamed, {**shown(manager, unnamed), "number": "110"}).status_code == 302


def test_the_page_of_a_number_that_is_gone_leads_to_what_still_names_it(
    manager: Client, newcomer: Client, dana: User
) -> None:
    name_room(newer=1)
    assert ROOM in manager.get("/orders/o-1/").content.decode()
    delete_room(stored(), "alice")
    page = ListMarkup((response := manager.get(ROOM)).content)
    assert (response.status_code, "Hotel ABC has no room 101 now." in page.text("[role=alert]")) == (404, True)
    ways = {str(link["href"]) for link in page.soup.select(".of-room a")}
    lists = {f"/hotels/{ABC}/orders/?room=101", f"/hotels/{ABC}/reviews/?room=101"}
    lists |= {f"/hotels/{ABC}/notes/{notes}" for notes in ("add/?about=room%3A101", "?about=room%3A101&status=any")}
    assert ways == {"/orders/o-1/", "/reviews/r-1/", *lists}
    assert f"/history/room/{ABC}/101/" in response.content.decode()
    for address in ("/orders/o-1/", "/reviews/r-1/"):
        told = " ".join(manager.get(address).content.decode().split())
        assert f'101, which the hotel does not have <a class="link" href="/history/room/{ABC}/101/">' in told
        assert f'"{ROOM}"' not in told
    permit(dana, "rooms.view_room")
    bind(dana, ABC)
    assert [newcomer.get(ROOM).content.decode().count(name) for name in ("/o-1/", "/r-1/")] == [0, 0]


def test_a_room_whose_revision_is_the_time_is_edited_tapped_and_deleted(
    manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tests count revisions from 1. A form also takes the revisions of real rooms, which begin at the time in
    ms.
    """
    monkeypatch.setattr(changes, "first_revision", lambda: 1_800_000_000_000)
    make_hotel([])
    added = {"number": "7", "size": "20", "rate": "100", "currency": "EUR"}
    assert manager.post(f"/hotels/{ABC}/rooms/add/", added).status_code == 302
    address = f"/hotels/{ABC}/rooms/7/"
    for page, entered in (("edit/", {"rate": "110"}), ("status/", {"housekeeping": "dirty"}), ("delete/", {})):
        sent = {**entry_of(ListMarkup(manager.get(address + page).content)), **entered}
        assert manager.post(address + page, sent).status_code == 302, page
    with pytest.raises(NotFound):
        queries.room(ABC, "7", consistent=True)


def test_letters_of_a_number_may_have_marks(manager: Client) -> None:
    make_hotel([])
    for number in ("ห้อง 1", "कमरा-2", "é", "_1", "-1", "\u0e49ก", "a/b"):
        entry = {"number": number, "size": "20", "rate": "100", "currency": "EUR"}
        response = manager.post(f"/hotels/{ABC}/rooms/add/", entry)
        if number[0] in "-\u0e49" or "/" in number:
            assert "begins with a letter or digit" in errors(response)
        else:
            shown = ListMarkup(manager.get(f"/hotels/{ABC}/rooms/", {"number": normalize("NFKC", number)}).content)
            assert shown.rows == [normalize("NFKC", number)]
