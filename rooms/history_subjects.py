"""What the history says of a room."""

from hotelapp.history.subjects import Subject, register

register(Subject("room", "Room {1} of {0}", "rooms:room"))
