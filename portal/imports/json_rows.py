"""Reads JSON lines: one object a line, with exact numbers; or an array. A bad line is returned with its problem."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import InvalidOperation
from io import StringIO
from itertools import chain
from typing import Any, ClassVar

import simplejson

from dynamodb_lists import FileRow, errors
from dynamodb_lists.lists import file_rows

BLANK = " \t\r\n"  # white space in JSON
WRITE_JSON = "Each row of this import is a JSON object on a line of its own, as in the example."
CUT_OFF = " The array ends here, without its ]."
_MARKS = re.compile(r'\\.?|["\[\]{},]', re.DOTALL)

_HEADER = re.compile(r'"?\w+"?([,;\t] ?"?\w+"?)+')
_REJECTED = f'{{"{file_rows.REJECT_NAMES[0]}":'


class JsonLines:
    """One JSON object a line, in UTF-8, or an array of objects. Blank lines are left out."""

    help = "JSON lines: one object a line, in UTF-8; or an array of objects"
    newline: ClassVar[str] = "\n"
    suffix: ClassVar[str] = ".jsonl"

    def read(self, lines: Iterable[str], name: str) -> Iterator[FileRow]:
        """Yield every line that is not blank, or every element of an array. Raises :class:`WrongValue` for a table."""
        numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip(BLANK))
        start, first = next(numbered, (0, ""))
        file_rows.check_is_text(first, name, WRITE_JSON)
        if _HEADER.fullmatch(first.strip()):
            raise errors.WrongValue(f"{name} is CSV. {WRITE_JSON}")
        texts = chain([(start, first)], numbered) if start else ()
        for number, text in _elements(texts) if first.lstrip(BLANK).startswith("[") else texts:
            yield self._read(number, text.rstrip("\r\n"))

    def row(self, line: int, problem: str, content: Any, header: Sequence[str] = ()) -> FileRow:
        """Return a row from its content: the members of its object or, of a bad line, its ``text``."""
        return FileRow(line, content, problem, content)

    def heading(self, row: FileRow) -> str:
        return ""

    def rejected(self, row: FileRow, reason: str) -> str:
        """Return a line with its number and the reason, so that it can be corrected and imported again."""
        line = _dumps({**dict(zip(file_rows.REJECT_NAMES, (row.line, reason), strict=True)), **row.data})
        # Bytes that are not UTF-8 and halves of surrogate pairs become JSON escapes, so the file can be read again.
        return f"{line}\n".encode(errors="backslashreplace").decode()

    def _read(self, number: int, text: str) -> FileRow:
        text = _unread(text)
        try:
            data = _object(text)
            # In this block, because an object may be nested too deeply to be written.
            whole = file_rows.is_unicode(_dumps(data))
        except RecursionError:
            problem = "nested too deeply"
        except ValueError as error:
            problem = str(error)
        else:
            return self.row(number, "" if whole else "half of a character", data)
        return self.row(number, problem, {"text": text})


def _elements(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the elements of an array, which may stand on one line. Each is numbered as a line of its own."""
    last, stands, element = 0, 0, StringIO()
    for number, piece, ends in _pieces(lines):
        if piece.strip(BLANK):
            stands = number  # the sign that ends an element may be lines below
        if element.tell() <= file_rows.MAX_CHARACTERS:
            element.write(piece)
        if ends and (text := element.getvalue().strip(BLANK)):
            last = max(stands, last + 1)
            yield last, text
        if ends:
            element = StringIO()


def _pieces(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, bool]]:
    """Yield the texts between the marks of an array, and whether an element ends there. Marks in texts are none."""
    depth, quoted, escaped, number = 0, False, False, 0
    for number, line in lines:
        start, sign = 0, ""
        for mark in _MARKS.finditer(line, int(escaped)):
            sign = mark[0]
            if sign == '"':
                quoted = not quoted
            elif not quoted and sign[0] != "\\":
                depth += (sign in "[{") - (sign in "]}")
                if depth == (1 if sign in ",[" else 0):
                    yield number, line[start : mark.start()], True
                    start = mark.end()
        escaped = sign == "\\"  # the sign after it is in the next piece
        yield number, line[start:], False
    yield number, "" if depth <= 0 else CUT_OFF, True


def _dumps(value: Mapping[str, Any]) -> str:
    return simplejson.dumps(value, use_decimal=True, ensure_ascii=False)


def _unread(text: str) -> str:
    """Return the line itself, if this is one of a file of rejected rows that could not be read."""
    is_rejected = text.startswith(_REJECTED) and len(text) <= file_rows.MAX_CHARACTERS
    try:
        value: Any = simplejson.loads(text) if is_rejected else None
    except (ValueError, RecursionError, InvalidOperation):
        return text
    names = {*file_rows.REJECT_NAMES, "text"}
    is_text = isinstance(value, dict) and value.keys() == names and isinstance(value["text"], str)
    return str(value["text"]) if is_text else text


class NamedTwice(ValueError):
    """An object has two members of one name."""


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise NamedTwice(f"“{name[:100]}” is named twice. Keep one of them.")
        members[name] = value
    return members


def _object(text: str) -> dict[str, Any]:
    """Return the object in a line, without the line and reason of a rejected row. Raises: ``ValueError``."""
    if len(text) > file_rows.MAX_CHARACTERS:
        raise ValueError(file_rows.TOO_LONG)
    if not file_rows.is_unicode(text):
        raise ValueError("not UTF-8")
    try:
        value = simplejson.loads(text, use_decimal=True, allow_nan=False, object_pairs_hook=_members)
    except NamedTwice:
        raise
    except simplejson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, InvalidOperation) as error:
        raise ValueError("not JSON: a number is too long or not finite") from error
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return {name: member for name, member in value.items() if name not in file_rows.REJECT_NAMES}
