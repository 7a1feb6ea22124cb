"""Keys as templates: what is composed is read back, fits its own form, and sorts as its values do."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import KeyPartError, WrongDeclaration
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


@pytest.mark.parametrize("text", ["a{b", "{a:weeks}", "a##b", "{a}{b}", ""])
def test_a_text_that_is_no_template_says_so(text: str) -> None:
    with pytest.raises(WrongDeclaration, match=r"is no key|no text between|blank part"):
        Template(text)


def test_a_value_that_no_key_can_hold_is_refused() -> None:
    with pytest.raises(KeyPartError):
        key(Template("USER#{name}"), name="a#b")
    with pytest.raises(KeyPartError):
        key(Template("USER#{name}"), name="")


class Mood(StrEnum):
    """A field of few values."""

    BAD = "BAD"
    GOOD = "GOOD"


FORMS: dict[str, tuple[type, st.SearchStrategy[Any]]] = {
    "": (str, st.text(max_size=6)),
    "lower": (str, st.text(max_size=6)),
    "quoted": (str, st.text(max_size=6)),
    "of 7": (str, st.text(max_size=6)),
    "{} of an enum": (Mood, st.sampled_from(Mood)),
    "{} of a truth value": (bool, st.booleans()),
    "{} of a number": (int, st.integers()),
    "{} of an amount": (Decimal, st.decimals(allow_nan=False, allow_infinity=False, places=2)),
    "{} of a day": (date, st.dates()),
    "4": (int, st.integers(0, 9999)),
    "4m": (int, st.integers(0, 9999)),
    "time": (datetime, SECONDS),
    "milliseconds": (datetime, SECONDS | SECONDS.map(lambda at: at + timedelta(milliseconds=7))),
    "microseconds": (datetime, TIMES),
    "epoch": (datetime, SECONDS),
    "epoch-ms": (datetime, SECONDS),
    "date": (datetime, TIMES),
}


@pytest.mark.parametrize("form", FORMS)
@given(st.data())
def test_a_format_tells_and_sorts_values_as_it_says(form: str, data: st.DataObject) -> None:
    kind, values = FORMS[form]
    spec = "" if form.startswith("{}") else f":{form}"
    template = Template(f"AT {{x{spec}}}", {"x": kind})
    first, second = data.draw(values), data.draw(values)
    one, other = key(template, x=first), key(template, x=second)
    assert template.fits(one)
    coder = template.pieces[1].coder
    assert template.values(one) == ({"x": first} if coder.told else {})
    assert not coder.fixed or len(one) == len(other)
    assert not coder.rises or not first <= second or one <= other
    assert not coder.ordered or (first < second) == (one < other)


@given(
    st.lists(st.sampled_from(["{a}", "{n:2}", "{at}", "{b:lower}", "#", "x", "#x#", "0", "T"]), min_size=1, max_size=5),
    st.data(),
)
def test_two_forms_share_a_key_or_have_none(parts: list[str], data: st.DataObject) -> None:
    """And a key is read as the values that it was made of, or refused."""
    types = {"a": str, "b": str, "n": int, "at": datetime}
    others = data.draw(st.permutations(parts)) + data.draw(st.sampled_from([["#"], ["{n:2}"], []]))
    try:
        one, other = (Template("".join(each), types) for each in (parts, others))
    except WrongDeclaration:
        return  # two values with nothing between them
    both = one.overlap(other)
    assert (both is None) or (one.fits(both) and other.fits(both))
    values = {"a": data.draw(st.text("x#0T", max_size=3)), "b": "x", "n": 7, "at": datetime(2026, 1, 1, tzinfo=UTC)}
    try:
        found = key(one, **values)
    except KeyPartError:
        return
    assert one.values(found).items() <= values.items()
    assert both is not None or not other.fits(found)


def test_a_number_in_dynamodb_is_a_number_before_1970_too() -> None:
    at = datetime(1969, 12, 31, 23, 59, 50, tzinfo=UTC)
    numeric = Template("{at:epoch}", {"at": datetime}, numeric=True)
    assert key(numeric, at=at) == "-10"
    assert numeric.values("-10") == {"at": at}
    with pytest.raises(KeyPartError):
        key(Template("{at:epoch}", {"at": datetime}), at=at)
