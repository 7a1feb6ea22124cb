"""Bring every table to what its model declares: create it, add GSIs one at a time, set TTL and protection."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.drift import ACTIVE, PROTECTION, RECOVERY, Remedy

POLL_SECONDS = 2.0
TRIES = 10
_BUSY = {"ResourceInUseException", "LimitExceededException", "ContinuousBackupsUnavailableException"}
"""DynamoDB is at work on the table. The same call works later."""

_TOO_LATE = {*_BUSY, "ValidationException"}
"""How DynamoDB refuses to add an index that another process has begun to add."""


class Step(NamedTuple):
    """Something that was done with a table, or that cannot be done in place: then ``failed`` is true."""

    table: str
    text: str
    failed: bool = False


def migrate() -> Iterator[Step]:
    """Bring every table to what its model and the settings declare; yields each step as it happens.

    It deletes nothing. It is safe to repeat this, and to run it from two processes at once. What it cannot change comes
    as a step that ``failed``. Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    for name, created in tables.create_missing():
        yield Step(name, "created" if created else "there already")
        yield from _add_indexes(name)
        declared, described = tables.declared(name), _existing(name, tables.described)
        for difference in drift.differences(declared, described):
            if difference.fact in {PROTECTION, RECOVERY}:
                yield Step(name, _enable(name, difference.fact))
            elif difference.remedy != Remedy.UPDATE:
                yield Step(name, difference.text, difference.remedy != Remedy.SURPLUS)
        yield from _wait(name)


def _add_indexes(name: str) -> Iterator[Step]:
    """Add missing GSIs, one after the other: DynamoDB takes one at a time, and shows the progress of one.

    Another process may add the same ones, and DescribeTable may be a moment behind. So a refusal means to look again.
    """
    definition = tables.definition(name)
    refusals = 0
    while True:
        yield from _wait(name)
        differences = drift.differences(drift.facts(definition), drift.facts(_existing(name, tables.description)))
        missing = {difference.fact for difference in differences if difference.remedy == Remedy.UPDATE}
        indexes = definition.get("GlobalSecondaryIndexes", [])
        index = next((index for index in indexes if f"index {index['IndexName']}" in missing), None)
        if index is None:
            return
        keys = {part["AttributeName"] for part in index["KeySchema"]}
        try:
            with translated():
                client().update_table(
                    TableName=name,
                    AttributeDefinitions=[
                        each for each in definition["AttributeDefinitions"] if each["AttributeName"] in keys
                    ],
                    GlobalSecondaryIndexUpdates=[{"Create": index}],
                )
        except Unavailable as error:
            refusals += 1
            if error.code not in _TOO_LATE or refusals == TRIES:
                raise
        else:
            refusals = 0
            yield Step(name, f"adding index {index['IndexName']}")
        time.sleep(POLL_SECONDS)


def _wait(name: str) -> Iterator[Step]:
    """Wait until nothing about the table is changing. There is no time limit: an index of a large table takes hours."""
    said = ""
    while True:
        table = _existing(name, tables.description)
        statuses = drift.named(drift.facts(table), "status of")
        text = ", ".join(f"index {index} is {status}" for index, status in statuses.items() if status != ACTIVE)
        if table["TableStatus"] not in {"CREATING", "UPDATING"} and not text:
            return
        if text and text != said:
            said = text
            yield Step(name, text)
        time.sleep(POLL_SECONDS)


def _enable(name: str, setting: str) -> str:
    """Enable a setting; returns what was done. The call is repeated while DynamoDB is at work."""
    for attempt in range(TRIES):
        try:
            with translated():
                if setting == PROTECTION:
                    client().update_table(TableName=name, DeletionProtectionEnabled=True)
                else:
                    wanted: Any = {"PointInTimeRecoveryEnabled": True}
                    client().update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=wanted)
                break
        except Unavailable as error:
            if error.code not in _BUSY or attempt == TRIES - 1:
                raise
        time.sleep(POLL_SECONDS)
    return f"{setting} enabled"


def _existing(name: str, describe: Callable[[str], Mapping[str, Any] | None]) -> Mapping[str, Any]:
    found = describe(name)
    if found is None:
        raise Unavailable(f"The table {name} was deleted meanwhile.", "ResourceNotFoundException")
    return found
