"""Undo: after every kind of change, once, by users who may, and only while nobody has changed the thing since."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client, override_settings

from dynamodb_lists import ChangedMeanwhile, NotFound
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing import changes
from hotels import commands as hotel_commands
from hotels import queries as hotels
from orders import commands as orders
from orders import queries as order_queries
from orders.lists import stored_order
from orders.statuses import Status
from portal.history.entities import REPAIR, Actor, How
from portal.history.models import HistoryModel
from portal.history.subjects import thing_at, thing_of
from portal.history.undoing import NewestChange, NotUndone, before_bulk, newest_change, undo
from reviews import commands as reviews
from reviews import queries as review_queries
from reviews.entities import Review
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import Room, StatusChange
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping
from tests.conftest import logged_in
from tests.helpers.contents import scanned
from tests.helpers.history import all_entries, told
from tests.helpers.kinds import assert_all_in_step
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.orders import make_guest, make_items, make_order
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest, delete_review, delete_room, edit_hotel, edit_review, edit_room

first_revision = changes.first_revision  # before the tests' own replaces it
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOM, REVIEW, ORDER = f"/hotels/{ABC}/rooms/101/", "/reviews/r-1/", "/orders/o-1/"
LONG = "Vườn “hoa”; 2 x tea) at 5\r\n" + "x" * 3000
NEW_ROOM = {"number": "201", "view": "", "size": "30", "type": "Suite", "rate": "99.5", "currency": "EUR"}
STEP = {"guest": "alex", "seen": "PLACED", "step": "PROCESSING"}


def fill() -> None:
    """Store a room, a guest, an order and a review with a reply. Somebody has changed each of them before."""
    make_hotel([make_room("101")])
    edit_room(room(), replace(room(), size=41), "anna")
    create_guest(make_guest("alex", "Alex Doe", email="alex@example.com"), "anna")
    orders.place_order(make_order(items=make_items(3), total="62.5"), "anna")
    review = reviews.add_review(make_review(body=LONG, room_number="101"), "anna")
    reviews.reply_to_review(review, "Thank you (of 9 characters)", "anna")


def room(number: str = "101") -> Room:
    return room_queries.room(ABC, number, consistent=True)


def review() -> Review:
    return review_queries.review("r-1", consistent=True)


def undone(serial: int, path: str = f"room/{ABC}/101", may: Callable[[str], bool] = lambda _: True) -> NewestChange:
    """Mary undoes a change of a thing."""
    return undo(thing_at(*path.split("/", 1)), serial, "mary", may)


def things() -> dict[str, Any]:
    """Everything that people see of the things, without the numbers of their changes."""
    loads: dict[str, Callable[[], Any]] = {
        "room": lambda: replace(room(), attention_since=None),
        "new": lambda: room("201"),
        "hotel": lambda: hotels.stored_hotel(ABC),
        "guest": lambda: order_queries.guest("alex", consistent=True),
        "review": review,
        "order": lambda: stored_order("o-1"),
    }
    found: dict[str, Any] = {}
    for name, load in loads.items():
        with suppress(NotFound):
            found[name] = replace(load(), revision=0)
    order = found.pop("order")
    return {**found, "order": (order.status, order.items, order.total, order.item_count, order.room_number)}


def assert_refused(client: Client, path: str, serial: int, words: str = "") -> None:
    """Check that the undo of a change is a conflict, and what it says."""
    refused = client.post(f"/history/undo/{path}/", {"serial": str(serial)})
    assert (refused.status_code, words in refused.content.decode()) == (409, True), path


def undo_form(page: ListMarkup, where: str = "[role=status] form") -> tuple[str, dict[str, str]]:
    form = page.element(where)
    return str(form["action"]), {"serial": str(form.select("input[name=serial]")[0]["value"])}


CHANGES = {
    "edit of a room": (f"{ROOM}edit/", {"view": "", "rate": "99.95"}),
    "number of a room": (f"{ROOM}edit/", {"number": "201", "confirmed": "on"}),
    "status of a room": (f"{ROOM}status/", {"service": "out-of-order", "reason": "Water", "until": "2031-05-01"}),
    "new room": (f"/hotels/{ABC}/rooms/add/", NEW_ROOM),
    "deletion of a room": (f"{ROOM}delete/", {}),
    "edit of a hotel": (f"/hotels/{ABC}/edit/", {"name": "Hôtel 北京", "city": ""}),
    "edit of a guest": ("/guests/alex/edit/", {"name": "Älex Ðoe", "email": ""}),
    "correction of an order": (
        f"{ORDER}edit/",
        {"items-0-quantity": "7", "items-1-name": "Tea; 2 x (a) at 5", "room_number": "101"},
    ),
    "step of an order": (ORDER, STEP),
    "cancellation of an order": (ORDER, {**STEP, "step": "CANCELLED"}),
    "edit of a review": (f"{REVIEW}edit/", {"rating": "1", "body": LONG + "y", "language": "de", "room_number": ""}),
    "reply": (f"{REVIEW}reply/", {"reply": "Sorry."}),
    "deletion of a reply": (f"{REVIEW}reply/delete/", {}),
    "deletion of a review": (f"{REVIEW}delete/", {}),
}


def test_every_change_can_be_undone_once_and_the_undo_as_well(manager: Client) -> None:
    before = things()
    for name, (address, entered) in CHANGES.items():
        sent = {**(entry_of(ListMarkup(manager.get(address).content)) if "seen" not in entered else {}), **entered}
        page = ListMarkup(manager.post(address, sent, follow=True).content)
        after, changed = things(), len(all_entries())
        assert after != before, name
        action, data = undo_form(page)
        for _ in range(2):  # sent twice, it has one effect
            done = manager.post(action, data)
            assert things() == before, name
        assert "The change was undone." in manager.get(done["Location"]).content.decode(), name
        undos = [entry for entry in all_entries()[changed:] if not entry.moved_to]
        assert [(entry.by, entry.how) for entry in undos] == [("mary", How.UNDO)], name
        for wanted in (after, before):  # the undo is undone, and that, too
            thing = thing_of([entry.thing for entry in all_entries() if not entry.moved_to][-1])
            assert thing is not None
            history = ListMarkup(manager.get(thing.history_address).content)
            assert "by an undo" in history.text("tbody tr"), name
            manager.post(*undo_form(history, "tbody form"), follow=True)  # its message is shown
            assert {**things(), "review": None} == {**wanted, "review": None}, name
        before = things()  # a reply has another time now
    assert_all_in_step()


OTHERS: dict[str, Callable[[], object]] = {
    "back and forth": lambda: edit_room(
        edit_room(room(), replace(room(), rate=Decimal(1)), "bôb"), replace(room(), rate=Decimal(99)), "bôb"
    ),
    "deletion": lambda: delete_room(room(), "bôb"),
    "import": lambda: rooms.save_rooms([replace(room(), size=7)]),
}


@pytest.mark.parametrize("name", OTHERS)
def test_an_undo_of_what_somebody_changed_since_says_who_and_what_is_now(manager: Client, name: str) -> None:
    address = f"{ROOM}edit/"
    entry = {**entry_of(ListMarkup(manager.get(address).content)), "rate": "99"}
    action, data = undo_form(ListMarkup(manager.post(address, entry, follow=True).content))
    OTHERS[name]()
    stored, recorded = things(), told()
    refused = manager.post(action, data)
    page = ListMarkup(refused.content)
    who = {"import": "An import has changed", "deletion": "bôb has deleted"}.get(name, "bôb has changed")
    assert (refused.status_code, f"{who} this since." in page.text("[role=alert]")) == (409, True)
    assert "Nothing was undone." in page.text("[role=alert]")
    assert bool(page.soup.select(f'main a[href="{ROOM}"]')) == (name != "deletion")
    assert bool(page.soup.select("td[data-label=Now]")) == (name != "deletion")
    assert (things(), told()) == (stored, recorded)


@pytest.mark.parametrize(("number", "away"), [("101", -1), ("101", 1), ("102", 1)])
def test_an_undo_of_a_change_that_never_was_says_so(manager: Client, number: str, away: int) -> None:
    """Nobody is told to have changed the room since. A room of a file has no history."""
    rooms.save_rooms([make_room("102")])
    serial = {"serial": str(room(number).revision + away)}
    refused = manager.post(f"/history/undo/room/{ABC}/{number}/", serial)
    text = ListMarkup(refused.content).text("main")
    assert (refused.status_code, "This change is not in the history any more." in text, "since" in text) == (
        409,
        True,
        False,
    )


def test_a_history_that_ends_says_how_long_changes_are_kept(manager: Client, settings: Any) -> None:
    settings.HISTORY_DAYS = 30
    edit_room(room(), replace(room(), size=42), "anna")
    (newest,) = (entry for entry in all_entries() if entry.serial == room().revision)
    ends = [int(item["expires_at"]["N"]) for item in scanned(HistoryModel.Meta.table_name) if "expires_at" in item]
    assert ends == [int((newest.at + timedelta(30)).timestamp())], "those from before stay"
    refused = manager.post(f"/history/undo/room/{ABC}/101/", {"serial": str(room().revision + 1)})
    assert "any more. Changes are kept for 30 days." in ListMarkup(refused.content).text("main")
    with pytest.raises(NotUndone, match="for 30 days"):
        before_bulk(room(), "gone", now() - timedelta(31))


def test_an_undo_of_somebody_else_is_told_as_theirs(manager: Client, dana: User) -> None:
    """A user who sends their own undo again reads that it was done; another user reads who did it."""
    User.objects.filter(pk=dana.pk).update(first_name="Dana", last_name="Whitfield", is_superuser=True)
    address, serial = f"/history/undo/room/{ABC}/101/", {"serial": str(room().revision)}
    theirs = logged_in(User.objects.get(pk=dana.pk))
    assert [theirs.post(address, serial).status_code for _ in range(2)] == [302, 302], "sent again"
    late = manager.post(address, serial)
    assert late.status_code == 409
    assert "Dana Whitfield has changed this since." in ListMarkup(late.content).text("main")
    assert told()[-1] == ("changed", f"room#{ABC}#101", "dana")


def test_the_history_offers_undo_at_its_newest_entry_to_those_who_may(manager: Client, dana: User) -> None:
    history = f"/history/room/{ABC}/101/"
    rooms.set_status(ABC, "101", StatusChange(Housekeeping.DIRTY), "anna")
    newcomer = logged_in(dana)
    for permission, offered in (("rooms.change_room", 0), ("rooms.change_room_status", 1)):
        permit(dana, "rooms.view_room", permission)
        for address in (history, history.replace("history/", "history/newest/", 1)):
            assert len(ListMarkup(newcomer.get(address).content).soup.select("form:has([name=serial])")) == offered
    permit(dana, "rooms.view_room", "rooms.change_room")
    action, data = undo_form(ListMarkup(manager.get(history).content), "tbody form")
    assert newcomer.post(action, data).status_code == 403
    bind(dana, "xyz")
    assert newcomer.post(action, data).status_code == 404
    assert room().housekeeping == Housekeeping.DIRTY
    assert manager.post(action, {"serial": "x"}).status_code == 400
    assert manager.get(action)["Location"] == history
    manager.post(action, data)
    assert room().housekeeping == Housekeeping.CLEAN
    assert not ListMarkup(manager.get(f"{history}?to=2020-01-01").content).soup.select("tbody form")


def test_the_undo_of_a_step_is_not_before_it() -> None:
    """The clock of the machine that took the step may be ahead."""
    ahead = now() + timedelta(days=1)
    orders.save_orders([make_order("o-2", placed_at=ahead)])
    moved = orders.take_step(stored_order("o-2"), Status.PROCESSING, "mary")
    newest = newest_change(moved)
    undo(newest.thing, newest.serial, "mary", lambda permission: True)
    assert [step.at for step in stored_order("o-2").history] == [ahead] * 3


def test_who_may_not_cancel_takes_only_an_own_cancellation_back(dana: User) -> None:
    client = logged_in(dana)
    permit(dana, "orders.view_order", "orders.add_order", "orders.move_order")
    orders.take_step(stored_order("o-1"), Status.CANCELLED, "mary")
    assert client.post("/history/undo/order/o-1/", {"serial": "3"}).status_code == 403
    order = orders.place_order(make_order("o-2", items=make_items(1), total="37.5"), "dana")
    orders.take_step(order, Status.CANCELLED, "dana")
    assert client.post("/history/undo/order/o-2/", {"serial": "3"}).status_code == 302
    assert stored_order("o-2").status == Status.PLACED


NEW_REVIEW = {"review_id": "r-9", "author": "Ann", "language": "EN", "rating": "4", "title": "Fine", "body": "Really."}
OFFERS = {
    "new review": ("reviews", "add", "delete", (f"/hotels/{ABC}/reviews/add/", NEW_REVIEW)),
    "deletion of a room": ("rooms", "delete", "add", CHANGES["deletion of a room"]),
}


@pytest.mark.parametrize("name", OFFERS)
@pytest.mark.parametrize("offered", [False, True])
def test_the_message_after_a_change_offers_undo_to_those_who_may(dana: User, name: str, offered: bool) -> None:
    app, own, other, (address, entered) = OFFERS[name]
    names = ["view", own, *([other] if offered else ["change"])]
    permit(dana, "hotels.view_hotel", *(f"{app}.{each}_{app[:-1]}" for each in names))
    client = logged_in(dana)
    page, before = ListMarkup(client.get(address).content), len(all_entries())
    page = ListMarkup(client.post(address, {**entry_of(page), **entered}, follow=True).content)
    assert len(all_entries()) == before + 1, "the change was made"
    assert len(page.soup.select("[role=status] form")) == offered


def test_who_may_take_back_only_a_part_of_a_change_may_not_undo_it() -> None:
    ROOMS.by(Actor("anna")).update(room(), size=50, housekeeping=Housekeeping.DIRTY)
    needed = {"rooms.change_room", "rooms.change_room_status"}
    for missing in needed:
        with pytest.raises(PermissionDenied):
            undone(room().revision, may=(needed - {missing}).__contains__)
    undone(room().revision, may=needed.__contains__)
    assert (room().size, room().housekeeping) == (41, Housekeeping.CLEAN)


def test_imports_erasures_and_entries_without_a_number_cannot_be_undone(manager: Client) -> None:
    guest = order_queries.guest("alex", consistent=True)
    orders.erase_guest(guest, "mary")
    rooms.save_rooms([replace(room(), size=7)])
    for path, serial in (("guest/alex", 2), (f"room/{ABC}/101", 3), (f"hotel/{ABC}", 1), ("account/mary", 1)):
        response = manager.post(f"/history/undo/{path}/", {"serial": str(serial)})
        assert response.status_code in {409, 403 if "account" in path else 409}, path
        assert not ListMarkup(manager.get(f"/history/{path}/").content).soup.select("tbody form"), path
    assert order_queries.guest("alex", consistent=True).name == "Erased guest"
    with override_settings(MACHINE_ACCOUNTS=frozenset()), pytest.raises(NotUndone):
        undone(0)


def test_a_number_that_somebody_took_is_not_taken_back(manager: Client) -> None:
    renumbered = edit_room(room(), replace(room(), number="201"), "mary")
    rooms.create_room(make_room("101"), "anna")
    assert_refused(manager, f"room/{ABC}/201", renumbered.revision, "There is already a room 101.")
    assert_all_in_step()


def test_what_changed_without_an_entry_is_not_overwritten(manager: Client) -> None:
    """A repair has no entry, nor has a room that a file adds again after somebody has deleted it."""
    edited = edit_room(room(), replace(room(), view="Garden"), "mary")
    repair = ROOMS.by(REPAIR)
    repair.update(edited, replace(edited, view="Park"))
    assert_refused(manager, f"room/{ABC}/101", edited.revision)
    delete_room(room(), "mary")
    rooms.save_rooms([make_room("101")])
    assert_refused(manager, f"room/{ABC}/101", all_entries()[-1].serial)
    assert room().view == "Sea view"


def test_an_old_undo_does_not_touch_a_new_thing_with_the_old_id(
    manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "first_revision", first_revision)
    kinds: list[tuple[str, Callable[[], Any], Callable[[Any], Any]]] = [
        (f"room/{ABC}/777", lambda: rooms.create_room(make_room("777"), "mary"), lambda it: delete_room(it, "x")),
        ("review/r-7", lambda: reviews.add_review(make_review("r-7"), "x"), lambda it: delete_review(it, "x")),
    ]
    for path, add, remove in kinds:
        first: Any = add()
        remove(first)
        second: Any = add()
        assert second.revision > first.revision + 1
        for serial in (first.revision, first.revision + 1):
            assert_refused(manager, path, serial)
        with pytest.raises(ChangedMeanwhile):
            remove(first)
        undone(second.revision, path)


def test_what_an_undo_adds_again_has_no_revision_that_it_had_before() -> None:
    seen_room, seen_review = room(), review()
    delete_room(seen_room, "mary")
    delete_review(seen_review, "mary")
    undone(seen_room.revision + 1)
    undone(seen_review.revision + 1, "review/r-1")
    assert room().revision > seen_room.revision + 1, "the deletion has a number, too"
    assert review().revision > seen_review.revision + 1


def test_an_undo_is_checked_as_the_form_is(manager: Client) -> None:
    hotel = hotels.stored_hotel(ABC)
    empty = hotel_commands.create_hotel(replace(hotel, hotel_id="new", currency="EUR"), "anna")
    changed = edit_hotel(empty, replace(empty, currency="CHF"), "anna")
    rooms.create_room(make_room("1", hotel_id="new", currency="CHF"), "anna")
    edit_review(review(), replace(review(), room_number=""), "anna")
    order = orders.correct_order(stored_order("o-1"), make_items(1), "anna", "101")
    orders.correct_order(order, make_items(1), "anna", "")
    delete_room(room(), "anna")
    without_rooms = hotels.stored_hotel(ABC)
    edit_hotel(without_rooms, replace(without_rooms, currency="CHF"), "anna")
    for path, serial, words in (
        ("hotel/new", changed.revision, "The prices of this hotel&#x27;s rooms are in CHF."),
        ("review/r-1", 3, "Room 101 does not exist any more."),
        ("order/o-1", 3, "Room 101 does not exist any more."),
        (f"room/{ABC}/101", 3, "are in CHF."),
    ):
        assert_refused(manager, path, serial, words)
    stale = hotels.stored_hotel("new")
    with pytest.raises(ChangedMeanwhile):
        edit_hotel(replace(stale, rooms=0), replace(stale, currency="EUR"), "anna")
