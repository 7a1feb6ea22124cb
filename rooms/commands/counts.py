"""The counts of a hotel's rooms, and their packed copy, which pages read instead. docs/keys.md explains both."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.declared.counts import Counts, labels_of
from dynamodb_lists.lists.counting import CountsStore, Delta, next_step, pack_counts
from dynamodb_lists.reading.listing import Fetch
from dynamodb_lists.schema.models import Values
from dynamodb_lists.writing.transactions import Update, Write, commit
from hotels.commands import rooms_changed
from rooms import keys
from rooms.entities import Room
from rooms.models import PackedCountsModel, RoomCountModel, RoomModel
from rooms.queries.rooms import fetch_in, hotel_and_packed_counts, stored_counts
from rooms.room_list import ROOMS


class RoomCountsStore(CountsStore[Room]):
    """The counts of a hotel's rooms. Their revision is an attribute of the hotel."""

    name, declaration, item, model = "counts of rooms", ROOMS, RoomModel, PackedCountsModel

    def __init__(self, hotel_id: str) -> None:
        self.hotel_id, self.place = hotel_id, PackedCountsModel.place_of(hotel_id=hotel_id)

    def heads(self) -> tuple[int, Values]:
        stored, copy = hotel_and_packed_counts(self.hotel_id, consistent=True)
        return stored.counts_revision, copy

    def counts(self) -> Counts:
        return stored_counts(self.hotel_id, consistent=True)

    def outdate(self) -> None:
        with suppress(Conflict):  # the hotel does not exist
            commit([rooms_changed(self.hotel_id, counts_revision=next_step())])

    def fetch(self, index: str) -> Fetch[Room]:
        return fetch_in(self.hotel_id, index)


def count_updates(hotel_id: str, deltas: Iterable[Delta]) -> list[Write]:
    """The updates of the counts of a hotel."""
    return [
        Update(
            RoomCountModel.keyed(hotel_id=hotel_id, **dict(zip(keys.FACETS, combination, strict=True))),
            actions=[RoomCountModel.rooms.add(number), *(label_actions(labels) if number >= 0 else ())],
        )
        for combination, number, labels in deltas
    ]


def label_actions(labels: tuple[str | None, ...]) -> Iterator[Action]:
    """The labels to store in a count: only those that differ from the slug, because every page reads all counts."""
    by_facet = dict(zip(keys.FACETS, labels, strict=False))
    for name in keys.LABELLED:
        attribute, label = RoomCountModel.attribute(name), by_facet.get(name)
        yield attribute.set(label) if label else attribute.remove()


def labels_of_room(room: Room) -> tuple[str | None, ...]:
    """The labels of a room's facets that differ from those of their slugs."""
    return labels_of(ROOMS.combination(room), [getattr(room, facet) for facet in keys.FACETS])


def pack_hotels(hotel_ids: Iterable[str]) -> None:
    """Pack the counts of hotels anew, after transactions whose counts nobody has packed."""
    for hotel_id in hotel_ids:
        pack_counts(RoomCountsStore(hotel_id))


def count_repaired(hotel_id: str, *_: str) -> None:
    """Make the copy outdated, and pack the counts, after one of them was changed without the transaction of a room."""
    RoomCountsStore(hotel_id).outdate()
    pack_hotels([hotel_id])
