"""The life of an order: its statuses, and the steps that are allowed from each status."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from django.utils.html import format_html


class Status(StrEnum):
    PLACED = "PLACED"
    PROCESSING = "PROCESSING"
    SHIPPED = "SHIPPED"
    DELIVERED = "DELIVERED"
    CANCELLED = "CANCELLED"

    @property
    def words(self) -> str:
        """The status on pages. What guests order is carried up as often as it is shipped."""
        return "On its way" if self is Status.SHIPPED else self.value.capitalize()


def status_badge(status: str) -> str:
    return format_html('<span class="status {}">{}</span>', status.lower(), Status(status).words)


STEPS: Mapping[Status, tuple[Status, ...]] = {
    Status.PLACED: (Status.PROCESSING, Status.CANCELLED),
    Status.PROCESSING: (Status.SHIPPED, Status.CANCELLED),
    Status.SHIPPED: (Status.DELIVERED,),
    Status.DELIVERED: (),
    Status.CANCELLED: (),
}
"""The next statuses that are allowed after each status of an order."""

OPEN = Status.PLACED
"""An order in this status waits until somebody starts to process it."""

CORRECTABLE = (Status.PLACED, Status.PROCESSING)
"""The statuses in which items, room and time of an order may be corrected: until it is on its way."""

UNFINISHED = tuple(status for status in Status if STEPS[status])
"""The statuses in which an order still has a step to take."""


def ahead(status: Status) -> Iterator[Status]:
    """Yield the statuses that usually follow a status, in their order; none after the last one or a cancellation."""
    while STEPS[status]:
        status = STEPS[status][0]
        yield status


def may_become(status: Status, later: Status) -> bool:
    """Return whether an order can get from ``status`` to ``later``, in one step or in several."""
    return any(step == later or may_become(step, later) for step in STEPS[status])


def no_step(status: Status, to: Status) -> str:
    return f'An order with the status "{status.words}" cannot become "{to.words}".'
