"""The import of rooms: a row is a room, its hotel, and perhaps its status."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from dynamodb_lists import Change, Csv, List
from dynamodb_lists.schema import entities
from hotels import commands as hotels
from hotels import queries
from hotels.entities import Hotel
from hotels.imports import MAX_REMEMBERED, HotelRowsImport
from portal.history.entities import IMPORT, Actor
from portal.imports import Save
from portal.imports.importer import Planned
from portal.times import today_in
from rooms import commands
from rooms.entities import Room, StatusChange, becomes_inspected, currency_problem
from rooms.entities.rooms import STATUS_FIELDS
from rooms.forms.rooms import RoomRowForm
from rooms.queries import rooms_as_stored


class RoomRow(NamedTuple):
    """A row of a room file. Parts of the status that the file lacks stay as they are stored."""

    hotel: Hotel
    room: Room
    status: StatusChange

    @property
    def hotel_id(self) -> str:
        return self.room.hotel_id

    @property
    def number(self) -> str:
        return self.room.number


class RoomImport(HotelRowsImport[RoomRow]):
    """Writes rooms with their counts, in transactions. To import a file twice changes nothing."""

    format = Csv((*entities.columns(Hotel, computed=False), *entities.columns(Room, computed=False)))
    form_class = RoomRowForm
    noun = "room"
    id_fields = ("hotel_id", "number")
    permission = "rooms.add_room"

    def __init__(self, actor: Actor = IMPORT) -> None:
        super().__init__(actor)
        self._hotels: set[str] = set()
        self._changed: set[str] = set()
        self._zone_of = cache(queries.zone_of)

    def entity_of(self, form: RoomRowForm) -> RoomRow:
        hotel = form.hotel()
        status = form.status(lambda: today_in(self._zone_of(hotel.hotel_id) or hotel.time_zone))
        return RoomRow(hotel, form.new(hotel_id=hotel.hotel_id), status)

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        before, after = change.before, change.entity
        usual = entities.stored_values(before) if before else {}
        usual = {**entities.defaults(Room), **usual}
        status = {name for name in STATUS_FIELDS if getattr(after, name) != usual[name]}
        others = before and any(field.name not in STATUS_FIELDS for field in entities.differences(before, after))
        return {
            **({"rooms.change_room": "change rooms"} if others else {}),
            **({"rooms.change_room_status": "set the status of rooms"} if status - {"plan"} else {}),
            **({"rooms.inspect_room": "set rooms to inspected"} if becomes_inspected(before, after) else {}),
            **({"rooms.plan_room": "assign rooms"} if "plan" in status else {}),
        }

    def prepare(self, batch: Sequence[RoomRow]) -> None:
        """Write the hotels that are new. If rows name a hotel differently, the first row counts."""
        allowed, _ = self.allowed(batch)
        new = {row.hotel_id: row.hotel for row in reversed(allowed) if row.hotel_id not in self._hotels}
        hotels.save_hotels(list(new.values()))
        self._hotels = set(new) if len(self._hotels) > MAX_REMEMBERED else self._hotels | new.keys()

    def refusals(self, batch: Sequence[RoomRow]) -> dict[Any, str]:
        """Return why rows are refused, by identity; also for a currency that is not their hotel's."""
        known = queries.known_hotels({row.hotel_id for row in batch})
        rows = [row for row in batch if row.hotel_id in known and row.room.currency != known[row.hotel_id].currency]
        stored = rooms_as_stored((row.hotel_id, row.number) for row in rows)
        refused = super().refusals(batch)
        for row in rows:
            before = stored.get((row.hotel_id, row.number))
            if problem := currency_problem(known[row.hotel_id], row.room.currency, before):
                refused[self.identity(row)] = f"currency: {problem}"
        return refused

    def plan(self, batch: Sequence[RoomRow]) -> Planned:
        allowed, refused = self.allowed(batch)
        return commands.changes_of(*_rooms(allowed), self.actor), refused

    def save(self, batch: Sequence[RoomRow], save: Save = List.save) -> tuple[int, Mapping[Any, str]]:
        allowed, refused = self.allowed(batch)
        written = commands.save_rooms(*_rooms(allowed), packs=False, actor=self.actor, save=save)
        self._changed |= {row.hotel_id for row in batch} if written else set()
        return written, refused

    def finish(self) -> None:
        commands.pack_hotels(sorted(self._changed))


def _rooms(batch: Sequence[RoomRow]) -> tuple[list[Room], dict[tuple[str, str], StatusChange]]:
    return [row.room for row in batch], {(row.hotel_id, row.number): row.status for row in batch}
