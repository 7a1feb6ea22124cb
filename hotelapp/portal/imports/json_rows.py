"""Reads JSON lines: one object a line, with exact numbers. A bad line is returned with its problem."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import InvalidOperation
from typing import Any, ClassVar

import simplejson

from hotelapp.portal.imports.file_rows import REJECT_NAMES, TOO_LONG, FileRow, is_too_long, is_unicode

BLANK = " \t\r\n"  # white space in JSON


@dataclass(frozen=True)
class JsonRow(FileRow):
    """A line, with the members of its object; of a bad line, with its ``text``."""

    @property
    def content(self) -> Mapping[str, Any]:
        return self.data

    def rejected(self, reason: str) -> str:
        line = _dumps({**dict(zip(REJECT_NAMES, (self.line, reason), strict=True)), **self.data})
        # Bytes that are not UTF-8 and halves of surrogate pairs become JSON escapes, so the file can be read again.
        return f"{line}\n".encode(errors="backslashreplace").decode()


class JsonLines:
    """One JSON object a line, in UTF-8. Blank lines are left out."""

    help = "JSON lines: one object a line, in UTF-8"
    newline: ClassVar[str] = "\n"
    suffix: ClassVar[str] = ".jsonl"

    def read(self, lines: Iterable[str], name: str) -> Iterator[JsonRow]:
        """Every line that is not blank."""
        for number, line in enumerate(lines, start=1):
            if line.strip(BLANK):
                yield _row(number, line.rstrip("\r\n"))

    def row(self, line: int, problem: str, content: Any, header: Sequence[str]) -> JsonRow:
        """A row from its content: the members of its object."""
        return JsonRow(line, content, problem)


def _dumps(value: Mapping[str, Any]) -> str:
    return simplejson.dumps(value, use_decimal=True, ensure_ascii=False)


def _row(number: int, text: str) -> JsonRow:
    try:
        data = _object(text)
        whole = is_unicode(_dumps(data))  # in this block, because an object may be nested too deeply to be written
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:
        problem = str(error)
    else:
        return JsonRow(number, data, "" if whole else "half of a character")
    return JsonRow(number, {"text": text}, problem)


def _object(text: str) -> dict[str, Any]:
    """The object in a line, without line and reason if it is from a file of rejected rows. Raises ``ValueError``."""
    if is_too_long(text):
        raise ValueError(TOO_LONG)
    if not is_unicode(text):
        raise ValueError("not UTF-8")
    try:
        value = simplejson.loads(text, use_decimal=True, allow_nan=False)
    except simplejson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, InvalidOperation) as error:
        raise ValueError("not JSON: a number is too long or not finite") from error
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return {name: member for name, member in value.items() if name not in REJECT_NAMES}
