"""When a room was out of order, as its history tells."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from portal.history.entities import HistoryEntry
from rooms.statuses import Service


@dataclass(frozen=True, slots=True)
class PastRepair:
    """A time that a room was out of order, and who said so. What the history does not tell is blank."""

    since: datetime | None = None
    by: str = ""
    reason: str = ""
    back_at: datetime | None = None
    back_by: str = ""


def past_repairs(entries: Iterable[HistoryEntry]) -> list[PastRepair]:
    """The repairs of a room from those entries that change its service, both the newest first."""
    found: list[PastRepair] = []
    for entry in entries:
        after = {change.field: change.after for change in entry.changes}
        if after["service"] == Service.IN_SERVICE:
            found.append(PastRepair(back_at=entry.at, back_by=entry.by))
        else:
            back = found.pop() if found and found[-1].since is None else PastRepair()
            found.append(replace(back, since=entry.at, by=entry.by, reason=after.get("reason", "")))
    return found
