"""The value of a field as people read it: statuses in words, money in its currency, days and times as on every page.

Also where two versions of an entity differ, in these words.
"""

import json
from contextlib import suppress
from dataclasses import astuple, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple, get_args, get_origin

from django.utils.text import Truncator

from dynamodb_lists import Field
from dynamodb_lists.schema import entities
from portal.money import money
from portal.times import day, in_zone

SHOWN_LENGTH = 80
"""The most characters of a value where two versions are compared."""


class FieldDifference(NamedTuple):
    """A field in which the stored entity differs from the form."""

    label: str
    stored: str
    entered: str


def part_difference(stored: Any, part: str, now: Any, entered: Any) -> FieldDifference:
    """Return a part in which the stored entity differs from the form, in words: a field, or a line by its name."""
    words = entities.by_name(stored.__class__).get(part)
    label, blank, currency = words.label if words else part, "blank" if words else "-", getattr(stored, "currency", "")
    both = (in_words(words or Field(""), value, currency) or blank for value in (now, entered))
    return FieldDifference(label, *(Truncator(text).chars(SHOWN_LENGTH) for text in both))


def in_words(field: Field, value: Any, currency: str = "", zone: str | None = None) -> str:
    """Return a value of a field as people read it; blank for no value. ``currency`` is the entity's, if any."""
    if value is None or value == "":
        return ""
    return field.words(value) if field.words else plain_words(value, currency, zone)


def plain_words(value: Any, currency: str = "", zone: str | None = None) -> str:
    """Return a value as pages show it, whatever field it is of. A time is in the page's zone; without one, in UTC."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, StrEnum):
        return str(getattr(value, "words", value.replace("-", " ").capitalize()))
    if isinstance(value, Decimal):
        return money(value, currency) if currency else f"{value:f}"
    if isinstance(value, datetime):
        local = in_zone(value, zone or "")
        return f"{day(local)}, {local:%H:%M}" + " UTC" * (zone is None)
    if isinstance(value, tuple):
        return "; ".join(plain_words(each, currency) for each in value)
    in_its_words = getattr(value, "in_words", None)  # as a line of an order
    return in_its_words(currency) if in_its_words else day(value) if isinstance(value, date) else str(value)


def recorded_in_words(field: Field | None, text: str, currency: str = "", zone: str | None = None) -> str:
    """Return a value of the history as a text for people. An excerpt of a long text stays as it is."""
    if field is None or not text:
        return text
    with suppress(ValueError, ArithmeticError):
        return in_words(field, recorded_value(field, text), currency, zone)
    return text


def text_of(value: Any) -> str:
    """Return a value as the history and forms hold it: a decimal has no zeros at its end."""
    if isinstance(value, tuple):
        rows = [[text_of(each) for each in astuple(element)] for element in value]
        return json.dumps(rows, ensure_ascii=False) if rows else ""
    if is_dataclass(value) and not isinstance(value, type):
        parts = [*map(text_of, astuple(value))]
        while parts and not parts[-1]:  # which the fields' defaults stand for
            parts.pop()
        return json.dumps(parts, ensure_ascii=False)
    return f"{value.normalize():f}" if isinstance(value, Decimal) else entities.text(value)


def recorded_value(field: Field, text: str) -> Any:
    """Return the value of a field that the history holds as text.

    Raises :class:`ValueError` or :class:`ArithmeticError` for a text that the field cannot have.
    """
    if get_origin(field.type) is tuple:
        element = get_args(field.type)[0]
        return tuple(_part(element, row) for row in json.loads(text or "[]"))
    if not text and (field.may_be_none or field.type is str):
        return None if field.may_be_none else ""
    if is_dataclass(field.type):
        return _part(field.type, json.loads(text))
    return text == str(True) if field.type is bool else entities.read(field.type, text)


def _part(element: Any, row: list[str]) -> Any:
    return element(*map(recorded_value, entities.fields(element), row))
