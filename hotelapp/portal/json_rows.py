"""Files of JSON lines: one object a line, its numbers exact. What is none is handed on with the reason."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from hotelapp.portal.rows import REJECT_NAMES, Row, is_unicode, lines_of

BLANK = " \t\r\n"  # what JSON takes for white space
# No int can be made of NaN and Infinity: they are refused like a number that is too long.
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=int)
_ENCODER = json.JSONEncoder(ensure_ascii=False)


@dataclass(frozen=True)
class JsonRow(Row):
    """A line, with the members of its object as JSON; if it is no object, with the line itself as ``text``."""

    members: Sequence[str]

    def refused(self, reason: str) -> str:
        """The same object, after line and reason."""
        members = [*_members(dict(zip(REJECT_NAMES, (self.line, reason), strict=True))), *self.members]
        line = f"{{{', '.join(members)}}}\n"
        # JSON has escapes for bytes that are no UTF-8 and for half characters: the file stays one that can be read.
        return line.encode(errors="backslashreplace").decode()


class JsonLines:
    """One JSON object a line, in UTF-8; blank lines are passed over."""

    help = "JSON lines: one object a line, in UTF-8"

    def read(self, path: Path) -> Iterator[JsonRow]:
        """Every line that is not blank. Raises :class:`CommandError`."""
        for number, line in enumerate(lines_of(path, newline="\n"), start=1):
            if line.strip(BLANK):
                yield _row(number, line.rstrip("\r\n"))


def encoded(value: Any) -> str:
    """A value as JSON, in which a decimal is the number that it was: ``json.dumps`` would take floats alone."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(_members(value))}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(encoded, value))}]"
    return str(value) if isinstance(value, Decimal) else _ENCODER.encode(value)


def _members(values: Mapping[str, Any]) -> list[str]:
    return [f"{encoded(name)}: {encoded(value)}" for name, value in values.items()]


def _row(number: int, text: str) -> JsonRow:
    try:
        data = _object(text)
        members = _members(data)  # now, so that what is nested too deeply to be written back is found here
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:
        problem = str(error)
    else:
        return JsonRow(number, data, "" if all(map(is_unicode, members)) else "half of a character", members)
    return JsonRow(number, {}, problem, _members({"text": text}))


def _object(text: str) -> dict[str, Any]:
    """The object that a line holds, without line and reason, should it come from a file of refused rows."""
    if not is_unicode(text):
        raise ValueError("not UTF-8")
    try:
        found = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, InvalidOperation) as error:
        raise ValueError("not JSON: a number is too long or not finite") from error
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    return {name: value for name, value in found.items() if name not in REJECT_NAMES}
