"""Keys as templates: ``ORDER#{order_id}#ITEM#{number:3}``. Pure.

A template declares a key once. From it follow the key of an entity, the values in a stored key, which keys are of this
form, the ranges of an index, and the tables of keys in documents. What is in braces is the name of a value and, after
a colon, how it becomes a part of a key:

================= ==========================================================================================
``{name}``        a text as it is
``{at:time}``     a time in UTC, to the second; ``{at:microseconds}`` is exact
``{number:3}``    a number with zeros in front; ``{size:4m}`` has a unit
``{view:slug}``   a label as its slug
``{name:folded}`` a text without the difference of capitals
``{sku:quoted}``  a text of any characters, percent-encoded
``{id:of 4}``     the shard of a text: one of four, by a hash of it
``{what:parts}``  a text of several parts
================= ==========================================================================================

At the end, ``{bulk?}`` is a part that is left out if it is blank.

The technique is that of libraries for single tables, such as ElectroDB (https://electrodb.dev).
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cached_property, partial
from string import Formatter
from typing import Any, NamedTuple
from urllib.parse import quote, unquote
from zlib import crc32

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import HIGHEST, KeyRange

Value = Callable[[str], Any]
"""Gives the value of a name."""

_NUMBER, _SHARD = re.compile(r"(\d+)([a-z]*)"), re.compile(r"of (\d+)")


class Coder(NamedTuple):
    """How a value becomes a part of a key, and again a value.

    A value that is not ``told`` cannot be read from a key: a shard, one of ``shards``, does not tell of what it is one,
    nor a slug of which label. ``several`` parts may be in one text.
    """

    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    told: bool = True
    several: bool = False
    shards: int = 0


class KeyPart(NamedTuple):
    """A part of a template: a ``literal``, or the value of ``name``, which may be left out if it is ``optional``."""

    literal: str
    name: str = ""
    coder: Coder = Coder()
    optional: bool = False


class Template:
    """A key with places for values. Raises :class:`ValueError` for a text that is none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts = [*map(_part, text.split(keys.SEPARATOR))]
        self._named = [part for part in self._parts if part.name]

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The names of the values that a key tells."""
        return tuple(part.name for part in self._named if part.coder.told)

    def key(self, value: Value) -> str:
        """The key that has these values. Raises :class:`~dynamodb_lists.connection.errors.KeyPartError`."""
        return keys.compose(*self._written(self._parts, value))

    def fits(self, key: str) -> bool:
        """Whether a key is of this form."""
        return bool(self._pattern.fullmatch(key))

    def values(self, key: str) -> dict[str, Any]:
        """The values that a key tells. Raises :class:`ValueError` for a key of another form."""
        match = self._pattern.fullmatch(key)
        if match is None:
            raise ValueError(f"{key!r} is no key of the form {self.text}.")
        pairs = zip(self._named, match.groups(), strict=True)
        return {part.name: part.coder.read(text or "") for part, text in pairs if part.coder.told}

    def span(self, low: str = "", high: str = HIGHEST, /, **leading: Any) -> KeyRange:
        """The keys that begin with some values, and go on from ``low`` to ``high``; without these, all that do."""
        given = []
        for part in self._parts:
            if part.name and part.name not in leading:
                break
            given.append(part)
        begin = keys.prefix(*self._written(given, leading.__getitem__))
        return KeyRange(begin + low or keys.LOWEST, begin + high)

    def shards(self) -> list[str]:
        """The keys of all shards, of a template whose only value is one."""
        return [self.text[: self.text.index("{")] + str(number) for number in range(self._parts[-1].coder.shards)]

    @staticmethod
    def _written(parts: list[KeyPart], value: Value) -> Iterator[str]:
        for part in parts:
            text = part.literal or part.coder.write(value(part.name))
            if part.coder.several:
                yield from keys.parse(text)
            elif text or not part.optional:
                yield text

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("".join(map(_pattern, self._parts)).removeprefix(keys.SEPARATOR), re.DOTALL)


def shard(text: str, shards: int) -> int:
    """The number of a text's shard, if there are so many: by a hash of it."""
    return crc32(text.encode()) % shards


def _part(text: str) -> KeyPart:
    parsed = [*Formatter().parse(text)]
    if len(parsed) != 1 or (parsed[0][0] and parsed[0][1] is not None):
        raise ValueError(f"{text!r} is no part of a key: that is a text, or a name in braces.")
    literal, name, spec, _ = parsed[0]
    return KeyPart(literal) if name is None else KeyPart("", name.rstrip("?"), _coder(spec or ""), "?" in name)


def _coder(spec: str) -> Coder:
    if number := _NUMBER.fullmatch(spec):
        width, unit = int(number[1]), number[2]
        return Coder(partial(keys.number_part, width=width, unit=unit), lambda part: int(part.removesuffix(unit)))
    if shards := _SHARD.fullmatch(spec):
        return Coder(lambda text: str(shard(text, int(shards[1]))), told=False, shards=int(shards[1]))
    if spec not in _CODERS:
        raise ValueError(f"No template knows {spec!r}, which stands after a colon.")
    return _CODERS[spec]


def _pattern(part: KeyPart) -> str:
    """An expression for a part and the separator before it."""
    if part.literal:
        return f"{keys.SEPARATOR}{re.escape(part.literal)}"
    text = f"{keys.SEPARATOR}(.+)" if part.coder.several else f"{keys.SEPARATOR}([^{keys.SEPARATOR}]+)"
    return f"(?:{text})?" if part.optional else text


def _microseconds(moment: datetime) -> str:
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


_CODERS = {
    "": Coder(),
    "time": Coder(keys.time_part, datetime.fromisoformat),
    "microseconds": Coder(_microseconds, datetime.fromisoformat),
    "slug": Coder(keys.text_part, told=False),
    "folded": Coder(str.casefold, told=False),
    "quoted": Coder(partial(quote, safe=""), unquote),
    "parts": Coder(several=True),
}
