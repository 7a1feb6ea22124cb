"""What the tests of kinds and versions share: every stored item with its model, and items without attributes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dynamodb_lists.schema import tables
from dynamodb_lists.schema.models import KIND, VERSION, ItemModel, registered
from tests.helpers.contents import scanned

Item = Mapping[str, Any]


def handwritten() -> list[type[ItemModel]]:
    """The models that apps write. Those of a declared list are the package's."""
    return [model for model in registered() if not model.__module__.startswith("dynamodb_lists.")]


def items_of(table: str) -> list[Item]:
    """Every item of a table. Tests may scan; pages never do."""
    return scanned(table)


def all_items() -> Iterator[tuple[str, Item]]:
    """Every item of every table, each with the name of its table."""
    for table in tables.names():
        for item in items_of(table):
            yield table, item


def key_of(model: type[ItemModel], item: Item) -> dict[str, Any]:
    """The item's key in its table."""
    return {name: item[name] for name in model.key_names()}


def key_texts(model: type[ItemModel], item: Item) -> tuple[str, str]:
    """The item's partition key and sort key; the sort key is blank if the table has none."""
    partition, sort_key = [*(value["S"] for value in key_of(model, item).values()), ""][:2]
    return partition, sort_key


def assert_kind(item: Item, model: type[ItemModel]) -> None:
    """The item says that it is one of the model's, of its present version; and its key says so, too."""
    assert item[KIND] == {"S": model.kind}
    assert item[VERSION] == {"N": str(model.version)}
    owners = [other for other in registered() if other.Meta.table_name == model.Meta.table_name]
    assert [other for other in owners if other.owns(*key_texts(model, item))] == [model]


def checked_items(table: str) -> defaultdict[type[ItemModel], list[Item]]:
    """The items of a table by their models. Each item has the kind and the version of a model of the table."""
    models = {model.kind: model for model in registered() if model.Meta.table_name == table}
    found = defaultdict(list)
    for item in items_of(table):
        model = models[item[KIND]["S"]]
        assert_kind(item, model)
        found[model].append(item)
    return found


def assert_all_kinds() -> set[str]:
    """Every stored item has the kind of a model of its table, and that model's version; returns the kinds."""
    return {model.kind for table in tables.names() for model in checked_items(table)}


def by_key(items: Iterable[Item]) -> list[Item]:
    """Items in the order of their keys, whatever their table calls them."""
    return sorted(items, key=lambda item: [item[name]["S"] for name in ("pk", "sk", "PK", "SK") if name in item])
