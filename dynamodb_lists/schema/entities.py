"""Describe the fields of an entity once; items, indexes, files, labels and forms follow from the description.

An entity is a frozen dataclass whose fields are annotated with :class:`Field`::

    @dataclass(frozen=True, slots=True)
    class Book:
        number: Annotated[str, Field("Number")]
        title: Annotated[str, Field("Title", blank=True)] = ""
"""

import json
import re
import typing
from base64 import b64encode
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass, replace
from dataclasses import field as declared
from dataclasses import fields as dataclass_fields
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, TypeVar

from dynamodb_lists.connection.errors import UNREADABLE, Unreadable
from dynamodb_lists.schema.keys import time_part

T = TypeVar("T")
SAME = ""
BETWEEN_WORDS = re.compile(r"_|(?<=[a-z\d])(?=[A-Z])")
"""What stands between the words of a name, such as ``placed_at`` and ``PlacedAt``."""


SETS = (set, frozenset)
DOCUMENTS = (list, dict, *SETS)
"""The types of lists, maps and sets. A field of the type ``Any`` is whatever JSON has."""


@dataclass(frozen=True, slots=True)
class Field:
    """The description of a field: how it is labelled, stored, listed, written to files and compared."""

    label: str
    """What forms, tables and lists of changes call the field."""
    column: str | None = SAME
    """Name of the column in files; by default the field's own name. ``None``: the field is not in files."""
    stored: bool = True
    """Whether the field is an attribute of the item. If not, the item's keys hold it."""
    listed: bool = True
    """Whether lists show the field, so that indexes hold it and lists ask for it."""
    compared: bool = True
    """Whether a different value in this field makes two entities different, as an editor sees it."""
    entered: bool = True
    """Whether people enter the field in forms."""
    computed: bool = False
    """Whether the program keeps the field, computed or entered on its pages. Exports have it, imports do not."""
    sparse: bool = False
    """Whether the item leaves the attribute out while it has its default value. So lists of usual items are smaller."""
    optional: bool = False
    """Whether imports may leave the column out, which leaves the stored value as it is. Exports have it."""
    blank: bool = False
    """Whether people may leave the field blank."""
    recorded: bool | None = None
    """Whether the history records changes of the field; by default, if it is compared."""
    order: str = ""
    """The order of the values in keys, if it is another than that of their type.

    ``natural`` texts sort as people count: 9 before 10. ``slug``: a blank text sorts, and is counted, as
    "unspecified". ``last``: no value sorts after all days and numbers.
    """
    unit: str = ""
    """The field with the unit of a number, such as its currency: numbers are sorted, and have ranges, within a unit."""
    stored_as: str = ""
    """The name of the attribute that has the value, if that is not the field's own: that of a renamed field stays."""
    words: Callable[[Any], str] | None = None
    """How pages write a value in lists of changes; by default as its type says."""
    # The rest is filled in by :func:`fields`: the field's name, its hint, and its type without ``None``.
    name: str = ""
    hint: Any = None
    type: Any = None
    may_be_none: bool = False
    numeric: bool = False


_KEPT = Field("Revision", column=None, listed=False, compared=False, entered=False)
"""A field that the program keeps beside what people know of an entity."""


class PartRevision(int):
    """The revision of a row that lacks fields. A save of such a row leaves the lacking fields as they are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The base of an entity whose changes are counted. A subclass is a frozen dataclass with ``kw_only=True``.

    Every write raises the ``revision``. A change is refused if the stored revision is not the one that was read.
    """

    revision: Annotated[int, replace(_KEPT, listed=True)] = declared(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedRecord(Record):
    """The base of an entity that also has the time when it was added (UTC, to the second), and the author.

    Pages leave these fields and the ``revision`` out. There the revision is 0, and such an entity cannot be changed.
    """

    added_at: Annotated[datetime | None, replace(_KEPT, label="Added")] = declared(default=None, compare=False)
    added_by: Annotated[str, replace(_KEPT, label="Added by")] = declared(default="", compare=False)
    revision: Annotated[int, _KEPT] = 0


@cache
def fields(entity: Hashable) -> tuple[Field, ...]:
    """Return the described fields of an entity, in the order of their declaration.

    A field of a :class:`Record` need not have a :class:`Field`; then its label is its name.
    """
    found = []
    for name, hint in typing.get_type_hints(entity, include_extras=True).items():
        described = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Field)]
        if described:
            found.append(_named(described[0], name, hint.__origin__))
        elif issubclass(entity, Record):  # type: ignore[arg-type]
            found.append(_named(Field(BETWEEN_WORDS.sub(" ", name).capitalize()), name, hint))
    return tuple(found)


def _named(field: Field, name: str, hint: Any) -> Field:
    """Return a field with its name, its type hint, and the defaults that follow from other settings."""
    types = [option for option in typing.get_args(hint) if option is not NoneType]
    may_be_none = NoneType in typing.get_args(hint) or hint is Any
    plain = types[0] if NoneType in typing.get_args(hint) else hint
    plain = origin if (origin := typing.get_origin(plain)) in DOCUMENTS else plain
    return replace(
        field,
        name=name,
        column=field.column if field.column != SAME else None if plain is Any else name,
        hint=hint,
        type=plain,
        may_be_none=may_be_none,
        numeric=plain in {int, Decimal},
        recorded=field.compared if field.recorded is None else field.recorded,
    )


@cache
def by_name(entity: Any) -> Mapping[str, Field]:
    """Return the fields of an entity by their names."""
    return {each.name: each for each in fields(entity)}


@cache
def field(entity: Any, name: str) -> Field:
    """Return a described field of an entity. Raises :class:`KeyError` if there is none."""
    return by_name(entity)[name]


@cache
def defaults(entity: Any) -> dict[str, Any]:
    """Return the default value of each field; ``MISSING`` for a field without a default."""
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in dataclass_fields(entity)
    }


@cache
def stored_fields(entity: Any) -> tuple[Field, ...]:
    """Return the fields that are attributes of the item, in the order in which the entity declares them."""
    return tuple(field for field in fields(entity) if field.stored)


def entered(entity: type) -> list[str]:
    """Return the names of the fields that people enter in forms."""
    return [field.name for field in fields(entity) if field.entered]


@cache
def listed(entity: Any) -> tuple[str, ...]:
    """Return the attributes that lists show, and so the ones that indexes project."""
    return tuple(field.name for field in fields(entity) if field.stored and field.listed)


@cache
def unlisted(entity: Any) -> frozenset[str]:
    """Return the attributes that lists do not show."""
    return frozenset(field.name for field in stored_fields(entity) if not field.listed)


def lists_lack(entity: type) -> bool:
    """Return whether exports have a column that lists lack."""
    return any(field.column and not field.listed for field in fields(entity))


def columns(entity: type, *, computed: bool = True) -> tuple[str, ...]:
    """Return the columns of exports; with ``computed=False``, the columns that an import must have."""
    return tuple(field.column for field in _in_files(entity, computed) if field.column)


def cells(value: Any, *, computed: bool = True) -> tuple[Any, ...]:
    """Return the values of an entity for its :func:`columns`."""
    entity: type = type(value)
    return tuple(getattr(value, field.name) for field in _in_files(entity, computed))


def _in_files(entity: type, computed: bool) -> list[Field]:
    return [field for field in fields(entity) if field.column and (computed or not (field.computed or field.optional))]


def computed(entity: type) -> list[str]:
    """Return the names of the fields that the program computes, and that imports leave alone."""
    return [field.name for field in fields(entity) if field.computed]


def with_optional(row: T, stored: Any) -> T:
    """Return a row of a file with the stored values of optional fields that are blank in the file."""
    blank = defaults(stored.__class__)
    names = [field.name for field in fields(stored.__class__) if field.optional]
    kept = {name: getattr(stored, name) for name in names if getattr(row, name) == blank[name]}
    return replace(row, **kept)  # type: ignore[type-var]


def with_unread(row: T, stored: Any) -> T:
    """Return a row of a list with the stored values of fields that lists do not show, unless the row sets them."""
    revision: Any = row.revision  # type: ignore[attr-defined]
    if stored is None or not isinstance(revision, PartRevision):
        return row
    usual = defaults(stored.__class__)
    lacks = (name for name in unlisted(stored.__class__) if getattr(row, name) == usual[name])
    return replace(row, **{name: getattr(stored, name) for name in lacks})  # type: ignore[type-var]


def build(entity: Callable[..., T], values: Mapping[str, Any], **others: Any) -> T:
    """Return an entity with these values, and with ``others``. Fields without a value get their defaults.

    Raises: ``Unreadable`` if a value is missing or is not one of the entity's.
    """
    chosen = {field.name: values[field.name] for field in fields(entity) if field.name in values}
    try:
        return entity(**{**chosen, **others})
    except UNREADABLE as error:
        raise Unreadable(f"The values of a {entity} are not as declared: {error}") from error


def stored_values(value: Any) -> dict[str, Any]:
    """Return the values of an entity that its item stores, by name; sparse fields with their default are left out."""
    usual, values = defaults(value.__class__), {}
    for field in stored_fields(value.__class__):
        found = getattr(value, field.name)
        if not (field.sparse and found == usual[field.name]):
            values[field.name] = found
    return values


def differences(first: Any, second: Any) -> list[Field]:
    """Return the compared fields in which two entities differ."""
    compared = (field for field in fields(first.__class__) if field.compared)
    return [field for field in compared if getattr(first, field.name) != getattr(second, field.name)]


def same(first: Any, second: Any) -> bool:
    """Return whether two entities of a kind have equal values in all fields that are compared."""
    return not differences(first, second)


def text(value: Any) -> str:
    """Return a value as a text of a file. Times are UTC; ``None`` is a blank."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return f"{value:f}"  # never 1E+3
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, DOCUMENTS):
        return as_json(value)
    return time_part(value) if isinstance(value, datetime) else str(value)


def as_json(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON with sorted keys. A number that a float would round is a text; bytes are base64."""
    return json.dumps(value, default=_plain, ensure_ascii=False, sort_keys=True, indent=indent)


def _plain(value: Any) -> Any:
    """Return a value that JSON lacks, such as a ``Decimal`` or a set, as one that JSON has."""
    if isinstance(value, Decimal):
        exact = int(value) if value == value.to_integral_value() else float(value)
        return exact if Decimal(repr(exact)) == value else str(value)
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else b64encode(bytes(value)).decode()


def read(kind: Any, written: str) -> Any:
    """Return the value of a type in a text of a file. A time without a zone is UTC.

    Raises: ``ValueError``, ``KeyError`` or ``ArithmeticError`` if the text is no such value.
    """
    return _READ.get(kind, kind)(written)


def _moment(written: str) -> datetime:
    found = datetime.fromisoformat(written)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _decimal(written: str) -> Decimal:
    """Return the number in digits. Python's own reader would accept ``1_000`` and ``1e9``, too."""
    if not _NUMBER.fullmatch(written):
        raise ValueError(written)
    return Decimal(written)


def _whole(written: str) -> int:
    """Return a whole number. It may be written 1965.0, as spreadsheets do in a column with blanks."""
    number = _decimal(written)
    if number != number.to_integral_value():
        raise ValueError(written)
    return int(number)


def _json(kind: Any, written: str) -> Any:
    found = json.loads(written, parse_float=Decimal)
    if isinstance(found, dict) != (kind is dict) or not isinstance(found, list | dict):
        raise ValueError(written)
    return kind(found)


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_READ: dict[Any, Callable[[str], Any]] = {
    bool: lambda written: _BOOLEANS[written.lower()],
    date: date.fromisoformat,
    datetime: _moment,
    Decimal: _decimal,
    int: _whole,
    bytes: bytes.fromhex,
    float: float,
    **{kind: partial(_json, kind) for kind in DOCUMENTS},
}
