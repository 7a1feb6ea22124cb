"""Writes of hotels. People add and edit them; imports save what their files say."""

from hotels.commands.changes import HotelWriter, hotel_key
from hotels.commands.hotels import (
    HotelIdTaken,
    add_missing_hotel,
    create_hotel,
    edit_hotel,
    mend_words,
    rooms_added,
    save_hotel,
    save_hotels,
)

__all__ = [
    "HotelIdTaken",
    "HotelWriter",
    "add_missing_hotel",
    "create_hotel",
    "edit_hotel",
    "hotel_key",
    "mend_words",
    "rooms_added",
    "save_hotel",
    "save_hotels",
]
