"""Values of fields as parts of keys that sort as the values do, and back."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import Field, read
from dynamodb_lists.schema.natural import natural

MOST_DIGITS, MOST_DECIMALS = 20, 18
BLANK, LAST = "!", "~"
"""The part of a field without a value, which sorts before every other part; and that which sorts after most."""

NO_LETTERS = "-"
"""The part of all texts without letters and digits, such as "???"."""

_NINES = str.maketrans("0123456789", "9876543210")


def part(value: Any) -> str:
    """Return a value as a part of a key: a slug, a number, a day or a time; :data:`BLANK` for no value.

    A value of another type has the text in its ``key_part``, which may be several parts.

    Raises: ``KeyPartError`` for a number with too many digits, and for a type that keys do not take.
    """
    if value is None or value == "":
        return BLANK
    for kinds, write in _WRITERS:
        if isinstance(value, kinds):
            return write(value)
    if hasattr(value, "key_part"):
        return str(value.key_part)
    raise KeyPartError(f"{value!r} cannot be in a key. Keys take texts, whole and decimal numbers, days and times.")


ORDERS: Mapping[str, Callable[[Any], str]] = {
    "": part,
    "natural": natural,
    "slug": keys.text_part,
    "last": lambda value: LAST if value in {None, ""} else part(value),
}
"""How values become parts of keys, by the order of their field."""


def value_of(field: Field, text: str) -> Any:
    """Return the value of a field from its part. Only the slug of a text is known."""
    if text == BLANK:
        return None if field.may_be_none else ""
    if field.numeric:
        plain = f"-{text[1:-1].translate(_NINES)[2:]}" if text.startswith("-") else text[2:]
        return int(plain) if field.type is int else Decimal(plain).normalize()
    return read(field.type, text) if field.type in {bool, date, datetime} else text


@lru_cache(10_000)
def plain_label(slug: str) -> str:
    """Return the label of a slug without a stored label: ``sea-view`` is "Sea view"."""
    return slug.replace("-", " ").capitalize()


def _signed(number: int | Decimal) -> str:
    """Return a number after its number of digits before the point: 40 is ``0240``, 120.50 is ``03120.5``. A negative
    number begins with ``-`` and counts down, so that it sorts before zero.
    """
    whole, _, decimals = f"{abs(Decimal(number)):f}".partition(".")
    decimals = decimals.rstrip("0")
    if len(whole) > MOST_DIGITS or len(decimals) > MOST_DECIMALS:
        raise KeyPartError(f"{number} has more than {MOST_DIGITS} digits, or than {MOST_DECIMALS} after the point.")
    text = f"{len(whole):02d}{whole}.{decimals}".removesuffix(".")
    return f"-{text.translate(_NINES)}{LAST}" if number < 0 else text


_WRITERS: tuple[tuple[Any, Callable[[Any], str]], ...] = (
    (bool, lambda value: "yes" if value else "no"),
    (datetime, keys.time_part),
    (date, date.isoformat),
    (int | Decimal, _signed),
    (str, lambda text: NO_LETTERS if (slug := keys.text_part(text)) == keys.BLANK != text.casefold() else slug),
)
