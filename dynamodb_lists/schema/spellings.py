"""Keys as people's tables spell them: ``ORDER#{placed:date}#{order_id}``, ``User:{user_id}``. Pure.

A spelling has texts as they are and, in braces, names of fields. After a colon stands the format of the value:

================== =============================================================================================
``{name}``         a text, a number or a day as it is
``{at:time}``      a time in UTC, to the second; ``:milliseconds`` and ``:microseconds`` have as many digits
``{at:epoch}``     a time as seconds since 1970; ``:epoch-ms`` counts milliseconds
``{day:date}``     the day of a time
``{number:8}``     a number with zeros in front
``{name:lower}``   a text in small letters; ``:upper`` in capitals
``{id:of 4}``      the shard of a text, by the hash that :func:`~dynamodb_lists.schema.templates.shard` takes
================== =============================================================================================

A value is *told* if it can be read from the key again. It *rises* if no later value has an earlier text, so that a
range of values is a range of keys; it is *ordered* if the texts sort just as the values do. It is *fixed* if all its
texts have one length, so that what follows it in a key cannot disturb the order.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cached_property, partial
from string import Formatter
from typing import Any, NamedTuple

from dynamodb_lists.connection.errors import KeyPartError, WrongDeclaration
from dynamodb_lists.schema.templates import shard

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Spelt(NamedTuple):
    """How values of one field are written in a key, and read from it."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    rises: bool = False
    ordered: bool = False
    fixed: bool = False
    told: bool = True
    shards: int = 0
    example: str = "x"


class Piece(NamedTuple):
    """A piece of a spelling: a ``literal``, or the value of the field ``name``, whose format is ``spec``."""

    literal: str
    name: str = ""
    spec: str = ""


class Spelling:
    """A key with places for values. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`."""

    def __init__(self, text: str, types: Mapping[str, type]) -> None:
        self.text, pieces = text, list[Piece]()
        try:
            for literal, name, spec, _ in Formatter().parse(text):
                pieces += [Piece(literal)] if literal else []
                pieces += [Piece("", name, spec or "")] if name is not None else []
        except ValueError as error:
            raise WrongDeclaration(f"{text!r} is no key: {error}.") from error
        self.pieces = tuple(pieces)
        if unknown := [piece.name for piece in pieces if piece.name not in types and not piece.literal]:
            raise WrongDeclaration(f"The key {text!r} names {unknown[0]!r}, which is no field.")
        if any(first.name and second.name for first, second in zip(pieces, pieces[1:], strict=False)):
            raise WrongDeclaration(f"The key {text!r} has two values with no text between them.")
        self.spelt = {piece: spelt(types[piece.name], piece.spec) for piece in pieces if piece.name}

    def __repr__(self) -> str:
        return repr(self.text)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the fields in it."""
        return tuple(piece.name for piece in self.pieces if piece.name)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The names of the fields whose values can be read from a key."""
        return tuple(piece.name for piece, spelt in self.spelt.items() if spelt.told)

    def key(self, values: Mapping[str, Any]) -> str:
        """The key that has these values.

        Raises :class:`~dynamodb_lists.connection.errors.KeyPartError` for values that the key would not tell apart.
        """
        text = self.begin(values, self.pieces)
        match = self._pattern.fullmatch(text)
        written = [self.spelt[piece].write(values[piece.name]) for piece in self.spelt]
        if match is None or [*match.groups()] != written:
            raise KeyPartError(f"{text[:80]!r} cannot be read as {self.text} again.")
        return text

    def begin(self, values: Mapping[str, Any], pieces: Sequence[Piece]) -> str:
        """The text of the first pieces of a key."""
        return "".join(piece.literal or self.spelt[piece].write(values[piece.name]) for piece in pieces)

    def example(self) -> str:
        """A key of this form, for messages."""
        return "".join(piece.literal or self.spelt[piece].example for piece in self.pieces)

    def fits(self, key: str) -> bool:
        """Whether a key is of this form."""
        return bool(self._pattern.fullmatch(key))

    def values(self, key: str) -> dict[str, Any]:
        """The values that a key tells; none of a key of another form. Raises :class:`ValueError` for other values."""
        match = self._pattern.fullmatch(key)
        pairs = zip(self.spelt.items(), match.groups() if match else (), strict=False)
        return {piece.name: spelt.read(text) for (piece, spelt), text in pairs if spelt.told}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """A value ends where the text after it begins; the last one holds any text."""
        texts = []
        for place, piece in enumerate(self.pieces):
            after = self.pieces[place + 1].literal[:1] if place + 1 < len(self.pieces) else ""
            value = f"([^{re.escape(after)}]*)" if after else "(.*)"
            texts.append(re.escape(piece.literal) if piece.literal else value)
        return re.compile("".join(texts), re.DOTALL)


def spelt(kind: type, spec: str) -> Spelt:
    """How values of a type are written. Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration`."""
    if spec.isdigit() and issubclass(kind, int):
        return Spelt(partial(_padded, width=int(spec)), int, True, True, True)
    if (found := re.fullmatch(r"of (\d+)", spec)) and issubclass(kind, str):
        shards = int(found[1])
        return Spelt(lambda text: str(shard(text, shards)), str, told=False, shards=shards)
    if kind is bytes and not spec:
        return Spelt(bytes.hex, bytes.fromhex, True, True, example="00")
    if spec == "" and not issubclass(kind, datetime):
        is_day, is_text = kind is date, issubclass(kind, str)
        read: Callable[[str], Any] = date.fromisoformat if is_day else kind
        return Spelt(_plain, read, is_day or is_text, is_day or is_text, is_day)
    for kinds, found_spelt in _SPELT.get(spec or "time", ()):
        if issubclass(kind, kinds):
            return found_spelt
    raise WrongDeclaration(f"No key can spell values of type {kind.__name__} as {spec or 'they are'!r}.")


def _plain(value: Any) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _padded(number: int, width: int) -> str:
    if not 0 <= number < 10**width:
        raise KeyPartError(f"{number} is negative, or has more than {width} digits.")
    return f"{number:0{width}d}"


def iso(moment: datetime, timespec: str) -> str:
    """A time as ``2023-01-15T10:22:31Z``, in UTC."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


def _seconds(moment: datetime) -> str:
    return str((moment - EPOCH) // timedelta(seconds=1)).zfill(10)


def _milliseconds(moment: datetime) -> str:
    return str((moment - EPOCH) // timedelta(milliseconds=1)).zfill(13)


_TIME = datetime.fromisoformat
_SPELT: dict[str, list[tuple[type, Spelt]]] = {
    "time": [(datetime, Spelt(partial(iso, timespec="seconds"), _TIME, True, True, True))],
    "milliseconds": [(datetime, Spelt(partial(iso, timespec="milliseconds"), _TIME, True, True, True))],
    "microseconds": [(datetime, Spelt(partial(iso, timespec="microseconds"), _TIME, True, True, True))],
    "epoch": [(datetime, Spelt(_seconds, lambda text: EPOCH + timedelta(seconds=int(text)), True, True, True))],
    "epoch-ms": [
        (datetime, Spelt(_milliseconds, lambda text: EPOCH + timedelta(milliseconds=int(text)), True, True, True))
    ],
    "date": [(datetime, Spelt(lambda at: iso(at, "seconds")[:10], date.fromisoformat, True, fixed=True, told=False))],
    "lower": [(str, Spelt(str.lower, str, told=False))],
    "upper": [(str, Spelt(str.upper, str, told=False))],
}
