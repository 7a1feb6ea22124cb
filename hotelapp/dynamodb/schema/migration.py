"""Bring every table to what its model declares: create it, add GSIs one at a time, set TTL, protection and tags."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hotelapp.dynamodb.connection.client import client, translated
from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.schema import drift, tables
from hotelapp.dynamodb.schema.drift import Difference, IndexState, Remedy, TableState

POLL_SECONDS = 2.0
HEARTBEAT_SECONDS = 60.0
"""A wait without news is reported again after this time, because a large index takes hours."""

TRIES = 10
_BUSY = {"ResourceInUseException", "LimitExceededException", "ContinuousBackupsUnavailableException"}
"""DynamoDB is at work on the table. The same call works later."""

_TOO_LATE = {*_BUSY, "ValidationException"}
"""How DynamoDB refuses to add an index that another process has begun to add."""


class Step(NamedTuple):
    """Something that was done with a table, or that is left to do: then ``left`` says what."""

    table: str
    text: str
    left: Difference | None = None


def migrate() -> Iterator[Step]:
    """Bring every table to what its model and the settings declare; yields each step as it happens.

    It deletes nothing. It is safe to repeat this, and to run it from two processes at once. What it cannot change comes
    as a step with ``left``. Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    for name, created in tables.create_missing():
        yield Step(name, "created" if created else "there already")
        yield from _add_indexes(name)
        yield from _set_up(name)
        yield from _wait(name)
        for difference in drift.differences(tables.declared(name), _existing(name, tables.described)):
            if difference.remedy != Remedy.UPDATE:
                yield Step(name, difference.text, difference)


def _add_indexes(name: str) -> Iterator[Step]:
    """Add missing GSIs, one after the other: DynamoDB takes one at a time, and shows the progress of one.

    Another process may add the same ones, and DescribeTable may be a moment behind. So a refusal means to look again.
    """
    refusals = 0
    while True:
        yield from _wait(name)
        state = _existing(name, tables.described_schema)
        index = next(drift.missing_indexes(tables.declared(name), state), None)
        if index is None:
            return
        try:
            _add_index(name, index)
        except Unavailable as error:
            refusals += 1
            if error.code not in _TOO_LATE or refusals == TRIES:
                raise
        else:
            refusals = 0
            yield Step(name, f"adding index {index.name}")
        time.sleep(POLL_SECONDS)


def _add_index(name: str, index: IndexState) -> None:
    types = tables.declared(name).types
    with translated():
        client().update_table(
            TableName=name,
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": types[key]} for key in index.keys],  # type: ignore[typeddict-item]
            GlobalSecondaryIndexUpdates=[
                {
                    "Create": {
                        "IndexName": index.name,
                        "KeySchema": drift.key_schema(index.keys),  # type: ignore[typeddict-item]
                        "Projection": index.projection,  # type: ignore[typeddict-item]
                    }
                }
            ],
        )


def _wait(name: str) -> Iterator[Step]:
    """Wait until nothing about the table is changing. There is no time limit: an index of a large table takes hours."""
    said, said_at = "", 0.0
    while True:
        state = _existing(name, tables.described_schema)
        text = ", ".join(f"index {index.name} is {index.progress}" for index in state.changing)
        if state.status not in {"CREATING", "UPDATING"} and not text:
            return
        if text and (text != said or time.monotonic() - said_at > HEARTBEAT_SECONDS):
            said, said_at = text, time.monotonic()
            yield Step(name, text)
        time.sleep(POLL_SECONDS)


def _set_up(name: str) -> Iterator[Step]:
    """Deletion protection, point-in-time recovery and tags, as the settings ask for them."""
    declared, described = tables.declared(name), _existing(name, tables.described)
    if declared.protection and described.protection is False:
        _repeat(lambda: client().update_table(TableName=name, DeletionProtectionEnabled=True))
        yield Step(name, "deletion protection enabled")
    if declared.recovery and described.recovery is False:
        wanted = {"PointInTimeRecoveryEnabled": True}
        _repeat(
            lambda: client().update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=wanted)  # type: ignore[arg-type]
        )
        yield Step(name, "point-in-time recovery enabled")
    if tags := drift.missing_tags(declared, described):
        pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
        _repeat(lambda: client().tag_resource(ResourceArn=described.arn, Tags=pairs))  # type: ignore[arg-type]
        yield Step(name, f"tagged {', '.join(tags)}")
    for setting in not_supported(declared, described):
        yield Step(name, f"{setting}: this endpoint does not support it; left out")


def not_supported(declared: TableState, described: TableState) -> list[str]:
    """What the settings ask for and the endpoint does not support."""
    return [
        text
        for text, wanted, there in (
            ("deletion protection", declared.protection, described.protection),
            ("point-in-time recovery", declared.recovery, described.recovery),
            ("tags", declared.tags, described.tags),
        )
        if wanted and there is None
    ]


def _repeat(call: Callable[[], object]) -> None:
    """Make a call, and again while DynamoDB is at work on the table; at most ten times."""
    for attempt in range(TRIES):
        try:
            with translated():
                call()
                return
        except Unavailable as error:
            if error.code not in _BUSY or attempt == TRIES - 1:
                raise
        time.sleep(POLL_SECONDS)


def _existing(name: str, describe: Callable[[str], TableState | None]) -> TableState:
    state = describe(name)
    if state is None:
        raise Unavailable(f"The table {name} was deleted meanwhile.", "ResourceNotFoundException")
    return state
