"""Times in a place's time zone."""

from datetime import UTC, datetime

import pytest

from hotelapp.portal.times import local_time


@pytest.mark.parametrize(
    ("time_zone", "shown"),
    [
        ("", "15 Jan 2023, 22:30 UTC"),
        ("UTC", "15 Jan 2023, 22:30 UTC"),
        ("Europe/Paris", "15 Jan 2023, 23:30 CET"),
        ("Asia/Tokyo", "16 Jan 2023, 07:30 JST"),
        ("Asia/Kathmandu", "16 Jan 2023, 04:15 UTC+05:45"),
        ("America/Sao_Paulo", "15 Jan 2023, 19:30 UTC-03"),
        ("Nowhere/Atlantis", "15 Jan 2023, 22:30 UTC"),
        ("Europe", "15 Jan 2023, 22:30 UTC"),
        ("../etc/passwd", "15 Jan 2023, 22:30 UTC"),
    ],
)
def test_a_time_has_its_zone(time_zone: str, shown: str) -> None:
    assert ", ".join(local_time(datetime(2023, 1, 15, 22, 30, 59, tzinfo=UTC), time_zone)) == shown
