"""The list of notes, in a table of its own, and the index of the notes that concern a guest."""

from dataclasses import replace

from dynamodb_lists import GIVEN, KeptOrder, KeyAttribute, List, errors, global_index
from notes.entities import Note, State, thing_about
from portal.history.commands import RECORDED, recorded
from portal.history.entities import Actor, How

BY_GUEST = "by-guest"


def with_guest(before: Note | None, after: Note, actor: Actor | None) -> Note:
    """Return a new note with the guest whom it concerns: that of its order, or of its review.

    Raises ``UnknownValue`` if it is about nothing that the hotel has, and ``WrongValue`` if a lost thing becomes done
    that nobody has. What files and undos write is as it was.
    """
    if not actor or actor.how is not How.PORTAL:
        return after
    if before and before.status != after.status == State.DONE and after.waits:
        raise errors.WrongValue("Say first to whom it was returned or posted.")
    if before or not after.about:
        return after
    thing = thing_about(after.hotel_id, after.about)
    try:
        about = RECORDED[thing.subject.kind].load(*thing.ids) if thing else None
    except (errors.NotFound, errors.KeyPartError):
        about = None
    if getattr(about, "hotel_id", after.hotel_id) != after.hotel_id or getattr(about, "erased_at", None) or not about:
        raise errors.UnknownValue("about", after.about)
    return replace(after, guest=getattr(about, "username", ""))


NOTES = recorded(
    List(
        Note,
        id="note_id",
        owner="hotel_id",
        facets=("status", "kind", "person"),
        orders=(
            KeptOrder("status", "written_at", words="by time"),
            KeptOrder("status", "kind", "written_at", words="by kind, time"),
            KeptOrder("status", "kind", "until", words="by kind, day"),
            KeptOrder("person", "status", "until", words="for a person"),
            KeptOrder("about", "status", "written_at", words="about something"),
        ),
        words=("text", "place"),
        derive=with_guest,
        others={
            "guest_key": KeyAttribute("{guest}", when=[{"guest": GIVEN}]),
            "by_guest": global_index(BY_GUEST, "guest_key", "pk", projected=["status"], words="of a guest"),
        },
    ),
    {"created": "notes.delete_note", "changed": "notes.change_note", "deleted": "notes.add_note"},
)
