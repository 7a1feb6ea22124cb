"""Edits and deletes use the keys that were read: the rules for keys may have changed since a room was written."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists.schema import keys as shared_keys
from hotels.models import HotelWordModel
from rooms import commands, keys, queries
from rooms.entities import Room, RoomQuery
from rooms.models import RoomModel, RoomNumberModel
from tests.helpers.kinds import items_of
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")
TABLE = RoomNumberModel.Meta.table_name


@contextmanager
def other_slugs() -> Iterator[None]:
    """A release whose slugs are others: ``sea-view`` is now ``seaview``."""
    usual = shared_keys.text_part
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_keys, "text_part", lambda label: usual(label).replace("-", ""))
        yield


def stored(number: str) -> Room:
    return queries.room(ABC, number)


def partitions() -> set[str]:
    """The last parts of the partitions that hold items."""
    return {item["pk"]["S"].split("#")[-1] for item in items_of(TABLE) if item["kind"]["S"] != HotelWordModel.kind}


def test_a_room_is_read_with_its_key() -> None:
    make_hotel([make_room("101")])
    key = keys.room(make_room("101").facets, "101")
    assert stored("101").room_key == key
    assert queries.rooms_as_stored([(ABC, "101")])[ABC, "101"].room_key == key
    (listed,) = queries.all_rooms(ABC, RoomQuery())
    assert listed.room_key == key
    assert listed == replace(stored("101"), revision=0)


@pytest.mark.parametrize("number", ["7", "101", "12 A", "B-07"])
def test_the_template_of_a_room_is_what_the_declaration_composes(number: str) -> None:
    room = make_room(number, view="Hướng biển", size=7, type="")
    values = {name: getattr(room, name) for name in ("hotel_id", "view", "size", "type", "natural_number", "number")}
    item = RoomModel.item(room)
    assert RoomModel.place_of(**values) == (item.pk, item.sk)


def test_a_room_is_deleted_under_the_key_that_an_earlier_release_gave_it() -> None:
    make_hotel([make_room("101"), make_room("102")])
    with other_slugs():
        commands.delete_room(stored("101"), "alice")
        commands.delete_room(stored("102"), "alice")
        assert partitions() == {ABC, "room-counts", "packed-counts", "statistics"}
        assert set(queries.room_counts(ABC).counts.values()) == {0}
        assert_in_step()


@pytest.mark.parametrize("change", [{"rate": Decimal(99)}, {"view": "Garden view"}, {"number": "202"}], ids=str)
def test_an_edit_moves_a_room_from_the_key_that_an_earlier_release_gave_it(change: dict[str, Any]) -> None:
    make_hotel([make_room("101")])
    with other_slugs():
        edited = commands.edit_room(stored("101"), replace(stored("101"), **change), "alice")
        assert stored(edited.number) == edited
        assert sum(queries.room_counts(ABC).counts.values()) == 1
        assert_in_step()
