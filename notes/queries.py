"""Reads of notes; docs/requests.md shows the request of each one."""

from collections.abc import Collection

from dynamodb_lists import Listing, Page, read_page, read_partition
from notes.entities import Note, State
from notes.lists import BY_GUEST, NOTES

MOST_SHOWN = 5
"""How many open notes the page of a room shows."""


def open_notes(hotel_id: str) -> Listing[Note]:
    """N1: the open notes of a hotel, the newest first."""
    return NOTES.query(hotel_id=hotel_id).where(status=State.OPEN).order_by("-written_at").listing(counts={})


def open_about(hotel_id: str, about: str) -> Page[Note]:
    """N2: the first open notes about a thing of a hotel, the newest first. One request."""
    query = NOTES.query(hotel_id=hotel_id).where(about=about, status=State.OPEN).order_by("-written_at")
    return read_page(query.listing(counts={}), MOST_SHOWN)


def names(places: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """The beginnings of the texts of notes that exist, by hotel and id: one BatchGetItem for a hundred."""
    found = NOTES.get_many(({"hotel_id": hotel_id, "note_id": each} for hotel_id, each in places), consistent=False)
    return {(note.hotel_id, note.note_id): note.name for note in found}


def of_guest(username: str) -> list[Note]:
    """The notes of all hotels that concern a guest."""
    found = read_partition(NOTES.model, username, ("pk", "sk"), index=BY_GUEST)
    owner = NOTES.declaration.owner_in
    return NOTES.get_many({"hotel_id": owner(each["pk"])[0], "note_id": each["sk"]} for each in found)
