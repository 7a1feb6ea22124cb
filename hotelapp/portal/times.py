"""Times as people read them: in the time zone of the place that they are about."""

from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone


def day(of: date) -> str:
    """A day, as every page writes it: ``15 Jan 2023``."""
    return f"{of:%-d %b %Y}"


def local_time(at: datetime, time_zone: str = "") -> tuple[str, str]:
    """A day, and the time of day with its zone: ``15 Jan 2023`` and ``11:22 CET``.

    ``time_zone`` is a name of the IANA database. If it is blank or unknown, the time is in UTC.
    """
    local = in_zone(at, time_zone)
    return day(local), f"{local:%H:%M} {_zone_name(local)}"


def in_zone(at: datetime, time_zone: str) -> datetime:
    """A time in a zone, by its IANA name; in UTC if the name is blank or unknown."""
    return at.astimezone(_zone(time_zone))


def is_zone(name: str) -> bool:
    """Whether a text names a time zone of the IANA database."""
    return _zone(name) is not UTC


def today_in(time_zone: str = "") -> date:
    """The day that it is now in a time zone, named as for :func:`local_time`."""
    return in_zone(timezone.now(), time_zone).date()


def midnight(of: date, time_zone: str = "") -> datetime:
    """When a day begins in a time zone, in UTC. If the clocks skip midnight, it begins when they do so."""
    return datetime.combine(of, time(), _zone(time_zone)).astimezone(UTC)


@lru_cache(1000)  # names come from query strings, too
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder, such as "Europe"
        return UTC


def _zone_name(local: datetime) -> str:
    """The zone's letters; its distance from UTC if it has none, as in ``UTC-03`` and ``UTC+05:45``."""
    name, offset = local.tzname() or "", f"{local:%z}"
    if name.isalpha():
        return name
    minutes = offset[3:5]
    return f"UTC{offset[:3]}" + (f":{minutes}" if minutes != "00" else "")
