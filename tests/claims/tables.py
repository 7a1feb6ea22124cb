"""A table for the tests of claims, filled and read by the low-level API alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

BATCH = 25
FILLING = "x" * 356
Item = Mapping[str, Any]
Answer = Mapping[str, Any]


def text(**attributes: str) -> dict[str, Any]:
    """Attributes of the type S."""
    return {name: {"S": value} for name, value in attributes.items()}


def number(**attributes: float) -> dict[str, Any]:
    """Attributes of the type N."""
    return {name: {"N": f"{value:g}"} for name, value in attributes.items()}


@dataclass(frozen=True)
class Table:
    """A table and the client that calls it. ``dynamodb`` is a client of boto3."""

    dynamodb: Any
    name: str

    def put(self, items: Iterable[Item]) -> float:
        """Put items. Returns their write units."""
        puts = [{"PutRequest": {"Item": item}} for item in items]
        units = 0.0
        for start in range(0, len(puts), BATCH):
            left: Any = {self.name: puts[start : start + BATCH]}
            while left:
                answer = self.dynamodb.batch_write_item(RequestItems=left, ReturnConsumedCapacity="TOTAL")
                units += sum(part["CapacityUnits"] for part in answer["ConsumedCapacity"])
                left = answer["UnprocessedItems"]
        return units

    def query(self, condition: str, values: Mapping[str, Any], **options: Any) -> Answer:
        """The answer to one Query. ``values`` are texts, or typed values of the low-level API."""
        typed = {name: value if isinstance(value, dict) else {"S": value} for name, value in values.items()}
        answer: Answer = self.dynamodb.query(
            TableName=self.name,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=typed,
            ReturnConsumedCapacity="TOTAL",
            **options,
        )
        return answer


def units(answer: Answer) -> float:
    """The capacity units of one request."""
    consumed = answer["ConsumedCapacity"]
    return float(sum(part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed])))


def sort_keys(answer: Answer) -> list[str]:
    """The sort keys of the items in an answer."""
    return [item["sk"]["S"] for item in answer["Items"]]


def key(*names: str) -> list[dict[str, str]]:
    """The key schema of a partition key and, if two names are given, a sort key."""
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


@contextmanager
def created(dynamodb: Any, name: str, types: Mapping[str, str], **definition: Any) -> Iterator[Table]:
    """A new table, which is deleted after the block. ``types`` are those of the key attributes."""
    attributes = [{"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()]
    dynamodb.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=attributes, **definition)
    dynamodb.get_waiter("table_exists").wait(TableName=name)
    try:
        yield Table(dynamodb, name)
    finally:
        dynamodb.delete_table(TableName=name)


def index(name: str, *names: str, others: Sequence[str] = ()) -> dict[str, Any]:
    """An index, which projects all attributes, or the keys and ``others``."""
    projection = (
        {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(others)} if others else {"ProjectionType": "ALL"}
    )
    return {"IndexName": name, "KeySchema": key(*names), "Projection": projection}


def local_indexes(names: Sequence[str]) -> list[dict[str, Any]]:
    """A local index for each attribute, as sort key. It projects ``note``."""
    return [index(f"by-{name}", "pk", name, others=["note"]) for name in names]
