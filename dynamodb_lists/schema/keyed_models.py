"""Models whose keys are declared as templates: composed from an entity, and read back into one."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, cast

from pynamodb.models import Model

from dynamodb_lists.schema.attributes import IndexKey, KeyAttribute
from dynamodb_lists.schema.entities import build, fields, listed, stored_values
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.templates import Template


class Telling(NamedTuple):
    """A key by its name in the model, and the fields of the entity that it tells."""

    name: str
    template: Template
    fields: frozenset[str]


class KeyedModel(Model):
    """A model that declares its keys: those of the table as ``key_templates``, and those of indexes as attributes.

    ::

        class LoanModel(LibraryItem):
            entity = Loan
            key_templates = "READER#{reader}", "LOAN#{loan_id}"
            open_since = KeyAttribute("{lent_at:time}#{loan_id}", when=is_open)
    """

    entity: ClassVar[type | None] = None
    key_templates: ClassVar[Sequence[str]] = ()
    """The templates of the table's key: of the partition key and, if there is one, of the sort key."""
    renames: ClassVar[dict[str, str]] = {}
    """The names of attributes whose fields have a name that models need for something else."""

    @classmethod
    @cache
    def key_names(cls) -> list[str]:
        """The attributes of the table's key: the partition key, and the sort key if there is one."""
        keys: list[Any] = [cls._hash_key_attribute(), cls._range_key_attribute()]  # type: ignore[no-untyped-call]
        return [key.attr_name for key in keys if key is not None]

    @classmethod
    @cache
    def _templates(cls) -> list[Template]:
        """The templates of the table's key."""
        return [*map(Template, cls.key_templates)]

    @classmethod
    @cache
    def template_of(cls, name: str) -> Template:
        """The template of a key, of the table or of an index, by the name of its attribute in the model."""
        of_table = dict(zip(_table_key(cls), cls._templates(), strict=False))
        return of_table[name] if name in of_table else cast(KeyAttribute, cls.get_attributes()[name]).template

    # --- The keys of an item --------------------------------------------------------------------------------

    @classmethod
    def place_of(cls, **values: Any) -> tuple[str, str]:
        """The partition key and the sort key of the item with these values."""
        partition, sort_key = (template.key(values.__getitem__) for template in cls._templates())
        return partition, sort_key

    @classmethod
    def partition_of(cls, index: str = "", /, **values: Any) -> str:
        """The partition of the items with these values, in an index or, without one, in the table."""
        name = _partition_keys(cls).get(index, _table_key(cls)[0])
        if name == _table_key(cls)[0]:
            return cls._templates()[0].key(values.__getitem__)
        attribute = cls.get_attributes()[name]
        return str(attribute.composed(values.__getitem__) if isinstance(attribute, IndexKey) else values[name])

    @classmethod
    def key_for(cls, name: str, **values: Any) -> str:
        """The key of an index with these values."""
        return cls.template_of(name).key(values.__getitem__)

    @classmethod
    def all_partitions(cls) -> KeyRange:
        """The partitions of all items."""
        return cls._templates()[0].span()

    @classmethod
    def sort_keys(cls, **leading: Any) -> KeyRange:
        """The sort keys that begin with some values; without these, those of all items."""
        return cls._templates()[1].span(**leading)

    @classmethod
    def keyed(cls, **values: Any) -> Self:
        """The item with these values with nothing but its key, for updates."""
        key: Any = [template.key(values.__getitem__) for template in cls._templates()]
        return cls(*key)

    @classmethod
    def item(cls, entity: Any, /, **others: Any) -> Self:
        """The item of an entity, with the keys of the indexes in which it is.

        ``others`` are the values of keys and attributes that the entity does not have.
        """

        def value(name: str) -> Any:
            return others[name] if name in others else getattr(entity, name)

        stored = {cls.renames.get(name, name): found for name, found in stored_values(entity).items()}
        for name, attribute in _index_keys(cls).items():
            if attribute.holds(entity):
                stored[name] = attribute.composed(value)
        attributes = cls.get_attributes()
        stored |= {name: found for name, found in others.items() if name in attributes}
        key: Any = [template.key(value) for template in cls._templates()]
        return cls(*key, **stored)

    # --- The values in an item ------------------------------------------------------------------------------

    @classmethod
    def built(cls, values: dict[str, Any], /, **others: Any) -> Any:
        """The entity of decoded values, and of ``others``. Its keys tell what no attribute does."""
        for name, template, told in _telling(cls):
            if name in values and told.difference(values, others):
                values = {**_typed(cls, template.values(values[name])), **values}
        return build(cast(Any, cls.entity), values, **others)

    @classmethod
    def values_in(cls, *key: str) -> dict[str, Any]:
        """The values that a key of the table tells, or its partition key alone."""
        pairs = zip(cls._templates(), key, strict=False)
        return {name: value for template, text in pairs for name, value in template.values(text).items()}

    @classmethod
    def told_names(cls) -> list[str]:
        """The names of the values that a key of the table tells."""
        return [name for template in cls._templates() for name in template.told]

    @classmethod
    def told_by(cls, partition: str, index: str) -> dict[str, Any]:
        """The fields that a partition of an index tells, or of the table, for a blank index."""
        name = _partition_keys(cls).get(index)
        if name is None:
            return _typed(cls, cls.values_in(partition))
        composed = _index_keys(cls).get(name)
        return _typed(cls, composed.values(partition) if composed else {name: partition})

    @classmethod
    @cache
    def shown_in(cls, index: str) -> list[str]:
        """What a list that is read from an index asks for: what lists show and the table's key does not tell."""
        projected = _projected(cls, index)
        told = {name for each in _telling(cls) if each.name in _table_key(cls) for name in each.fields}
        return [name for name in listed(cls.entity) if name not in told and (not projected or name in projected)]


def _typed(model: type[KeyedModel], told: dict[str, Any]) -> dict[str, Any]:
    """The values of fields of the entity among those that a key tells, in the types of the fields."""
    types = _types(model)
    return {
        name: types[name](value) if isinstance(value, str) else value for name, value in told.items() if name in types
    }


@cache
def _types(model: type[KeyedModel]) -> dict[str, Any]:
    """The types of the entity's fields."""
    return {field.name: field.type for field in fields(cast(Any, model.entity))}


@cache
def _index_keys(model: type[KeyedModel]) -> dict[str, IndexKey]:
    """The attributes that are keys of indexes, and are composed."""
    return {name: each for name, each in model.get_attributes().items() if isinstance(each, IndexKey)}


@cache
def _telling(model: type[KeyedModel]) -> list[Telling]:
    """The keys that tell fields of the entity: those of the table, and those of indexes if no attribute does."""
    known = {field.name: field.stored for field in fields(cast(Any, model.entity))}
    found = [*zip(_table_key(model), model._templates(), strict=False)]
    told = {name for name, stored in known.items() if stored} | {name for _, each in found for name in each.told}
    for name, attribute in model.get_attributes().items():
        if isinstance(attribute, KeyAttribute) and {*attribute.template.told} & known.keys() - told:
            found.append((name, attribute.template))
    telling = [Telling(name, template, frozenset(known.keys() & template.told)) for name, template in found]
    return sorted((each for each in telling if each.fields), key=lambda each: -len(each.fields))


def _table_key(model: type[KeyedModel]) -> list[str]:
    """The names in the model of the attributes of the table's key."""
    found: Any = model
    return [name for name in (found._hash_keyname, found._range_keyname) if name]


@cache
def _partition_keys(model: type[KeyedModel]) -> dict[str, str]:
    """The partition key of each GSI."""
    schema: Any = model._get_schema()
    return {each["index_name"]: each["key_schema"][0]["AttributeName"] for each in schema["global_secondary_indexes"]}


def _projected(model: type[KeyedModel], index: str) -> set[str]:
    """The attributes that an index has beside the table's key; an empty set for all."""
    schema: Any = model._get_schema()
    for each in [*schema["local_secondary_indexes"], *schema["global_secondary_indexes"]]:
        if each["index_name"] == index and "NonKeyAttributes" in each["projection"]:
            keys = {part["AttributeName"] for part in each["key_schema"]}
            return {*each["projection"]["NonKeyAttributes"], *keys}
    return set()
