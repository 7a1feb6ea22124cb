"""The measured hotels: any number of rooms in 150 combinations of view, size and type, filled quickly, and their pages.

The engine imports rooms from files in the format of DynamoDB's exports: they are the items that the
portal's own commands would have written. Those write what is computed from all of them: the hotel and its counts.
"""

import csv
import gzip
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from html import unescape
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from benchmarks import common
from benchmarks.stock.serving import COLUMNS
from dynamodb_lists import Put, read_page
from dynamodb_lists.connection import engine
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.schema import tables
from dynamodb_lists.writing.transactions import MAX_WRITES, commit
from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.history.entities import IMPORT
from rooms.commands import pack_hotels
from rooms.entities import Room
from rooms.lists import ROOMS
from tests.helpers.own_portal import ROOT

HOTEL = Hotel("benchmark", "Benchmark hotel", city="Lugano")
VIEWS = ("Sea view", "Garden view", "City view", "Pool view", "Courtyard", "Mountain view")
SIZES = (18, 26, 35, 48, 70)
TYPES = ("Single", "Double", "Twin", "Family", "Suite")
FIRST_NUMBER = 1_000_001
TABLE = ROOMS.model.Meta.table_name
PAGE = 25
ANY_NUMBER = "9" * len(str(FIRST_NUMBER))
"""In place of a room's number, in texts that are the same for many rooms. Nothing else in them has these digits."""


def rooms_of(hotel: Hotel, how_many: int) -> Iterator[Room]:
    """Yield the first ``how_many`` rooms of a hotel. They are always the same."""
    for number, shape in enumerate(_shapes(hotel, how_many), FIRST_NUMBER):
        yield replace(shape, number=str(number))


def _shapes(hotel: Hotel, how_many: int) -> Iterator[Room]:
    """These rooms without their numbers. Few of them differ."""
    random, shape = Random(1), cache(partial(Room, hotel_id=hotel.hotel_id, number=ANY_NUMBER, currency="EUR"))
    for _ in range(how_many):
        size = random.choice(SIZES)
        view, kind = random.choice(VIEWS), random.choice(TYPES)
        yield shape(view=view, size=size, type=kind, rate=Decimal(size * random.randint(3, 6)) + Decimal("0.50"))


def file_of(hotels: Iterable[Hotel], how_many: int) -> Path:
    """Return a file to import with so many rooms of each hotel."""
    file = common.WORK / "rooms.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["hotel_id", "hotel_name", "city", *COLUMNS])
        for hotel in hotels:
            for room in rooms_of(hotel, how_many):
                writer.writerow([hotel.hotel_id, hotel.name, hotel.city, *(getattr(room, name) for name in COLUMNS)])
    return file


# --- Filling ----------------------------------------------------------------------------------------------


@contextmanager
def filled(hotel: Hotel, how_many: int, port: int = 0) -> Iterator[engine.Engine]:
    """An engine with the rooms of a hotel, on a file that is removed afterwards."""
    with (
        TemporaryDirectory(dir=common.WORK) as folder,
        common.engine_on(_imported(Path(folder), hotel, how_many), port) as running,
    ):
        save_hotels([hotel])
        rooms = ROOMS.by(IMPORT)
        change = cache(lambda shape: rooms.change(None, shape))
        changes = [each for shape in _shapes(hotel, how_many) for each in change(shape)]
        counts = iter(rooms._writer.shared(changes))
        while writes := [*islice(counts, MAX_WRITES)]:
            commit(writes)
        pack_hotels([hotel.hotel_id])
        yield running


def items_of(room: Room) -> list[dict[str, Any]]:
    """Return a room as DynamoDB items."""
    rooms = ROOMS.by(IMPORT)
    rooms.reader.take_shape(Shape.of(ROOMS.declaration))  # no engine runs yet that has the table
    writes = [write for change in rooms.change(None, room) for write in rooms._writer.item_writes(change)]
    return [write.item.serialize() for write in writes if isinstance(write, Put)]


def _imported(folder: Path, hotel: Hotel, how_many: int) -> Path:
    """Return a new file of the engine, in which the table has the rooms of a hotel."""
    source, schema, file = folder / TABLE / "data", folder / "schema.json", folder / "engine.sqlite3"
    source.mkdir(parents=True)
    schema.write_text(json.dumps({"Table": tables.definition(TABLE)}))
    with gzip.open(source / "items.json.gz", "wt", compresslevel=1) as lines:
        lines.writelines(f'{{"Item":{item}}}\n' for item in _lines(hotel, how_many))
    options: list[str | Path] = ["import", "--force", "--source", folder, "--schema", schema, "--output", file]
    done = subprocess.run([engine.find_binary(ROOT), *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The engine did not import the rooms. {done.stderr}")
    return file


def _lines(hotel: Hotel, how_many: int) -> Iterator[str]:
    """Yield each room's items as JSON."""
    composed = cache(lambda shape: [json.dumps(item) for item in items_of(shape)])
    for number, shape in enumerate(_shapes(hotel, how_many), FIRST_NUMBER):
        yield from (line.replace(ANY_NUMBER, str(number)) for line in composed(shape))


# --- Pages ------------------------------------------------------------------------------------------------


def logged_in(username: str = "staff") -> Client:
    """Return the browser of a superuser, who is created if need be."""
    call_command("migrate", verbosity=0)
    user, _ = get_user_model().objects.get_or_create(username=username, is_staff=True, is_superuser=True)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def list_of(hotel: Hotel) -> str:
    """Return the address of a hotel's list of rooms."""
    return reverse("rooms:rooms", args=[hotel.hotel_id])


def last_of(client: Client, address: str) -> str:
    """The address of a list's last page. Ends the benchmark if the first page shows no rows, or is the last one."""
    response = client.get(address)
    text = response.content.decode()
    link = re.search(r'<a\b[^>]*\brel="last"[^>]*>', text)
    target = link and re.search(r'href="([^"]*)"', link[0])
    if response.status_code != 200 or "data-row=" not in text or not target:
        raise SystemExit(f"{address} answered {response.status_code}, without rows or a link to the last page.")
    return address.partition("?")[0] + "?" + unescape(target[1]).partition("?")[2]


def middle_of(hotel: Hotel, rooms: int) -> str:
    """Return the address of the page in the middle of a hotel's rooms, composed without reading the pages before it."""
    rank = (rooms // PAGE // 2 - 1) * PAGE - 1  # of the last row of the page before the page before
    listing = ROOMS.query(hotel_id=hotel.hotel_id).order_by("number").listing(PAGE)
    index = listing.index or ""
    source = next(each for each in ROOMS.declaration.sources if each.name == index)
    positions = sorted(ROOMS.reader.place(room, source) for room in rooms_of(hotel, rooms))
    start = replace(listing, cursor=Cursor(positions[rank], rank=rank, index=index))
    return f"{list_of(hotel)}?cursor={read_page(start, PAGE).next}"
