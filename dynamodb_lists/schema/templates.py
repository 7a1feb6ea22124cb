"""Keys as templates: ``ORDER#{order_id}#ITEM#{number:3}``, ``User:{user_id}``. Pure.

A template declares a key once. The key of an entity, the values in a stored key, and the ranges of an index follow from
it. A template has texts and, in braces, names of values. The text after a colon is the format of the value:

================== =============================================================================================
``{name}``         a text, a number, a day or an enum's value, unchanged
``{at:time}``      a time in UTC, to the second; ``:milliseconds`` and ``:microseconds`` have more digits
``{at:epoch}``     a time as seconds since 1970; ``:epoch-ms`` counts milliseconds
``{at:date}``      the day of a time, in UTC
``{number:3}``     a number with zeros in front; ``{size:4m}`` has a unit
``{view:slug}``    a label as its slug
``{name:folded}``  a text without the difference of capitals; ``:lower`` in small letters, ``:upper`` in capitals
``{sku:quoted}``   a text of any characters, percent-encoded
``{id:of 4}``      the shard of a text: one of four, by a hash of the text
``{what:parts}``   a text of several parts
================== =============================================================================================

At the end of a template, ``{bulk?}`` is a part that is left out, with the ``#`` before it, if its value is blank.

The technique is that of libraries for single tables, such as ElectroDB (https://electrodb.dev).
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cached_property, partial
from itertools import pairwise
from operator import methodcaller
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote, unquote
from zlib import crc32

from dynamodb_lists.connection.errors import KeyPartError, WrongDeclaration
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import SEPARATOR, number_part, text_part, time_part

Value = Callable[[str], Any]
"""Gives the value of a name."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER, _SHARD = re.compile(r"(\d+)([a-z]*)"), re.compile(r"of (\d+)")


class Coder(NamedTuple):
    """How a value becomes a text in a key, and again a value.

    A value that is not ``told`` cannot be read from a key: the key has only its slug, or its shard, one of
    ``shards``. A value *rises* if no later one has an earlier text, so that a range of values is a range of keys. It
    is *ordered* if the texts sort just as the values do, and *fixed* if all its texts have one length, so that what
    follows it cannot disturb the order. ``several`` parts may be in one text, or just ``parts``.
    """

    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    rises: bool = False
    ordered: bool = False
    fixed: bool = False
    told: bool = True
    several: bool = False
    parts: int = 1
    shards: int = 0
    days: bool = False
    """Whether its values are days, so that a range of them has few."""
    characters: str = ""
    """An expression for each character of its texts, if not all can occur."""
    least: Any = None
    most: Any = None
    """The first and the last value that can be written, if there are others of its type."""

    def nearest(self, value: Any) -> Any:
        """Return ``value`` if it can be written, else the nearest value that can."""
        return value if self.most is None else min(max(value, self.least), self.most)


class Piece(NamedTuple):
    """A piece of a template: a ``literal``, or the value of ``name``, which may be left out if it is ``optional``."""

    literal: str
    name: str = ""
    coder: Coder = Coder()
    optional: bool = False

    def text(self, value: Value) -> str:
        """Return the piece's text in the key with these values. Raises: :class:`KeyPartError`, which has the field."""
        try:
            return self.literal or self.coder.write(value(self.name))
        except KeyPartError as error:
            raise error.of(self.name) from error

    @property
    def has_parts(self) -> bool:
        """Whether the text of the piece may be several parts of a key, or none."""
        return self.optional or self.coder.several or self.coder.parts > 1


class Template:
    """A key with places for values. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`.

    Keys that the package makes are parts joined by ``#``: no value may hold one, control characters, or nothing. If
    the ``types`` of fields are given, keys may be those of others: values may be blank, and the last one may hold any
    text. A ``numeric`` key is a number in DynamoDB. ``coders`` write values, by what stands in braces.
    """

    def __init__(
        self,
        text: str,
        types: Mapping[str, type] | None = None,
        *,
        numeric: bool = False,
        coders: Mapping[str, Coder] = MappingProxyType({}),
    ) -> None:
        self.text, self.strict = text, types is None
        try:
            self.pieces = tuple(_pieces(text, types, numeric, coders))
        except ValueError as error:
            raise WrongDeclaration(f"{text!r} is no key: {error}.") from error
        if any(one.name and other.name and not other.optional for one, other in pairwise(self.pieces)):
            raise WrongDeclaration(f"The key {text!r} has two values with no text between them.")
        if self.strict and not all(text.split(SEPARATOR)):
            raise WrongDeclaration(f"The key {text!r} has a blank part.")
        self._values = [piece for piece in self.pieces if piece.name]
        self.names = tuple(piece.name for piece in self._values)
        self.told = tuple(piece.name for piece in self._values if piece.coder.told)
        """The names of the values that a key tells."""
        apart = all(SEPARATOR in piece.literal for piece in self.pieces[1:-1] if not piece.name)
        known = self.strict and apart and not any(piece.coder.several for piece in self._values)
        more = sum(piece.coder.parts - 1 for piece in self._values)
        self._separators = text.count(SEPARATOR) + more if known else -1

    def __repr__(self) -> str:
        return repr(self.text)

    def key(self, value: Value) -> str:
        """Return the key that has these values.

        Raises: ``KeyPartError``, with a field, for values that the key would not tell apart, or that are too long.
        """
        texts = [*map(methodcaller("text", value), self.pieces)]
        key = "".join(texts)
        plain = key.count(SEPARATOR) == self._separators and all(texts) and key.isascii() and key.isprintable()
        if plain and len(key) <= keys.MAX_BYTES:
            return key
        named = [(text, piece) for text, piece in zip(texts, self.pieces, strict=True) if piece.name]
        match = self._pattern.fullmatch(key)
        refusal = KeyPartError(f"{key[:80]!r} cannot be read as {self.text} again.")
        if match and [*match.groups()] == [text for text, _ in named]:
            if not self.strict:
                return key
            try:
                return keys.compose(*keys.parse(key))
            except KeyPartError as error:
                refusal = error
        for text, piece in named if self.strict else ():
            parts = keys.parse(text.removeprefix(SEPARATOR)) if piece.has_parts else (text,)
            if not all(map(keys.is_part, parts)) and not (piece.optional and not text):
                raise KeyPartError(keys.no_part(text)).of(piece.name)
        longest = max(named, key=lambda each: len(each[0]))[1].name if self.strict and named else ""
        raise refusal.of(longest)

    def begin(self, value: Value, pieces: Iterable[Piece]) -> str:
        return "".join(map(methodcaller("text", value), pieces))

    def fits(self, key: str) -> bool:
        """Return whether ``key`` is a key of this template."""
        return bool(self._pattern.fullmatch(key))

    def values(self, key: str) -> dict[str, Any]:
        """Return the values that a key tells. Raises :class:`ValueError` for a key of another form."""
        match = self._pattern.fullmatch(key)
        if match is None:
            raise ValueError(f"{key!r} is no key of the form {self.text}.")
        found = {}
        for piece, text in zip(self._values, match.groups(), strict=True):
            if piece.coder.told:
                found[piece.name] = piece.coder.read(text)
        return found

    def overlap(self, other: "Template") -> str | None:
        """Return a key that fits both this template and ``other``; ``None`` if there is none."""
        mine, theirs = ([*each._steps(), ("", False)] for each in (self, other))
        seen, queue = set[tuple[int, int]](), deque([(0, 0, "")])
        while queue:
            here, there, text = queue.popleft()
            (one, many), (another, more) = mine[here], theirs[there]
            if not one and not another:
                return text
            if (here, there) not in seen:
                for char in "x0" if many and more else (one, another):
                    if _can_be(char, one, many) and _can_be(char, another, more):
                        queue.append((here + (more or not many), there + (many or not more), text + char))
                queue += [(here + 1, there, text)] * many + [(here, there + 1, text)] * more
            seen.add((here, there))
        return None

    def _steps(self) -> Iterator[tuple[str, bool]]:
        """Yield the characters of a key: each character as it is, or a pattern for any number of characters."""
        for piece, like in self._shapes:
            yield from [(like, True)] if piece.name else ((char, False) for char in piece.literal)

    @cached_property
    def _shapes(self) -> list[tuple[Piece, str]]:
        """Each piece, and an expression for a character of its value, which ends where the text after it begins."""
        found = []
        for piece, after in pairwise([*self.pieces, Piece("")]):
            ends = {*(SEPARATOR if self.strict or after.optional else ""), *after.literal[:1]}
            like = f"[^{re.escape(''.join(sorted(ends)))}]" if ends and not piece.coder.several else "."
            if piece.coder.characters and not self.strict:
                like = f"(?!{'|'.join(map(re.escape, ends)) or '$'}){piece.coder.characters}"
            found.append((piece, like))
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        texts, number = [], "+" if self.strict else "*"
        for piece, like in self._shapes:
            value = SEPARATOR.join([f"(?:{like}){number}"] * piece.coder.parts)
            text = f"((?:{SEPARATOR}{value})?)" if piece.optional else f"({value})"
            texts.append(text if piece.name else re.escape(piece.literal))
        return re.compile("".join(texts), re.DOTALL)


def shard(text: str, shards: int) -> int:
    """Return the number of a text's shard among ``shards``, by a hash of the text."""
    return crc32(text.encode()) % shards


def _can_be(char: str, step: str, repeated: bool) -> bool:
    return bool(re.fullmatch(step, char, re.DOTALL)) if repeated else char == step


def _pieces(text: str, types: Mapping[str, type] | None, numeric: bool, coders: Mapping[str, Coder]) -> Iterator[Piece]:
    for literal, name, spec, _ in Formatter().parse(text):
        optional = name is not None and name.endswith("?")
        if before := literal.removesuffix(SEPARATOR) if optional else literal:
            yield Piece(before)
        if name is None:
            continue
        field = name.rstrip("?")
        if types is not None and field not in types:
            raise ValueError(f"it names {field!r}, which is no field")
        own = coders.get(f"{field}:{spec}" if spec else field)
        coder = own or coded(types[field] if types else None, spec or "", numeric)
        coder = _blank(types[field], coder) if types else coder
        yield Piece("", field, _left_out(coder) if optional else coder, optional)


def _left_out(coder: Coder) -> Coder:
    """Return the coder of a value at the end of a key, which is left out with its ``#`` if it is blank."""
    return coder._replace(
        write=lambda value: f"{SEPARATOR}{text}" if (text := coder.write(value)) else "",
        read=lambda text: coder.read(text.removeprefix(SEPARATOR)),
    )


def _blank(kind: type, coder: Coder) -> Coder:
    """Return the coder that writes no value as a blank text."""
    return coder._replace(
        write=lambda value: "" if value is None else coder.write(value),
        read=lambda text: coder.read(text) if text else "" if kind is str else None,
    )


def coded(kind: type | None, spec: str, numeric: bool = False) -> Coder:
    """Return the coder of a type, or of any value, for a format. Raises: ``ValueError`` if no key can hold them."""
    if kind is not None and not spec:
        spec = "time" if issubclass(kind, datetime) else "date" if issubclass(kind, date) else ""
        if not spec:
            return _plain(kind)
    takes, coder = _format(spec, numeric)
    if kind is not None and not issubclass(kind, takes):
        raise ValueError(f"values of type {kind.__name__} cannot be written as {spec!r}")
    return coder._replace(told=True, ordered=True) if spec == "date" and kind is date else coder


def _format(spec: str, numeric: bool) -> tuple[type, Coder]:
    """Return the type and the coder that a format, the text after a colon, stands for."""
    if number := _NUMBER.fullmatch(spec):
        width, unit = int(number[1]), number[2]
        write = partial(number_part, width=width, unit=unit)
        coder = Coder(write, lambda text: int(text.removesuffix(unit)), *_RISING, characters=rf"[\d{unit}]")
        return int, coder._replace(least=0, most=10**width - 1)
    if found := _SHARD.fullmatch(spec):
        shards = int(found[1])
        return str, Coder(lambda text: str(shard(text, shards)), told=False, shards=shards, characters=r"\d")
    if spec in _EPOCHS:
        unit_of_time, digits = _EPOCHS[spec]
        since = partial(_since, unit=unit_of_time, width=0 if numeric else digits)
        coder = Coder(since, lambda text: EPOCH + int(text) * unit_of_time, *_RISING, characters=r"[-\d]")
        limits = {} if numeric else {"least": EPOCH, "most": EPOCH + (10**digits - 1) * unit_of_time}
        return datetime, coder._replace(**limits)
    if spec not in _CODERS:
        raise ValueError(f"no template knows {spec!r}, which stands after a colon")
    return _CODERS[spec]


def _plain(kind: type) -> Coder:
    """Return the coder of values that are written unchanged. Only texts then sort as the values do."""
    if issubclass(kind, Enum) or kind is bool:
        values = {str(getattr(each, "value", each)): each for each in ([False, True] if kind is bool else [*kind])}
        is_text = issubclass(kind, str)
        return Coder(lambda value: str(getattr(value, "value", value)), partial(_among, values), is_text, is_text)
    if kind is bytes:
        return Coder(bytes.hex, bytes.fromhex, True, True, characters="[0-9a-f]")
    if issubclass(kind, int | Decimal):
        return Coder(lambda each: f"{each:f}" if isinstance(each, Decimal) else str(each), kind, characters=r"[-\d.]")
    return Coder(str, kind, issubclass(kind, str), issubclass(kind, str))


def _among(values: Mapping[str, Any], text: str) -> Any:
    if text not in values:
        raise ValueError(f"{text!r} is none of {', '.join(values)}")
    return values[text]


def _since(moment: datetime, unit: timedelta, width: int) -> str:
    number = (moment - EPOCH) // unit
    return number_part(number, width) if width else str(number)


def _day(moment: date) -> str:
    return time_part(moment)[:10] if isinstance(moment, datetime) else str(moment)


_RISING = True, True, True
_EPOCHS = {"epoch": (timedelta(seconds=1), 10), "epoch-ms": (timedelta(milliseconds=1), 13)}
_TIME = Coder(time_part, datetime.fromisoformat, *_RISING, characters=r"[-\d:.TZ+]")
_CODERS: dict[str, tuple[type, Coder]] = {
    "": (object, Coder()),
    "time": (datetime, _TIME),
    "milliseconds": (datetime, _TIME._replace(write=partial(time_part, timespec="milliseconds"))),
    "microseconds": (datetime, _TIME._replace(write=partial(time_part, timespec="microseconds"))),
    "date": (date, Coder(_day, date.fromisoformat, rises=True, fixed=True, told=False, days=True, characters=r"[-\d]")),
    "slug": (str, Coder(text_part, told=False)),
    "folded": (str, Coder(str.casefold, told=False)),
    "lower": (str, Coder(str.lower, told=False)),
    "upper": (str, Coder(str.upper, told=False)),
    "quoted": (str, Coder(partial(quote, safe=""), unquote)),
    "parts": (str, Coder(several=True)),
}

FORMATS = (*_CODERS, *_EPOCHS)
"""What may stand after a colon, but for numbers and shards."""
