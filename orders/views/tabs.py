"""The tabs of statuses above a list of orders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orders.statuses import Status


@dataclass(frozen=True)
class Tab:
    """A tab. ``value`` is the status in the query string, blank for all; ``count`` is ``None`` if nothing counts."""

    value: str
    label: str
    count: int | None
    selected: bool


def status_tabs(
    selected: Status | None,
    statuses: Iterable[Status],
    counts: Mapping[Status, int] | None = None,
    everything: str = "All",
) -> list[Tab]:
    """A tab for all orders, and one for each status."""
    total = None if counts is None else sum(counts.values())
    return [
        Tab("", everything, total, selected is None),
        *(
            Tab(status, status.title(), None if counts is None else counts.get(status, 0), status == selected)
            for status in statuses
        ),
    ]
