"""Models with templates: what an entity's item holds is read back, and rules and counters follow from the keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.maintenance.rules import CountRule, KeysRule
from dynamodb_lists.schema.attributes import IntegerAttribute, KeyAttribute, global_index
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import table_name

TABLE = table_name("ships")


@dataclass(frozen=True)
class Ship:
    """A ship of a harbour. Its number is in no attribute."""

    harbour: Annotated[str, Field("Harbour")]
    number: Annotated[int, Field("Number", stored=False)]
    name: Annotated[str, Field("Name")]
    flag: Annotated[str, Field("Flag")] = ""
    log: Annotated[str, Field("Log", listed=False)] = ""


class ShipModel(ItemModel):
    class Meta:
        table_name = TABLE

    kind = "ship"
    entity = Ship
    key_templates = "HARBOUR#{harbour}", "SHIP#{number:4}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    spelt = KeyAttribute("{name:folded}#{number:4}")
    by_name = global_index("by-name", "harbour", "spelt", words="ships by name")
    brief = global_index("brief", "harbour", "spelt", projected=["name"])


class ShipCountModel(ItemModel):
    class Meta:
        table_name = TABLE

    kind = "ship-count"
    key_templates = "HARBOUR#{harbour}", "SHIPS"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    ships = IntegerAttribute(default=0)


SHIP = Ship("north", 7, "Anna")


def test_an_index_is_asked_for_what_it_has_and_lists_show_and_no_key_tells() -> None:
    """DynamoDB reads and charges the whole item for one attribute that a local index does not have."""
    assert ShipModel.shown_in("by-name") == ["name", "flag"]
    assert ShipModel.shown_in("brief") == ["name"]


@pytest.mark.parametrize(
    ("attributes", "fault"),
    [
        ({}, ""),
        ({"spelt": {"S": "Anna#0007"}}, "the ship HARBOUR#north SHIP#0007 has wrong spelt"),
        ({"harbour": {"S": "south"}}, "the ship HARBOUR#north SHIP#0007 has wrong pk"),
    ],
)
def test_a_rule_of_keys_needs_the_model_alone(attributes: Mapping[str, Mapping[str, str]], fault: str) -> None:
    item = {**ShipModel.item(SHIP).to_dynamodb_dict(), **attributes}
    assert KeysRule(model=ShipModel).wrong(item) == fault


def test_a_counter_counts_the_group_that_its_key_tells() -> None:
    rule = CountRule(
        model=ShipModel,
        numbers={"": "ships"},
        counter_model=ShipCountModel,
        group=lambda item: (item["harbour"]["S"],),
        count=lambda harbour: {"": 1},
        name="the count of {0}",
        noun="ships",
    )
    counter = ShipCountModel.keyed(harbour="north").to_dynamodb_dict() | {"ships": {"N": "2"}}
    assert [*rule.entries(counter)] == [(("north",), "", -2)]
    assert [*rule.entries(ShipModel.item(SHIP).to_dynamodb_dict())] == [(("north",), "", 1)]
