"""Prints the twelve times of ``make days``, none of them past: ``python -m dynamodb_lists.tests.clock``."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

BEFORE_MIDNIGHT, AFTER = time(23, 50), time(0, 10)
CHANGES = {"Europe/Berlin": 2, "America/New_York": 1}
"""How many changes of a zone's clocks count. A run begins less than an hour before."""


def times(now: datetime) -> Iterator[datetime]:
    """Both ends of a month and of a year, a leap day, clock changes, and minutes before midnight in three zones."""
    year = now.year + 1
    leap = next(each for each in range(year, year + 9) if not each % 4)
    for month, day, at in ((4, 30, BEFORE_MIDNIGHT), (5, 1, AFTER), (12, 31, BEFORE_MIDNIGHT), (1, 1, AFTER)):
        yield datetime.combine(datetime(year, month, day), at, UTC)
    yield datetime(year, 2, 28, 12, tzinfo=UTC)
    yield datetime(leap, 2, 29, 12, tzinfo=UTC)
    for zone, number in CHANGES.items():
        yield from changes(datetime(year, 1, 1, tzinfo=UTC), ZoneInfo(zone), number)
    for zone in ("Pacific/Auckland", "Europe/Zurich", "America/Los_Angeles"):
        yield datetime.combine(datetime(year, 1, 31), BEFORE_MIDNIGHT, ZoneInfo(zone))


def changes(moment: datetime, zone: ZoneInfo, number: int) -> Iterator[datetime]:
    """Half an hour before each of the next changes of a zone's clocks."""
    while number:
        following = moment + timedelta(hours=1)
        if moment.astimezone(zone).utcoffset() != following.astimezone(zone).utcoffset():
            number -= 1
            yield following - timedelta(minutes=30)
        moment = following


if __name__ == "__main__":
    for each in times(datetime.now(UTC)):
        print(f"{each.astimezone(UTC):%Y-%m-%dT%H:%M}")
