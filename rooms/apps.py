"""The rooms app: rooms and the counts of their facets."""

from django.apps import AppConfig

from dynamodb_lists.django.declaring import HasRules, Rules
from hotels.apps import Action, HasHotelPages, HotelPages, HotelTab
from lab.measured import HasMeasured, MeasuredList
from portal.frame import HasLinks, Links, SidebarLink
from portal.history.subjects import HasSubjects, Subject
from portal.sources import HasSources, Sources

VIEW_ROOMS = "rooms.view_room"
CHANGE_STATUS, PLAN_ROOMS, INSPECT_ROOMS = "rooms.change_room_status", "rooms.plan_room", "rooms.inspect_room"


class RoomsConfig(HasSubjects, HasRules, HasSources, HasMeasured, HasLinks, HasHotelPages, AppConfig):
    """The rooms app."""

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
    links = Links(
        palette=(
            SidebarLink("", "Dirty rooms of all hotels", "", "rooms:group_attention"),
            SidebarLink("", "Repairs of all hotels", "", "rooms:group_repairs"),
        ),
    )

    @property
    def hotel_pages(self) -> HotelPages:
        from rooms.queries import rooms_held
        from rooms.views.repairs import OF_ROOM

        return HotelPages(
            tabs=(
                HotelTab(20, "Rooms", "rooms:rooms", VIEW_ROOMS),
                HotelTab(30, "Housekeeping", "rooms:attention", VIEW_ROOMS),
                HotelTab(31, "My rooms", "rooms:my_rooms", CHANGE_STATUS),
                HotelTab(32, "Plan", "rooms:plan", PLAN_ROOMS),
                HotelTab(35, "Repairs", "rooms:repairs", VIEW_ROOMS),
            ),
            actions=(
                Action("Dirty rooms", "rooms:attention", VIEW_ROOMS, "?status=dirty"),
                Action("Rooms out of order", "rooms:attention", VIEW_ROOMS, "?status=out-of-order"),
                Action("Overdue repairs", "rooms:repairs", VIEW_ROOMS, "?status=overdue"),
                Action("Rush rooms", "rooms:plan", PLAN_ROOMS, "?status=rush"),
                Action("Add a room", "rooms:add_room", "rooms.add_room"),
            ),
            room_actions=(
                Action("Set the status", "rooms:status", CHANGE_STATUS, more="dirty clean inspected"),
                Action("Assign, set priority", "rooms:plan_room", PLAN_ROOMS, more="rush do not disturb dnd"),
                Action("Write a note", "rooms:note", CHANGE_STATUS),
                Action("Edit the room", "rooms:edit_room", "rooms.change_room", more="change rate"),
            ),
            room_parts=(OF_ROOM,),
            duties=rooms_held,
        )

    @property
    def rules(self) -> Rules:
        from rooms.invariants import RULES

        return RULES

    @property
    def sources(self) -> Sources:
        from rooms.imports import RoomImport
        from rooms.seeding import RoomSeeder

        return Sources(RoomSeeder, RoomImport)

    @property
    def measured(self) -> MeasuredList:
        from rooms.lab import ROOMS

        return ROOMS
