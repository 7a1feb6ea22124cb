"""The requests in docs/features.md do what it says, and its counts are those of the tables."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.drift import named

TEXT = (Path(settings.BASE_DIR) / "docs" / "features.md").read_text(encoding="utf-8")
RUN = dict(re.findall(r"<!-- run: ([\w-]+) -->\n```json\n(.*?)\n```", TEXT, re.DOTALL))


def request(name: str) -> dict[str, Any]:
    """A request of the document, about the tables of the tests."""
    written = re.sub(r'("TableName": ")', rf"\1{settings.DYNAMODB_TABLE_PREFIX}", RUN[name])
    parsed: dict[str, Any] = json.loads(written)
    return parsed


@pytest.mark.usefixtures("empty_tables")
def test_a_transaction_with_a_token_is_made_once() -> None:
    asked = request("token")
    for _ in range(2):
        client().transact_write_items(**asked)
    update = asked["TransactItems"][0]["Update"]
    item = client().get_item(TableName=update["TableName"], Key=update["Key"])["Item"]
    assert item["reviews"] == {"N": "1"}


@pytest.mark.usefixtures("empty_tables")
def test_a_refused_write_has_the_stored_item() -> None:
    asked = request("refused")
    client().transact_write_items(**asked)
    with pytest.raises(ClientError) as refusal:
        client().transact_write_items(**asked)
    answer: Any = refusal.value.response
    (reason,) = answer["CancellationReasons"]
    assert (reason["Code"], reason["Item"]) == ("ConditionalCheckFailed", asked["TransactItems"][0]["Put"]["Item"])


@contextmanager
def created(definition: dict[str, Any]) -> Iterator[str]:
    """A new table, which is deleted after the block."""
    client().create_table(**definition)
    try:
        yield definition["TableName"]
    finally:
        client().delete_table(TableName=definition["TableName"])


@pytest.mark.usefixtures("endpoint")
def test_the_engines_lack_multi_attribute_keys() -> None:
    """If this fails, the document must say that they have them."""
    asked = request("multi-attribute")
    (condition,) = re.findall(r"```\n(hotel_id = .*)\n```", TEXT)
    index = asked["GlobalSecondaryIndexes"][0]["IndexName"]
    values: Any = {f":{name}": {"S": "x"} for name in ("hotel", "language", "day")} | {":rating": {"N": "5"}}
    query = {"KeyConditionExpression": condition, "ExpressionAttributeValues": values, "IndexName": index}
    with pytest.raises(ClientError, match="Key Schema too big|Unexpected token"), created(asked) as table:
        client().query(TableName=table, ExpressionAttributeNames={"#language": "language"}, **query)


def test_the_document_counts_the_rules_of_contributor_insights() -> None:
    """A rule for the partition key of each table and each GSI, and one more for those with a sort key."""
    declared = [tables.declared(name) for name in tables.names()]
    keys = [facts["keys"] for facts in declared]
    keys += [index[1:] for facts in declared for index in named(facts, "index").values() if index[0] == "GSI"]
    rules = sum(map(len, keys))
    assert f"The {len(keys)} tables and GSIs here have {rules} rules" in " ".join(TEXT.split())
    assert f"a month: {rules * 0.5:.2f}." in " ".join(TEXT.split())
