"""The base of every PynamoDB model: its attributes come from an entity, its calls go through the shared client.

Every item says its kind, which its model declares, in the attribute ``kind``.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING
from dataclasses import fields as dataclass_fields
from functools import cache
from threading import Lock
from typing import Any, ClassVar, NamedTuple

from pynamodb.attributes import Attribute, UnicodeAttribute
from pynamodb.connection.table import TableConnection
from pynamodb.expressions.update import Action

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import UNREADABLE, Unreadable
from dynamodb_lists.schema.attributes import attribute_for
from dynamodb_lists.schema.entities import stored_fields
from dynamodb_lists.schema.keyed_models import KeyedModel

RawItem = Mapping[str, Mapping[str, Any]]
"""An item as DynamoDB sends it: ``{"rate": {"N": "120.50"}}``."""

Values = dict[str, Any]
"""An item's attributes as Python values, by their names in the model."""

KIND = "kind"
_connecting = Lock()
_models: dict[str, type["ItemModel"]] = {}


def kinds() -> set[str]:
    return {*_models}


class _Decoded(Values):
    """The values of an item. Code that asks for one that is missing gets :class:`Unreadable`."""

    def __missing__(self, name: str) -> Any:
        raise Unreadable(f"An item has no {name}.")


class Decoder(NamedTuple):
    """How an attribute is read: its name in the model, its DynamoDB type, and the function for its value."""

    name: str
    type: str
    value: Callable[[Any], Any]


class ItemModel(KeyedModel):
    """A PynamoDB model whose plain attributes come from the ``entity`` that it names, if it names one."""

    kind: ClassVar[str] = ""
    """The name of the model's kind of item. Each model has its own; a base of several models has none."""
    item_kind: ClassVar[UnicodeAttribute]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        entity: type | None = cls.__dict__.get("entity")
        for field in stored_fields(entity) if entity else ():
            attribute = attribute_for(field.hint, null=field.sparse)
            name = cls.renames.get(field.name, field.name)
            attribute.__set_name__(cls, name)
            setattr(cls, name, attribute)
        if "kind" in cls.__dict__:
            cls._register()

    @classmethod
    def _register(cls) -> None:
        """Add the attribute for the kind, whose default is in every item that is put."""
        if not cls.kind or cls.kind in _models:
            raise TypeError(f"{cls.__name__} needs a kind that no other model has; it has {cls.kind!r}.")
        _models[cls.kind] = cls
        cls.item_kind = UnicodeAttribute(attr_name=KIND, default=cls.kind)

    @classmethod
    def index_keys(cls) -> list[str]:
        """The attributes that are keys of indexes and nothing else: no key of the table, and no field of the entity."""
        used = {attribute for attributes in cls._index_attributes().values() for attribute in attributes}
        fields = {field.name for field in stored_fields(cls.entity)} if cls.entity else set()
        return [name for name in vars(cls) if name in used - fields - {*cls.key_names()}]

    @classmethod
    def _index_attributes(cls) -> dict[str, list[str]]:
        """The key attributes of each index."""
        schema: Any = cls._get_schema()
        indexes = [*schema["local_secondary_indexes"], *schema["global_secondary_indexes"]]
        return {index["index_name"]: [part["AttributeName"] for part in index["key_schema"]] for index in indexes}

    def places(self) -> Iterator[tuple[str, list[str]]]:
        """The item's keys in the table, whose name is blank, and in each index that holds the item, by their names."""
        stored = self.serialize()
        for name, attributes in {"": self.key_names(), **self._index_attributes()}.items():
            if stored.keys() >= set(attributes):
                yield name, [str(next(iter(stored[attribute].values()))) for attribute in attributes]

    @classmethod
    def changing(cls) -> list[str]:
        """The names of the attributes that an update may change: all but the table's key and the kind."""
        fixed = {*cls.key_names(), KIND}
        return [name for name, attribute in cls.get_attributes().items() if attribute.attr_name not in fixed]

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        """Whether an item with this key is one of the model's."""
        pairs = zip(cls._templates(), (partition, sort_key), strict=False)
        return all(template.fits(key) for template, key in pairs)

    @classmethod
    def holds(cls, item: RawItem) -> bool:
        """Whether an item of the table is one of the model's, by its key."""
        return cls.owns(*cls.key_of(item))

    @classmethod
    def key_of(cls, item: RawItem) -> tuple[str, Any]:
        """The partition key and the sort key of an item of the table; ``None`` for the latter if there is none."""
        partition, sort_key = [*(str(next(iter(item[name].values()))) for name in cls.key_names()), None][:2]
        return str(partition), sort_key

    @classmethod
    def kind_action(cls) -> Action:
        """The action by which an update gives a new item its kind."""
        return cls.item_kind.set(cls.item_kind | cls.kind)

    @classmethod
    def attribute(cls, name: str) -> Attribute[Any]:
        attribute: Attribute[Any] = cls.get_attributes()[name]
        return attribute

    @classmethod
    def decoded(cls, item: RawItem) -> Values:
        """An item's attributes as Python values. Attributes of another name are left out.

        Every item that is read goes through here. The values are those of PynamoDB's attributes, but no model
        object is built: for a list of 100 items, that takes longer than the Query.
        Raises :class:`~dynamodb_lists.connection.errors.Unreadable`.
        """
        values: Values = _Decoded()
        try:
            for name, decode in _decoders(cls).items():
                if name in item:
                    values[decode.name] = decode.value(item[name][decode.type])
        except UNREADABLE as error:
            raise Unreadable(f"The attribute {name} of a {cls.kind} is not as declared.") from error
        return values

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        """Decode an item into its entity, for checks that must not assume a complete item, and for refusals.

        Raises :class:`KeyError` if a field without a default is missing.
        """
        assert cls.entity is not None
        values = cls.decoded(item)
        optional = {field.name for field in dataclass_fields(cls.entity) if field.default is not MISSING}
        for field in stored_fields(cls.entity):
            if field.name not in optional | values.keys():
                raise KeyError(field.name)
        return cls.built(values, **others)

    @classmethod
    def connection(cls) -> TableConnection:
        shared: Any = client()
        connection = cls._connection
        if connection is None or connection.connection._client is not shared:
            # Under a lock: a connection without its client would create its own, for another endpoint.
            with _connecting:
                connection = super()._get_connection()
                connection.connection._client = shared
        return connection

    _get_connection = connection  # the name by which PynamoDB asks for it


@cache
def _decoders(model: type[ItemModel]) -> dict[str, Decoder]:
    """How each attribute of a model's items is read, by its name in the item."""
    return {
        attribute.attr_name: Decoder(name, attribute.attr_type, attribute.deserialize)
        for name, attribute in model.get_attributes().items()
        if attribute.attr_name != KIND
    }


def registered() -> list[type[ItemModel]]:
    return [_models[kind] for kind in sorted(_models)]
