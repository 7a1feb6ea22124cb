"""How many bytes an item has, in its table and in each index, by DynamoDB's own rules."""

from collections.abc import Mapping
from typing import Any

from hotelapp.dynamodb.deployment.table_schemas import IndexSchema, TableSchema
from hotelapp.dynamodb.schema.models import RawItem

_CONTAINER, _ELEMENT = 3, 1


def item_size(item: RawItem) -> int:
    """The bytes of an item: the names and the values of its attributes."""
    return sum(len(name.encode()) + value_size(value) for name, value in item.items())


def value_size(value: Mapping[str, Any]) -> int:
    """The bytes of a value as DynamoDB sends it, such as ``{"N": "120.50"}``."""
    ((kind, plain),) = value.items()
    match kind:
        case "S":
            size = len(plain.encode())
        case "N":
            size = _number_size(plain)
        case "B":
            size = len(plain)
        case "L":
            size = _CONTAINER + sum(_ELEMENT + value_size(element) for element in plain)
        case "M":
            size = _CONTAINER + sum(_ELEMENT + len(name.encode()) + value_size(part) for name, part in plain.items())
        case "SS" | "NS" | "BS":
            size = sum(value_size({kind[0]: element}) for element in plain)
        case _:
            size = 1  # BOOL and NULL
    return size


def _number_size(digits: str) -> int:
    """A byte for two digits, one for the exponent, one for a minus. Zeros at both ends are free."""
    significant = digits.lstrip("+-").replace(".", "").strip("0")
    return (len(significant) + 1) // 2 + 1 + digits.startswith("-")


def index_entry(item: RawItem, index: IndexSchema, table: TableSchema) -> RawItem | None:
    """What an index holds of an item; ``None`` if the item has not all of the index's keys."""
    if not all(name in item for name in index.keys):
        return None
    if index.included is None:
        return item
    return {name: item[name] for name in {*table.keys, *index.keys, *index.included} if name in item}
