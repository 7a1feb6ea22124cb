"""The import of rooms: a row is a room, its hotel, and perhaps its status."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.writing.changes import OPEN_GATE, Change, Gate
from hotelapp.history.entities import IMPORT, Actor
from hotelapp.portal.imports.csv_rows import Csv
from hotelapp.portal.imports.importer import Planned, Saved
from hotels import commands as hotels
from hotels.entities import Hotel
from hotels.imports import MAX_REMEMBERED, HotelRowsImport
from rooms import commands
from rooms.entities import Room, StatusChange
from rooms.entities.rooms import STATUS_FIELDS
from rooms.forms.rooms import RoomRowForm


class RoomRow(NamedTuple):
    """A row of a room file. What it does not say of the status stays as it is."""

    hotel: Hotel
    room: Room
    status: StatusChange

    @property
    def hotel_id(self) -> str:
        """The hotel's id."""
        return self.room.hotel_id

    @property
    def number(self) -> str:
        """The room's number."""
        return self.room.number


class RoomImport(HotelRowsImport[RoomRow]):
    """Every room with its guard and counts, in transactions. The same file twice leaves the same data."""

    format = Csv((*entities.columns(Hotel, computed=False), *entities.columns(Room, computed=False)))
    form_class = RoomRowForm
    noun = "room"
    id_fields = ("hotel_id", "number")
    permission = "rooms.add_room"
    list_name = "rooms:rooms"

    def __init__(self, actor: Actor = IMPORT) -> None:
        super().__init__(actor)
        self._hotels: set[str] = set()
        self._changed: set[str] = set()

    def entity_of(self, form: RoomRowForm) -> RoomRow:
        return RoomRow(form.hotel(), form.new(hotel_id=form.cleaned_data["hotel_id"]), form.status())

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        before, after = change.before, change.after
        usual = entities.stored_values(before) if before else {}
        usual = {**entities.defaults(Room), **usual}
        has_status = any(getattr(after, name) != usual[name] for name in STATUS_FIELDS)
        others = before and any(field.name not in STATUS_FIELDS for field in entities.differences(before, after))
        return {
            **({"rooms.change_room": "change rooms"} if others else {}),
            **({"rooms.change_room_status": "set the status of rooms"} if has_status else {}),
        }

    def prepare(self, entities: Sequence[RoomRow]) -> None:
        """Write the hotels that are new. If rows name a hotel differently, the first row counts."""
        new = {row.hotel_id: row.hotel for row in reversed(entities) if row.hotel_id not in self._hotels}
        hotels.save_hotels(list(new.values()))
        self._hotels = set(new) if len(self._hotels) > MAX_REMEMBERED else self._hotels | new.keys()

    def plan(self, batch: Sequence[RoomRow]) -> Planned:
        return commands.changes_of(*_rooms(batch), self.actor), {}

    def save(self, batch: Sequence[RoomRow], gate: Gate = OPEN_GATE) -> Saved:
        written = commands.save_rooms(*_rooms(batch), packs=False, actor=self.actor, gate=gate)
        self._changed |= {row.hotel_id for row in batch} if written else set()
        return written, {}

    def finish(self) -> None:
        """Pack the counts of the hotels whose rooms have changed."""
        commands.pack_counts(sorted(self._changed))


def _rooms(batch: Sequence[RoomRow]) -> tuple[list[Room], dict[tuple[str, str], StatusChange]]:
    return [row.room for row in batch], {(row.hotel_id, row.number): row.status for row in batch}
