"""Keys as templates: what is composed is read back, fits its own form, and sorts as its values do."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema.keys import is_part
from dynamodb_lists.schema.templates import Template, shard

TEXTS = st.text(min_size=1, max_size=12).filter(is_part)
TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
SECONDS = TIMES.map(lambda at: at.replace(microsecond=0))
LOANS = Template("LOAN#{reader}#{due:time}#{number:3}#{isbn:quoted}#{note?}")
HISTORY = Template("{thing:parts}#{at:microseconds}")


def key(template: Template, **values: Any) -> str:
    return template.key(values.__getitem__)


@given(TEXTS, SECONDS, st.integers(0, 999), st.text(min_size=1, max_size=8), TEXTS | st.just(""))
def test_a_key_tells_its_values(reader: str, due: datetime, number: int, isbn: str, note: str) -> None:
    values = {"reader": reader, "due": due, "number": number, "isbn": isbn, "note": note}
    found = key(LOANS, **values)
    assert LOANS.values(found) == values
    assert LOANS.fits(found)
    assert found.count("#") == (5 if note else 4)


@given(st.lists(TEXTS, min_size=1, max_size=4), TIMES)
def test_a_text_of_several_parts_stays_one(parts: list[str], at: datetime) -> None:
    values = {"thing": "#".join(parts), "at": at}
    assert HISTORY.values(key(HISTORY, **values)) == values


@given(TEXTS, TEXTS, SECONDS, SECONDS, SECONDS)
def test_a_span_holds_what_begins_with_its_values(
    reader: str, other: str, due: datetime, first: datetime, before: datetime
) -> None:
    template = Template("{reader}#{due:time}#{id}")
    span = template.span(f"{first:%Y-%m-%d}", f"{before:%Y-%m-%d}", reader=reader)
    inside = first.date() <= due.date() < before.date()
    assert (key(template, reader=reader, due=due, id="x") in span) == inside
    if other != reader:
        assert key(template, reader=other, due=due, id="x") not in template.span(reader=reader)
    assert key(template, reader=reader, due=due, id="x") in template.span()


@given(TEXTS, st.integers(1, 9))
def test_a_shard_is_one_of_so_many_and_told_by_no_key(text: str, shards: int) -> None:
    template = Template(f"READER#{{name:of {shards}}}")
    assert key(template, name=text) == f"READER#{shard(text, shards)}"
    assert 0 <= shard(text, shards) < shards
    assert template.values("READER#0") == {}


@pytest.mark.parametrize(
    ("template", "other"),
    [
        ("ORDER#{id}", "ORDER#1#ITEM#001"),
        ("ORDER#{id}", "ORDERS#1"),
        ("PROFILE", "PROFILE#1"),
        ("{id}", "a#b"),
        ("{id}#{at?}", "a#b#c"),
        ("a.c", "abc"),
    ],
)
def test_a_key_of_another_form_does_not_fit(template: str, other: str) -> None:
    assert not Template(template).fits(other)
    with pytest.raises(ValueError, match="is no key of the form"):
        Template(template).values(other)


def test_times_sort_as_they_are() -> None:
    at = datetime(2026, 1, 15, 9, 59, 59, 999999, tzinfo=UTC)
    exact, second = Template("{at:microseconds}"), Template("{at:time}")
    assert key(exact, at=at) < key(exact, at=at + timedelta(microseconds=1))
    assert key(second, at=at) == "2026-01-15T09:59:59Z"


@pytest.mark.parametrize("text", ["a{b}", "{a}b", "{a:weeks}", "a##b", "{a}{b}", ""])
def test_a_text_that_is_no_template_says_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"no part of a key|No template knows"):
        Template(text)


def test_a_value_that_no_key_can_hold_is_refused() -> None:
    with pytest.raises(KeyPartError):
        key(Template("USER#{name}"), name="a#b")
    with pytest.raises(KeyPartError):
        key(Template("USER#{name}"), name="")
