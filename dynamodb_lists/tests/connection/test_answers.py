"""An answer that cannot be used is an error and never a result, for each kind of answer and each way to ask."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.answers import Unusable, judged
from dynamodb_lists.connection.client import client, read, translated
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.scope import SDK_ATTEMPTS
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.evil import RIGHT, WRONG, Evil, evil
from dynamodb_lists.tests.helpers.examples import usual
from dynamodb_lists.tests.helpers.scopes import within
from dynamodb_lists.tests.trials import LOG as TABLE
from dynamodb_lists.tests.trials import LogItem

UNKNOWN = "error: an unknown one"
"""An answer all the same: nobody knows whether it helps to ask again."""

SHORT = 4
"""Seconds of a page, fewer than the SDK waits if an answer asks it to."""

PARTITION = "evil#a"
HASH, RANGE = LogItem.key_names()
"""Other tests write no items of these partitions."""


def key(number: int, partition: str = PARTITION) -> dict[str, Any]:
    return {HASH: {"S": partition}, RANGE: {"S": f"{number:03}"}}


TOTAL = {"ReturnConsumedCapacity": "TOTAL"}
CONDITION = {
    "KeyConditionExpression": "#0 = :0 AND #1 BETWEEN :1 AND :2",
    "ExpressionAttributeNames": {"#0": HASH, "#1": RANGE},
    "ExpressionAttributeValues": {":0": {"S": PARTITION}, ":1": {"S": "002"}, ":2": {"S": "005"}},
}
BATCH = {"RequestItems": {TABLE: {"Keys": [key(1), key(2), key(999)]}}, **TOTAL}
ASKED: dict[str, Callable[[], Any]] = {
    "GetItem": lambda: read("GetItem", {"TableName": TABLE, "Key": key(1), **TOTAL})["Item"],
    "Query": lambda: read("Query", {"TableName": TABLE, "Limit": 3, **CONDITION, **TOTAL})["Items"],
    "BatchGetItem": lambda: sorted(read("BatchGetItem", BATCH)["Responses"][TABLE], key=lambda item: str(item[RANGE])),
    "Scan": lambda: len(read("Scan", {"TableName": TABLE, "Limit": 2, **TOTAL})["Items"]),
    "UpdateItem": lambda: client().update_item(
        TableName=TABLE,
        Key=key(3),
        UpdateExpression="SET a = :a",
        ExpressionAttributeValues={":a": {"S": "x"}},
        ReturnValues="ALL_NEW",
        ReturnConsumedCapacity="TOTAL",
    )["Attributes"],
    "TransactWriteItems": lambda: (
        client()
        .transact_write_items(
            TransactItems=[{"Put": {"TableName": TABLE, "Item": key(9, "evil#b")}}], ReturnConsumedCapacity="TOTAL"
        )
        .get("Attributes")
    ),
    "DescribeTable": lambda: client().describe_table(TableName=TABLE)["Table"]["KeySchema"],
}


@pytest.fixture(scope="module")
def server(tables: None, endpoint: str) -> Iterator[Evil]:
    for number in range(6):
        client().put_item(TableName=TABLE, Item={**key(number), "a": {"S": "x"}, "n": {"N": "1"}})
    with evil(endpoint) as server, configured(endpoint_url=server.url):
        yield server


@pytest.fixture(scope="module")
def wanted(server: Evil) -> dict[str, Any]:
    return {operation: ask() for operation, ask in ASKED.items()}


@pytest.mark.parametrize("kind", RIGHT)
def test_an_answer_that_can_be_used_is_the_right_one(server: Evil, wanted: dict[str, Any], kind: str) -> None:
    for operation, ask in ASKED.items():
        with server.sending(kind), ledger.recording() as calls:
            assert ask() == wanted[operation], operation
        assert (server.met, calls.retries) == (1, 0), operation


@pytest.mark.parametrize("kind", WRONG)
def test_an_answer_that_cannot_be_used_is_asked_for_again(server: Evil, wanted: dict[str, Any], kind: str) -> None:
    """Try each kind of bad answer with each operation; some kinds change nothing in the answers of some operations."""
    retries = 0
    for operation in usual(ASKED, "GetItem", "Query", "BatchGetItem", "TransactWriteItems"):
        ask = ASKED[operation]
        refusal = suppress(*[ClientError] * (kind == UNKNOWN))
        with server.sending(kind, times=1), within(SHORT), ledger.recording() as calls, refusal:
            assert ask() == wanted[operation], operation
        assert calls.calls[0].reads or calls.maybe_written or operation == "DescribeTable"
        retries += calls.retries
    assert retries or kind == UNKNOWN


def test_an_answer_that_can_never_be_used_is_unavailable(server: Evil) -> None:
    for operation, ask in ASKED.items():
        with server.sending("length: too short"), pytest.raises(Unavailable) as caught, translated():
            ask()
        assert caught.value.maybe_written == (operation in {"UpdateItem", "TransactWriteItems"})
        assert server.met == SDK_ATTEMPTS


@pytest.mark.parametrize("kind", ["length: too short", "length: half", "twice", "with another one", "checksum: wrong"])
def test_nobody_gets_the_answer_to_another_request(server: Evil, kind: str) -> None:
    """Whatever happens with the connection: many threads read each another item over few connections."""

    def ask(number: int) -> None:
        with suppress(BotoCoreError):
            found = read("GetItem", {"TableName": TABLE, "Key": key(number % 6), **TOTAL})
            assert found["Item"][RANGE] == key(number % 6)[RANGE]

    with server.sending(kind, share=0.3), ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(60)))


def test_the_second_answer_that_comes_late_is_known_by_its_number(server: Evil) -> None:
    """Refuse the late answer even if it has the right keys: it may be out of date."""
    with server.sending("of another request", times=0):
        assert ASKED["GetItem"]() == ASKED["GetItem"]()
    with server.sending("of another request"), pytest.raises(BotoCoreError):
        ASKED["GetItem"]()


@pytest.mark.parametrize(
    "change",
    [
        {"Items": [key(1), key(3)]},
        {"Items": [key(3), key(6)]},
        {"Items": [key(3), key(4, "evil#b")]},
        {"LastEvaluatedKey": {}},
        {"LastEvaluatedKey": key(2)},
        {"LastEvaluatedKey": {HASH: {"S": PARTITION}}},
        {"ScannedCount": 1},
        {"ScannedCount": 4},
    ],
)
def test_an_answer_to_a_query_is_of_its_range_and_goes_on(server: Evil, change: dict[str, Any]) -> None:
    operation: Any = client().meta.service_model.operation_model("Query")
    asked = json.dumps({"TableName": TABLE, "Limit": 3, "ExclusiveStartKey": key(2), **CONDITION, **TOTAL}).encode()
    answer = {"Items": [key(3), key(4)], "Count": 2, "ScannedCount": 2, "LastEvaluatedKey": key(4)}
    price = {"ConsumedCapacity": {"TableName": TABLE, "CapacityUnits": 0.5}}
    assert judged(operation, asked, 200, None, json.dumps(answer | price).encode()) == answer | price
    with pytest.raises(Unusable):
        judged(operation, asked, 200, None, json.dumps(answer | price | change).encode())
