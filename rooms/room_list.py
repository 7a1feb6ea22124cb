"""The list of rooms, as the toolkit's planner reads it: its facets, its orders, and how its keys are spelt.

The table is older than declared lists. So its own order is one of the six orders of the facets, and a room is found by
its number in a guard, which repeats it. The guards have the order of numbers, in their own partitions.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import cast

from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import item_bytes
from dynamodb_lists.schema.entities import listed
from dynamodb_lists.schema.keys import HIGHEST, KeyRange, prefix, text_range, time_part
from rooms import keys
from rooms.entities import Plan, RateRange, Room
from rooms.keys import (
    ASSIGNED,
    BY_RATE,
    ENTRY_BYTES,
    ITEM_BYTES,
    NEEDING_ATTENTION,
    NUMBER,
    NUMBERED,
    NUMBERS,
    RATE,
    REPAIRS,
)

ASSIGNED_ORDER, REPAIRS_ORDER, SINCE = ("plan",), ("until",), "attention_since"

GUARD_BYTES = 400
"""About how many bytes a room's number guard has."""

LOCAL = [index.name for index in keys.INDEXES]
_GUARDS = {NUMBERED: keys.NUMBERED_INDEX, NUMBERS: ""}
"""The indexes in which guards are read: in the order of numbers, and by their own keys."""


class RoomDeclaration(Declaration):
    """The declaration of rooms. Their rate is a value with its currency, so rates of a currency are together."""

    def partition(self, owner: Iterable[str]) -> str:
        return keys.rooms(*owner)

    def key_attribute(self, index: str) -> str:
        return keys.sort_key(index) if index in LOCAL else super().key_attribute(index)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Indexes have the number, too, because no key of the table is the number alone."""
        return listed(Room)

    @cached_property
    def whole_orders(self) -> Mapping[str, KeptOrder]:
        """All rooms are in the order of numbers, too, among the guards."""
        return {**super().whole_orders, NUMBERED: KeptOrder(NUMBER)}

    def sort_key(self, entity: Room, order: KeptOrder, start: int = 0) -> str:
        """A key of a room, from its values."""
        if order.fields == (RATE,):
            return keys.rate(entity.currency, entity.rate, entity.number)
        if order.fields == ASSIGNED_ORDER:
            plan = cast(Plan, entity.plan)
            return keys.assigned(plan.day, plan.assignee, plan.urgency, entity.number)
        if order.fields == REPAIRS_ORDER:
            return keys.repair(entity.until, entity.number)
        if order.when:
            return keys.attention(cast(datetime, entity.attention_since), entity.number)
        return keys.room(entity.facets, entity.number, order.index)

    def parts(self, entity: Room, names: Iterable[str]) -> Iterator[str]:
        """The facets are those of the stored key, by which the room is counted."""
        for name in names:
            if name == RATE:
                yield keys.rated(entity.currency, entity.rate)
            elif name == NUMBER:
                yield entity.number.casefold()
            elif name == SINCE:
                yield time_part(cast(datetime, entity.attention_since))
            else:
                yield getattr(entity.counted_facets, name)

    def position(self, entity: Room, index: str, order: KeptOrder | None = None, start: int = 0) -> Position:
        """Rooms that are equal in an order are in the natural order of their numbers."""
        number, key = entity.number, entity.stored_key
        if index == NUMBERED:
            return Position(keys.numbered(number, key), (number,))
        if index == BY_RATE:
            return Position(keys.rate(entity.currency, entity.rate, number), (key,))
        full = keys.room(entity.counted_facets, number, index)
        begin = prefix(keys.ROOM, *self.parts(entity, order.fields[:start])) if order and start else ""
        return Position(full.removeprefix(begin), (key,) if index else ())

    def prefix(self, index: str) -> tuple[str, ...]:
        return () if index not in LOCAL else (keys.ROOM,)

    def spans(self, name: str, span: KeyRange) -> list[KeyRange]:
        """Rooms by number: those of each length that begin with these digits. A rate ends with its ``#``."""
        if name == NUMBER:
            return keys.numbered_from(span.low)
        return [KeyRange(span.low, f"{span.high}#{HIGHEST}")]

    def elsewhere(self, ranges: Mapping[str, KeyRange]) -> Iterator[tuple[str, KeyRange]]:
        """Digits have no capitals, so the guards' own keys have the smallest range of numbers that begin with some."""
        if NUMBER in ranges and ranges[NUMBER].low.isdecimal():
            yield NUMBERS, text_range(ranges[NUMBER].low)

    def read_at(self, owner: Iterable[str], source: str) -> tuple[str, str]:
        (hotel_id,) = owner
        return (keys.numbers(hotel_id), _GUARDS[source]) if source in _GUARDS else (keys.rooms(hotel_id), source)

    def usual_bytes(self, source: str) -> float:
        return {"": ITEM_BYTES, NUMBERS: GUARD_BYTES}.get(source, ENTRY_BYTES)

    def item_bytes(self, owner: Iterable[str], source: str) -> float:
        """A guard has about as many bytes in its index as a room in others, so what is learned of one tells of all."""
        partition, index = self.read_at(owner, source)
        usual = self.usual_bytes(source)
        if index:
            usual = item_bytes(*self.read_at(owner, NUMBERED), self.usual_bytes(NUMBERED))
        return item_bytes(partition, index, usual)


def _orders() -> Iterator[KeptOrder]:
    for index in keys.INDEXES:
        if index.name:
            yield KeptOrder(*index.order, index=index.name, words=f"rooms by {', '.join(index.order)}")
    yield KeptOrder(RATE, index=BY_RATE, on_gsi=True, words="rooms by rate: `EUR#03120.5#03101`")


ROOMS = RoomDeclaration(
    name=keys.ROOMS,
    kind=keys.ROOM,
    entity=Room,
    id_field=NUMBER,
    owner=("hotel_id",),
    facets=keys.FACETS,
    table=KeptOrder(*keys.INDEXES[0].order),
    kept=tuple(_orders()),
    sparse={
        NEEDING_ATTENTION: KeptOrder(
            SINCE,
            when=lambda room: bool(room.attention_since),
            words="rooms that are dirty or out of order, the longest first",
        ),
        ASSIGNED: KeptOrder(
            *ASSIGNED_ORDER,
            when=lambda room: bool(room.plan and room.plan.is_set),
            words="rooms by day and person: `2026-11-27#7#1#03101`",
            whole=True,
        ),
        REPAIRS: KeptOrder(
            *REPAIRS_ORDER,
            when=attrgetter("out_of_order"),
            words="rooms that are out of order, by the day until when",
            whole=True,
        ),
    },
)


def rates(wanted: RateRange) -> KeyRange:
    """The rates of a range as parts of keys."""
    currency = prefix(wanted.currency)
    low = currency if wanted.low is None else keys.rated(wanted.currency, wanted.low)
    high = f"{currency}{HIGHEST}" if wanted.high is None else keys.rated(wanted.currency, wanted.high)
    return KeyRange(low, high)


def starting(number: str) -> KeyRange:
    """The numbers that begin with a text, in capitals or not."""
    return text_range(number.casefold())
