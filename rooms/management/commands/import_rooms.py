"""``manage.py import_rooms FILE.csv``: hotels and rooms from a file."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hotelapp.dynamodb.schema import entities
from hotelapp.portal.imports.command import ImportCommand, Saved
from hotelapp.portal.imports.csv_rows import Csv
from hotels import commands as hotels
from hotels.entities import Hotel
from hotels.imports import MAX_REMEMBERED
from rooms import commands
from rooms.entities import Room, StatusChange
from rooms.forms.rooms import RoomRowForm


class RoomRow(NamedTuple):
    """A row of a room file. What it does not say of the status stays as it is."""

    hotel: Hotel
    room: Room
    status: StatusChange


class Command(ImportCommand[RoomRow]):
    """Every room with its guard and counts, in transactions. The same file twice leaves the same data."""

    help = (
        "Import hotels and rooms. Sizes are in m2, rates are for a night, in major currency units. Existing rooms are "
        "changed. There may also be the columns time_zone, service, reason, out_of_order_until and housekeeping. Rows "
        "are written in transactions, which cost twice the write units on AWS."
    )
    format = Csv((*entities.columns(Hotel, computed=False), *entities.columns(Room, computed=False)))
    form_class = RoomRowForm
    noun = "room"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._hotels: set[str] = set()
        self._changed: set[str] = set()

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file, and then pack the counts of the hotels whose rooms have changed, also if it was stopped."""
        try:
            super().handle(*args, **options)
        finally:
            commands.pack_counts(sorted(self._changed))

    def entity_of(self, form: RoomRowForm) -> RoomRow:
        return RoomRow(form.hotel(), form.new(hotel_id=form.cleaned_data["hotel_id"]), form.status())

    def identity(self, entity: RoomRow) -> tuple[str, ...]:
        return entity.room.hotel_id, entity.room.number

    def lane(self, entity: RoomRow) -> str:
        return entity.room.hotel_id

    def prepare(self, entities: Sequence[RoomRow]) -> None:
        """Write the hotels that are new. If rows name a hotel differently, the first row counts."""
        new = {row.hotel.hotel_id: row.hotel for row in reversed(entities) if row.hotel.hotel_id not in self._hotels}
        hotels.save_hotels(list(new.values()))
        self._hotels = set(new) if len(self._hotels) > MAX_REMEMBERED else self._hotels | new.keys()

    def save(self, batch: Sequence[RoomRow]) -> Saved:
        statuses = {(row.room.hotel_id, row.room.number): row.status for row in batch}
        written = commands.save_rooms([row.room for row in batch], statuses, packs=False)
        self._changed |= {row.room.hotel_id for row in batch} if written else set()
        return written, {}
