"""PynamoDB attributes for the types that entities have, and which attribute a type gets."""

import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar

from pynamodb.attributes import Attribute, BooleanAttribute, UnicodeAttribute
from pynamodb.constants import LIST, NUMBER, STRING

from hotelapp.dynamodb.schema.keys import time_part

T = TypeVar("T")


class Form(NamedTuple):
    """How values of a type are stored: the DynamoDB type, and the functions that write and read the text."""

    type: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


_FORMS: dict[Any, Form] = {
    int: Form(NUMBER, str, int),
    Decimal: Form(NUMBER, "{:f}".format, Decimal),  # exact, in plain digits; PynamoDB's NumberAttribute has floats
    datetime: Form(STRING, time_part, datetime.fromisoformat),  # in UTC, to the second
    date: Form(STRING, date.isoformat, date.fromisoformat),
}


class ValueAttribute(Attribute[T]):
    """A value of a type that is stored as one Number or String: a number, a time, a day, or a member of an enum."""

    attr_type = STRING

    def __init__(self, kind: type[T], **options: Any) -> None:
        super().__init__(**options)
        self._form = _FORMS.get(kind) or Form(STRING, str, kind)
        self.attr_type = self._form.type

    def serialize(self, value: T) -> str:
        return self._form.write(value)

    def deserialize(self, value: str) -> T:
        found: T = self._form.read(value)
        return found


class EntityListAttribute(Attribute[tuple[T, ...]], Generic[T]):
    """A tuple of dataclasses, as a List of Maps. A field that has its default is left out."""

    attr_type = LIST

    def __init__(self, element: type[T], **options: Any) -> None:
        super().__init__(**options)
        self._element = element
        self._attributes = {name: attribute_for(hint) for name, hint in typing.get_type_hints(element).items()}
        self._defaults = {field.name: field.default for field in fields(element)}  # type: ignore[arg-type]

    def serialize(self, value: Iterable[T]) -> list[dict[str, Any]]:
        return [{"M": self._map(element)} for element in value]

    def deserialize(self, value: Sequence[dict[str, Any]]) -> tuple[T, ...]:
        return tuple(self._element(**self._values(entry["M"])) for entry in value)

    def _map(self, element: T) -> dict[str, Any]:
        return {
            name: {attribute.attr_type: attribute.serialize(getattr(element, name))}
            for name, attribute in self._attributes.items()
            if getattr(element, name) != self._defaults[name]
        }

    def _values(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {
            name: attribute.deserialize(entry[name][attribute.attr_type])
            for name, attribute in self._attributes.items()
            if name in entry
        }


def attribute_for(hint: Any, *, null: bool = False) -> Attribute[Any]:
    """A new PynamoDB attribute for a type hint. A hint with ``| None`` gives one that may be absent."""
    if NoneType in typing.get_args(hint):
        (hint,) = (option for option in typing.get_args(hint) if option is not NoneType)
        return attribute_for(hint, null=True)
    if hint is str:
        return UnicodeAttribute(null=null)
    if hint is bool:
        return BooleanAttribute(null=null)
    if hint in _FORMS or (isinstance(hint, type) and issubclass(hint, StrEnum)):
        return ValueAttribute(hint, null=null)
    if typing.get_origin(hint) is tuple and is_dataclass(element := typing.get_args(hint)[0]):
        return EntityListAttribute(element, null=null)  # type: ignore[arg-type]
    raise TypeError(f"No DynamoDB attribute is declared for {hint!r}.")
