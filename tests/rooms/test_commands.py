"""Writes of rooms: each is all or nothing, twice has the same effect as once, and rooms and counts agree."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists import AlreadyExists, ChangedMeanwhile, Conflict, ledger
from rooms import commands, queries
from rooms.entities import Room
from rooms.lists import ROOMS
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room, of_abc
from tests.helpers.writes import delete_room, edit_room

pytestmark = pytest.mark.usefixtures("empty_tables")


def stored(number: str) -> Room:
    return queries.room(ABC, number)


def test_a_room_needs_a_hotel() -> None:
    with pytest.raises(Conflict, match="What this room belongs to does not exist"):
        commands.create_room(make_room("101", hotel_id="nowhere"), "alice")
    assert_in_step()


def test_an_edit_moves_the_room_with_its_counts() -> None:
    make_hotel([make_room("101"), make_room("102")])
    number, changes = "101", list[dict[str, Any]]()
    changes += [{"rate": Decimal(99)}, {"view": "Garden"}, {"view": "GARDEN"}, {"size": 41, "type": "Single"}]
    changes += [{"number": "202"}, {"number": "303", "view": "Park", "rate": Decimal(1)}]
    for revision, change in enumerate(changes, 2):
        before = stored(number)
        after = edit_room(before, replace(before, **change), "alice")
        number = after.number
        assert stored(number) == after == replace(before, **change, revision=revision)
        assert_in_step()
    assert [room.number for room in queries.all_rooms(of_abc())] == ["102", "303"]


def test_an_edit_of_what_was_not_read_or_of_an_old_sight_is_refused() -> None:
    make_hotel([make_room("101")])
    before, (listed,) = stored("101"), queries.all_rooms(of_abc())
    assert listed == replace(before, revision=0)
    edit_room(before, replace(before, view="Garden"), "alice")
    for late in (before, listed, replace(stored("101"), revision=0)):
        with pytest.raises(ChangedMeanwhile):
            edit_room(late, replace(late, size=99), "alice")
        with pytest.raises(ChangedMeanwhile, match="Somebody else changed this"):
            delete_room(late, "alice")
    assert (stored("101").view, stored("101").size) == ("Garden", 40)
    assert_in_step()


def test_an_edit_cannot_take_the_number_of_another_room() -> None:
    make_hotel([make_room("101"), make_room("102")])
    edit_room(stored("102"), replace(stored("102"), view="Garden"), "alice")
    with pytest.raises(AlreadyExists, match="102"):  # although the other room is exactly as this one would be
        edit_room(stored("101"), replace(stored("101"), number="102", view="Garden"), "alice")
    assert_in_step()


def test_what_is_read_to_be_changed_is_read_consistently() -> None:
    make_hotel([make_room("101"), make_room("102")])
    with ledger.recording() as recorded:
        commands.save_rooms([make_room("101", size=41)])
    batches = [
        call.request["RequestItems"][ROOMS.model.Meta.table_name]
        for call in recorded.calls
        if call.operation == "BatchGetItem"
    ]
    assert all(batch["ConsistentRead"] for batch in batches)
    assert all(call.request["ConsistentRead"] for call in recorded.of("counts"))


def test_a_label_in_other_words_reaches_the_filter_though_its_slug_stays() -> None:
    make_hotel([make_room("101", view="Vue mer, étage", type="Deluxe")])
    edit_room(stored("101"), replace(stored("101"), view="VUE MER: étage", type="DELUXE"), "alice")
    counts = queries.room_counts(ABC)
    assert counts.label("view", "vue-mer-étage") == "VUE MER: étage"
    assert counts.label("type", "deluxe") == "DELUXE"
    assert commands.save_rooms([make_room("101", view="Vue mer étage", type="Deluxe")]) == 1
    assert queries.room_counts(ABC).label("view", "vue-mer-étage") == "Vue mer étage"
    assert not any(count.labels for count in queries.room_counts(ABC).counted.values())
    assert_in_step()


def test_what_a_file_leaves_out_stays_as_it_is_stored() -> None:
    room = make_room("101", note="By the lift")
    make_hotel([room])
    assert commands.save_rooms([make_room("101", size=41)]) == 1
    assert (stored("101").note, stored("101").size) == ("By the lift", 41)
