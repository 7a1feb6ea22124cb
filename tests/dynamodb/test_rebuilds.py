"""``rebuild_table``: a new table with the declared keys and indexes, and the same items, while the portal runs."""

import json
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from django.conf import settings
from django.core.management import CommandError, call_command

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.maintenance import batches, rebuilds, scans
from hotels.keys import TABLE
from orders import models as order_models
from rooms import commands, queries
from rooms.models import RoomModel
from tests.helpers.answers import answer, answering, refusal
from tests.helpers.contents import Fill
from tests.helpers.kinds import items_of
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables", "no_new_table")
SOURCE = RoomModel.Meta.table_name
NEW = f"{settings.DYNAMODB_TABLE_PREFIX}rebuilt"


def fill() -> None:
    make_hotel([make_room(str(number), view=f"View {number % 3}") for number in range(130)])
    store_orders([make_order(f"o-{number}") for number in range(5)])


@pytest.fixture
def filling() -> Fill:
    return fill


@pytest.fixture
def no_new_table(endpoint: str) -> Iterator[None]:
    yield
    if NEW in client().list_tables()["TableNames"]:
        client().delete_table(TableName=NEW)
        client().get_waiter("table_not_exists").wait(TableName=NEW)


def run(name: str = TABLE, **options: Any) -> str:
    out = StringIO()
    call_command("rebuild_table", name, to=NEW, stdout=out, **options)
    return out.getvalue()


def contents(table: str) -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in items_of(table))


def indexes(table: str) -> list[str]:
    described: Any = client().describe_table(TableName=table)["Table"]
    kept = ("IndexName", "KeySchema", "Projection")
    both = [*described.get("GlobalSecondaryIndexes", ()), *described.get("LocalSecondaryIndexes", ())]
    return sorted(json.dumps([index[name] for name in kept]) for index in both)


@pytest.mark.parametrize("table", [TABLE, "users-and-orders", "reviews", "sessions"])
def test_the_new_table_has_the_declared_keys_and_indexes_and_every_item(table: str) -> None:
    source = f"{settings.DYNAMODB_TABLE_PREFIX}{table}"
    out = run(table)
    assert contents(NEW) == contents(source)
    assert indexes(NEW) == indexes(source)
    assert f"Set DYNAMODB_TABLE_NAMES={table}={NEW}" in out
    assert [line for line in out.splitlines() if "copied" in line] == [
        f"{source} to {NEW}: {len(contents(source))} copied, 0 deleted.",
        f"{source} to {NEW}: 0 copied, 0 deleted.",
    ]


def test_a_table_that_lacks_an_index_is_rebuilt_with_it() -> None:
    """An LSI can only be created with its table."""
    table: Any = client().describe_table(TableName=SOURCE)["Table"]
    before = contents(SOURCE)
    client().delete_table(TableName=SOURCE)
    client().get_waiter("table_not_exists").wait(TableName=SOURCE)
    keys = [part for part in table["AttributeDefinitions"] if part["AttributeName"] in {"pk", "sk"}]
    client().create_table(
        TableName=SOURCE, KeySchema=table["KeySchema"], AttributeDefinitions=keys, BillingMode="PAY_PER_REQUEST"
    )
    for text in before:
        client().put_item(TableName=SOURCE, Item=json.loads(text))
    try:
        run()
        assert len(indexes(NEW)) == 8
        assert contents(NEW) == before
    finally:
        client().delete_table(TableName=SOURCE)
        client().get_waiter("table_not_exists").wait(TableName=SOURCE)


def test_what_changes_during_the_first_pass_is_in_the_second() -> None:
    def delete() -> None:
        for number in range(20):
            commands.delete_room(queries.room(ABC, str(number)), "alice")

    def edit() -> None:
        commands.save_rooms([make_room(str(number), size=99) for number in range(40, 60)])

    changes: list[Callable[[], None]] = [delete, edit]

    def change(request: AWSPreparedRequest, **_: Any) -> None:
        """Changes come between two batches of the copy."""
        if changes:
            changes.pop()()

    with answering(change, "BatchWriteItem"), pytest.raises(CommandError, match="Stop everything that writes"):
        run(segments=1)
    assert not changes
    out = run()
    assert "0 copied, 0 deleted" in out
    assert contents(NEW) == contents(SOURCE)


def test_a_copy_that_was_stopped_goes_on_and_writes_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "PAGE", 30)
    sent = 0

    def fail(**_: Any) -> AWSResponse | None:
        nonlocal sent
        sent += 1
        return refusal("AccessDeniedException") if sent > 3 else None

    with answering(fail, "BatchWriteItem"), pytest.raises(CommandError, match="Run the same command again"):
        run(segments=2)
    there = len(contents(NEW))
    assert 0 < there < len(contents(SOURCE))
    assert f": {len(contents(SOURCE)) - there} copied, 0 deleted." in run()
    assert contents(NEW) == contents(SOURCE)


def test_items_left_unprocessed_are_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "FIRST_WAIT", 0.001)
    refused = {"BatchGetItem": 3, "BatchWriteItem": 3}

    def leave(request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        operation = str(request.headers["X-Amz-Target"]).rpartition(".")[2].removesuffix("'")
        if not refused[operation]:
            return None
        refused[operation] -= 1
        assert isinstance(request.body, bytes)
        asked = json.loads(request.body)["RequestItems"]
        if operation == "BatchGetItem":
            return answer(200, Responses={}, UnprocessedKeys=asked)
        return answer(200, UnprocessedItems=asked)

    with answering(leave, "BatchGetItem"), answering(leave, "BatchWriteItem"):
        run()
    assert set(refused.values()) == {0}
    assert contents(NEW) == contents(SOURCE)


def test_a_database_that_never_processes_a_batch_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "FIRST_WAIT", 0.0001)

    def leave(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        assert isinstance(request.body, bytes)
        return answer(200, UnprocessedItems=json.loads(request.body)["RequestItems"])

    with answering(leave, "BatchWriteItem"), pytest.raises(CommandError, match="unprocessed, 10 times"):
        run()


def test_impossible_names_are_refused() -> None:
    with pytest.raises(CommandError, match="no table nowhere"):
        run("nowhere")
    for other in (SOURCE, order_models.TABLE):
        with pytest.raises(CommandError, match="uses .* already"):
            call_command("rebuild_table", TABLE, to=other)
    client().create_table(
        TableName=NEW,
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    with pytest.raises(CommandError, match="exists, with other keys or indexes"):
        run()


def test_ctrl_c_ends_a_command_with_the_status_of_a_stopped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(rebuilds, "create", interrupt)
    with pytest.raises(CommandError, match="Stopped") as stopped:
        run()
    assert stopped.value.returncode == 130
