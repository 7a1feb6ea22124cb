"""What a table has otherwise than its lists say."""

from random import Random
from typing import Any

import pytest

from dynamodb_lists import Key
from dynamodb_lists.declared.told import Table
from dynamodb_lists.maintenance.inspection import declaration, table_of
from dynamodb_lists.maintenance.misfits import misfits
from dynamodb_lists.schema import drift
from dynamodb_lists.tests.helpers.designs import DESIGNS, Design
from dynamodb_lists.tests.lists.test_inspection import BY_NAME, definition, run, stored


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_nothing_is_said_of_a_table_as_it_was_inspected(design: Design) -> None:
    items = stored(design.items(Random(1)))
    with run(declaration(table_of(design.name, drift.facts(definition(design))), items)) as names:
        assert not [each for each in misfits(names["TABLE"], items) if "out of order" not in each]


def test_what_fits_no_list_is_said() -> None:
    design = BY_NAME["users-and-orders"]
    items = stored(design.items(Random(1)))
    text = declaration(table_of(design.name, drift.facts(definition(design))), items)
    with run(text) as names:
        table: Table = names["TABLE"]
        orders: Any = next(each for each in table.lists if each.name == "orders")
        object.__setattr__(orders, "keys", {**orders.keys, "GSI1PK": Key("OPEN"), "GSI1SK": Key("{orderId}")})
        for name in ("sources", "spelt"):
            orders.__dict__.pop(name, None)
        said = [*misfits(table, [*items, {"PK": {"S": "X#1"}, "SK": {"S": "Y"}}])]
    assert said[0] == f"1 of {len(items) + 1} items fit no template: PK=X#1, SK=Y: no list has such a key."
    assert len(said) == 2, said
    told = said[1]
    assert told.startswith("48 of 96 orders are in open: say so: 'GSI1PK': Key(template='OPEN', when=[{'status': {'")


def test_numbers_that_are_texts_are_said_to_be_out_of_order() -> None:
    design = BY_NAME["products"]
    items = stored(design.items(Random(1)))
    with run(declaration(table_of(design.name, drift.facts(definition(design))), items)) as names:
        (told,) = misfits(names["TABLE"], items)
    assert told == "unit_price is text in by-unit, out of order: 10 stands there before 9."
