"""The tables of docs/keys.md, written from what models declare: the keys of items, and the indexes."""

from collections.abc import Mapping, Sequence
from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.indexes import LocalSecondaryIndex

from dynamodb_lists import GIVEN, ItemModel, KeyAttribute, table_name
from dynamodb_lists.declared.declaration import MOST_PROJECTED
from dynamodb_lists.schema.conditions import Between
from tests.helpers.documents import table
from tests.helpers.kinds import by_kind

NUMBER = ", a Number"


def items(name: str) -> str:
    """Return the keys of each kind of item of a table, without shapes. A kind may have keys of two forms."""
    told = [model for model in _models(name) if not model.kind.endswith("-shape")]
    models = sorted(told, key=lambda model: (model.kind, model.key_templates))
    header = ["kind", *models[0].key_names()]
    return table(header, ([f"`{each}`" for each in (model.kind, *model.key_templates)] for model in models), header)


def indexes(name: str) -> str:
    """The indexes of a table, local ones first: their keys, how many attributes they name, and what each is for."""
    models = _models(name)
    found: dict[str, list[Any]] = {}
    for model in models:
        for index_name, index in model._indexes.items():
            found.setdefault(index_name, []).append(index)
    local = [each for each in sorted(found) if isinstance(found[each][0], LocalSecondaryIndex)]
    names = dict.fromkeys([*local, *sorted(found)])
    total = sum(len(_projected(declared[0])) for declared in found.values())
    header = ["index", "partition key", "sort key", f"projects {total} of {MOST_PROJECTED}", "for"]
    return table(header, (_row(models, each, found[each]) for each in names), [*header[:3], header[-1]])


def _models(name: str) -> list[type[ItemModel]]:
    """Return the models of a table's items, and those of a second form of their keys."""
    models = [model for model in by_kind() if model.Meta.table_name == table_name(name)]
    return [*models, *(other for model in models for other in model.__subclasses__())]


def _row(models: list[type[ItemModel]], name: str, declared: list[Any]) -> list[str]:
    index = declared[0]
    keys = [type(index).partition_key.attr_name, type(index).sort_key.attr_name]
    attributes = [_declared(models, key) for key in keys]
    local = ", local" if isinstance(index, LocalSecondaryIndex) else ""
    sparse = ", sparse" if any(all(each.null for each in of_key) for of_key in attributes) else ""
    words = dict.fromkeys(each.words for each in declared)
    rules = dict.fromkeys(
        _rule(each.data) for of_key in attributes for each in of_key if isinstance(each, KeyAttribute)
    )
    purpose = ", if ".join([*words, *filter(None, rules)])
    spelt = (_spelt(key, of_key) for key, of_key in zip(keys, attributes, strict=True))
    return [f"`{name}`{local}{sparse}", *spelt, str(len(_projected(index)) or "all"), purpose]


def _projected(index: Any) -> Sequence[str]:
    """Return the attributes that an index names, of all that it projects; none if it projects whole items."""
    return index.Meta.projection.non_key_attributes or ()


def _rule(alternatives: Sequence[Mapping[str, Any]]) -> str:
    """Return which items a sparse index holds, in words; blank if a function decides."""
    return " or ".join(" and ".join(_wanted(*each) for each in fields.items()) for fields in alternatives)


def _wanted(name: str, wanted: Any) -> str:
    if isinstance(wanted, Between):
        assert wanted.high is None, "there are no words for such a range yet"
        return f"`{name}` is at least {wanted.low:,}"
    values = ["given"] if wanted is GIVEN else sorted("none" if value is None else f"{value}" for value in wanted)
    return f"`{name}` is {' or '.join(values)}"


def _declared(models: list[type[ItemModel]], key: str) -> list[Attribute[Any]]:
    """Return the attributes of this name in the models that declare one."""
    attributes = [attribute for model in models for attribute in model.get_attributes().values()]
    return [attribute for attribute in attributes if attribute.attr_name == key]


def _spelt(key: str, attributes: list[Attribute[Any]]) -> str:
    """Return a key of an index, with its forms if each model that declares it says one."""
    forms = dict.fromkeys(map(_form, attributes))
    return f"`{key}`" + (f" = {', '.join(forms)}" if all(forms) else "")


def _form(attribute: Attribute[Any]) -> str:
    if isinstance(attribute, KeyAttribute):
        return f"`{attribute.template.text}`" + (NUMBER if attribute.number else "")
    return ""


KINDS = {"items": items, "indexes": indexes}
"""The parts of documents that these functions write."""
