"""What an entry says of a change: the fields that differ, each with its value before and after, as short texts."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from os.path import commonprefix
from typing import Any

from hotelapp.dynamodb.schema import entities
from hotelapp.dynamodb.schema.keys import time_part
from hotelapp.history.entities import FieldChange

LENGTH = 500
"""The most characters of a value in an entry. A transaction of a hundred writes has at most 4 MB."""

BEFORE_DIFFERENCE = 60
"""How many characters an excerpt has before the first difference."""


def differences(before: Any | None, after: Any | None) -> tuple[FieldChange, ...]:
    """The recorded fields in which an entity differs before and after a change; ``None`` stands for no entity."""
    return tuple(_differences(before, after))


def _differences(before: Any | None, after: Any | None) -> Iterator[FieldChange]:
    entity: type = type(before if after is None else after)
    for field in entities.fields(entity):
        if not field.recorded:
            continue
        old, new = getattr(before, field.name, None), getattr(after, field.name, None)
        if old != new and (texts := _shortened(_text(old), _text(new))) != ("", ""):
            currency = getattr(before if after is None else after, "currency", "") if field.hint is Decimal else ""
            yield FieldChange(field.name, *texts, currency)


def _text(value: Any) -> str:
    """A value as text. A decimal has no zeros at its end, because DynamoDB does not keep them."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return time_part(value)
    if isinstance(value, tuple):
        return "; ".join(map(str, value))
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def _shortened(before: str, after: str) -> tuple[str, str]:
    """Both texts, or excerpts that begin shortly before the first difference if one of them is too long."""
    if max(len(before), len(after)) <= LENGTH:
        return before, after
    start = max(len(commonprefix([before, after])) - BEFORE_DIFFERENCE, 0)
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str, start: int) -> str:
    """At most :data:`LENGTH` characters of a text. Dots mark where it was cut, and its whole length follows."""
    end = start + LENGTH
    if not start and len(text) <= end:
        return text
    return f"{'… ' * bool(start)}{text[start:end]}{' …' * (len(text) > end)} (of {len(text)} characters)"
