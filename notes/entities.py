from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from textwrap import shorten
from typing import Annotated

from dynamodb_lists import Field, Record
from portal.history.subjects import Thing, subjects
from portal.people import author_name, name_of


class Kind(StrEnum):
    NOTE = "note"
    JOB = "job"
    LOST = "lost-and-found"


class State(StrEnum):
    OPEN = "open"
    DONE = "done"


def words_of(value: str) -> str:
    """Return a kind or a status in words: "Lost and found"."""
    return value.replace("-", " ").capitalize()


NAMED_LETTERS = 60
"""The most letters of a text that name its note."""

ABOUT_KINDS = "room", "guest", "order", "review"
"""What a note may be about, beside its hotel: kinds of things with a history."""


def thing_about(hotel_id: str, about: str) -> Thing | None:
    """Return the thing that ``room:118`` names in a hotel; ``None`` for the hotel itself, and what names no thing."""
    kind, _, thing_id = about.partition(":")
    subject = subjects().get(kind) if kind in ABOUT_KINDS and thing_id else None
    return Thing(subject, (hotel_id, thing_id) if subject.in_hotel else (thing_id,)) if subject else None


def about_words(hotel_id: str, about: str) -> str:
    """Return the words for what ``room:118`` names: "Room 118"; blank for the hotel."""
    thing = thing_about(hotel_id, about)
    return f"{thing.subject.title.partition(' ')[0]} {thing.ids[-1]}" if thing else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Record):
    """What staff of a hotel tell each other: a note, a job, or a found item. It is open until somebody has done it.

    ``about`` is ``room:118``, ``guest:alex``, ``order:XTQ9M3K7`` or ``review:<id>``; blank for the hotel. ``guest`` is
    the username of the guest whom this concerns, whose erasure erases the note. ``person`` is the ``person_id`` of the
    account that the note is for. ``place`` and ``handed_to`` are those of a found item.
    """

    hotel_id: Annotated[str, Field("Hotel", column=None, entered=False)]
    note_id: Annotated[str, Field("Number", entered=False)]
    kind: Annotated[Kind, Field("Kind", words=words_of)] = Kind.NOTE
    text: Annotated[str, Field("Text")]
    about: Annotated[str, Field("About", blank=True, entered=False, sparse=True)] = ""
    person: Annotated[str, Field("For", blank=True, sparse=True, words=lambda each: name_of(each) if each else "")] = ""
    until: Annotated[date | None, Field("Due by", order="last")] = None
    place: Annotated[str, Field("Where", blank=True, sparse=True)] = ""
    handed_to: Annotated[str, Field("Returned or posted to", blank=True, sparse=True)] = ""
    status: Annotated[State, Field("Status", entered=False, words=words_of)] = State.OPEN
    written_at: Annotated[datetime, Field("Written", compared=False, entered=False, recorded=True)]
    written_by: Annotated[str, Field("By", compared=False, entered=False, recorded=True, words=author_name)]
    guest: Annotated[str, Field("Guest", column=None, listed=False, entered=False, computed=True, sparse=True)] = ""

    @property
    def name(self) -> str:
        """The beginning of the text, by which messages and histories name the note."""
        return f"“{shorten(self.text, NAMED_LETTERS, placeholder='…')}”"

    @property
    def waits(self) -> bool:
        """Whether nobody has said to whom a lost thing was returned or posted. Such a thing does not become done."""
        return self.kind == Kind.LOST and not self.handed_to

    def is_late(self, today: date) -> bool:
        """Return whether an open note should have been done before a day of its hotel."""
        return self.status == State.OPEN and self.until is not None and self.until < today
