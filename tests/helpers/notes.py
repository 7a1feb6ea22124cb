"""Notes as tests store them."""

from typing import Any

from notes.entities import Note
from notes.lists import NOTES
from portal.history.entities import IMPORT
from portal.times import now
from tests.helpers.rooms import ABC


def make_note(note_id: str = "n-1", text: str = "Call a taxi", **other: Any) -> Note:
    given: dict[str, Any] = {
        "hotel_id": ABC,
        "note_id": note_id,
        "text": text,
        "written_at": now(),
        "written_by": "anna",
    }
    return Note(**{**given, **other})


def store(*notes: Note) -> None:
    NOTES.by(IMPORT).save(notes)
