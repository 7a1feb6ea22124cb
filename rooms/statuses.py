"""The status of a room: whether it can be let, and its state of housekeeping."""

from enum import StrEnum
from functools import cache


class Service(StrEnum):
    IN_SERVICE = "in-service"
    OUT_OF_ORDER = "out-of-order"


class Housekeeping(StrEnum):
    CLEAN = "clean"
    DIRTY = "dirty"
    INSPECTED = "inspected"


CLEAN = Housekeeping.CLEAN, Housekeeping.INSPECTED
"""The states of a room that somebody has cleaned."""


class Priority(StrEnum):
    """How urgent a room is on a day. The values are in the order in which rooms are cleaned."""

    RUSH = "rush"
    NORMAL = "normal"
    DO_NOT_DISTURB = "do-not-disturb"
    NO_SERVICE = "no-service-wanted"


LEFT_ALONE = Priority.DO_NOT_DISTURB, Priority.NO_SERVICE
"""What the guest of a room wants today, so that nobody cleans it."""


STATUSES: tuple[Service | Housekeeping, ...] = (*Service, *Housekeeping)
"""The values of the filter by status. A room has one of each kind."""


@cache
def status_words(value: str) -> str:
    """Return a status in words: "Out of order"."""
    return value.replace("-", " ").capitalize()


ATTENTION = frozenset[Service | Housekeeping]({Service.OUT_OF_ORDER, Housekeeping.DIRTY})
"""A room with one of these needs attention."""
