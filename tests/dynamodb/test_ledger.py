"""What is told of each call to DynamoDB: its units by table, its retries, and who was throttled or in conflict."""

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from botocore.exceptions import EndpointConnectionError, NoCredentialsError, ReadTimeoutError

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import Conflict, Unavailable
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.reading.fetching import in_parallel
from hotelapp.history.models import HistoryModel
from orders import queries as order_queries
from rooms import commands, queries
from rooms.models import RoomModel
from tests.helpers.answers import answer, answering, cancelled, refusal
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")
ROOMS, HISTORY = RoomModel.Meta.table_name, HistoryModel.Meta.table_name


@pytest.fixture
def told() -> Iterator[list[Call]]:
    """The calls that an observer is told of."""
    told: list[Call] = []
    ledger.observers.append(told.append)
    yield told
    ledger.observers.remove(told.append)


def test_a_transaction_has_its_units_by_table(told: list[Call]) -> None:
    make_hotel()
    told.clear()
    commands.create_room(make_room("101"), "alice")
    (write,) = [outcome for outcome in told if outcome.operation == "TransactWriteItems"]
    assert set(write.tables) == set(write.units_by_table) == {ROOMS, HISTORY}
    assert all(units > 0 for units in write.units_by_table.values())
    assert (write.reads, write.failed, write.conflict, write.code, write.retries) == (False, False, False, "", 0)


def test_a_tally_adds_up_what_threads_do_and_no_more_than_its_block() -> None:
    make_hotel([make_room("101")])
    with ledger.recording() as tally:
        in_parallel([lambda: queries.room(ABC, "101")] * 4)
    queries.room(ABC, "101")
    assert (tally.requests, tally.read_units, tally.write_units) == (4, Decimal(2), Decimal(0))
    assert tally.milliseconds > 0


def test_each_throttled_attempt_counts(told: list[Call]) -> None:
    answers = iter([refusal("ThrottlingException"), refusal("ProvisionedThroughputExceededException"), None])
    with answering(lambda **_: next(answers), "GetItem"):
        queries.has_room(ABC, "101")
    (call,) = told
    assert (call.throttles, call.retries, call.code, call.blamed) == (2, 2, "", (ROOMS,))


def test_a_batch_that_is_answered_in_part_was_throttled(told: list[Call]) -> None:
    left = {ROOMS: {"Keys": [{"pk": {"S": f"hotel#{ABC}#rooms"}, "sk": {"S": "x"}}]}}
    parts = iter([answer(200, Responses={}, UnprocessedKeys=left), None])
    with answering(lambda **_: next(parts), "BatchGetItem"):
        queries.rooms_as_stored([(ABC, "101")])
    assert [call.throttles for call in told] == [1, 0]


def test_a_cancelled_transaction_blames_the_table_of_its_reason(told: list[Call]) -> None:
    make_hotel()
    told.clear()
    reasons = [{"Code": "None"}] * 20
    for reason, conflict in (("TransactionConflict", True), ("ThrottlingError", False)):
        first = refusal("TransactionCanceledException", CancellationReasons=[{"Code": reason}, *reasons])
        answers = iter([first, None])
        with answering(lambda answers=answers, **_: next(answers)):
            commands.create_room(make_room(f"10{len(told)}"), "alice")
        call = next(outcome for outcome in told if outcome.code == reason)
        assert (call.conflict, call.throttles) == (conflict, int(not conflict))
        assert call.blamed == call.tables[:1]


def test_only_an_attempt_that_was_sent_may_have_written() -> None:
    """Reads never write. Without credentials, or a connection, nothing was sent."""

    def fail(error: Exception) -> None:
        raise error

    make_hotel([make_room("101")])
    calls_by_operation: dict[str, Callable[[], object]] = {
        "TransactWriteItems": lambda: commands.create_room(make_room("102"), "alice"),
        "GetItem": lambda: queries.has_room(ABC, "101"),
    }
    lost = ReadTimeoutError(endpoint_url="http://db")
    unsent = EndpointConnectionError(endpoint_url="http://db")
    for event, error, possible in (
        ("before-send", lost, True),
        ("before-send", unsent, False),
        ("before-sign", NoCredentialsError(), False),
    ):
        for operation, call in calls_by_operation.items():
            name, handler = f"{event}.dynamodb.{operation}", lambda error=error, **_: fail(error)
            client().meta.events.register(name, handler)
            with ledger.recording() as calls, pytest.raises(Unavailable) as raised:
                call()
            client().meta.events.unregister(name, handler)
            expected = possible and operation == "TransactWriteItems"
            assert raised.value.maybe_written == calls.maybe_written == expected, (operation, error)


def test_conflicts_are_no_failures_and_lost_calls_are(told: list[Call]) -> None:
    make_hotel()
    told.clear()
    with (
        ledger.recording() as tally,
        answering(lambda **_: cancelled("ConditionalCheckFailed")),
        pytest.raises(Conflict),
    ):
        commands.create_room(make_room("101"), "alice")
    refused = next(outcome for outcome in told if outcome.code)
    assert (refused.conflict, refused.failed) == (True, False)
    assert (tally.conflicts, tally.code) == (1, "ConditionalCheckFailed")

    def unreachable(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="http://db")

    told.clear()
    with ledger.recording() as tally, answering(unreachable, "GetItem"), pytest.raises(Unavailable):
        order_queries.guest("alex")
    (lost,) = told
    assert (lost.code, lost.failed, lost.retries, lost.units_by_table) == ("EndpointConnectionError", True, 2, {})
    assert tally.code == "EndpointConnectionError"
