"""Values of fields as parts of keys that sort as the values do, and back."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import Field

DIGITS = 10
LOWEST = "!"
"""The part of a field without a value, where it is no facet. It sorts before every other part."""

_NINES = str.maketrans("0123456789", "9876543210")


def part(value: Any, blank: str = keys.BLANK) -> str:
    """A value as a part of a key: a slug, a number, a day or a time; ``blank`` for no value.

    Raises :class:`~dynamodb_lists.connection.errors.KeyPartError` for a number with too many digits, and for a type
    that keys do not take.
    """
    if value is None or value == "":
        return blank
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return keys.time_part(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | Decimal):
        return _signed(value)
    if isinstance(value, str):
        return keys.text_part(value)
    raise KeyPartError(f"{value!r} cannot be in a key. Keys take texts, whole and decimal numbers, days and times.")


def value_of(field: Field, text: str, blank: str = keys.BLANK) -> Any:
    """The value of a field that has a part. Of a text, the slug is all that is left."""
    if text == blank:
        return None if field.may_be_none else ""
    read = _READERS.get(field.type)
    if read:
        return read(text)
    return field.type(text) if isinstance(field.type, type) and issubclass(field.type, StrEnum) else text


def plain_label(slug: str) -> str:
    """The label that a slug has if none is stored: ``sea-view`` is "Sea view"."""
    return slug.replace("-", " ").capitalize()


def _signed(number: int | Decimal) -> str:
    """A number, padded with zeros. A negative one begins with ``-`` and counts down, so that it sorts before zero."""
    text = keys.number_key(abs(number)) if isinstance(number, Decimal) else keys.number_part(abs(number), DIGITS)
    return f"-{text.translate(_NINES)}" if number < 0 else text


def _unsigned(text: str) -> str:
    return f"-{text[1:].translate(_NINES)}" if text.startswith("-") else text


_READERS: dict[Any, Callable[[str], Any]] = {
    bool: lambda text: text == "yes",
    int: lambda text: int(_unsigned(text)),
    Decimal: lambda text: Decimal(_unsigned(text)).normalize(),
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
}
