"""Every stored item with its model, and what is wrong with the items of a table."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynamodb_lists import ItemModel
from dynamodb_lists.django.declaring import rules
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema import tables
from dynamodb_lists.schema.models import KIND
from tests.helpers.contents import scanned

Item = Mapping[str, Any]


def by_kind() -> list[type[ItemModel]]:
    """Return all models, in the order of their kinds."""
    return [model for _, model in sorted(ItemModel.all_models.items())]


def handwritten() -> list[type[ItemModel]]:
    """Return the models that apps write. The package writes the models of declared lists."""
    return [model for model in by_kind() if not model.__module__.startswith("dynamodb_lists.")]


def items_of(table: str) -> list[Item]:
    """Return every item of a table. Tests may scan; pages never do."""
    return scanned(table)


def all_items() -> Iterator[tuple[str, Item]]:
    """Yield every item of every table, each with the name of its table."""
    for table in tables.names():
        for item in items_of(table):
            yield table, item


def key_of(model: type[ItemModel], item: Item) -> dict[str, Any]:
    """Return the item's key in its table."""
    return {name: item[name] for name in model.key_names()}


def assert_all_kinds() -> set[str]:
    """Every stored item has the kind of the model that owns its key; returns the kinds."""
    found = set()
    for table, item in all_items():
        of_table = [model for model in by_kind() if model.Meta.table_name == table]
        key = [*(item[name]["S"] for name in of_table[0].key_names()), ""][:2]
        (model,) = (model for model in of_table if model.owns(*key))
        assert item[KIND] == {"S": model.kind}
        found.add(model.kind)
    return found


def faults_of(table: str) -> list[str]:
    """Return what ``verify_data`` would say of a table. Its own tests show that it finds every fault."""
    return [fault.text for fault in TableCheck(table, rules(), repair=False).faults(lambda _: None)]


def assert_all_in_step() -> None:
    """Check that every rule of the stored data holds."""
    assert [fault for table in {rule.model.Meta.table_name for rule in rules()} for fault in faults_of(table)] == []
