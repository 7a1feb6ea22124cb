"""Idempotency tokens and items of refused writes do what docs/dynamodb.md says."""

from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from dynamodb_lists.connection.client import client

TABLE = f"{settings.DYNAMODB_TABLE_PREFIX}reviews"


@pytest.mark.usefixtures("empty_tables")
def test_a_transaction_with_a_token_is_made_once() -> None:
    key = {"pk": {"S": "hotel#lakeview#review-counts"}, "sk": {"S": "en#5"}}
    adding = {"UpdateExpression": "ADD reviews :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
    update: Any = {"Update": {"TableName": TABLE, "Key": key, **adding}}
    for token in ["7d1c2f6e-0c7e-4a55-9a51-6f1a3c0d9b42"] * 2:
        client().transact_write_items(ClientRequestToken=token, TransactItems=[update])
    assert client().get_item(TableName=TABLE, Key=key)["Item"]["reviews"] == {"N": "1"}


@pytest.mark.usefixtures("empty_tables")
def test_a_refused_write_has_the_stored_item() -> None:
    item = {"pk": {"S": "REVIEW#r-1"}, "sk": {"S": "REVIEW"}, "author": {"S": "Ann"}}
    condition = {"ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    put: Any = {"Put": {"TableName": TABLE, "Item": item, **condition}}
    client().transact_write_items(TransactItems=[put])
    with pytest.raises(ClientError) as refusal:
        client().transact_write_items(
            TransactItems=[put | {"Put": put["Put"] | {"Item": item | {"author": {"S": "Bo"}}}}]
        )
    answer: Any = refusal.value.response
    (reason,) = answer["CancellationReasons"]
    assert (reason["Code"], reason["Item"]) == ("ConditionalCheckFailed", item)
