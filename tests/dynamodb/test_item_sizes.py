"""Sizes of items and of entries of indexes: against numbers computed by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from hotelapp.dynamodb.deployment.item_sizes import index_entry, item_size, value_size
from hotelapp.dynamodb.deployment.table_schemas import IndexSchema, TableSchema

BY_CITY = IndexSchema("by-city", ("city", "name"), ("phone",), local=False)
BY_NAME = IndexSchema("by-name", ("id", "name"), None, local=True)
PEOPLE = TableSchema("people", ("id",), {"id": "S", "city": "S", "name": "S"}, (BY_NAME, BY_CITY), None)
ANN: dict[str, dict[str, Any]] = {
    "id": {"S": "ann"},
    "city": {"S": "Oslo"},
    "name": {"S": "Ann"},
    "phone": {"S": "12"},
    "text": {"S": "x" * 1000},
}


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "abc"}, 3),
        ({"S": "Zürich"}, 7),
        ({"N": "7"}, 2),
        ({"N": "120.50"}, 3),  # 1205 are two pairs of digits, and a byte
        ({"N": "-1000"}, 3),
        ({"N": "0"}, 1),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"B": b"1234"}, 4),
        ({"SS": ["ab", "c"]}, 3),
        ({"L": [{"S": "ab"}, {"S": "c"}]}, 3 + 2 * 1 + 3),
        ({"M": {"key": {"S": "ab"}}}, 3 + 1 + 3 + 2),
    ],
    ids=str,
)
def test_sizes_of_values(value: Mapping[str, Any], size: int) -> None:
    assert value_size(value) == size


def test_an_item_has_the_bytes_of_its_names_and_values() -> None:
    assert item_size({"id": {"S": "ann"}, "age": {"N": "42"}}) == 2 + 3 + 3 + 2


def test_an_index_holds_keys_and_what_it_projects() -> None:
    assert index_entry(ANN, BY_CITY, PEOPLE) == {name: ANN[name] for name in ("id", "city", "name", "phone")}
    assert index_entry(ANN, BY_NAME, PEOPLE) == ANN
    assert index_entry({"id": {"S": "ann"}, "name": {"S": "Ann"}}, BY_CITY, PEOPLE) is None
