"""The rooms app: rooms and the counts of their facets."""

from django.apps import AppConfig

from hotelapp.history.subjects import Subject, register


class RoomsConfig(AppConfig):
    """The rooms app."""

    name = "rooms"
    rules = ("rooms.invariants.RULES",)

    def ready(self) -> None:
        register(Subject("room", "Room {1} of {0}", "rooms:room", "rooms.view_room", in_hotel=True))
