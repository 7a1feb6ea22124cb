"""Fills the portal's table quickly: with the items that the portal's own commands would have written.

The engine imports rooms and number guards from files in the format of DynamoDB's exports. The portal's commands write
what is computed from all of them: the hotel, its counts and the packed counts.
"""

import gzip
import json
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks import common, data
from dynamodb_lists.connection import engine
from dynamodb_lists.schema import tables
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import MAX_WRITES, Put, commit
from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.history.entities import IMPORT
from rooms.commands.counts import pack_hotels
from rooms.commands.rooms import RoomWriter
from rooms.entities import Room
from rooms.models import RoomModel
from tests.helpers.own_portal import ROOT

TABLE = RoomModel.Meta.table_name
ANY_NUMBER = "9" * len(str(data.FIRST_NUMBER))
"""In place of a room's number, in texts that are the same for many rooms. Nothing else in them has these digits."""


@contextmanager
def filled_tables(rooms: int) -> Iterator[None]:
    """The engine of the benchmarks with the measured hotel of so many rooms. All of it is removed afterwards."""
    with common.folder() as folder, common.engine_on(imported(folder, items_of(data.rooms(rooms)))):
        count(data.HOTEL, rooms)
        yield


def items_of(rooms: Iterable[Room]) -> Iterator[str]:
    """Each room's item and guard, as lines of JSON. Rooms that differ in their number alone are composed once."""
    writer, composed = RoomWriter(IMPORT), dict[tuple[object, ...], str]()
    for room in rooms:
        shape = _shape(room)
        if shape not in composed:
            stored = writer.as_stored(None, replace(room, number=ANY_NUMBER))
            puts = [write for write in writer.item_writes(Change(None, stored)) if isinstance(write, Put)]
            composed[shape] = "\n".join(json.dumps(put.item.serialize()) for put in puts)
        yield from composed[shape].replace(ANY_NUMBER, room.number).split("\n")


def count(hotel: Hotel, rooms: int) -> None:
    """Write a hotel and the counts of its rooms, in the engine that is in use."""
    save_hotels([hotel])
    writer, shapes = RoomWriter(IMPORT), dict[tuple[object, ...], Change[Room]]()
    for room in data.rooms(rooms, hotel.hotel_id):
        if (shape := _shape(room)) not in shapes:
            shapes[shape] = Change(None, writer.as_stored(None, room))
    changes = [shapes[_shape(room)] for room in data.rooms(rooms, hotel.hotel_id)]
    for writes in common.batches(iter(writer.counts_and_totals(changes)), MAX_WRITES):
        commit(writes)
    pack_hotels([hotel.hotel_id])


def _shape(room: Room) -> tuple[object, ...]:
    """What is the same in rooms that differ in their number alone."""
    return room.hotel_id, room.view, room.size, room.type, room.rate


def imported(folder: Path, items: Iterable[str]) -> Path:
    """A new file of the engine, in which the table has these items."""
    source, schema, file = folder / TABLE / "data", folder / "schema.json", folder / "engine.sqlite3"
    source.mkdir(parents=True, exist_ok=True)
    schema.write_text(json.dumps({"Table": tables.definition(TABLE)}))
    with gzip.open(source / "items.json.gz", "wt", compresslevel=1) as lines:
        lines.writelines(f'{{"Item":{item}}}\n' for item in items)
    options: list[str | Path] = ["import", "--force", "--source", folder, "--schema", schema, "--output", file]
    done = subprocess.run([engine.find_binary(ROOT), *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The engine did not import the rooms. {done.stderr}")
    return file
