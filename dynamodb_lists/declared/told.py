"""Lists over tables that exist already: a declaration says how the keys are spelt, and everything else follows.

::

    TABLE = Table("shop", key=("PK", "SK"), indexes={"GSI1": ("GSI1PK", "GSI1SK")})

    ORDERS = List(
        Order,
        table=TABLE,
        key=("USER#{username}", "ORDER#{placed_at}#{order_id}"),
        keys={"GSI1PK": "STATUS#{status}", "GSI1SK": "{placed_at}#{order_id}"},
    )

A field is an attribute of the same name; what no attribute has, the keys tell. An attribute of a key that is a field
needs no template. What an index leaves out is said as data, ``when``: alternatives, each with the values of fields.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any

from boto3.dynamodb.types import TypeDeserializer

from dynamodb_lists.connection.configuration import Connection, full_name
from dynamodb_lists.connection.errors import UNREADABLE, WrongDeclaration
from dynamodb_lists.declared.asked import ListQuery
from dynamodb_lists.declared.declaration import Declaration, key_text
from dynamodb_lists.planning.selection import FacetCounts, drill_down
from dynamodb_lists.planning.sources import Known, Question, Source, SourceKey, values_of
from dynamodb_lists.schema import values
from dynamodb_lists.schema.conditions import GIVEN, Between, BetweenOf, both, holds
from dynamodb_lists.schema.entities import Field, defaults, fields, read
from dynamodb_lists.schema.models import ItemModel, RawItem
from dynamodb_lists.schema.templates import EPOCH, Template

When = Mapping[str, Any]
MILLISECONDS = Decimal(10) ** 11
"""A number of a time that is larger counts milliseconds: as seconds, it would lie after the year 5000."""
_python: Callable[[Any], Any] = TypeDeserializer().deserialize


@dataclass(frozen=True)
class Key:
    """The template of an attribute of a key. ``when`` are alternatives, each with values of fields: an item that meets
    none lacks the attribute.
    """

    template: str
    when: Sequence[When] = ()


@dataclass(frozen=True)
class Index:
    """An index of a :class:`Table`: ``partition`` and ``sort`` are the attributes of its key.

    ``shows`` are the attributes that it has beside keys; ``None`` means all. ``when`` are alternatives, each with
    values of fields: an item that meets none is not in the index.
    """

    partition: str
    sort: str = ""
    shows: Sequence[str] | None = None
    when: Sequence[When] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """The attributes of the key."""
        return (self.partition, self.sort) if self.sort else (self.partition,)


class Table:
    """A table that exists. Several lists may lie in one table.

    ``key`` has the attributes of its key, ``indexes`` those of each index, or an :class:`Index`. ``numbers`` and
    ``binaries`` are the attributes of keys that DynamoDB holds as numbers or as bytes.
    """

    def __init__(
        self,
        name: str,
        *,
        key: Sequence[str],
        indexes: Mapping[str, Index | Sequence[str]] | None = None,
        numbers: Iterable[str] = (),
        binaries: Iterable[str] = (),
    ) -> None:
        self.name, self.key, self.numbers, self.binaries = name, names(key), frozenset(numbers), frozenset(binaries)
        self._name = name
        self.indexes = dict[str, Index]()
        for each, index in (indexes or {}).items():
            key = index.key if isinstance(index, Index) else names(index)
            if len(key) not in {1, 2}:
                said = f"The index {each} of {name} has the key {index!r}: a key has one or two attributes."
                raise WrongDeclaration(said)
            self.indexes[each] = index if isinstance(index, Index) else Index(key[0], "".join(key[1:]))
        self.lists: list[Told] = []
        """What lies in the table, as lists declare it."""
        self._bound: dict[Connection, Table] = {}

    @property
    def key_attributes(self) -> list[str]:
        """The attributes of the keys of the table and of its indexes, those of the table first."""
        return [*dict.fromkeys([*self.key, *(name for index in self.indexes.values() for name in index.key)])]

    def at(self, connection: Connection) -> "Table":
        """Return the table at a connection: this one for the first connection, copies for others."""
        if connection not in self._bound:
            table = self._bound[connection] = copy(self) if self._bound else self
            table.name, table.lists = full_name(self._name, connection), []
        return self._bound[connection]

    def having(self, indexes: Mapping[str, Index]) -> "Table":
        """Return the same table with other indexes."""
        other = copy(self)
        other.indexes = {**indexes}
        return other


@dataclass(frozen=True)
class Misfit:
    """An item that has a key of the list, and is no valid entity. ``reason`` says why."""

    item: RawItem = field(repr=False)
    reason: str = ""


@dataclass(frozen=True)
class Told(Declaration):
    """The declaration of a list in a table that exists.

    ``marks`` are values of attributes that tell its items from others: ``GIVEN`` is any value, ``None`` is no value.

    Raises: :class:`WrongDeclaration`.
    """

    of: Table = field(default_factory=lambda: Table("", key=("pk",)))
    key: tuple[str, ...] = ()
    keys: Mapping[str, Key] = field(default_factory=dict)
    marks: Mapping[str, Any] = field(default_factory=dict)
    writes: bool = False
    """Whether fields of items may be changed."""
    entry_bytes: float = 500
    """About how many bytes an item has in an index."""
    revision: str = ""
    """The attribute that counts the changes of an item, if the table has one."""
    shape_model: Any = None
    """The model of the item that says what the table has of the list; none of a table that others create and fill."""
    counted_by: type[ItemModel] | None = None
    """What counts its items, if anything does: a model whose key has an owner, and then the facets."""

    def __post_init__(self) -> None:
        if len(self.key) != len(self.of.key):
            own = " and ".join(self.of.key)
            raise WrongDeclaration(f"{self.title}: the key of {self.of.name} is {own}: key= has a template for each.")
        known = {each for index in self.of.indexes.values() for each in index.key}
        if unknown := sorted(self.keys.keys() - known):
            raise WrongDeclaration(f"{self.title} spell the key {unknown[0]!r}, which no index of {self.of.name} has.")
        named = {name for key in self.keys.values() for alternative in key.when for name in alternative}
        if wrong := sorted({self.id_field, *named} - {*self.types, ""}):
            raise WrongDeclaration(f"{self.title} name {wrong[0]!r}, which is no field of {self.entity.__name__}.")
        self.sources  # noqa: B018 (a template that is none is an error now)
        for other in self.of.lists:
            if example := shared_key(self, other):
                raise WrongDeclaration(
                    f"{self.title} and {other.name} both have the key {' and '.join(example)}. Tell them apart by a "
                    "text in a template, or by an attribute: marks={...}."
                )
        self.of.lists.append(self)

    @cached_property
    def own_fields(self) -> tuple[Field, ...]:
        """The fields of the entity that items have: without the ``revision``, unless an attribute counts changes."""
        return tuple(each for each in fields(self.entity) if each.name != "revision")

    @cached_property
    def types(self) -> dict[str, Any]:
        return {each.name: each.type for each in self.own_fields}

    @property
    def key_types(self) -> dict[str, Any]:
        return self.types

    @property
    def ranged(self) -> tuple[str, ...]:
        """All fields whose values have an order."""
        return tuple(name for name, kind in self.types.items() if not issubclass(kind, list | dict | set | frozenset))

    @cached_property
    def known(self) -> dict[str, Known]:
        """For each field, its type and the value that stands for a missing attribute."""
        unique = self.id_field
        return {each.name: Known(each.type, self._absent(each), each.name == unique) for each in self.own_fields}

    def _absent(self, described: Field) -> frozenset[Any]:
        default = defaults(self.entity)[described.name]
        usual = [] if default is MISSING or isinstance(default, list | dict | set) else [default]
        return frozenset([*usual, None] if described.may_be_none else usual)

    @cached_property
    def spelt(self) -> dict[str, SourceKey]:
        """Return the template of each attribute of a key, or the field of the same name."""
        texts = {name: f"{{{name}}}" for index in self.of.indexes.values() for name in index.key if name in self.types}
        texts |= {name: key.template for name, key in self.keys.items()}
        texts |= zip(self.of.key, self.key, strict=True)
        return {name: self._spelt(name, text) for name, text in texts.items()}

    def _spelt(self, name: str, text: str) -> SourceKey:
        numeric, binary = name in self.of.numbers, name in self.of.binaries
        template = Template(text, self.key_types, numeric=numeric)
        if binary and [self.types[each] for each in template.names] != [bytes]:
            raise WrongDeclaration(f"{self.title}: {name} holds bytes, so its template is a field of bytes alone.")
        return SourceKey(name, template, numeric, binary)

    @cached_property
    def own_keys(self) -> tuple[SourceKey, ...]:
        return tuple(map(self.spelt.__getitem__, self.of.key))

    @property
    def templates(self) -> list[Template]:
        return [key.template for key in self.own_keys]

    @property
    def fixed(self) -> frozenset[str]:
        """The fields that never change: fields of the table's key, and the field that counts changes."""
        return frozenset([*(name for template in self.templates for name in template.names), self.revision])

    @cached_property
    def needed(self) -> frozenset[str]:
        """The fields without which an item does not belong to the list."""
        usual = defaults(self.entity)
        return frozenset(each.name for each in self.own_fields if usual[each.name] is MISSING and not each.may_be_none)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The table and its indexes, whose keys are declared."""
        found = [Source("", self.own_keys[0], next(iter(self.own_keys[1:]), None))]
        for name, index in self.of.indexes.items():
            if {*index.key} <= self.spelt.keys() and {name for when in index.when for name in when} <= {*self.types}:
                whens = [index.when, *(self.keys[each].when for each in index.key if each in self.keys)]
                own = self.spelt[index.partition], self.spelt[index.sort] if index.sort else None
                lacks = self._lacks(index)
                found.append(Source(name, *own, alternatives(*whens), lacks, whole=index.shows is None))
        return tuple(found)  # other indexes are of other lists

    @cached_property
    def rows_show(self) -> frozenset[str]:
        """The fields that rows have, the one that counts changes, and the marks by which rows are known."""
        return frozenset([*self.types, *self.marks, *filter(None, [self.revision])])

    def _lacks(self, index: Index) -> frozenset[str]:
        """Return what an index does not project of fields, of marks, and of what counts changes."""
        if index.shows is None:
            return frozenset()
        told = {name for template in self.templates for name in template.told}
        has = {"", *index.shows, *self.of.key, *index.key, *told}
        return frozenset({*self.types, *self.marks, self.revision} - has)

    def checked(self, name: str, value: Any) -> Any:
        """Return a value as it is stored. Times keep fractions of a second, and numbers may have 38 digits."""
        found = values.checked(self.field(name), value, digits=False)
        return value if isinstance(found, datetime) else found

    def question(self, query: ListQuery) -> Question:
        only = query.only or ("" if query.consistent else None)
        shown = self.rows_show if only is None else self.marks  # who names an index takes rows as it has them
        return Question(query.conditions, query.sort, query.descending, only, shown)

    def choices(self, query: ListQuery, counts: Any) -> dict[str, dict[Any, int]]:
        existing = FacetCounts(self.facets, {combination: number for combination, number in counts.items() if number})
        return drill_down(existing, query.conditions)

    # --- Items --------------------------------------------------------------------------------------------

    def owns(self, item: RawItem) -> bool:
        """Return whether an item belongs to the list, by the texts of its key and by its marks."""
        for name, mark in self.marks.items():
            typed = item.get(name)
            if (typed is None) != (mark is None) or (typed and mark is not GIVEN and _python(typed) != mark):
                return False
        return super().owns(item)

    def lacks(self, source: Source, more: Collection[str]) -> bool:
        """Return whether a source lacks one of the fields that rows need."""
        shows = self.of.indexes[source.name].shows if source.name else None
        return shows is not None and not {*more} <= {*shows}

    def attributes_in(self, source: Source, more: Iterable[str] = ()) -> list[str]:
        """Return the attributes to read from a source, with those of the fields ``more`` that it has; empty for all."""
        return []

    def built(self, item: RawItem, source: Source | None = None) -> Any:
        """Return the entity of an item of a source; a :class:`Misfit` if it is none."""
        told = dict[str, Any]()
        try:
            for key in self.own_keys:
                told |= key.template.values(key_text(item[key.name]))
            values = {each.name: self._value(each, item, told) for each in self.own_fields}
            if self.revision in item:
                values["revision"] = _read(self.revision, int, item[self.revision])
            found = self.entity(**{name: value for name, value in values.items() if value is not MISSING})
            if all(_python(typed) == _python(item[name]) for name, typed in self.place(vars_of(found)).items()):
                return found  # 5.50 is the number 5.5
            return Misfit(item, "its key has other values than its attributes")
        except UNREADABLE as error:
            return Misfit(item, str(error))

    def _value(self, described: Field, item: RawItem, told: Mapping[str, Any]) -> Any:
        """Return the value of a field: from its attribute, else from the key, else its default."""
        name = described.name
        if name in item and not item[name].get("NULL"):
            return _read(name, described.type, item[name])
        if told.get(name) is not None and not (told[name] == "" and described.may_be_none):
            return told[name]
        if name in self.needed:
            raise ValueError(f"it has no {name}")
        return None if defaults(self.entity)[name] is MISSING else MISSING

    def agrees(self, query: ListQuery, entity: Any, lacks: Collection[str] = ()) -> bool:
        return self.meets(query, vars_of(entity))

    def meets(self, query: ListQuery, values: Mapping[str, Any]) -> bool:
        """Return whether values of fields meet all conditions of a query on these fields."""
        for name, condition in query.conditions.items():
            own = condition.of(values.get) if isinstance(condition, BetweenOf) else condition
            if name in values and not holds(own, values[name]):
                return False
        return True

    def told_in(self, source: Source, entry: RawItem) -> dict[str, Any]:
        """Return the values of fields that an index entry contains; empty if the entry is not as declared."""
        try:
            told = [key.template.values(key.text(entry)) for key in (*self.own_keys, *source.keys)]
            known = {name: value for each in told for name, value in each.items() if name in self.types and value != ""}
            return {**known, **self._attributes(entry)}
        except UNREADABLE:
            return {}

    def _attributes(self, entry: RawItem) -> Mapping[str, Any]:
        given = [each for each in self.own_fields if each.name in entry and not entry[each.name].get("NULL")]
        return {each.name: value_of(each.type, entry[each.name]) for each in given}


def names(given: Sequence[str]) -> tuple[str, ...]:
    """Return one name, or several, as a tuple."""
    return (given,) if isinstance(given, str) else tuple(given)


def shared_key(one: Any, other: Any) -> list[str]:
    """Return a key that items of two kinds may both have; a blank if their templates or ``marks`` tell them apart."""
    for name in one.marks.keys() & other.marks.keys():
        pair = one.marks[name], other.marks[name]
        if pair[0] != pair[1] and (None in pair or GIVEN not in pair):
            return []
    found = [mine.overlap(theirs) for mine, theirs in zip(one.templates, other.templates, strict=True)]
    return [] if None in found else [*filter(None, found)]


def vars_of(entity: Any) -> dict[str, Any]:
    """Return the values of an entity by the names of its fields."""
    return {each.name: getattr(entity, each.name) for each in fields(entity.__class__)}


def _read(name: str, kind: Any, typed: Mapping[str, Any]) -> Any:
    try:
        return value_of(kind, typed)
    except UNREADABLE as error:
        known = ", ".join(str(each.value) for each in values_of(kind) if isinstance(each, Enum))
        reason = f"none of {known}" if known else f"not of type {kind.__name__}"
        raise ValueError(f"{name} is {reason}") from error


def value_of(kind: Any, typed: Mapping[str, Any]) -> Any:
    """Return a value of DynamoDB as a field of this type has it. Raises: one of :data:`UNREADABLE`."""
    found = _python(typed)
    if issubclass(kind, datetime):
        return _moment(found)
    if issubclass(kind, date):
        return date.fromisoformat(found[:10])
    if issubclass(kind, Enum):
        return kind(int(found) if isinstance(found, Decimal) else found)
    if issubclass(kind, int | Decimal | float) and kind is not bool:
        number = Decimal(str(found))
        if kind is int and number != int(number):
            raise ValueError(f"{number} is no whole number")
        return kind(number)
    if issubclass(kind, bytes) or (issubclass(kind, str) and isinstance(found, str | Decimal)):
        return kind(found)
    if not isinstance(found, kind):
        raise ValueError(f"{found!r} is no {kind.__name__}")
    return found


def _moment(found: Any) -> datetime:
    """Return a time from a text, or from its seconds or milliseconds since 1970."""
    if isinstance(found, Decimal):
        return EPOCH + timedelta(microseconds=int(found * (1000 if abs(found) >= MILLISECONDS else 1_000_000)))
    moment: datetime = read(datetime, found)
    return moment


def alternatives(*rules: Sequence[When]) -> tuple[When, ...]:
    """Return the alternatives that meet each of several rules; each alternative has a condition for each field."""
    given, found = [*filter(None, rules)], []
    for case in product(*given) if given else ():
        merged = dict[str, Any]()
        for name, value in (pair for alternative in case for pair in alternative.items()):
            several = value if isinstance(value, set | frozenset | list | tuple) else [value]
            wanted = value if value is GIVEN or isinstance(value, Between) else frozenset(several)
            merged[name] = both(merged[name], wanted) if name in merged else wanted
        found.append(merged)
    return tuple(found)
