"""A bulk change, of many rooms of a hotel, and its progress."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Self

from django.utils.crypto import salted_hmac
from ulid import ULID

from dynamodb_lists import Field
from dynamodb_lists.schema import entities
from hotels.queries import zone_of
from portal.money import decimals, money
from portal.times import day, today_in
from rooms import keys
from rooms.entities.rooms import Room, RoomRefused, StatusChange, becomes_inspected
from rooms.statuses import Priority, status_words

SEPARATOR = "\n"  # no room number has a line break
UNSPECIFIED = "Unspecified"
DIGITS = 12


class RoomAction(StrEnum):
    """What a bulk change sets, with the words of the menu."""

    words: str
    RATE_TO = "rate-to", "Set the rate to"
    RATE_BY = "rate-by", "Add to the rate"
    RATE_PERCENT = "rate-percent", "Raise the rate by a percentage"
    VIEW = "view", "Set the view to"
    TYPE = "type", "Set the type to"
    STATUS = "status", "Set the status"
    ASSIGN = "assign", "Assign to"
    UNASSIGN = "unassign", "Assign today to nobody"
    PRIORITY = "priority", "Set today's priority to"

    def __new__(cls, value: str, words: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_, member.words = value, words
        return member


RATES = frozenset({RoomAction.RATE_TO, RoomAction.RATE_BY, RoomAction.RATE_PERCENT})
FACET_ACTIONS = frozenset({RoomAction.VIEW, RoomAction.TYPE})
PLANNING = frozenset({RoomAction.ASSIGN, RoomAction.UNASSIGN, RoomAction.PRIORITY})
"""The actions that change the plan of a day."""


@dataclass(frozen=True, slots=True)
class BulkChange:
    """A change of some rooms of a hotel, as ``by`` asked for it. ``numbers`` has a room number in each line.

    ``seen`` has the :func:`digest` of each room in the preview. It is blank in an undo.
    ``amount`` is a rate, a difference or a percentage; ``text`` is a view, a type, or the names of the ``assignees``,
    whose usernames have a line each; ``status`` is what a change of statuses or plans sets. Rates are in the hotel's
    ``currency``, rounded to its decimals. ``undoes`` is the id of the bulk change that this one undoes; all else is
    then as in that one. ``may_inspect`` says whether ``by`` may set rooms to inspected.
    """

    change_id: Annotated[str, Field("Id")]
    action: Annotated[RoomAction, Field("Change")]
    numbers: Annotated[str, Field("Rooms")]
    by: Annotated[str, Field("By")]
    asked_at: Annotated[datetime, Field("Requested at")]
    amount: Annotated[Decimal | None, Field("Amount")] = None
    text: Annotated[str | None, Field("Text")] = None
    currency: Annotated[str, Field("Currency")] = ""
    status: Annotated[StatusChange, Field("Status")] = StatusChange()
    assignees: Annotated[str, Field("To", sparse=True)] = ""
    undoes: Annotated[str, Field("Undoes", sparse=True)] = ""
    seen: Annotated[str, Field("Seen", sparse=True)] = ""
    may_inspect: Annotated[bool, Field("May inspect")] = False

    @property
    def undo_id(self) -> str:
        """The id of the bulk change that undoes this one: always the same, so that it is undone once.

        Its time is when this change was asked for.
        """
        time_part, random_part = ULID.from_datetime(self.asked_at).bytes[:6], sha256(self.change_id.encode()).digest()
        return str(ULID.from_bytes(time_part + random_part[:10]))

    @property
    def room_numbers(self) -> list[str]:
        """The numbers of the rooms to change, in the order in which they are changed."""
        return self.numbers.split(SEPARATOR) if self.numbers else []

    @property
    def words(self) -> str:
        """What the change sets, in words: "rate +5 %"."""
        amount, status = self.amount or Decimal(0), self.status
        sign = "\N{MINUS SIGN}" if amount < 0 else "+"
        states = [status_words(each) for each in (status.housekeeping, status.service) if each]
        return {
            RoomAction.RATE_TO: f"rate {money(amount, self.currency)}",
            RoomAction.RATE_BY: f"rate {sign}{money(abs(amount), self.currency)}",
            RoomAction.RATE_PERCENT: f"rate {sign}{abs(amount).normalize():f} %",
            RoomAction.VIEW: f"view {self.text or UNSPECIFIED}",
            RoomAction.TYPE: f"type {self.text or UNSPECIFIED}",
            RoomAction.STATUS: f"status {', '.join(filter(None, [*states, status.reason, status.responsible]))}",
            RoomAction.ASSIGN: f"assigned to {self.text}{f', {day(status.day)}' if status.day else ''}",
            RoomAction.UNASSIGN: "assigned to nobody",
            RoomAction.PRIORITY: f"priority {status_words(status.priority or Priority.NORMAL).lower()}",
        }[self.action]

    def of(self, room: Room) -> Room:
        """Return the room with the change. Raises :class:`RoomRefused`."""
        return self.allowed(room, self._changed(room))

    def allowed(self, room: Room, after: Room) -> Room:
        """Return the room after the change or its undo. Raises: :class:`RoomRefused` if ``by`` has no permission for
        it.
        """
        if becomes_inspected(room, after) and not self.may_inspect:
            raise RoomRefused("you may not set rooms to “Inspected”")
        return after

    def _changed(self, room: Room) -> Room:
        if self.action in RATES:
            if room.currency != self.currency:
                raise RoomRefused(f"its rate is in {room.currency}")
            return replace(room, rate=self._rate(room.rate))
        if self.action in FACET_ACTIONS:
            values: dict[str, Any] = {self.action: self.text or ""}
            return replace(room, **values)
        if self.action == RoomAction.ASSIGN:
            today = today_in(zone_of(room.hotel_id))
            if room.to_clean and room.planned_on(today).assignee and (self.status.day or today) > today:
                raise RoomRefused("somebody has still to clean it today")
            return replace(self.status, assignee=shares(self.numbers, self.assignees)[room.number]).of(room)
        return self.status.of(room)

    def _rate(self, rate: Decimal) -> Decimal:
        """Return the new rate, rounded half up to the decimals of the currency."""
        amount = self.amount or Decimal(0)
        changed = {
            RoomAction.RATE_TO: amount,
            RoomAction.RATE_BY: rate + amount,
            RoomAction.RATE_PERCENT: rate + rate * amount / 100,
        }[self.action]
        if changed < 0:
            raise RoomRefused("the rate would be below zero")
        if changed >= 10**keys.RATE_DIGITS - 1:  # it could be rounded up
            raise RoomRefused(f"the rate would have more than {keys.RATE_DIGITS} digits")
        return changed.quantize(Decimal(1).scaleb(-decimals(self.currency)), ROUND_HALF_UP)


@lru_cache(8)  # for each room of a change anew
def shares(numbers: str, assignees: str) -> Mapping[str, str]:
    """Return the rooms of each person: rooms that follow each other, as many as every other person has, or one more."""
    rooms, people = numbers.split(SEPARATOR), assignees.split(SEPARATOR)
    return {number: people[place * len(people) // len(rooms)] for place, number in enumerate(rooms)}


def digest(room: Room) -> str:
    """Return a digest of what lists show and people can change. It has a key, because values could be guessed."""
    values = [getattr(room, field.name) for field in entities.fields(Room) if field.compared and field.listed]
    plain = [value.normalize() if isinstance(value, Decimal) else value for value in values]
    return salted_hmac("rooms.bulk", repr(plain)).hexdigest()[:DIGITS]


@dataclass(frozen=True, slots=True)
class RoomFailure:
    number: str
    reason: str


@dataclass(frozen=True, slots=True)
class BulkProgress:
    """The progress of a bulk change: how many rooms were tried, changed, the same already, and refused.

    ``failures`` are the first of the rooms that were refused, so that the item stays small.
    """

    tried: Annotated[int, Field("Tried")] = 0
    changed: Annotated[int, Field("Changed")] = 0
    same: Annotated[int, Field("Unchanged")] = 0
    failed: Annotated[int, Field("Failed")] = 0
    failures: Annotated[tuple[RoomFailure, ...], Field("Failures")] = ()
