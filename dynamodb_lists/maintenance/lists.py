"""What ``verify_data`` checks of a declared list: the items, the keys of their indexes, and the counts."""

from collections.abc import Mapping
from typing import Any

from dynamodb_lists.lists.lists import List
from dynamodb_lists.maintenance.invariants import GroupRule, ItemRule, text
from dynamodb_lists.maintenance.rules import CountRule, KeysRule
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import keys


def rules(declared: List[Any]) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a list: an item has the keys of its values, and each count is the number of its items."""
    declaration, models = declared.declaration, declared.models
    owners = len(declaration.owner)

    def count(*identity: str) -> Mapping[str, int]:
        owner, combination = identity[:owners], identity[owners:]
        found = read_partition(models.item, declaration.partition(owner), consistent=True)
        items = (declaration.combination(models.item(**values)) for values in found)
        return {"": sum(1 for each in items if each == combination)}

    def counter(*identity: str) -> Any:
        owner, combination = identity[:owners], identity[owners:]
        return models.count(declaration.counts_partition(owner), keys.compose(*combination))

    def group(item: Any) -> tuple[str, ...]:
        entity = models.item.entity_of(item)
        return declaration.owner_of(entity) + declaration.combination(entity)

    def counter_group(item: Any) -> tuple[str, ...]:
        owner = keys.parse(text(item, "pk"))[1:-1]
        return owner + keys.parse(text(item, "sk"))

    def repaired(*identity: str) -> None:
        declared.repack(identity[:owners])

    return (
        KeysRule(
            model=models.item,
            composed=models.item.item,
            words=f"{declaration.kind} {{0.{declaration.id_field}}} has wrong {{names}}",
        ),
        CountRule(
            model=models.item,
            numbers={"": "number"},
            counter_model=models.count,
            group=group,
            counter_group=counter_group,
            counter=counter,
            count=count,
            name=f"the count of {declaration.name} {{0}} {{rest}}",
            noun=declaration.name,
            repaired=repaired,
        ),
    )
