"""The counts of a hotel's rooms, and their packed copy, which pages read instead. docs/keys.md explains both."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from secrets import randbelow

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import Conflict, NotFound, Unavailable
from dynamodb_lists.declared.parts import plain_label
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import Change, deltas
from dynamodb_lists.writing.transactions import Update, Write, commit
from hotels.commands import rooms_changed
from rooms import keys
from rooms.entities import Room
from rooms.entities.counts import packed
from rooms.keys import RoomFacets
from rooms.models import PackedCountsModel, RoomCountModel
from rooms.queries.rooms import hotel_and_packed_counts, stored_counts

logger = logging.getLogger(__name__)
_words = attrgetter(*keys.LABELLED)
"""The words of a room for its facets."""

MOST_BYTES = 350_000
"""The largest copy that is written: that of more than 100,000 combinations. An item holds 400 KB."""

LARGEST_STEP = 2**32
"""The most that a change adds to a revision: after millions of changes it is still exact as a float of an engine."""

PACK_ATTEMPTS = 4
"""How often a writer tries to pack: twice, and twice again if it had to move the revision."""


def count_updates(hotel_id: str, changes: Sequence[Change[Room]]) -> list[Write]:
    """The updates of the counts. A count has the labels of the last room, even if only the words have changed."""
    labelled: dict[RoomFacets, Room] = {}
    numbers: dict[RoomFacets, int] = {}
    moves = []
    for change in changes:
        before, after = change.before, change.after
        if after:
            labelled[after.facets] = after
        if before and after and _words(before) != _words(after):
            numbers[after.facets] = 0  # the words may change even if their key parts stay the same
        moves.append((before.counted_facets if before else None, after.counted_facets if after else None))
    writes: list[Write] = []
    for facets, number in (numbers | deltas(moves)).items():
        actions: list[Action] = [RoomCountModel.rooms.add(number)]
        if room := labelled.get(facets):
            actions += label_actions(facets, room)
        writes.append(Update(count_key(hotel_id, *facets), actions=actions))
    return writes


def label_actions(facets: RoomFacets, room: Room) -> Iterator[Action]:
    """The labels to store in a count: only those that differ from the slug, because every page reads all counts."""
    for name in keys.LABELLED:
        attribute, label = RoomCountModel.attribute(name), getattr(room, name)
        plain = not label or label == plain_label(getattr(facets, name))
        yield attribute.remove() if plain else attribute.set(label)


def count_key(hotel_id: str, *facets: str) -> RoomCountModel:
    """The item of a combination's count with nothing but its key, for updates."""
    return RoomCountModel(keys.counts(hotel_id), keys.count(RoomFacets(*facets)))


def pack_counts(hotel_ids: Iterable[str]) -> None:
    """Pack the counts of hotels anew. Call it after each transaction that has changed some.

    A failure is harmless and raises nothing: the copy has an older revision than its hotel, so pages read the counts.

    Two attempts are enough after the caller's transaction, and after a step of the revision in :func:`_pack`. If both
    are refused, others have packed twice since the first one began. The second of these copies was read after the first
    one was stored, and so after the transaction.
    """
    try:
        for hotel_id in hotel_ids:
            any(_pack(hotel_id) for _ in range(PACK_ATTEMPTS))
    except Unavailable as error:
        logger.warning("Counts were not packed, so pages read each of them until the next change. %s", error)


def count_repaired(hotel_id: str, *_: str) -> None:
    """Make the copy outdated, and pack the counts, after one of them was changed without the transaction of a room."""
    _outdate_copy(hotel_id)
    pack_counts([hotel_id])


def next_counts_revision() -> int:
    """What a transaction that changes a count adds to the revision of a hotel's counts.

    It is random, so that a revision is never reached a second time with other counts: after a backup was restored,
    processes may still keep counts of a later revision.
    """
    return randbelow(LARGEST_STEP) + 1


def _outdate_copy(hotel_id: str) -> None:
    with suppress(Conflict):  # the hotel does not exist
        commit([rooms_changed(hotel_id, counts_revision=next_counts_revision())])


def _pack(hotel_id: str) -> bool:
    """Pack the counts of a hotel; ``False`` if another writer has packed them meanwhile.

    The condition is that nobody has, and not only that the stored copy is older. A Query may see a transaction of
    another writer in half: in the hotel, but not in every count. Such a copy has the right revision and wrong numbers
    until that writer, whose transaction has ended, replaces it.
    """
    try:
        stored, copy = hotel_and_packed_counts(hotel_id, consistent=True)
    except NotFound:
        return True  # without a hotel there is no page
    data = packed(stored_counts(hotel_id, consistent=True))
    if len(data) > MOST_BYTES or (stored.counts_revision, data) == (copy.get("counts_revision"), copy.get("packed")):
        return True
    if copy.get("counts_revision") == stored.counts_revision:
        _outdate_copy(hotel_id)
        return False
    if copy.get("counts_revision", 0) > stored.counts_revision:
        return False  # both were packed between the reads of the hotel and of the copy
    revision = copy.get("revision", 0)
    values = {"counts_revision": stored.counts_revision, "revision": revision + 1, "packed": data}
    is_as_read = PackedCountsModel.revision == revision if revision else PackedCountsModel.pk.does_not_exist()
    try:
        single_items.put(PackedCountsModel(*keys.packed_counts(hotel_id), **values), is_as_read)
    except Conflict:
        return False
    return True
