"""The base of every PynamoDB model: its attributes come from an entity, its keys from templates.

Every item says its kind, which its model declares, in the attribute ``kind``. All calls use the table's client.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from threading import Lock
from types import NoneType
from typing import Any, ClassVar, Self, cast

from pynamodb.attributes import Attribute, TTLAttribute, UnicodeAttribute
from pynamodb.connection.table import TableConnection
from pynamodb.models import Model

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.connection.errors import UNREADABLE, Unreadable
from dynamodb_lists.schema.attributes import KeyAttribute, attribute_for
from dynamodb_lists.schema.entities import SETS, defaults, fields, listed, stored_fields, stored_values
from dynamodb_lists.schema.entities import field as field_of
from dynamodb_lists.schema.keys import parse
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.schema.words import Words, joined

RawItem = Mapping[str, Mapping[str, Any]]
"""An item as DynamoDB sends it: ``{"rate": {"N": "120.50"}}``."""

Values = dict[str, Any]
"""An item's attributes as Python values, by their names in the model."""

KIND = "kind"
_connecting = Lock()


class _Decoded(Values):
    """The values of an item. A value that the item lacks raises :class:`Unreadable`."""

    def __missing__(self, name: str) -> Any:
        raise Unreadable(f"An item has no {name}.")


class ItemModel(Model):
    """A PynamoDB model. Its plain attributes come from the fields of its ``entity``, its keys from templates.

    ``key_templates`` are the keys of the table; keys of indexes are attributes::

        class LoanModel(LibraryItem):
            kind = "loan"
            entity = Loan
            key_templates = "READER#{reader}", "LOAN#{loan_id}"
            open_since = KeyAttribute("{lent_at:time}#{loan_id}", when=is_open)
    """

    kind: ClassVar[str] = ""
    """The name of the model's kind of item. Each model has its own; a base of several models has none."""
    all_models: ClassVar[dict[str, type["ItemModel"]]] = {}
    """All models by their kinds. Where their connections have names, these come first."""
    entity: ClassVar[type | None] = None
    key_templates: ClassVar[Sequence[str]] = ()
    """The templates of the table's key: of the partition key and, if there is one, of the sort key."""
    renames: ClassVar[dict[str, str]] = {}
    """The names of attributes whose fields have a name that models need for something else."""
    expires: ClassVar[str] = ""
    """The field with the time after which DynamoDB deletes an item."""
    item_kind: ClassVar[UnicodeAttribute]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        entity: type | None = cls.__dict__.get("entity")
        for field in stored_fields(entity) if entity else ():
            is_ttl = field.name == cls.expires
            attribute = TTLAttribute(null=True) if is_ttl else attribute_for(field.hint, null=field.sparse)
            name = cls.renames.get(field.name, field.name)
            attribute.__set_name__(cls, name)
            setattr(cls, name, attribute)
        if "kind" in cls.__dict__:
            kind = scoped(cls.kind, getattr(getattr(cls, "Meta", None), "table_name", ""))
            if not cls.kind or kind in cls.all_models:
                raise TypeError(f"{cls.__name__} needs a kind that no other model has; it has {cls.kind!r}.")
            cls.all_models[kind] = cls
            cls.item_kind = UnicodeAttribute(attr_name=KIND, default=cls.kind)  # so it is in every item that is put

    @classmethod
    def attribute(cls, name: str) -> Attribute[Any]:
        attribute: Attribute[Any] = cls.get_attributes()[name]
        return attribute

    # --- Keys -----------------------------------------------------------------------------------------------

    @classmethod
    @cache
    def key_names(cls) -> list[str]:
        """Return the attributes of the table's key: the partition key, and the sort key if there is one."""
        keys: list[Any] = [cls._hash_key_attribute(), cls._range_key_attribute()]  # type: ignore[no-untyped-call]
        return [key.attr_name for key in keys if key is not None]

    @classmethod
    def keys_in(cls, index: str) -> list[str]:
        """Return the attributes of an index key; with a blank name, of the table's key."""
        return cls.indexes()[index][0] if index else cls.key_names()

    @classmethod
    @cache
    def indexes(cls) -> dict[str, tuple[list[str], list[str] | None]]:
        """Return for each index the attributes of its key, and those that it projects beside keys; ``None`` for all."""
        schema, found = cast(Any, cls)._get_schema(), {}
        for each in (*schema["local_secondary_indexes"], *schema["global_secondary_indexes"]):
            shown: Any = [] if each["projection"]["ProjectionType"] != "ALL" else None
            key = [part["AttributeName"] for part in each["key_schema"]]
            found[each["index_name"]] = key, each["projection"].get("NonKeyAttributes", shown)
        return found

    @classmethod
    @cache
    def composed_keys(cls) -> dict[str, KeyAttribute]:
        """Return the attributes that templates compose for index keys."""
        return {name: each for name, each in cls.get_attributes().items() if isinstance(each, KeyAttribute)}

    @classmethod
    @cache
    def table_templates(cls) -> dict[str, Template]:
        """Return the templates of the table's key, by the names of the attributes in the model."""
        names: Any = cls._hash_keyname, cls._range_keyname
        return {name: Template(text) for name, text in zip(names, cls.key_templates, strict=False)}

    @classmethod
    def place_of(cls, **values: Any) -> tuple[str, str]:
        """Return the partition key and the sort key of the item with these values."""
        partition, sort_key = (template.key(values.__getitem__) for template in cls.table_templates().values())
        return partition, sort_key

    @classmethod
    def partition_of(cls, index: str = "", /, **values: Any) -> str:
        """Return the partition key of the items with these values, in an index or, without one, in the table."""
        name = cls.keys_in(index)[0]
        if name == cls.key_names()[0]:
            return next(iter(cls.table_templates().values())).key(values.__getitem__)
        attribute = cls.get_attributes()[name]
        return str(attribute.composed(values.__getitem__) if isinstance(attribute, KeyAttribute) else values[name])

    @classmethod
    def keyed(cls, **values: Any) -> Self:
        """Return an item with these values that has nothing but its key, for updates."""
        key: Any = [template.key(values.__getitem__) for template in cls.table_templates().values()]
        return cls(*key)

    @classmethod
    def key_of(cls, item: RawItem) -> tuple[str, Any]:
        """Return the partition key and the sort key of an item; the latter is ``None`` if the table has none."""
        partition, sort_key = [*(str(next(iter(item[name].values()))) for name in cls.key_names()), None][:2]
        return str(partition), sort_key

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        """Return whether an item with this key belongs to the model."""
        pairs = zip(cls.table_templates().values(), (partition, sort_key), strict=False)
        return all(template.fits(key) for template, key in pairs)

    @classmethod
    def holds(cls, item: RawItem) -> bool:
        """Return whether an item of the table belongs to the model, by its key."""
        return cls.owns(*cls.key_of(item))

    @classmethod
    def made(cls, item: RawItem) -> bool:
        """Return whether an item of any table belongs to the model, by its kind."""
        return item.get(KIND) == {"S": cls.kind}

    @classmethod
    def values_in(cls, *key: str) -> dict[str, Any]:
        """Return the values that the table's key contains, or those in the partition key alone."""
        pairs = zip(cls.table_templates().values(), key, strict=False)
        return {name: value for template, text in pairs for name, value in template.values(text).items()}

    @classmethod
    def told_names(cls) -> list[str]:
        """Return the names of the values that the table's key contains."""
        return [name for template in cls.table_templates().values() for name in template.told]

    @classmethod
    @cache
    def index_keys(cls) -> list[str]:
        """Return the attributes that are index keys alone: not of the table's key, and no fields of the entity."""
        used = {attribute for key, _ in cls.indexes().values() for attribute in key}
        stored = {field.name for field in stored_fields(cls.entity)} if cls.entity else set()
        names = dict.fromkeys(name for each in cls.__mro__ for name in vars(each))
        return [name for name in names if name in used - stored - {*cls.key_names()}]

    # --- Items ----------------------------------------------------------------------------------------------

    @classmethod
    def item(cls, entity: Any, /, **others: Any) -> Self:
        """Return the item of an entity, with the keys of all indexes that hold it.

        ``others`` are values of keys and attributes that the entity lacks.

        Raises: ``KeyPartError`` if a key cannot be composed.
        """

        def value(name: str) -> Any:
            return others[name] if name in others else getattr(entity, name)

        stored = {cls.renames.get(name, name): found for name, found in stored_values(entity).items()}
        for name, attribute in cls.composed_keys().items():
            if attribute.holds(entity):
                stored[name] = attribute.composed(value)
        attributes = cls.get_attributes()
        stored |= {name: found for name, found in others.items() if name in attributes}
        key: Any = [template.key(value) for template in cls.table_templates().values()]
        return cls(*key, **stored)

    def places(self) -> Iterator[tuple[str, list[str]]]:
        """Return the item's keys in the table (with a blank name) and in each index that holds the item, by name."""
        stored = self.serialize()
        keys = {"": self.key_names(), **{name: key for name, (key, _) in self.indexes().items()}}
        for name, attributes in keys.items():
            if stored.keys() >= set(attributes):
                yield name, [str(next(iter(stored[attribute].values()))) for attribute in attributes]

    @classmethod
    def changing(cls) -> list[str]:
        """Return the names of the attributes that an update may change: all except the table's key and the kind."""
        fixed = {*cls.key_names(), KIND}
        return [name for name, attribute in cls.get_attributes().items() if attribute.attr_name not in fixed]

    # --- The values in an item ------------------------------------------------------------------------------

    @classmethod
    def decoded(cls, item: RawItem) -> Values:
        """Return an item's attributes as Python values. Attributes of other names are left out.

        Every item that is read passes here. No model object is built: for 100 items, that takes longer than the Query.

        Raises: ``Unreadable`` if a value is not as declared.
        """
        values: Values = _Decoded()
        try:
            for attribute, (name, kind, read) in _decoders(cls).items():
                if attribute in item:
                    values[name] = read(item[attribute][kind])
        except UNREADABLE as error:
            place = " ".join(text for each in cls.key_names() for text in item.get(each, {}).values())
            found = next(iter(item[attribute].values()), "")
            raise Unreadable(f"The {cls.kind} {place} cannot be read: {attribute} is {found!r:.80}.") from error
        return values

    @classmethod
    def unread(cls, item: RawItem) -> dict[str, str]:
        """Return the attributes of an item that cannot be read, each with its name in the model."""
        found = {}
        for attribute, (name, kind, read) in _decoders(cls).items():
            try:
                if attribute in item:
                    read(item[attribute][kind])
            except UNREADABLE:
                found[attribute] = name
        return found

    @classmethod
    def built(cls, values: dict[str, Any], /, **others: Any) -> Any:
        """Return the entity of decoded values and of ``others``. Keys give the fields that no attribute has."""
        for name, template, told in _telling(cls):
            if name in values and told.difference(values, others):
                for field, value in template.values(values[name]).items():
                    if field in told and field not in values:
                        kind = field_of(cls.entity, field).type
                        values = {**values, field: kind(value) if isinstance(value, str) else value}
        found = {}
        for name, attribute, absent in _read_of(cls):
            if attribute in values or name in values:
                found[name] = values[attribute if attribute in values else name]
            elif absent:
                found[name] = absent()
        try:
            return cast(Any, cls.entity)(**{**found, **others})
        except UNREADABLE as error:
            raise Unreadable(f"The values of a {cls.kind} are not as declared: {error}") from error

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        """Return the entity of an item. Raises: ``KeyError`` if the item lacks a field without a default."""
        values, usual = cls.decoded(item), {**defaults(cls.entity), **_absent(cls.entity)}
        for field in stored_fields(cls.entity):
            if cls.renames.get(field.name, field.name) not in values and usual[field.name] is MISSING:
                raise KeyError(field.name)
        return cls.built(values, **others)

    @classmethod
    @cache
    def shown_in(cls, index: str) -> list[str]:
        """Return the attributes that a list reads from an index: those that lists show, without the table's key."""
        key, projected = cls.indexes()[index] if index else ([], None)
        told = cls.told_names()
        has = listed(cls.entity) if projected is None else {*projected, *key}
        return [name for name in listed(cls.entity) if name not in told and name in has]

    @classmethod
    def connection(cls) -> TableConnection:
        shared: Any = client(cls.Meta.table_name)
        connection = cls._connection
        if connection is None or connection.connection._client is not shared:
            # Under a lock: a connection without its client would create its own, for another endpoint.
            with _connecting:
                connection = super()._get_connection()
                connection.connection._client = shared
        return connection

    _get_connection = connection  # the name by which PynamoDB asks for it


# --- Word items -----------------------------------------------------------------------------------------------


class WordModel(ItemModel):
    """The base of the models of word items; see :mod:`~dynamodb_lists.schema.words`.

    An item has a term of an entity, and all words of the entity, which a filter compares with several typed words.

    Subclasses name their keys, whose templates have the ``initials`` and the ``text`` of a term and the ``id`` of the
    entity, and add the fields that lists show, so that a list is read from the word items alone. Their :meth:`of` gives
    the :meth:`repeated` items of an entity.
    """

    words = UnicodeAttribute()
    other_words = UnicodeAttribute()

    @staticmethod
    def id_in(sort_key: str) -> str:
        """Return the id of the entity in the sort key of a word item."""
        return parse(sort_key)[1]

    @classmethod
    def of(cls, entity: Any) -> Sequence[Self]:
        """Return the word items of an entity."""
        raise NotImplementedError

    @classmethod
    def repeated(cls, entity_id: str, words: Words, **shown: str) -> list[Self]:
        """Return the word items of an entity, each with the fields that lists show."""
        shared: dict[str, Any] = {"words": joined(words.name), "other_words": joined(words.others), **shown}
        return [cls(*cls.place_of(id=entity_id, **term._asdict()), **shared) for term in sorted(words.terms())]


# --- What follows from a model -------------------------------------------------------------------------------


@cache
def _decoders(model: type[ItemModel]) -> dict[str, tuple[str, str, Callable[[Any], Any]]]:
    """Return for each attribute, by its name in the item, its name in the model, its type and its reader."""
    return {
        attribute.attr_name: (name, attribute.attr_type, attribute.deserialize)
        for name, attribute in model.get_attributes().items()
        if attribute.attr_name != KIND
    }


@cache
def _read_of(model: type[ItemModel]) -> list[tuple[str, str, Callable[[], Any] | None]]:
    """Return each field, the attribute of the field, and a function for the value that DynamoDB does not store."""
    absent, entity = _absent(model.entity), cast(Any, model.entity)
    return [(each.name, model.renames.get(each.name, each.name), absent.get(each.name)) for each in fields(entity)]


@cache
def _absent(entity: Any) -> dict[str, Callable[[], Any]]:
    """Return the values of fields that DynamoDB does not store: an empty set, and no value."""
    found = {each.name: NoneType if each.may_be_none else each.type for each in fields(entity) if not each.sparse}
    return {name: make for name, make in found.items() if make in (NoneType, *SETS)}


@cache
def _telling(model: type[ItemModel]) -> list[tuple[str, Template, frozenset[str]]]:
    """Return the keys that tell fields of the entity: those of the table, and of indexes for fields without attribute.

    Each key has its name in the model and its fields. The keys that tell the most fields come first.
    """
    known = {field.name: field.stored for field in fields(cast(Any, model.entity))}
    found = {**model.table_templates()}
    told = {name for name, stored in known.items() if stored} | {name for each in found.values() for name in each.told}
    for name, attribute in model.composed_keys().items():
        if not attribute.number and {*attribute.template.told} & known.keys() - told:
            found[name] = attribute.template
    telling = [(name, template, frozenset(known.keys() & template.told)) for name, template in found.items()]
    return sorted((each for each in telling if each[2]), key=lambda each: -len(each[2]))
