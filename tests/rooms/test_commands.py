"""Writes of rooms: each is all or nothing, twice has the same effect as once, and rooms, guards and counts agree."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import ChangedMeanwhile, NotFound
from rooms import commands, models, queries
from rooms.commands import NumberTaken
from rooms.entities import Room, RoomQuery
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")


def stored(number: str) -> Room:
    return queries.room(ABC, number)


def test_a_created_room_is_found_counted_and_guarded() -> None:
    make_hotel()
    commands.create_room(make_room("101"), "alice")
    assert stored("101") == make_room("101", revision=1)
    assert queries.room_counts(ABC).counts == {("sea-view", "0040m", "suite"): 1}
    assert_in_step()


def test_a_room_needs_a_hotel() -> None:
    with pytest.raises(NotFound):
        commands.create_room(make_room("101", hotel_id="nowhere"), "alice")
    assert_in_step()


@pytest.mark.parametrize(
    "change",
    [
        {"rate": Decimal(99)},
        {"view": "Garden"},
        {"view": "SEA VIEW"},
        {"size": 41, "type": "Single"},
        {"number": "202"},
        {"number": "202", "view": "Garden", "rate": Decimal(1)},
    ],
    ids=str,
)
def test_an_edit_moves_the_room_with_its_guard_and_counts(change: dict[str, Any]) -> None:
    make_hotel([make_room("101"), make_room("102")])
    before = stored("101")
    after = commands.edit_room(before, replace(before, **change), "alice")
    assert stored(after.number) == after == replace(before, **change, revision=2)
    if after.number != "101":
        with pytest.raises(NotFound):
            stored("101")
    assert_in_step()


def test_an_edit_from_an_old_sight_is_refused() -> None:
    make_hotel([make_room("101")])
    before = stored("101")
    commands.edit_room(before, replace(before, view="Garden"), "alice")
    for late in (
        lambda: commands.edit_room(before, replace(before, size=99), "alice"),
        lambda: commands.delete_room(before, "alice"),
    ):
        with pytest.raises(ChangedMeanwhile, match="Somebody else changed this"):
            late()
    assert stored("101").view == "Garden"
    assert_in_step()


def test_a_room_of_a_list_does_not_pass_for_one_that_was_read_to_be_changed() -> None:
    make_hotel([make_room("101")])
    (listed,) = queries.all_rooms(ABC, RoomQuery())
    assert listed == replace(stored("101"), revision=0)
    for change in (
        lambda: commands.edit_room(listed, replace(listed, size=99), "alice"),
        lambda: commands.delete_room(listed, "alice"),
    ):
        with pytest.raises(ChangedMeanwhile):
            change()
    assert stored("101").size == 40


def test_an_edit_cannot_take_the_number_of_another_room() -> None:
    make_hotel([make_room("101"), make_room("102")])
    commands.edit_room(stored("102"), replace(stored("102"), view="Garden"), "alice")
    with pytest.raises(NumberTaken, match="102"):  # although the other room is exactly as this one would be
        commands.edit_room(stored("101"), replace(stored("101"), number="102", view="Garden"), "alice")
    assert_in_step()


def test_saving_the_same_rooms_again_writes_nothing() -> None:
    rooms = [make_room(str(number), view=f"View {number % 7}") for number in range(120)]
    make_hotel()
    assert commands.save_rooms(rooms) == 120
    assert commands.save_rooms(rooms) == 0
    changed = [replace(room, view="Garden") if room.number < "15" else room for room in rooms]
    assert commands.save_rooms(changed) == sum(room.number < "15" for room in rooms)
    assert_in_step()


def test_what_is_read_to_be_changed_is_read_consistently() -> None:
    make_hotel([make_room("101"), make_room("102")])
    with ledger.recording() as recorded:
        commands.save_rooms([make_room("101", size=41)])
        with pytest.raises(NumberTaken):
            commands.edit_room(stored("101"), replace(stored("101"), number="102"), "alice")
    batches = [
        call.request["RequestItems"][models.RoomModel.Meta.table_name]
        for call in recorded.calls
        if call.operation == "BatchGetItem"
    ]
    assert all(batch["ConsistentRead"] for batch in batches)
    assert all(call.request["ConsistentRead"] for call in recorded.of("counts"))
    assert [call.request.get("ConsistentRead") for call in recorded.calls if call.operation == "GetItem"][-1]


def test_a_label_in_other_words_reaches_the_filter_though_its_slug_stays() -> None:
    make_hotel([make_room("101", view="Vue mer, étage", type="Deluxe")])
    commands.edit_room(stored("101"), replace(stored("101"), view="VUE MER: étage", type="DELUXE"), "alice")
    counts = queries.room_counts(ABC)
    assert counts.label("view", "vue-mer-étage") == "VUE MER: étage"
    assert counts.label("type", "deluxe") == "DELUXE"
    assert commands.save_rooms([make_room("101", view="Vue mer étage", type="Deluxe")]) == 1
    assert queries.room_counts(ABC).labels == {}
    assert_in_step()
