from django.apps import AppConfig

from hotels.app_config import HotelPagesConfig, HotelTab
from portal.app_config import SidebarLink, Subject

VIEW_ROOMS, OPEN_LAB = "rooms.view_room", "portal.open_lab"
CHANGE_STATUS, PLAN_ROOMS, INSPECT_ROOMS = "rooms.change_room_status", "rooms.plan_room", "rooms.inspect_room"

HOUSEKEEPING = "rooms:attention"
"""The page of a hotel's housekeeping: the name of its URL."""


class RoomsConfig(HotelPagesConfig, AppConfig):
    name = "rooms"
    subjects = (
        Subject(
            "room",
            "Room {1} of {0}",
            "rooms:room",
            VIEW_ROOMS,
            in_hotel=True,
            bulk_url_name="rooms:bulk_progress",
            marked="service",
        ),
    )
    sidebar = (
        SidebarLink("Engineers", "Cost lab", "dataset", "rooms:lab"),
        SidebarLink("", "Dirty rooms of all hotels", "", "rooms:attention_of_hotels"),
        SidebarLink("", "Repairs of all hotels", "", "rooms:repairs_of_hotels"),
    )
    tabs = (
        HotelTab(20, "Rooms", "rooms:rooms", VIEW_ROOMS),
        HotelTab(25, "My rooms", "rooms:my_rooms", CHANGE_STATUS, unless=PLAN_ROOMS),
        HotelTab(30, "Housekeeping", HOUSEKEEPING, VIEW_ROOMS, also="dirty rooms"),
        HotelTab(31, "Assignments", "rooms:plan", PLAN_ROOMS, under=HOUSEKEEPING, also="plan assign inspect rooms"),
        HotelTab(33, "Cleaned", "rooms:cleaned", INSPECT_ROOMS, under=HOUSEKEEPING, also="who cleaned rooms yesterday"),
        HotelTab(32, "Repairs", "rooms:repairs", VIEW_ROOMS, under=HOUSEKEEPING, also="rooms out of order"),
    )

    def ready(self) -> None:
        from rooms import imports, invariants
        from rooms.views.housekeeping import OF_ROOM

        self.rules = invariants.RULES
        self.importer = imports.RoomImport
        self.room_parts = (OF_ROOM,)
