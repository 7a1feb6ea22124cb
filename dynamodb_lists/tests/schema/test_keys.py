"""Keys: composed keys can be parsed, sort correctly, and cannot be forged by their parts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import holds

characters = st.characters(exclude_categories=["C"], exclude_characters=keys.SEPARATOR)
parts = st.text(characters, min_size=1, max_size=20).filter(keys.is_part)
labels = st.text(max_size=80)


@given(st.lists(parts, min_size=1, max_size=6))
def test_parse_gives_back_what_was_composed(some: list[str]) -> None:
    assert keys.parse(keys.compose(*some)) == tuple(some)


@pytest.mark.parametrize("part", ["", "a#b", "a\nb", "a\x00", "\ud800", keys.HIGHEST])
def test_a_part_that_would_change_the_key_is_refused(part: str) -> None:
    with pytest.raises(KeyPartError):
        keys.compose("item", part)


def test_a_key_longer_than_dynamodb_takes_is_refused() -> None:
    assert keys.compose("é" * 512)
    with pytest.raises(KeyPartError, match="1024 bytes"):
        keys.compose("é" * 513)


@given(labels)
def test_every_label_is_a_part(label: str) -> None:
    part = keys.text_part(label)
    assert len(part) <= keys.SLUG_LENGTH
    assert keys.compose(part) == part


@pytest.mark.parametrize(
    ("label", "part"),
    [
        ("Sea view", "sea-view"),
        ("  SEA   View ", "sea-view"),
        ("Hướng biển", "hướng-biển"),
        ("海景", "海景"),
        *((blank, "unspecified") for blank in ("", "   ", "!?", "#", "-")),
    ],
)
def test_labels_that_read_alike_are_one_value(label: str, part: str) -> None:
    assert keys.text_part(label) == part


moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(moments, moments)
def test_times_sort_as_times_to_the_second(first: datetime, second: datetime) -> None:
    first, second = first.replace(microsecond=0), second.replace(microsecond=0)
    assert (keys.time_part(first) < keys.time_part(second)) == (first < second)


def test_times_are_utc() -> None:
    moment = datetime(2023, 1, 15, 12, 22, 31, tzinfo=timezone(timedelta(hours=2)))
    assert keys.time_part(moment) == "2023-01-15T10:22:31Z"
    with pytest.raises(KeyPartError, match="time zone"):
        keys.time_part(moment.replace(tzinfo=None))


@given(st.lists(parts, min_size=1, max_size=3), st.lists(parts, min_size=1, max_size=4))
def test_a_prefix_range_holds_the_keys_below_the_prefix_and_no_others(start: list[str], key: list[str]) -> None:
    below = len(key) > len(start) and key[: len(start)] == start
    assert holds(keys.text_range(keys.prefix(*start)), keys.compose(*key)) == below
