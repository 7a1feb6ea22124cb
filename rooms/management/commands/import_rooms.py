"""``manage.py import_rooms FILE.csv``: hotels and rooms from a file."""

from collections.abc import Hashable, Sequence
from typing import Any

from hotelapp.portal.csv_rows import Csv
from hotelapp.portal.importing import ImportCommand, Saved
from rooms import commands
from rooms.forms import RoomRowForm
from rooms.values import Hotel


class Command(ImportCommand):
    """Every room with its guard and counts, in transactions; the same file twice leaves the same data."""

    help = (
        "Import hotels and rooms. Sizes in m2, rates a night in major currency units. Rooms that exist are changed. "
        "Rows are written in transactions, which cost twice the write units on AWS."
    )
    format = Csv(("hotel_id", "hotel_name", "city", "number", "view", "size", "type", "rate", "currency"))
    form_class = RoomRowForm
    noun = "room"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hotels: dict[str, Hotel] = {}

    def identity(self, form: RoomRowForm) -> Hashable:
        """A number is unique in its hotel."""
        return form.cleaned_data["hotel_id"], form.cleaned_data["number"]

    def save(self, batch: Sequence[RoomRowForm]) -> Saved:
        """Write the hotels seen for the first time, then the rooms."""
        for form in batch:
            hotel = form.hotel()
            if self._hotels.setdefault(hotel.hotel_id, hotel) is hotel:
                commands.save_hotel(hotel)
        return Saved(commands.save_rooms([form.room(form.cleaned_data["hotel_id"]) for form in batch]))
