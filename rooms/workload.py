"""What rooms store, read and write, for ``manage.py estimate_cost``."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from hotelapp.dynamodb.deployment.workloads import (
    Owners,
    PageLoad,
    Read,
    Sample,
    Stock,
    Workload,
    WriteLoad,
    encoded,
    positive,
    register,
    stocks_of,
)
from hotelapp.dynamodb.planning.walk_planner import walk_items
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.workload import ACTOR, STAMP, recorded
from hotels.workload import PAGE, sample_hotels
from rooms import keys
from rooms.commands import RoomWriter
from rooms.commands.changes import to_store
from rooms.entities import Room, StatusChange
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel
from rooms.seeding import rooms
from rooms.statuses import Housekeeping

DEFAULT_ROOMS = 1_000_000
LARGEST_SAMPLE = 300
"""The most rooms of a sample hotel."""

WRITTEN = 10
"""Of so many sample rooms, one is a sample of writes."""

SELECTED = 6
"""Of so many rooms, one passes the filter of a list by rate. It is the share of a view."""

DIRTY, CLEAN = StatusChange(Housekeeping.DIRTY), StatusChange(Housekeeping.CLEAN)


def _samples(options: Mapping[str, Any]) -> list[tuple[Owners, Room]]:
    """The rooms of sample hotels of the mean size."""
    mean = min(LARGEST_SAMPLE, max(2, options["rooms"] // options["hotels"]))
    hotels = sample_hotels(mean)
    made = (room for demo in hotels for room in rooms(Random(demo.hotel.hotel_id), demo))
    return [({"hotel": room.hotel_id}, to_store(None, replace(room, **STAMP), ACTOR)) for room in made]


def _counts(samples: list[tuple[Owners, Room]]) -> list[Sample]:
    """The counts of the sample hotels: one for each combination of facets."""
    combinations = {(room.hotel_id, room.facets) for _, room in samples}
    return [
        Sample({"hotel": hotel_id}, encoded(RoomCountModel(keys.counts(hotel_id), keys.count(facets), rooms=10)))
        for hotel_id, facets in sorted(combinations)
    ]


@register
class RoomWorkload(Workload):
    """Rooms, their numbers, and the counts of their facets."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many rooms."""
        parser.add_argument("--rooms", type=positive, default=DEFAULT_ROOMS, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """Rooms and numbers as they are written, and the counts of each hotel."""
        samples, owners = _samples(options), {"hotel": options["hotels"]}
        yield from stocks_of(RoomWriter(ACTOR), samples, options["rooms"], owners)
        counts = _counts(samples)
        hotels = len({owned_by["hotel"] for owned_by, _ in samples})
        yield Stock(RoomCountModel, counts, len(counts) * options["hotels"] // hotels, owners)

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """A page of rooms reads its hotel's counts and the rows; a room is found by its number.

        A page by rate has a filter that one room of :data:`SELECTED` passes.
        """
        samples = _samples(options)
        counts = len(_counts(samples)) // len({owned_by["hotel"] for owned_by, _ in samples})
        yield PageLoad("rooms", [Read(RoomCountModel, counts), Read(RoomModel, PAGE)], 40)
        mean = max(1, options["rooms"] // options["hotels"])
        walked = walk_items(max(1, mean // SELECTED), mean, PAGE)
        yield PageLoad("rooms by rate", [Read(RoomCountModel, counts), Read(RoomModel, walked, keys.BY_RATE)], 10)
        yield PageLoad("rooms that need attention", [Read(RoomModel, PAGE, keys.NEEDING_ATTENTION)], 20)
        yield PageLoad("room", [Read(RoomNumberModel)], 10)

    def writes(self, options: Mapping[str, Any]) -> Iterator[WriteLoad]:
        """A room is added; a room's rate changes; a room gets dirty and clean again, many times a day."""
        samples, owners = _samples(options)[::WRITTEN], {"hotel": options["hotels"]}
        added = [(owned_by, Change(None, room)) for owned_by, room in samples]
        dearer = [(owned_by, Change(room, replace(room, rate=room.rate + Decimal(10)))) for owned_by, room in samples]
        yield WriteLoad("add a room", recorded(RoomWriter, added), owners, 1)
        clean = [(owned_by, to_store(None, CLEAN.of(room), ACTOR)) for owned_by, room in samples]
        soiled = [(owned_by, Change(room, to_store(room, DIRTY.of(room), ACTOR))) for owned_by, room in clean]
        cleaned = [(owned_by, Change(change.after, change.before)) for owned_by, change in soiled]
        yield WriteLoad("change a room's rate", recorded(RoomWriter, dearer), owners, 9)
        yield WriteLoad("change a room's status", recorded(RoomWriter, [*soiled, *cleaned]), owners, 60)
