"""The plain values of the history."""

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from django.conf import settings

from dynamodb_lists import Field


class How(StrEnum):
    PORTAL = "portal"
    IMPORT = "import"
    BULK = "bulk"
    UNDO = "undo"


class What(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a change, and how it was made.

    ``bulk`` is the id of the bulk change that the change belongs to. ``undoes`` tells that it undoes another one.
    """

    username: str
    how: How = How.PORTAL
    bulk: str = ""
    undoes: bool = False

    @property
    def takes_back(self) -> bool:
        """Whether the change undoes another one."""
        return self.undoes or self.how is How.UNDO

    def __str__(self) -> str:
        return self.username


IMPORT = Actor("import", How.IMPORT)
"""The actor of every import. What an import creates has no entry: the item itself says so."""

REPAIR = Actor("verify_data", How.IMPORT)
"""The actor of repairs of derived data. They have no entries, because they change nothing that people entered."""

MACHINES = frozenset({IMPORT.username, REPAIR.username})
"""The authors that are machines without an account. No account may be called so."""


def is_machine(username: str) -> bool:
    """Return whether an author is a machine. Its entries are in the history of each thing, and in no other list."""
    return username in MACHINES | settings.MACHINE_ACCOUNTS


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field's value before and after a change, as texts; a missing value is blank.

    ``currency`` is the currency of an amount of money after the change, or of lines that have amounts.
    """

    field: str
    before: str
    after: str
    currency: str = dataclass_field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """An entry of the history. ``thing`` is the key of what was changed, such as ``room#lakeview#101``.

    ``by`` is a username, or ``import``. A machine has entries in the history of each thing, and in no other list.

    A thing whose ids change has an entry under each key. The entry under the new key has the old key in
    ``moved_from``, and the entry under the old key has the new one in ``moved_to``. ``at`` is UTC.
    ``hotel_id`` is the hotel that the thing belongs to; it is blank for what belongs to the group, such as a guest.
    ``bulk`` is the id of the bulk change that the change is a part of. It is in the key. ``serial`` is the number of
    the change among those of the thing: the revision after it; of an order, plus its steps; of an account, its changes.
    It is 0 in lists by author or hotel.
    """

    thing: Annotated[str, Field("Thing", stored=False)]
    at: Annotated[datetime, Field("When", stored=False)]
    by: Annotated[str, Field("Who")]
    how: Annotated[How, Field("How")]
    what: Annotated[What, Field("What")]
    changes: Annotated[tuple[FieldChange, ...], Field("Changes")] = ()
    moved_from: Annotated[str, Field("Was")] = ""
    moved_to: Annotated[str, Field("Became")] = ""
    hotel_id: Annotated[str, Field("Hotel", sparse=True)] = ""
    bulk: Annotated[str, Field("Bulk change", stored=False)] = ""
    serial: Annotated[int, Field("Serial number", listed=False, sparse=True)] = 0

    @property
    def lines(self) -> tuple[FieldChange, ...]:
        """The changed fields; without any, one without a name, so that every entry has a row."""
        return self.changes or (FieldChange("", "", ""),)

    @property
    def hidden(self) -> "HistoryEntry":
        """Return the entry for a reader who may not see the thing: without the thing's name and values."""
        return replace(self, thing="", changes=(), moved_from="", moved_to="", hotel_id="")
