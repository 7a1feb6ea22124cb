from django.apps import AppConfig

from hotels.app_config import HOME, HotelPagesConfig, HotelTab
from portal.app_config import Subject
from rooms.apps import HOUSEKEEPING

VIEW_NOTES, ADD_NOTES, CHANGE_NOTES = "notes.view_note", "notes.add_note", "notes.change_note"


class NotesConfig(HotelPagesConfig, AppConfig):
    name = "notes"
    tabs = (
        HotelTab(62, "Notes", "notes:notes", VIEW_NOTES, under=HOME, also="lost and found"),
        HotelTab(63, "Jobs", "notes:jobs", VIEW_NOTES, under=HOUSEKEEPING, also="defects"),
    )
    frame_urls = {"notes": "notes:notes", "add_note": "notes:add"}

    def ready(self) -> None:
        from notes import commands, invariants, queries
        from notes.views import OF_ROOM

        note = Subject("note", "Note {1} of {0}", "notes:note", VIEW_NOTES, in_hotel=True, names=queries.names)
        self.subjects = (note,)
        self.rules = invariants.RULES
        self.room_parts = (OF_ROOM,)
        self.forget_guest = commands.forget_guest
