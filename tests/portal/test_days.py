"""Days of lists: presets and ranges in a time zone, at month ends and when clocks change."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists import on_days
from dynamodb_lists.schema.conditions import holds
from portal.lists.days import PRESETS, DaysForm
from portal.times import midnight

ZONES = ["", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "Africa/Cairo", "America/Havana"]
DAYS = st.dates(date(2000, 1, 1), date(2037, 12, 31))  # the rules of zones reach so far


def form(query: str) -> DaysForm:
    return DaysForm(QueryDict(query))


@pytest.mark.parametrize(
    ("today", "preset", "first", "last"),
    [
        ("2026-03-01", "yesterday", "2026-02-28", "2026-02-28"),
        ("2024-03-01", "last-7-days", "2024-02-24", "2024-03-01"),
        ("2024-02-10", "this-month", "2024-02-01", "2024-02-29"),
        ("2026-01-31", "last-month", "2025-12-01", "2025-12-31"),
        ("2024-03-31", "last-month", "2024-02-01", "2024-02-29"),
        ("2026-03-01", "older-than-7-days", "None", "2026-02-22"),
    ],
)
def test_a_preset_counts_from_today(today: str, preset: str, first: str, last: str) -> None:
    assert list(map(str, PRESETS[preset].days(date.fromisoformat(today)))) == [first, last]


@pytest.mark.parametrize(
    ("now", "zone", "start", "hours"),
    [
        ("2026-11-23T23:30", "", "2026-11-22T00:00:00+00:00", 24),
        ("2026-11-23T23:30", "Asia/Tokyo", "2026-11-22T15:00:00+00:00", 24),  # there it is the 24th
        ("2026-03-30T12:00", "Europe/Paris", "2026-03-28T23:00:00+00:00", 23),
        ("2026-10-26T12:00", "Europe/Paris", "2026-10-24T22:00:00+00:00", 25),
        ("2026-11-02T03:00", "America/New_York", "2026-10-31T04:00:00+00:00", 24),  # there it is the 1st
        ("2026-04-25T12:00", "Africa/Cairo", "2026-04-23T22:00:00+00:00", 23),  # clocks skip midnight
    ],
)
def test_yesterday_is_that_of_the_place(
    monkeypatch: pytest.MonkeyPatch, now: str, zone: str, start: str, hours: int
) -> None:
    moment = datetime.fromisoformat(f"{now}:00+00:00")
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    yesterday = form("days=yesterday")
    assert yesterday.is_valid()
    first, before = yesterday.span(zone)
    assert isinstance(first, datetime)
    assert isinstance(before, datetime)
    assert (first.isoformat(), before - first) == (start, timedelta(hours=hours))


@given(first=DAYS, length=st.integers(0, 400), zone=st.sampled_from(ZONES), seconds=st.integers(-90_000, 90_000))
def test_a_range_holds_the_moments_whose_local_day_is_in_it(first: date, length: int, zone: str, seconds: int) -> None:
    """Tried around both ends, where a day begins or ends in the zone; in keys of each shape, too."""
    last = first + timedelta(days=length)
    chosen = form(f"from={first}&to={last}")
    assert chosen.is_valid()
    span = chosen.span(zone)
    for edge in (first, last + timedelta(days=1)):
        at = midnight(edge, zone) + timedelta(seconds=seconds)
        inside = first <= at.astimezone(ZoneInfo(zone or "UTC")).date() <= last
        assert holds(on_days(span), at) == inside
        assert holds(on_days(span), at + timedelta(microseconds=1)) == inside


@pytest.mark.parametrize(
    ("query", "canonical", "words"),
    [
        ("days=yesterday&from=2026-01-05", "from=2026-01-05", "from 5 Jan 2026"),
        ("to=2026-01-31", "to=2026-01-31", "until 31 Jan 2026"),
        ("from=2026-01-05&to=2026-01-05&zone=UTC", "zone=UTC&from=2026-01-05&to=2026-01-05", "5 Jan 2026 UTC"),
    ],
)
def test_there_is_one_range(query: str, canonical: str, words: str) -> None:
    chosen = form(query)
    assert chosen.is_valid()
    assert sorted(chosen.address.split("&")) == sorted(canonical.split("&"))
    assert chosen.days_words == words
    span = chosen.span("Asia/Tokyo")
    if "zone" in query:
        assert span == (datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 1, 6, tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("days=someday", "days"),
        ("from=2026-02-30", "from"),
        ("from=2026-02-02&to=2026-02-01", "from"),
        ("zone=../etc/passwd", "zone"),
    ],
)
def test_an_impossible_range_names_its_field(query: str, field: str) -> None:
    assert list(form(query).errors) == [field]
