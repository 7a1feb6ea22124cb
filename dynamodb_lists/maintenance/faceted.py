"""What ``verify_data`` checks of a faceted list: the items, the keys of their indexes, and the counts."""

from collections.abc import Mapping
from typing import Any

from dynamodb_lists.maintenance.invariants import GroupRule, ItemRule, text
from dynamodb_lists.maintenance.rules import CountRule, KeysRule
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.faceted import FacetedModel


def rules(model: type[FacetedModel]) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a model: an item has the keys of its values, and each count is the number of its items."""
    (index, order), *_ = model.keys.facet_orders.items()
    assert order == model.keys.facets

    def count(*combination: str) -> Mapping[str, int]:
        span = keys.prefix_range(*combination)
        found = read_partition(model, model.keys.name, ("sk",), span=span, index=index, consistent=True)
        return {"": sum(1 for _ in found)}

    def group(item: Any) -> tuple[str, ...]:
        return model.keys.combination(model.entity_of(item))

    return (
        KeysRule(
            model=model, composed=model.item, words=f"{model.kind} {{0.{model.keys.id_field}}} has wrong {{names}}"
        ),
        CountRule(
            model=model,
            numbers={"": "number"},
            counter_model=model.counts,
            group=group,
            counter_group=lambda item: keys.parse(text(item, "sk")),
            counter=model.count_item,
            count=count,
            name="the count of {0} {rest}",
            noun=model.keys.name,
        ),
    )
