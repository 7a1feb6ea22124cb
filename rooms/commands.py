"""Writes of rooms, one function for each event. Each is one transaction, so that rooms, counts and totals agree.

A change of many rooms, a bulk change, is written down first, and then made in small transactions. Each changes some
rooms and moves the progress on, on the condition that nobody else has. So every room is changed exactly once, however
often a step is repeated, by however many processes; and a step whose answer is lost is not made twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ulid import ULID

from dynamodb_lists import MAX_WRITES, Change, List, Put, commit, errors, in_parallel, retried
from dynamodb_lists.schema import entities
from portal.history.entities import IMPORT, Actor, How
from portal.history.undoing import NotUndone, before_bulk, last_author
from portal.imports import Save
from portal.people import ByAuthor
from rooms import queries
from rooms.entities import FACET_ACTIONS, BulkChange, BulkProgress, Room, RoomFailure, RoomRefused, StatusChange
from rooms.entities.bulk import digest
from rooms.entities.cleanings import Cleaning
from rooms.entities.rooms import STATUS_FIELDS
from rooms.lists import ROOMS, logged
from rooms.models import BulkChangeModel, BulkProgressModel, CleaningsModel


def create_room(room: Room, by: str) -> Room:
    """Add a room. If the same room was already added, return that room.

    Raises :class:`~dynamodb_lists.connection.errors.AlreadyExists`, and :class:`Conflict` for an unknown hotel.
    """
    return ROOMS.by(Actor(by)).create(room)


def set_status(hotel_id: str, number: str, change: StatusChange, by: str, seen: str | None = None) -> tuple[Room, Room]:
    """Change the status of a room, and return the room as it was read and as it is now.

    If the room has the status already, write nothing: both rooms are the same. Without ``seen``, the last writer wins.

    Raises: :class:`NotFound`, :class:`RoomRefused`, and :class:`ChangedMeanwhile` if housekeeping is to change and is
    not as ``seen``.
    """
    before = queries.room(hotel_id, number, consistent=True)
    others = change.started and before.steps.started_by  # somebody is in the room, who goes on
    if others or entities.same(before, change.of(before)):
        return before, before
    on = {"housekeeping": seen} if seen and change.housekeeping else ()
    return before, ROOMS.by(Actor(by)).update(before, change.of, on=on)


def save_rooms(
    rooms: Sequence[Room],
    statuses: Mapping[tuple[str, str], StatusChange] | None = None,
    *,
    packs: bool = True,
    actor: Actor = IMPORT,
    save: Save = List.save,
) -> int:
    """Create or change many rooms of hotels that exist, from a file; returns how many were written.

    Rooms that are stored with the same values are not written, so repeating a batch writes nothing. The status of a
    stored room stays, except for the changes in ``statuses``, by hotel and number. Each number may occur once. The
    rooms of a transaction share the writes of their counts, so a large batch costs fewer writes. Whoever saves several
    batches without ``packs`` calls :func:`pack_hotels` after the last one.

    Raises :class:`ChangedMeanwhile` if another writer keeps changing the rooms, or if a hotel does not exist.
    """
    written = save(ROOMS.by(actor).without_packing(), lambda: changes_of(rooms, statuses or {}, actor))
    if packs and written:
        pack_hotels({room.hotel_id for room in rooms})
    return written


Worked = tuple[str, str, str, Sequence[Cleaning]]
"""The id of a hotel, a day, the username of who cleaned, and what."""


def save_worked(works: Sequence[Worked]) -> int:
    """Add to the log of cleanings the days of people that it lacks; returns their number."""

    def is_new(work: Worked) -> bool:
        try:
            replace(logged(*work), condition=CleaningsModel.pk.does_not_exist()).send()
        except errors.Conflict:
            return False
        return True

    return sum(in_parallel([partial(is_new, work) for work in works]))


def pack_hotels(hotel_ids: Iterable[str]) -> None:
    """Pack the counts of hotels anew, after transactions whose counts nobody has packed."""
    for hotel_id in hotel_ids:
        ROOMS.pack(hotel_id=hotel_id)


def changes_of(
    rooms: Sequence[Room], statuses: Mapping[tuple[str, str], StatusChange], actor: Actor
) -> list[Change[Room]]:
    """Return what :func:`save_rooms` would write: the rooms that are new or different."""
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    listed, changes = ROOMS.by(actor), list[Change[Room]]()
    for room in rooms:
        key = room.hotel_id, room.number
        before = stored.get(key)
        kept = {name: getattr(before, name) for name in ("hotel_id", *STATUS_FIELDS)} if before else {}
        after = replace(entities.with_optional(room, before), **kept) if before else room
        changes += listed.change(before, statuses.get(key, StatusChange()).of(after))
    return changes


# --- Changes of many rooms ------------------------------------------------------------------------------


MAX_ROOMS = 5000  # of one bulk change
TOLD_FAILURES = 500
"""The most rooms of which the progress says why they were not changed. Each step writes it anew."""

MOST_WRITES = 4
"""The most writes of a room: its item, two counts and an entry of its history."""

STEP_ROOMS = (MAX_WRITES - 2) // MOST_WRITES
"""The rooms of one transaction, beside the progress and the hotel."""


def ask_for(hotel_id: str, change: BulkChange) -> None:
    """Write down a bulk change. A change that is already written stays as it is."""
    first = Put(BulkChangeModel.item(change, hotel_id=hotel_id), BulkChangeModel.pk.does_not_exist())
    with suppress(errors.Conflict):  # it is already written
        commit([first, _progress_put(hotel_id, change.change_id, None, BulkProgress())])


def take_step_of(hotel_id: str, change: BulkChange) -> BulkProgress:
    """Change the next rooms in one transaction; returns the progress. A finished change stays as it is.

    If somebody else changes one of the rooms meanwhile, the step is planned again. The last step packs the counts, also
    if it is repeated.
    Raises :class:`ChangedMeanwhile` after eight attempts.
    """

    def step() -> BulkProgress:
        before = queries.bulk_progress(hotel_id, change.change_id)
        numbers = change.room_numbers[before.tried : before.tried + STEP_ROOMS]
        if not numbers:
            return before
        changes, progress = _plan(hotel_id, change, before, numbers)
        moved_on = _progress_put(hotel_id, change.change_id, before, progress)
        ROOMS.by(_actor(change)).without_packing().with_writes(lambda *_: [moved_on]).commit(changes)
        return progress

    progress = retried(step, "Others are changing these rooms, too. Continue in a moment.")
    if progress.tried == len(change.room_numbers) and change.action in FACET_ACTIONS:
        pack_hotels([hotel_id])
    return progress


def _plan(
    hotel_id: str, change: BulkChange, before: BulkProgress, numbers: Sequence[str]
) -> tuple[list[Change[Room]], BulkProgress]:
    """Return the changes of the next rooms, and the progress after them."""
    stored = queries.rooms_as_stored((hotel_id, number) for number in numbers)
    changes: list[Change[Room]] = []
    failures: list[RoomFailure] = []
    rooms = [stored.get((hotel_id, number)) for number in numbers]
    afters = in_parallel([partial(_changed, change, room) for room in rooms])
    for number, room, after in zip(numbers, rooms, afters, strict=True):
        if room is None or isinstance(after, Exception):
            failures.append(RoomFailure(number, str(after)))
        else:
            changes += ROOMS.by(_actor(change)).change(room, after)
    progress = replace(
        before,
        tried=before.tried + len(numbers),
        changed=before.changed + len(changes),
        same=before.same + len(numbers) - len(changes) - len(failures),
        failed=before.failed + len(failures),
        failures=(*before.failures, *failures)[:TOLD_FAILURES],
    )
    return changes, progress


def _changed(change: BulkChange, room: Room | None) -> Room | Exception:
    """Return the room with the change, or the reason why it is not changed.

    An undo, and a room that is not as the preview showed it, take one Query of the room's history.
    """
    if room is None:
        return errors.NotFound("the room does not exist any more")
    try:
        if change.undoes:  # the id of an undo has the time of what it undoes
            before: Room = before_bulk(room, change.undoes, ULID.from_str(change.change_id).datetime)
            after = change.allowed(room, before)
        else:
            after = change.of(room)
        is_as_shown = not change.seen or digest(room) in change.seen  # in the preview
        if not (is_as_shown or entities.same(room, after)):
            return ByAuthor("changed meanwhile by {}", last_author(room))
    except (RoomRefused, NotUndone) as error:
        return error
    return after


def _actor(change: BulkChange) -> Actor:
    """Return the author of a change: the member of staff who asked for it, whoever sends its steps."""
    return Actor(change.by, How.BULK, bulk=change.change_id, undoes=bool(change.undoes))


def _progress_put(hotel_id: str, change_id: str, before: BulkProgress | None, after: BulkProgress) -> Put:
    tried = BulkProgressModel.attribute("tried")
    condition = BulkProgressModel.pk.does_not_exist() if before is None else tried == before.tried
    return Put(BulkProgressModel.item(after, hotel_id=hotel_id, change_id=change_id), condition)
