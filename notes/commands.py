"""Writes of notes beside those of the list."""

from collections.abc import Sequence

from notes import queries
from notes.entities import Note, State
from notes.lists import NOTES
from portal.history.commands import erase_values
from portal.history.entities import IMPORT, REPAIR, Actor
from portal.history.keys import thing

ERASED, PERSONAL = "Erased with its guest", ("text", "place", "handed_to")


def add_note(note: Note, by: str) -> Note:
    """Add a note. If the same note was already added, return the stored one.

    Raises :class:`AlreadyExists`, and ``UnknownValue`` if the hotel does not have what the note is about.
    """
    same = lambda stored: (stored.text, stored.about, stored.kind) == (note.text, note.about, note.kind)  # noqa: E731
    return NOTES.by(Actor(by)).create(note, done=same)


def save_notes(notes: Sequence[Note]) -> int:
    """Add notes that are not stored yet, and return how many."""
    ids = ({"hotel_id": note.hotel_id, "note_id": note.note_id} for note in notes)
    stored = {(note.hotel_id, note.note_id) for note in NOTES.get_many(ids)}
    return NOTES.by(IMPORT).save([note for note in notes if (note.hotel_id, note.note_id) not in stored])


def forget_guest(username: str) -> None:
    """Erase what notes and their histories say of an erased guest. The notes count as done. Safe to repeat."""
    notes = queries.of_guest(username)
    for note in notes:
        NOTES.by(REPAIR).update(note, on=(), text=ERASED, place="", handed_to="", status=State.DONE)
    erase_values((thing(NOTES.model.kind, note.hotel_id, note.note_id) for note in notes), PERSONAL)
