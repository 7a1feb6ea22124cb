"""Compose and parse keys: parts joined by ``#``, which compare as UTF-8 bytes.

The rules, and why each is needed, are in docs/keys.md. The technique (a composite sort key that is read
with a prefix or a range) is in the DynamoDB Developer Guide, "Best practices for using sort keys".
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache

from django.utils.text import slugify

from hotelapp.dynamodb.errors import KeyPartError

SEPARATOR = "#"
HIGHEST = "\U0010ffff"  # sorts after every other character, as code point and as UTF-8 bytes
SLUG_LENGTH = 64
BLANK = "unspecified"
NUMBER_DIGITS, NUMBER_DECIMALS = 38, 18
MAX_BYTES = 1024  # of a sort key; a partition key may have twice that


@dataclass(frozen=True, slots=True)
class KeyRange:
    """A contiguous range of sort keys, both ends included: ``BETWEEN low AND high``."""

    low: str
    high: str

    def __contains__(self, key: str) -> bool:
        return self.low <= key <= self.high


def compose(*parts: str) -> str:
    """The parts joined by ``#``.

    Raises :class:`KeyPartError` for a part that would change the key's shape, and for more than a key may hold.
    """
    key = SEPARATOR.join(map(_checked, parts))
    if len(key) > MAX_BYTES // 4 and len(key.encode()) > MAX_BYTES:
        raise KeyPartError(f"{key[:40]}... is longer than the {MAX_BYTES} bytes of a sort key.")
    return key


def parse(key: str) -> tuple[str, ...]:
    """The parts that :func:`compose` joined."""
    return tuple(key.split(SEPARATOR))


def prefix(*parts: str) -> str:
    """The parts and a closing ``#``, so that ``40m`` cannot match ``40mx``. No parts, no prefix: ``""``."""
    return compose(*parts) + SEPARATOR if parts else ""


def prefix_range(*parts: str) -> KeyRange:
    """Every key that begins with these parts.

    ``BETWEEN`` rather than ``begins_with``: the two cost the same on AWS, but the embedded engine
    walks the partition for ``begins_with`` and seeks for ``BETWEEN``.
    """
    return text_range(prefix(*parts))


def text_range(start: str) -> KeyRange:
    """Every key that begins with the text ``start``, whether or not a part ends there."""
    return KeyRange(start, start + HIGHEST)


def between(low: Iterable[str], high: Iterable[str]) -> KeyRange:
    """From the first key under the prefix ``low`` to the last key under the prefix ``high``."""
    return KeyRange(prefix(*low), prefix(*high) + HIGHEST)


@lru_cache(maxsize=4096)
def text_part(label: str) -> str:
    """A label as a key part: its Unicode slug, at most 64 characters; ``unspecified`` if nothing is left."""
    return slugify(label, allow_unicode=True)[:SLUG_LENGTH].strip("-_") or BLANK


def number_part(number: int, width: int, unit: str = "") -> str:
    """A number zero-padded to ``width`` digits, ``0040m``: without the zeros ``100m`` sorts before ``40m``.

    Raises :class:`KeyPartError` if the number is negative or needs more digits, rather than wrapping.
    """
    if not 0 <= number < 10**width:
        raise KeyPartError(f"{number} does not fit into {width} digits.")
    return f"{number:0{width}d}{unit}"


def number_key(number: Decimal | int | str) -> str:
    """A number, which is an index's sort key by itself, as text that compares as DynamoDB compares the numbers.

    Twenty digits before the point and eighteen behind it: the 38 that DynamoDB keeps. Not below zero.
    """
    text = f"{Decimal(number):0{NUMBER_DIGITS + 1}.{NUMBER_DECIMALS}f}"
    if len(text) > NUMBER_DIGITS + 1 or text.startswith("-"):
        raise KeyPartError(f"{number} does not fit into {NUMBER_DIGITS} digits.")
    return text


def number_of(key: str) -> str:
    """The number that :func:`number_key` wrote, in plain digits."""
    whole, _, decimals = key.partition(".")
    return f"{int(whole)}.{decimals}".rstrip("0").removesuffix(".")


def time_part(moment: datetime) -> str:
    """A moment as UTC ISO 8601 to the second, ``2023-01-15T10:22:31Z``. Naive datetimes are refused."""
    if moment.tzinfo is None:
        raise KeyPartError(f"{moment!r} has no time zone.")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def is_part(text: str) -> bool:
    """Whether the text may stand in a key: not blank, no ``#``, no control or unassigned character."""
    return bool(text) and SEPARATOR not in text and not any(unicodedata.category(c)[0] == "C" for c in text)


def _checked(part: str) -> str:
    if not (part.isascii() and part.isprintable() and part and SEPARATOR not in part) and not is_part(part):
        raise KeyPartError(f"{part!r} cannot be a part of a key.")
    return part
