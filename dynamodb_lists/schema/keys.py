"""Compose and parse keys: parts joined by ``#``, which compare as UTF-8 bytes.

docs/keys.md lists the rules and the reason for each. The technique (a composite sort key that is read with a prefix or
a range) is in the DynamoDB Developer Guide, "Best practices for using sort keys".
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import lru_cache
from itertools import product
from math import prod

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.schema.conditions import Between

SEPARATOR = "#"
LOWEST = " "  # sorts before every other character that a key may hold
HIGHEST = "\U0010ffff"  # sorts after every other character, by code point and by UTF-8 bytes
SLUG_LENGTH = 64
_NOT_IN_SLUGS, _GAPS = re.compile(r"[^\w\s-]"), re.compile(r"[-\s]+")
BLANK = "unspecified"
NUMBER_DIGITS, NUMBER_DECIMALS = 38, 18
"""The digits that DynamoDB stores of a number, and how many of them may stand after the point."""

_NUMBERS, _SMALLEST = (
    Context(prec=NUMBER_DIGITS, traps=[Inexact, InvalidOperation]),
    Decimal(1).scaleb(-NUMBER_DECIMALS),
)
MAX_BYTES = 1024  # of a sort key; a partition key may have twice that


Days = tuple[date | None, date | None]
"""The first day, and the day after the last one, in UTC; ``None`` means no limit. Either may be a ``datetime``."""

EVER: Days = (None, None)
"""The days without a limit."""


def compose(*parts: str) -> str:
    """Return the parts joined by ``#``. Raises: ``KeyPartError`` if one is no part, and beyond 1,024 bytes."""
    key = SEPARATOR.join(parts)
    if not (key.isascii() and key.isprintable() and all(parts) and key.count(SEPARATOR) == len(parts) - 1):
        for part in parts:
            if not is_part(part):
                raise KeyPartError(no_part(part))
    if len(key) > MAX_BYTES // 4 and len(key.encode()) > MAX_BYTES:
        raise KeyPartError(f"{key[:40]}... is longer than the {MAX_BYTES} bytes of a sort key.")
    return key


def parse(key: str) -> tuple[str, ...]:
    """Return the parts of a key that :func:`compose` has joined."""
    return tuple(key.split(SEPARATOR))


def no_part(text: str) -> str:
    """Return why a text cannot be a part of a key."""
    return f"{text[:40]!r} cannot be a part of a key: it is blank, or has a # or a control character."


def prefix(*parts: str) -> str:
    """Return the parts joined, with a ``#`` at the end, so that ``40m`` does not match ``40mx``; blank for no parts."""
    return compose(*parts) + SEPARATOR if parts else ""


def text_range(start: str) -> Between:
    """Return the range of the keys that begin with ``start``, which may end in the middle of a part.

    It is no ``begins_with``, which costs the same on AWS, but reads the whole partition in the embedded engine.
    """
    return Between(start, start + HIGHEST)


def between(low: Iterable[str], high: Iterable[str]) -> Between:
    """Return the range from the first key with the prefix ``low`` to the last key with the prefix ``high``."""
    return Between(prefix(*low) or LOWEST, prefix(*high) + HIGHEST)


@lru_cache(maxsize=4096)
def text_part(label: str) -> str:
    """Return a label as a part of a key: its slug, at most 64 characters; ``unspecified`` if the slug is empty."""
    text = _NOT_IN_SLUGS.sub("", unicodedata.normalize("NFKC", label).lower())
    return _GAPS.sub("-", text).strip("-_")[:SLUG_LENGTH].strip("-_") or BLANK


def number_part(number: int, width: int, unit: str = "") -> str:
    """Return a number with zeros in front: ``0040m``. Raises: ``KeyPartError`` if it is negative or wider."""
    if not 0 <= number < 10**width:
        raise KeyPartError(f"{number} is negative, or has more than {width} digits.")
    return f"{number:0{width}d}{unit}"


def takes_number(number: Decimal | int) -> bool:
    """Return whether fields and keys can hold a number. DynamoDB also has numbers that pages cannot round."""
    try:
        _NUMBERS.quantize(Decimal(number), _SMALLEST)
    except (Inexact, InvalidOperation):
        return False
    return True


def now() -> datetime:
    """Return the current time in UTC, to the second, as items store times."""
    return datetime.now(UTC).replace(microsecond=0)


def time_part(moment: datetime, timespec: str = "seconds") -> str:
    """Return a time in UTC, as ``2023-01-15T10:22:31Z``. Raises: :class:`KeyPartError` for a time without a zone."""
    if moment.tzinfo is None:
        raise KeyPartError(f"{moment!r} has no time zone.")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


def in_any_case(text: str, most: int) -> list[str]:
    """Return all ways to write ``text`` in small letters and capitals; no text if there are more than ``most``.

    So an id is found in any spelling, although keys hold the first spelling.
    """
    letters = [dict.fromkeys((char, char.lower(), char.upper())) for char in text]
    return [*map("".join, product(*letters))] if prod(map(len, letters)) <= most else []


def is_part(text: str) -> bool:
    """Return whether a text can be a part of a key: not empty, without ``#``, control or unassigned characters."""
    return bool(text) and SEPARATOR not in text and not any(unicodedata.category(c)[0] == "C" for c in text)
