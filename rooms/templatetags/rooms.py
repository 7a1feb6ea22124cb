"""What templates say about the status of rooms."""

from functools import cache
from typing import NamedTuple

from portal.jinja import Library
from rooms.statuses import Housekeeping, status_words

register = Library()
register.filter("status_words", status_words)
LIKELY = {
    Housekeeping.DIRTY: Housekeeping.CLEAN,
    Housekeeping.CLEAN: Housekeeping.INSPECTED,
    Housekeeping.INSPECTED: Housekeeping.DIRTY,
}
"""What most likely follows a state of housekeeping. A phone shows the button for it alone."""


class State(NamedTuple):
    """A state of housekeeping, for its button: whether it is the present one, and whether it most likely follows."""

    value: str
    words: str
    pressed: bool
    likely: bool


@register.function
@cache
def housekeeping_states(present: Housekeeping, tapped: bool, may_inspect: bool) -> tuple[State, ...]:  # noqa: FBT001
    """Return the states of housekeeping that a user may set, and the present one.

    After a tap, the likely one is that which it set, so that its button stays.
    """
    likely = present if tapped else LIKELY[present]
    states = [each for each in Housekeeping if may_inspect or each in {present, Housekeeping.CLEAN, Housekeeping.DIRTY}]
    return tuple(State(str(state), status_words(state), state == present, state == likely) for state in states)
