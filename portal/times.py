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
    """Return a day in full: ``15 Jan 2023``."""
    return f"{of:%-d %b %Y}"


def short_day(of: date, today: date | None = None) -> str:
    """Return a day as pages write it: without the year if it is the present one."""
    return f"{of:%-d %b}" if of.year == (today or today_in()).year else day(of)


def in_zone(at: datetime, time_zone: str) -> datetime:
    """Return a time in a zone, by its IANA name; in UTC if the name is blank or unknown."""
    return at.astimezone(_zone(time_zone))


def time_markup(at: datetime, time_zone: str) -> str:
    """Return a time as pages write it: ``11:04`` is today; to the second in UTC for machines."""
    local, today = in_zone(at, time_zone), today_in(time_zone)
    days = (today - local.date()).days
    named = {0: "", 1: "<span>yesterday</span> ", -1: "<span>tomorrow</span> "}
    said = named.get(days, f"<span>{short_day(local, today)},</span> ")
    markup = f'<time datetime="{{}}" title="{{}}">{said}<span>{{}}</span></time>'
    return format_html(markup, entities.text(at), f"{day(local)}, {local:%H:%M:%S}", f"{local:%H:%M}")


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
