"""What is recorded of a change, and that an entry is written exactly when its change is."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists import Conflict, Unavailable, ledger
from dynamodb_lists.tests.helpers.answers import answering, cancelled
from dynamodb_lists.writing.transactions import commit
from hotels import commands as hotels
from hotels import queries as hotel_queries
from hotels.entities import Hotel
from orders import commands as orders
from orders import queries as order_queries
from orders.entities import Guest
from orders.statuses import Status
from portal.history.commands import LENGTH, differences, entry_put
from portal.history.entities import REPAIR, FieldChange, How, What
from reviews import commands as reviews
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import Room
from rooms.lists import ROOMS
from tests.helpers.history import all_entries, changes, told
from tests.helpers.orders import make_guest, make_order
from tests.helpers.reviews import make_review
from tests.helpers.reviews import stored as stored_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest, delete_review, delete_room, edit_hotel, edit_review, edit_room

pytestmark = pytest.mark.usefixtures("empty_tables")
ROOM = f"room#{ABC}#101"


def stored(number: str = "101") -> Room:
    return room_queries.room(ABC, number, consistent=True)


# --- What differs ---------------------------------------------------------------------------------------


def test_differences_are_texts() -> None:
    before = make_room("101", rate=Decimal("120.50"), view="Sea view")
    after = replace(before, rate=Decimal(130), view="", size=41, revision=7)
    assert tuple(differences(before, after)) == (
        FieldChange("view", "Sea view", ""),
        FieldChange("size", "40", "41"),
        FieldChange("rate", "120.5", "130"),
    )
    assert not list(differences(before, replace(before, rate=Decimal("120.5"))))
    review = make_review(body="", title="")
    created = {change.field: change.after for change in differences(None, review)}
    assert created["created_at"].endswith("Z")
    assert not {"title", "body", "revision", "added_at", "added_by"} & created.keys()
    assert {change.field: change.before for change in differences(review, None)} == created


@pytest.mark.parametrize(
    ("before", "after"),
    [("x" * 800, "x" * 700 + "y"), ("", "é" * 5000), ("a" * 501, "a" * 499), ("<b>" * 300, "")],
    ids=["late", "new", "cut", "gone"],
)
def test_long_texts_are_cut_around_the_first_difference(before: str, after: str) -> None:
    (change,) = differences(make_review(body=before), make_review(body=after))
    assert change.before != change.after
    for whole, text in ((before, change.before), (after, change.after)):
        assert len(text) <= LENGTH + 40
        assert text == whole or f"(of {len(whole)} characters)" in text


# --- Rooms ----------------------------------------------------------------------------------------------


def test_a_room_says_by_whom_it_was_added() -> None:
    make_hotel([make_room("102")])
    added = rooms.create_room(make_room("101"), "alice")
    edited = edit_room(stored(), replace(make_room("101"), size=50), "bob")
    assert (stored().added_by, stored().added_at) == ("alice", added.added_at) == (edited.added_by, edited.added_at)
    assert stored("102").added_by == "import"
    assert stored("102").added_at


def test_a_new_number_begins_a_new_history_that_names_the_old_one() -> None:
    make_hotel()
    rooms.create_room(make_room("101"), "alice")
    edit_room(stored(), replace(stored(), number="201"), "bob")
    entries = {entry.thing: entry for entry in all_entries() if entry.what == What.CHANGED}
    assert changes(entries[ROOM]) == changes(entries[f"room#{ABC}#201"]) == [("number", "101", "201")]
    assert (entries[ROOM].moved_to, entries[ROOM].moved_from) == (f"room#{ABC}#201", "")
    assert (entries[f"room#{ABC}#201"].moved_to, entries[f"room#{ABC}#201"].moved_from) == ("", ROOM)


def test_an_import_records_what_it_alters_and_not_what_it_creates() -> None:
    make_hotel([make_room(str(number)) for number in range(100, 200)])
    assert told() == []
    changed = [make_room(str(number), size=41) for number in range(150, 250)]
    with ledger.recording() as recorded:
        assert rooms.save_rooms(changed) == 100
    assert sorted(told()) == [("changed", f"room#{ABC}#{number}", "import") for number in range(150, 200)]
    assert {entry.how for entry in all_entries()} == {How.IMPORT}
    sizes = [len(call.request["TransactItems"]) for call in recorded.calls if "TransactItems" in call.request]
    assert max(sizes) <= 100
    assert rooms.save_rooms(changed) == 0
    assert len(all_entries()) == 50


# --- In the transaction of the change -------------------------------------------------------------------


def prepare() -> dict[str, Callable[[], object]]:
    make_hotel([make_room("101")])
    hotel, guest = hotel_queries.stored_hotel(ABC), make_guest("bea")
    orders.add_missing_guests([make_guest("alex"), guest])
    orders.save_orders([make_order("o-1")])
    reviews.save_reviews([make_review("r-1")])
    order, review, room = order_queries.order_as_stored("alex", "o-1"), stored_review("r-1"), stored()
    bea: Guest = order_queries.guest("bea", consistent=True)
    return {
        "create hotel": lambda: hotels.create_hotel(Hotel("neu", "Neu"), "alice"),
        "edit hotel": lambda: edit_hotel(hotel, replace(hotel, name="New"), "alice"),
        "create room": lambda: rooms.create_room(make_room("102"), "alice"),
        "edit room": lambda: edit_room(room, replace(room, size=1), "alice"),
        "import rooms": lambda: rooms.save_rooms([make_room("101", size=2)]),
        "delete room": lambda: delete_room(stored(), "alice"),
        "create guest": lambda: create_guest(make_guest("carla"), "alice"),
        "edit guest": lambda: orders.edit_guest(bea, replace(bea, name="New"), "alice"),
        "place order": lambda: orders.place_order(make_order("o-9"), "alice"),
        "take step": lambda: orders.take_step(order, Status.PROCESSING, "alice"),
        "add review": lambda: reviews.add_review(make_review("r-9"), "alice"),
        "edit review": lambda: edit_review(review, replace(review, rating=1), "alice"),
        "delete review": lambda: delete_review(stored_review("r-1"), "alice"),
    }


def test_a_write_that_fails_records_nothing_and_one_that_succeeds_records_once() -> None:
    for name, write in prepare().items():
        before = len(all_entries())
        with answering(lambda **_: cancelled("ValidationError")), pytest.raises(Unavailable):
            write()
        assert len(all_entries()) == before, name
        requests: list[Any] = []
        with answering(lambda request, requests=requests, **_: requests.append(request.body)):
            write()
        assert len(requests) == 1, f"{name}: the entry is in the transaction of the change"
        assert len(all_entries()) == before + 1, name


def test_an_entry_is_never_overwritten() -> None:
    make_hotel([make_room("101")])
    edit_room(stored(), replace(stored(), size=1), "alice")
    with pytest.raises(Conflict):
        commit(list(map(entry_put, all_entries())))


def test_a_repair_is_not_recorded() -> None:
    make_hotel([make_room("101")])
    before = told()
    ROOMS.by(REPAIR).update(stored(), stored())
    assert told() == before
