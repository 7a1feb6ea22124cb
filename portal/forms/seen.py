"""What an editor saw of an entity, so that a form knows what its editor changed, and what only others did.

A form sends the revision with a short digest of each part: a field, or a line of an order. A part that is as it was
seen is not the editor's change, whatever others have stored meanwhile.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any, Self

DIGITS = 6
"""Hexadecimal digits of a digest: two values of a part look the same once in 16 million."""


def digest(value: Any) -> str:
    """A short digest of a value. Nothing has none. Numbers that are equal have the same, also in a line of an order."""
    if value is None:
        return ""
    if is_dataclass(value):
        value = [digest(getattr(value, each.name)) for each in fields(value)]
    text = f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
    return sha256(text.encode()).hexdigest()[:DIGITS]


class Seen(int):
    """The revision that an editor saw, with the digests of the parts. A form that has none changes every part."""

    digests: Mapping[str, str] = {}

    @classmethod
    def of(cls, revision: int, digests: str) -> Self:
        """What was seen, from the text of :func:`seen_text`."""
        seen = cls(revision)
        seen.digests = dict(each.partition(":")[::2] for each in digests.split())
        return seen

    def kept(self, part: str, value: Any) -> bool:
        """Whether the editor left a part at this value."""
        return bool(self.digests) and self.digests.get(digest(part), "") == digest(value)

    def merged(self, stored: Mapping[str, Any], entered: Mapping[str, Any]) -> dict[str, Any]:
        """The parts with the editor's changes; the others as they are stored."""
        names = {**entered, **stored}
        return {name: (stored if self.kept(name, entered.get(name)) else entered).get(name) for name in names}


def seen_text(revision: int, parts: Mapping[str, Any]) -> str:
    """What a form sends of what its editor saw: the revision, and the digests of each part's name and value.

    ``7 1f03b2:90ab1c 5c62d0:``.
    """
    return " ".join((str(revision), *(f"{digest(name)}:{digest(value)}" for name, value in parts.items())))
