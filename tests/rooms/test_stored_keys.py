"""Edits and deletes use the keys that were read: the rules for keys may have changed since a room was written."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists.schema import keys as shared_keys
from hotels.models import HotelWordModel
from rooms import commands, queries
from rooms.entities import Room
from rooms.models import RoomNumberModel
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


def test_a_room_is_deleted_under_the_key_that_an_earlier_release_gave_it() -> None:
    make_hotel([make_room("101"), make_room("102")])
    with other_slugs():
        commands.delete_room(stored("101"), "alice")
        commands.delete_room(stored("102"), "alice")
        assert partitions() == {ABC, "room-counts", "packed-counts", "statistics"}
        assert set(queries.room_counts(ABC).counts.values()) == {0}
        assert_in_step()


def test_an_edit_moves_a_room_from_the_key_that_an_earlier_release_gave_it() -> None:
    make_hotel([make_room("101")])
    changes: list[dict[str, Any]] = [{"rate": Decimal(99)}, {"view": "Garden view"}, {"number": "202"}]
    with other_slugs():
        room = stored("101")
        for change in changes:
            room = commands.edit_room(room, replace(room, **change), "alice")
            assert stored(room.number) == room
            assert sum(queries.room_counts(ABC).counts.values()) == 1
            assert_in_step()
