"""The tables of docs/keys.md, written from what models declare: the keys of items, and the indexes."""

import re
from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.indexes import LocalSecondaryIndex

from dynamodb_lists.schema.attributes import IndexKey, NumberKeyAttribute
from dynamodb_lists.schema.models import ItemModel, registered
from dynamodb_lists.schema.tables import table_name
from tests.helpers.documents import table

NUMBER = ", a Number"


def items(name: str) -> str:
    """The keys of each kind of item of a table."""
    models = _models(name)
    header = ["item", *models[0].key_names()]
    rows = ([_named(model), *(f"`{template}`" for template in model.key_templates)] for model in models)
    return table(header, sorted(rows), header)


def indexes(name: str) -> str:
    """The indexes of a table, local ones first: their keys, and what each is for."""
    models, header = _models(name), ["index", "partition key", "sort key", "for"]
    found: dict[str, list[Any]] = {}
    for model in models:
        for index_name, index in model._indexes.items():
            found.setdefault(index_name, []).append(index)
    local = [each for each in sorted(found) if isinstance(found[each][0], LocalSecondaryIndex)]
    names = dict.fromkeys([*local, *sorted(found)])
    return table(header, (_row(models, each, found[each]) for each in names), header)


def _models(name: str) -> list[type[ItemModel]]:
    """The models of a table's items, and those of a second form of their keys."""
    models = [model for model in registered() if model.Meta.table_name == table_name(name)]
    return [*models, *(other for model in models for other in model.__subclasses__())]


def _named(model: type[ItemModel]) -> str:
    """The kind of a model's items, in words; of a second form of keys, the words of the model's name."""
    words = re.findall("[A-Z][a-z]+", model.__name__.removesuffix("Model"))
    return str(model.kind if "kind" in vars(model) else " ".join(words).lower()).replace("-", " ")


def _row(models: list[type[ItemModel]], name: str, declared: list[Any]) -> list[str]:
    index = declared[0]
    keys = [type(index).partition_key.attr_name, type(index).sort_key.attr_name]
    local = ", local" if isinstance(index, LocalSecondaryIndex) else ""
    sparse = ", sparse" if any(all(key.null for key in _declared(models, each)) for each in keys) else ""
    words = dict.fromkeys(each.words for each in declared)
    return [f"`{name}`{local}{sparse}", *(_spelt(models, each) for each in keys), "; ".join(words)]


def _declared(models: list[type[ItemModel]], key: str) -> list[Attribute[Any]]:
    """The attributes of this name in the models that declare one."""
    attributes = [attribute for model in models for attribute in model.get_attributes().values()]
    return [attribute for attribute in attributes if attribute.attr_name == key]


def _spelt(models: list[type[ItemModel]], key: str) -> str:
    """A key of an index, with its forms if each model that declares it says one."""
    forms = dict.fromkeys(map(_form, _declared(models, key)))
    return f"`{key}`" + (f" = {', '.join(forms)}" if all(forms) else "")


def _form(attribute: Attribute[Any]) -> str:
    if isinstance(attribute, IndexKey):
        return f"`{attribute.template.text}`" + (NUMBER if isinstance(attribute, NumberKeyAttribute) else "")
    return ""
