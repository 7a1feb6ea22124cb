"""Times as people read them: in the time zone of the place that they are about."""

from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone
from django.utils.html import format_html

from dynamodb_lists.schema import entities, keys

now = keys.now
"""The present time in UTC, to the second, as items hold times."""


def day(of: date) -> str:
    """Return a day as every page writes it: ``15 Jan 2023``."""
    return f"{of:%-d %b %Y}"


def in_zone(at: datetime, time_zone: str) -> datetime:
    """Return a time in a zone, by its IANA name; in UTC if the name is blank or unknown."""
    return at.astimezone(_zone(time_zone))


def time_markup(at: datetime, time_zone: str) -> str:
    """Return a time to the minute in a zone, as pages write it; to the second in UTC for machines."""
    local = in_zone(at, time_zone)
    markup = '<time datetime="{}" title="{}"><span>{},</span> <span>{}</span></time>'
    return format_html(markup, entities.text(at), f"{day(local)}, {local:%H:%M:%S}", day(local), f"{local:%H:%M}")


def is_zone(name: str) -> bool:
    """Return whether a text names a time zone of the IANA database."""
    return _zone(name) is not UTC


def zone_name(name: str) -> str:
    """Return a time zone as pages name it; ``UTC`` if the name is blank or unknown."""
    return name if is_zone(name) else "UTC"


def today_in(time_zone: str = "") -> date:
    """Return the present day in a time zone, named as for :func:`in_zone`."""
    return in_zone(timezone.now(), time_zone).date()


def midnight(of: date, time_zone: str = "") -> datetime:
    """Return when a day begins in a time zone, in UTC. If the clocks skip midnight, it begins at that change."""
    return datetime.combine(of, time(), _zone(time_zone)).astimezone(UTC)


@lru_cache(1000)  # names come from query strings, too
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder, such as "Europe"
        return UTC
