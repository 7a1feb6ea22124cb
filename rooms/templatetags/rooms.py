"""What templates say about the status of rooms."""

from functools import cache
from typing import NamedTuple

from portal.jinja import Library
from rooms.entities import Room
from rooms.statuses import Housekeeping, Service, status_words

register = Library()
register.filter("status_words", status_words)


class Step(NamedTuple):
    """A change of a room's status by one button: the field that it sets, the value, and the words of the button."""

    field: str
    value: str
    words: str


CLEANING = {state: Step("housekeeping", str(state), f"Mark {state}") for state in Housekeeping}
BACK = Step("service", str(Service.IN_SERVICE), "Put back in service")
USUAL = {
    Housekeeping.DIRTY: Housekeeping.CLEAN,
    Housekeeping.CLEAN: Housekeeping.INSPECTED,
    Housekeeping.INSPECTED: Housekeeping.DIRTY,
}
"""What usually follows a cleaning status. The row of a room has a button for it alone."""


@register.function
@cache
def room_steps(may_inspect: bool) -> tuple[Step, ...]:  # noqa: FBT001
    """Return the steps that a user may take with rooms."""
    return *(step for state, step in CLEANING.items() if may_inspect or state != Housekeeping.INSPECTED), BACK


@register.function
def next_step(room: Room, was: str, stays: bool, may_inspect: bool) -> Step:  # noqa: FBT001
    """Return the usual next step of a room; after a tap, which ``stays``, that to the state which the room has."""
    if was == Service.OUT_OF_ORDER or (room.out_of_order and not stays):
        return BACK
    state = room.housekeeping if stays else USUAL[room.housekeeping]
    return CLEANING[state if stays or may_inspect or state != Housekeeping.INSPECTED else Housekeeping.DIRTY]
