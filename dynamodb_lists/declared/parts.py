"""Values of fields as parts of keys that sort as the values do, and back."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import Field

DIGITS = 10
BLANK = "!"
"""The part of a field without a value. It sorts before every other part."""

NO_LETTERS = "-"
"""The part of all texts without letters and digits, such as "???"."""

_NINES = str.maketrans("0123456789", "9876543210")


def part(value: Any) -> str:
    """A value as a part of a key: a slug, a number, a day or a time; :data:`BLANK` for no value.

    Raises :class:`~dynamodb_lists.connection.errors.KeyPartError` for a number with too many digits, and for a type
    that keys do not take.
    """
    if value is None or value == "":
        return BLANK
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return keys.time_part(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | Decimal):
        return _signed(value)
    if isinstance(value, str):
        slug = keys.text_part(value)
        return NO_LETTERS if slug == keys.BLANK != value.casefold() else slug
    raise KeyPartError(f"{value!r} cannot be in a key. Keys take texts, whole and decimal numbers, days and times.")


def value_of(field: Field, text: str) -> Any:
    """The value of a field that has a part. Of a text, the slug is all that is left."""
    if text == BLANK:
        return None if field.may_be_none else ""
    read = _READERS.get(field.type)
    if read:
        return read(text)
    return text


@lru_cache(10_000)
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
