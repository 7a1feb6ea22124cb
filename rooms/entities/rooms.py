import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Annotated, Any

from dynamodb_lists import AddedRecord, Field, LabelledCounts, Query, Rule, natural
from dynamodb_lists.schema.keys import compose
from hotels.entities import ROOMS, TOTAL, Hotel, Numbers
from hotels.queries import room_statuses
from portal.people import name_of
from portal.times import day, now
from rooms import keys
from rooms.statuses import ATTENTION, LEFT_ALONE, Housekeeping, Priority, Service, status_words


@dataclass(frozen=True, slots=True)
class Plan:
    """Who cleans a room on one ``day`` of its hotel, and how urgent it is. On the next day it is no longer valid.

    ``assignee`` is the ``person_id`` of an account, blank if nobody has the room. Whether that person still cleans in
    the hotel is for its reader to look up: ``queries.cleaners``.
    """

    day: Annotated[date, Field("Day")] = date.min
    assignee: Annotated[str, Field("Assigned to")] = ""
    priority: Annotated[Priority, Field("Priority")] = Priority.NORMAL

    @property
    def is_set(self) -> bool:
        """Whether somebody has the room today, or it is more or less urgent than others."""
        return bool(self.assignee) or self.priority != Priority.NORMAL

    @property
    def left_alone(self) -> bool:
        return self.priority in LEFT_ALONE

    @property
    def urgency(self) -> int:
        """The place of the plan's priority, from 0 for the most urgent."""
        return [*Priority].index(self.priority)

    @property
    def key_part(self) -> str:
        """The beginning of keys in lists by plan: day and person, the most urgent rooms first, then nobody's."""
        return compose(str(self.day), self.assignee or keys.NOBODY, str(self.urgency))

    @property
    def words(self) -> str:
        """The plan in words: "Anna Keller, rush, 27 Nov 2026"."""
        urgent = status_words(self.priority).lower() if self.priority != Priority.NORMAL else ""
        return ", ".join(filter(None, (self.assignee and name_of(self.assignee), urgent, day(self.day))))


@dataclass(frozen=True, slots=True)
class Steps:
    """The last steps of housekeeping in a room: when (UTC) and by whom (usernames) it was cleaned and inspected.

    A dirty room has only who is in it, since when, and ``rejected``: what an inspection found wrong. ``dirty_since``
    says since when a room had needed attention before it was cleaned, for who takes that back.
    """

    cleaned_at: Annotated[datetime | None, Field("Cleaned")] = None
    cleaned_by: Annotated[str, Field("Cleaned by")] = ""
    inspected_at: Annotated[datetime | None, Field("Inspected")] = None
    inspected_by: Annotated[str, Field("Inspected by")] = ""
    started_at: Annotated[datetime | None, Field("Started")] = None
    started_by: Annotated[str, Field("Started by")] = ""
    rejected: Annotated[str, Field("Clean again")] = ""
    dirty_since: Annotated[datetime | None, Field("Dirty since", column=None)] = None

    @property
    def last(self) -> tuple[str, datetime, str] | None:
        """The last step in words, when it was, and who took it; ``None`` if there is none."""
        if self.started_at:
            return "In progress", self.started_at, self.started_by
        if self.inspected_at:
            return "Inspected", self.inspected_at, self.inspected_by
        return ("Cleaned", self.cleaned_at, self.cleaned_by) if self.cleaned_at else None

    @property
    def words(self) -> str:
        """What is said of a dirty room: "In progress", "Clean again: dust"."""
        again = f"Clean again: {self.rejected}" if self.rejected else ""
        return ", ".join(filter(None, ("In progress" if self.started_at else "", again)))


StatusField = partial(Field, entered=False, optional=True)
"""A field of a room's status that files may have. The pages of the status enter it, and the room's form does not."""

KeptField = partial(Field, column=None, listed=False, entered=False)
"""A field that the portal keeps itself, or that the pages of the status enter; lists show it where they ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room(AddedRecord):
    """A room. ``size`` is in m2; ``rate`` is for a night, in major units of ``currency`` (ISO 4217).

    ``reason`` says why a room is out of order, ``responsible`` names the person who mends it, and ``until`` is the last
    day on which it is expected to be out of order. A room with a status in :data:`ATTENTION` needs attention, since
    ``attention_since`` (UTC). ``plan`` is that of the last day that has one; ``note`` stays until somebody removes it.
    The list keeps ``steps`` and ``cleaned_at``, which sorts cleaned rooms: see ``rooms.lists``. ``revision`` counts the
    changes. It is 0 if it was not read, as in a list: such a room cannot be changed.
    """

    hotel_id: Annotated[str, Field("Hotel", column=None, stored=False, entered=False)]
    number: Annotated[str, Field("Number", order="natural")]
    view: Annotated[str, Field("View", blank=True, order="slug")]
    size: Annotated[int, Field("Size", words=lambda size: f"{size} m²")]
    type: Annotated[str, Field("Type", blank=True, order="slug")]
    rate: Annotated[Decimal, Field("Rate a night", unit="currency")]
    currency: Annotated[str, Field("Currency")]
    service: Annotated[Service, StatusField("Service status", sparse=True)] = Service.IN_SERVICE
    reason: Annotated[str | None, StatusField("Reason")] = None
    until: Annotated[date | None, StatusField("Out of order until", "out_of_order_until", order="last")] = None
    housekeeping: Annotated[Housekeeping, StatusField("Cleaning status", sparse=True)] = Housekeeping.CLEAN
    responsible: Annotated[str, KeptField("Responsible", sparse=True)] = ""
    note: Annotated[str, StatusField("Remark", sparse=True, blank=True)] = ""
    plan: Annotated[Plan | None, KeptField("Assignment", listed=True, sparse=True, words=attrgetter("words"))] = None
    attention_since: Annotated[datetime | None, KeptField("Since", compared=False)] = None
    steps: Annotated[Steps, KeptField("Progress", computed=True, sparse=True, words=attrgetter("words"))] = Steps()
    cleaned_at: Annotated[datetime | None, KeptField("Cleaned", compared=False, sparse=True)] = None

    def planned_on(self, today: date) -> Plan:
        """Return the room's plan for a day; one without assignee and of normal priority if it has none for that day."""
        return self.plan if self.plan and self.plan.day == today else Plan(today)

    @property
    def out_of_order(self) -> bool:
        return self.service == Service.OUT_OF_ORDER

    @property
    def to_clean(self) -> bool:
        """Whether the room waits for somebody who cleans it. Nobody cleans a room that is out of order."""
        return self.housekeeping == Housekeeping.DIRTY and not self.out_of_order

    def is_overdue(self, today: date) -> bool:
        """Return whether the room is out of order for longer than expected, on a day of its hotel."""
        return self.until is not None and self.until < today

    @property
    def statuses(self) -> tuple[Service, Housekeeping]:
        return self.service, self.housekeeping

    @property
    def needs_attention(self) -> bool:
        return not ATTENTION.isdisjoint(self.statuses)

    @property
    def statistics(self) -> Numbers:
        """What the room adds to the statistics of its hotel: one room with its service, and with its housekeeping."""
        return {(ROOMS, TOTAL): {str(status): Decimal(1) for status in self.statuses}}


STATUS_FIELDS = (
    *("service", "reason", "until", "responsible", "housekeeping", "note", "plan", "attention_since"),
    *("steps", "cleaned_at"),
)
"""The fields of a room's status. Imports of the other fields leave them as they are."""

PLAN_COLUMNS = "assignee", "priority"
"""The columns of files with the plan of the day on which they are written or read."""


class RoomRefused(ValueError):
    """A room cannot be changed. The message says why."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A change of a room's status; ``None`` leaves a field as it is.

    A room in service has no reason, no day and no responsible person. A blank text removes the responsible person, or
    the note. ``assignee`` and ``priority`` belong to the plan for ``day``; a blank assignee is nobody. ``started`` says
    that somebody begins to clean a dirty room, and ``rejected`` why a room is to be cleaned again.
    """

    housekeeping: Housekeeping | None = None
    service: Service | None = None
    reason: str | None = None
    until: date | None = None
    responsible: str | None = None
    note: str | None = None
    day: date | None = None
    assignee: str | None = None
    priority: Priority | None = None
    started: bool = False
    rejected: str | None = None

    def of(self, room: Room) -> Room:
        """Return the room with the change. Raises :class:`RoomRefused` if it is out of order, and cleaning starts."""
        if self.started and room.out_of_order:
            raise RoomRefused(f"room {room.number} is out of order")
        beside = {"housekeeping": self.housekeeping or None, "note": self.note, "plan": self._plan(room)}
        room = replace(room, **_chosen(beside))
        if self.rejected is not None:
            room = replace(room, steps=replace(room.steps, rejected=self.rejected))
        if self.started and room.housekeeping == Housekeeping.DIRTY:
            room = replace(room, steps=replace(room.steps, started_at=now(), started_by=""))
        if self.service == Service.IN_SERVICE:
            return replace(room, service=self.service, reason=None, until=None, responsible="")
        if self.service:
            responsible = room.responsible if self.responsible is None else self.responsible
            return replace(room, service=self.service, reason=self.reason, until=self.until, responsible=responsible)
        return room

    def _plan(self, room: Room) -> Plan | None:
        """Return the plan with this change; ``None`` if the plan stays as it is, also if it is of another day."""
        if self.day is None:
            return None
        before = room.planned_on(self.day)
        after = replace(before, **_chosen({"assignee": self.assignee, "priority": self.priority}))
        return after if after != before else None


def _chosen(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not ``None``."""
    return {name: value for name, value in values.items() if value is not None}


def becomes_inspected(before: Room | None, after: Room) -> bool:
    """Return whether a change says that somebody has inspected the room, for which there is a permission of its own."""
    return after.housekeeping == Housekeeping.INSPECTED != (before and before.housekeeping)


def currency_problem(hotel: Hotel, currency: str, before: Room | None = None) -> str:
    """Return why a room cannot have a currency: it is not the hotel's, nor that which the room has. Blank if it can."""
    allowed = {hotel.currency, before.currency if before else ""}
    if not hotel.currency or currency in allowed:
        return ""
    return f"The prices of {hotel.name} are in {hotel.currency}."


@dataclass(frozen=True, slots=True)
class FoundRoom:
    """A room that was found by its number at any hotel."""

    hotel_id: Annotated[str, Field("Hotel", stored=False)]
    number: Annotated[str, Field("Number")]
    view: Annotated[str, Field("View")]
    type: Annotated[str, Field("Type")]


def plain_part(facet: str, part: str) -> str:
    """Return a facet's key part as the query string has it: a size without the number of its digits."""
    return str(int(part[2:])) if facet == keys.SIZE else part


@dataclass(frozen=True)
class RoomCounts(LabelledCounts):
    """The number of rooms of each combination, as the list counts them, and the words for their facets."""

    facets: Sequence[str] = keys.FACETS

    def label(self, facet: str, part: str) -> str:
        return f"{plain_part(facet, part)} m²" if facet == keys.SIZE else super().label(facet, part)

    @property
    def suggested(self) -> dict[str, list[str]]:
        return {"views": self.labels_of(keys.VIEW), "types": self.labels_of(keys.TYPE)}


def with_status(query: Query[Room], statuses: AbstractSet[Service | Housekeeping]) -> Query[Room]:
    """Return the rooms of a query with one of these statuses. If all need attention, a sparse list has them."""
    name, within = f"status in {sorted(statuses)}", keys.NEEDING_ATTENTION if statuses <= ATTENTION else ""
    by_service = statuses == {Service.OUT_OF_ORDER}

    def wanted(room: Room) -> bool:
        return not statuses.isdisjoint(room.statuses)

    def numbers(owner: tuple[str, ...]) -> tuple[float, float]:
        """Return at most so many, for a room may be dirty and out of order."""
        known = room_statuses(*owner)
        of_statuses, attention = (float(sum(known.get(each, 0) for each in some)) for some in (statuses, ATTENTION))
        return of_statuses, of_statuses if by_service else attention

    implied = ("service",) if by_service else ()
    rule = Rule(name, wanted, within, attrgetter("needs_attention"), numbers, implied)
    return (query.where(service=Service.OUT_OF_ORDER) if by_service else query).ruled(rule)


# --- Floors ---------------------------------------------------------------------------------------------


FLOOR_AND_DOOR = re.compile("([0-9]{1,2})[0-9]{2}([^0-9].*)?")
"""A number that tells its floor: two digits for the door, and one or two before them. More may follow, but no digit."""


def floor_of(number: str) -> str:
    """Return the floor in a room number: "1" of 101, 101A and 101-2, "12" of 1203, blank for 7, 12345 and B12."""
    found = FLOOR_AND_DOOR.fullmatch(number)
    return str(int(found[1])) if found else ""


def by_floor(rooms: Iterable[Room], *, descending: bool = False) -> list[tuple[str, list[Room]]]:
    """Rooms in natural order under the headings of their floors, each once. Without any floor, one heading is blank."""
    ordered = sorted(rooms, key=lambda room: natural(room.number), reverse=descending)
    floors: dict[str, list[Room]] = {}
    for room in ordered:
        floors.setdefault(floor_of(room.number), []).append(room)
    others = "Other rooms" if any(floors) else ""
    return [(f"Floor {floor}" if floor else others, group) for floor, group in floors.items()]
