"""Check values of fields, and convert them to stored values. A refusal names the field, its type and the value."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from pynamodb.attributes import Attribute

from dynamodb_lists.connection.errors import UNREADABLE, WrongValue
from dynamodb_lists.schema.attributes import EntityAttribute, attribute_for
from dynamodb_lists.schema.entities import Field, fields
from dynamodb_lists.schema.keys import takes_number

T = TypeVar("T")
MOST_SHOWN = 80
"""The most characters of a wrong value that a message shows."""
_WORDS = {
    str: "a text (str) without half a character",
    int: "a whole number (int) of at most 20 digits",
    Decimal: "a number (Decimal) of at most 20 digits before the point and 18 after it",
    date: "a day (date)",
    datetime: "a time (datetime) with a time zone",
}


def stored(entity: T) -> T:
    """Return an entity with each value as it is stored. Raises: :class:`WrongValue`."""
    values: dict[str, Any] = {}
    for field, attribute in _described(type(entity)):  # type: ignore[arg-type]
        value = getattr(entity, field.name)
        if value is None and not field.may_be_none:
            raise refused(field, value)
        has_parts = attribute and value is not None
        values[field.name] = _read_back(field, attribute, value) if has_parts else checked(field, value)
    return replace(entity, **values)  # type: ignore[type-var]


def checked(field: Field, value: Any, *, digits: bool = True) -> Any:
    """Return a value of a field, of an entity or of a condition, as it is stored.

    A whole number may stand for a decimal, and the text of a choice for the choice. Times become UTC, to the second.
    With ``digits``, numbers have the digits that keys take.

    Raises: :class:`WrongValue`, which has the ``field``.
    """
    kind = field.type
    if not isinstance(kind, type) or (value is None and (field.may_be_none or issubclass(kind, str))):
        return value
    if not _takes(kind, value) or (digits and isinstance(value, int | Decimal) and not takes_number(value)):
        raise refused(field, value)
    if issubclass(kind, Enum) or kind is Decimal:
        return kind(value)
    return value.astimezone(UTC).replace(microsecond=0) if isinstance(value, datetime) else value


def refused(field: Field, value: Any) -> WrongValue:
    kind = field.type
    words = _WORDS.get(kind, f"of type {getattr(kind, '__name__', kind)}")
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = f"one of {', '.join(str(each.value) for each in kind)}"
    return WrongValue(f"{field.name} must be {words}, and {value!r:.{MOST_SHOWN}} is not.", field.name)


def _takes(kind: type, value: Any) -> bool:
    """Return whether a value has a type. A ``bool`` is no number, and a ``datetime`` is no day."""
    if issubclass(kind, Enum):
        return value in [*kind]
    if not isinstance(value, (int, Decimal) if kind is Decimal else kind):
        return False
    if isinstance(value, bool) or kind is date:
        return kind is bool or type(value) is date
    if isinstance(value, datetime):
        return value.tzinfo is not None
    if isinstance(value, Decimal):
        return value.is_finite()
    return not isinstance(value, str) or value.isprintable() or value.encode(errors="replace").decode() == value


# --- Values of several parts ----------------------------------------------------------------------------------


@cache
def _described(entity: Any) -> list[tuple[Field, Attribute[Any] | None]]:
    """Return each field of an entity, with its attribute if its values have parts, as lists have."""
    simple = (str, int, Decimal, date, Enum)
    plain = {each.name for each in fields(entity) if isinstance(each.type, type) and issubclass(each.type, simple)}
    has_parts = {each.name for each in fields(entity) if each.stored} - plain
    return [(each, attribute_for(each.hint) if each.name in has_parts else None) for each in fields(entity)]


def _read_back(field: Field, attribute: Any, value: Any) -> Any:
    """Return a value with parts, such as a list, as it is read after it was stored."""
    try:
        written = json.loads(json.dumps(attribute.serialize(value), ensure_ascii=False).encode())
        read = attribute.deserialize(written)
        if read == value or isinstance(attribute, EntityAttribute):
            return read
    except UNREADABLE as error:
        raise refused(field, value) from error
    raise refused(field, value)
