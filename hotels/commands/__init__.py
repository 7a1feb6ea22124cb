"""Writes of hotels. People add and edit them; imports save what their files say."""

from hotels.commands.changes import HotelWriter
from hotels.commands.hotels import (
    HotelIdTaken,
    add_missing_hotel,
    create_hotel,
    delete_word,
    edit_hotel,
    mend_rooms,
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
    "delete_word",
    "edit_hotel",
    "mend_rooms",
    "mend_words",
    "rooms_added",
    "save_hotel",
    "save_hotels",
]
