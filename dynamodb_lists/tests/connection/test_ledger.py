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
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.tests.helpers.answers import answer, answering, cancelled, refusal
from dynamodb_lists.tests.trials import LOG, TRIALS, LogItem, Trial, a_trial, logged, new_org, trials

pytestmark = pytest.mark.usefixtures("tables")


@pytest.fixture
def stored() -> Trial:
    """A trial, alone in its organisation."""
    return trials.create(a_trial(new_org()))


def read(trial: Trial) -> object:
    return trials.get(org=trial.org, number=trial.number)


@pytest.fixture
def told() -> Iterator[list[Call]]:
    """The calls that an observer is told of."""
    told: list[Call] = []
    ledger.observers.append(told.append)
    yield told
    ledger.observers.remove(told.append)


def test_a_transaction_has_its_units_by_table(told: list[Call]) -> None:
    logged.create(a_trial(new_org()))
    (write,) = [outcome for outcome in told if outcome.operation == "TransactWriteItems"]
    assert set(write.tables) == set(write.units_by_table) == {TRIALS, LOG}
    assert all(units > 0 for units in write.units_by_table.values())
    assert (write.reads, write.failed, write.conflict, write.code, write.retries) == (False, False, False, "", 0)


def test_a_tally_adds_up_what_threads_do_and_no_more_than_its_block(stored: Trial) -> None:
    with ledger.recording() as tally:
        in_parallel([lambda: read(stored)] * 4)
    read(stored)
    assert (tally.requests, tally.read_units, tally.write_units) == (4, Decimal(2), Decimal(0))
    assert tally.milliseconds > 0


def test_each_throttled_attempt_counts(stored: Trial, told: list[Call]) -> None:
    answers = iter([refusal("ThrottlingException"), refusal("ProvisionedThroughputExceededException"), None])
    with answering(lambda **_: next(answers), "GetItem"):
        read(stored)
    (call,) = told
    assert (call.throttles, call.retries, call.code, call.blamed) == (2, 2, "", (TRIALS,))


def test_a_batch_that_is_answered_in_part_was_throttled(told: list[Call]) -> None:
    left = {LOG: {"Keys": [{"org": {"S": "x"}, "number": {"S": "x"}}]}}
    parts = iter([answer(200, Responses={}, UnprocessedKeys=left), None])
    with answering(lambda **_: next(parts), "BatchGetItem"):
        assert not list(get_items(LogItem, [("x", "x")]))
    assert [call.throttles for call in told] == [1, 0]


def test_a_cancelled_transaction_blames_the_table_of_its_reason(told: list[Call]) -> None:
    reasons = [{"Code": "None"}] * 20
    for reason, conflict in (("TransactionConflict", True), ("ThrottlingError", False)):
        first = refusal("TransactionCanceledException", CancellationReasons=[{"Code": reason}, *reasons])
        answers = iter([first, None])
        with answering(lambda answers=answers, **_: next(answers)):
            trials.create(a_trial(new_org()))
        call = next(outcome for outcome in told if outcome.code == reason)
        assert (call.conflict, call.throttles) == (conflict, int(not conflict))
        assert call.blamed == call.tables[:1]


def test_only_an_attempt_that_was_sent_may_have_written(stored: Trial) -> None:
    """Reads never write. Without credentials or a connection, no request is sent."""

    def fail(error: Exception) -> None:
        raise error

    calls_by_operation: dict[str, Callable[[], object]] = {
        "TransactWriteItems": lambda: trials.create(a_trial(new_org())),
        "GetItem": lambda: read(stored),
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
    with (
        ledger.recording() as tally,
        answering(lambda **_: cancelled("ConditionalCheckFailed")),
        pytest.raises(Conflict),
    ):
        trials.create(a_trial(new_org()))
    refused = next(outcome for outcome in told if outcome.code)
    assert (refused.conflict, refused.failed) == (True, False)
    assert (tally.conflicts, tally.code) == (1, "ConditionalCheckFailed")

    def unreachable(**_: object) -> None:
        raise EndpointConnectionError(endpoint_url="http://db")

    told.clear()
    with ledger.recording() as tally, answering(unreachable, "GetItem"), pytest.raises(Unavailable):
        read(a_trial("x"))
    (lost,) = told
    assert (lost.code, lost.failed, lost.retries, lost.units_by_table) == ("EndpointConnectionError", True, 2, {})
    assert tally.code == "EndpointConnectionError"
