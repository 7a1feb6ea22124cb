"""PynamoDB attributes for the types of entities, and indexes of a table, each declared in one line."""

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import partial
from types import MappingProxyType, NoneType
from typing import Any, Generic, TypeVar

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from pynamodb.attributes import Attribute, BooleanAttribute, JSONAttribute, UnicodeAttribute
from pynamodb.constants import LIST, MAP, NUMBER, NUMBER_SET, STRING, STRING_SET
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex

from dynamodb_lists.schema.conditions import meets
from dynamodb_lists.schema.entities import DOCUMENTS, SETS
from dynamodb_lists.schema.keys import takes_number, time_part
from dynamodb_lists.schema.templates import Coder, Template, Value

T = TypeVar("T")


def _number(kind: type[int] | type[Decimal], text: str) -> int | Decimal:
    number = kind(text)
    if not takes_number(number):
        raise ValueError(f"{number} has more digits than fields hold.")
    return number


class IntegerAttribute(Attribute[int]):
    """A whole number, which DynamoDB stores exactly."""

    attr_type = NUMBER
    serialize: Any = staticmethod(str)
    deserialize: Any = staticmethod(partial(_number, int))


class DecimalAttribute(Attribute[Decimal]):
    """An exact number. PynamoDB's ``NumberAttribute`` would convert it to a float."""

    attr_type = NUMBER
    deserialize: Any = staticmethod(partial(_number, Decimal))

    def serialize(self, value: Decimal) -> str:
        """Return the number in plain digits, without an exponent. 0 has no sign."""
        return format(value or abs(value), "f")


When = Callable[[Any], bool] | Sequence[Mapping[str, Any]] | None
"""Which entities are in a sparse index: a function, or alternatives, each with the values of fields."""


class KeyAttribute(Attribute[Any]):
    """An attribute of an index key, which a template composes from the fields of the entity.

    With ``number``, the attribute is the number in the field that the template names. ``when`` makes the index sparse:
    it holds only items whose entities meet ``when``.
    """

    serialize: Any
    deserialize: Any

    def __init__(
        self, text: str, *, when: When = None, number: bool = False, coders: Mapping[str, Coder] = MappingProxyType({})
    ) -> None:
        super().__init__(null=when is not None)
        self.template, self.when, self.number = Template(text, coders=coders), when, number
        written: Attribute[Any] = DecimalAttribute() if number else UnicodeAttribute()
        self.attr_type, self.serialize, self.deserialize = written.attr_type, written.serialize, written.deserialize

    @property
    def data(self) -> tuple[Mapping[str, Any], ...]:
        """The alternatives of ``when``; empty if ``when`` is a function, or if the index has all items."""
        return () if self.when is None or callable(self.when) else tuple(self.when)

    def holds(self, entity: Any) -> bool:
        """Return whether the item of ``entity`` is in the index."""
        if self.when is None or callable(self.when):
            return self.when is None or self.when(entity)
        return meets(self.when, {name: getattr(entity, name) for each in self.when for name in each})

    def composed(self, value: Value) -> Any:
        """Return the key of an item; ``value`` gives the fields."""
        return value(*self.template.names) if self.number else self.template.key(value)


class TextAttribute(Attribute[T]):
    """A value that is stored as a text: ``write`` makes the text, ``read`` makes the value."""

    attr_type = STRING
    serialize: Any
    deserialize: Any

    def __init__(self, write: Callable[[T], str], read: Callable[[str], T], **options: Any) -> None:
        super().__init__(**options)
        self.serialize, self.deserialize = write, read


class EntityAttribute(Attribute[T], Generic[T]):
    """A dataclass, stored as a Map. Fields with their default value are left out."""

    attr_type = MAP

    def __init__(self, element: type[T], **options: Any) -> None:
        super().__init__(**options)
        self._element = element
        self._attributes = {name: attribute_for(hint) for name, hint in typing.get_type_hints(element).items()}
        self._defaults = {field.name: field.default for field in fields(element)}  # type: ignore[arg-type]

    def serialize(self, value: Any) -> Any:
        found = {name: getattr(value, name) for name in self._attributes}
        return {
            name: {attribute.attr_type: attribute.serialize(found[name])}
            for name, attribute in self._attributes.items()
            if found[name] != self._defaults[name]
        }

    def deserialize(self, value: Any) -> Any:
        found = {}
        for name, attribute in self._attributes.items():
            if name in value:
                found[name] = attribute.deserialize(value[name][attribute.attr_type])
        return self._element(**found)


class EntityListAttribute(EntityAttribute[T]):
    """A tuple of dataclasses, stored as a List of Maps."""

    attr_type = LIST

    def serialize(self, value: Iterable[T]) -> list[dict[str, Any]]:
        return [{"M": super(EntityListAttribute, self).serialize(element)} for element in value]

    def deserialize(self, value: Sequence[dict[str, Any]]) -> tuple[T, ...]:
        return tuple(super(EntityListAttribute, self).deserialize(entry["M"]) for entry in value)


class _Exact(TypeDeserializer):
    """Reads whole numbers as ``int``, and all others as ``Decimal``."""

    def _deserialize_n(self, value: str) -> int | Decimal:
        number: Decimal = super()._deserialize_n(value)  # type: ignore[misc]
        return int(number) if number == number.to_integral_value() else number


class _Filled(TypeSerializer):
    """Refuses an empty set, which DynamoDB cannot store."""

    def _serialize_ns(self, value: Any) -> Any:
        if not value:
            raise ValueError("DynamoDB has no empty set.")
        return super()._serialize_ns(value)  # type: ignore[misc]


_typed: Callable[[Any], Any] = _Filled().serialize
_python: Callable[[Any], Any] = _Exact().deserialize


class DocumentAttribute(Attribute[Any]):
    """A list, a map or a set of DynamoDB, with exact numbers. PynamoDB's own attributes read numbers as floats.

    DynamoDB has no empty set, so an item without the attribute has an empty set.
    """

    def __init__(self, hint: Any, *, null: bool) -> None:
        self._kind = typing.get_origin(hint) or hint
        of_numbers = {int, Decimal} & {*typing.get_args(hint)}
        self.attr_type = {list: LIST, dict: MAP}.get(self._kind, NUMBER_SET if of_numbers else STRING_SET)
        super().__init__(null=null or self._kind in SETS)

    def serialize(self, value: Any) -> Any:
        return _typed(value)[self.attr_type] if value or self._kind not in SETS else None

    def deserialize(self, value: Any) -> Any:
        return self._kind(() if value is None else _python({self.attr_type: value}))


_SIMPLE: dict[Any, type[Attribute[Any]]] = {
    str: UnicodeAttribute,
    int: IntegerAttribute,
    Decimal: DecimalAttribute,
    bool: BooleanAttribute,
    Any: JSONAttribute,
}
_TEXTS: dict[Any, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    datetime: (time_part, datetime.fromisoformat),  # UTC to the second, as 2023-01-15T10:22:31Z
    date: (date.isoformat, date.fromisoformat),
}


def attribute_for(hint: Any, *, null: bool = False) -> Attribute[Any]:
    """Return a new PynamoDB attribute for a type hint. With ``null`` or ``| None``, items may lack the attribute.
    Raises: ``TypeError`` for a type that DynamoDB cannot store.
    """
    if hint is float:
        raise TypeError("A float is not exact: use Decimal.")
    if NoneType in typing.get_args(hint):
        (hint,) = (option for option in typing.get_args(hint) if option is not NoneType)
        return attribute_for(hint, null=True)
    if hint in _SIMPLE:
        return _SIMPLE[hint](null=null or hint is Any)
    is_choice = isinstance(hint, type) and issubclass(hint, StrEnum)
    if texts := (str, hint) if is_choice else _TEXTS.get(hint):
        return TextAttribute(*texts, null=null)
    if (typing.get_origin(hint) or hint) in DOCUMENTS:
        return DocumentAttribute(hint, null=null)
    if is_dataclass(hint) and isinstance(hint, type):
        return EntityAttribute(hint, null=null)
    if typing.get_origin(hint) is tuple and is_dataclass(element := typing.get_args(hint)[0]):
        return EntityListAttribute(element, null=null)  # type: ignore[arg-type]
    raise TypeError(f"No DynamoDB attribute is declared for {hint!r}.")


# --- Indexes ------------------------------------------------------------------------------------------------


def _index(
    base: type[Any],
    name: str,
    partition: str,
    sort: str,
    *,
    projected: Sequence[str] | None = None,
    numeric: bool = False,
    words: str = "",
) -> Any:
    """Return an index with the key ``partition``, ``sort``, which projects ``projected`` or, by default, whole items.

    ``numeric`` tells that the sort key is a number. ``words`` say in documents what the index is for.
    """
    projection = AllProjection() if projected is None else IncludeProjection(list(projected))
    attributes = {
        "Meta": type("Meta", (), {"index_name": name, "projection": projection}),
        "partition_key": UnicodeAttribute(hash_key=True, attr_name=partition),
        "sort_key": (DecimalAttribute if numeric else UnicodeAttribute)(range_key=True, attr_name=sort),
        "words": words,
    }
    return type(f"Index {name}", (base,), attributes)()


local_index = partial(_index, LocalSecondaryIndex)
"""An LSI."""

global_index = partial(_index, GlobalSecondaryIndex)
"""A GSI. Items without its keys are not in it."""
