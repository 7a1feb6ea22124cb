"""What indexes can do, what they cost, and from when on they pay."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from dynamodb_lists.planning.request_cost import READ_DOLLARS, WRITE_DOLLARS
from dynamodb_lists.tests.helpers import dynamodb_local
from tests.claims.tables import Table, created, key, local_indexes, number, text
from tests.costs.documents import pays_from

COSTS = Path(settings.BASE_DIR) / "docs" / "costs.json"
WRITES = 20


def test_local_indexes_bound_a_partition_and_cannot_be_added(
    dynamodb: Any, table: Table, figures: Sequence[str]
) -> None:
    name, item = f"{settings.DYNAMODB_TABLE_PREFIX}six", text(pk="collection", sk="1")
    operations = dynamodb.meta.service_model.operation_model
    changes = [member for member in operations("UpdateTable").input_shape.members if "Index" in member]
    assert "GlobalSecondaryIndexUpdates" in changes
    assert "LocalSecondaryIndexes" in operations("CreateTable").input_shape.members
    six = "abcdef"
    with pytest.raises(ClientError, match="(?i)local ?secondary ?indexes"):
        dynamodb.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": part, "AttributeType": "S"} for part in ("pk", "sk", *six)],
            KeySchema=key("pk", "sk"),
            LocalSecondaryIndexes=local_indexes(six),
        )
    with created(dynamodb, name, dict.fromkeys(("pk", "sk"), "S"), KeySchema=key("pk", "sk")) as other:
        answers = [
            dynamodb.put_item(TableName=put.name, Item=item, ReturnItemCollectionMetrics="SIZE")
            for put in (table, other)
        ]
    estimated = [answer.get("ItemCollectionMetrics", {}).get("SizeEstimateRangeGB") for answer in answers]
    assert [estimate is not None for estimate in estimated] == [not dynamodb_local.wanted(), False]
    local = sum("Local" in change for change in changes)
    assert figures == [str(local), str(len(six))]


def test_global_indexes_cannot_be_read_consistently(dynamodb: Any, table: Table, figures: Sequence[str]) -> None:
    late = 0
    for count in range(WRITES):
        table.put([text(pk="late", sk=f"{count}", kind="late")])
        late += table.query("kind = :kind", {":kind": "late"}, IndexName="by-kind")["Count"] <= count
    assert figures == [str(late), str(WRITES)]
    assert table.query("pk = :pk", {":pk": "late"}, IndexName="by-metres", ConsistentRead=True)["Count"] == 0
    with pytest.raises(ClientError, match="(?i)consistent read"):
        table.query("kind = :kind", {":kind": "late"}, IndexName="by-kind", ConsistentRead=True)


def test_a_changed_index_key_costs_two_units(dynamodb: Any, table: Table, figures: Sequence[str]) -> None:
    place = text(pk="changes", sk="1")
    table.put([{**place, **number(metres=1)}])

    def units_of_the_index(name: str) -> float:
        answer = dynamodb.update_item(
            TableName=table.name,
            Key=place,
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues={":value": {"N": "2"}},
            ReturnConsumedCapacity="INDEXES",
        )
        used = answer["ConsumedCapacity"].get("LocalSecondaryIndexes", {})
        return float(sum(index["CapacityUnits"] for index in used.values()))

    assert figures == [f"{units_of_the_index(name):g}" for name in ("metres", "note", "not projected")]


def test_keys_pay_from_a_size_and_a_ratio_on(figures: Sequence[str]) -> None:
    costs = json.loads(COSTS.read_text(encoding="utf-8"))
    rooms, tap = costs["growing"]["200"], costs["patterns"]["tap"]["written"]
    local = sum(units for place, units in tap.items() if " lsi" in place)
    written = sum(tap.values())
    page = sum(units for units, _ in rooms["pages"]) / len(rooms["pages"])
    (whole, _), ratio = rooms["whole"], 10
    with_keys = written * WRITE_DOLLARS + ratio * page * READ_DOLLARS
    without = (written - local) * WRITE_DOLLARS + ratio * whole * READ_DOLLARS
    arithmetic = [f"{figure:g}" for figure in (written, page)] + [f"{with_keys:.2f}"]
    arithmetic += [f"{figure:g}" for figure in (written - local, whole)] + [f"{without:.2f}"]
    assert figures == [*(pays_from(costs, ratio) for ratio in (1, 3, 10, 100)), *arithmetic]
