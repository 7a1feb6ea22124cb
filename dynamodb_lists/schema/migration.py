"""Bring every table to what its model declares: create it, add GSIs one at a time, set TTL and protection."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.drift import ACTIVE, PROTECTION, RECOVERY, TTL, Remedy

POLL_SECONDS = 2.0
TRIES = 10
_NOT_NOW = {
    "ResourceInUseException",
    "LimitExceededException",
    "ContinuousBackupsUnavailableException",
    "ValidationException",
}
"""How DynamoDB refuses a change while it is at work on the table, and one that another process has begun."""


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
    for name in tables.names():
        yield Step(name, "created" if tables.create_table(name) else "there already")
        yield from _update(name)


def _update(name: str) -> Iterator[Step]:
    """Change what differs, one thing after the other, as DynamoDB adds one index at a time; then say what else differs.

    Another process may do the same, and DescribeTable may be a moment behind. So a refusal means to look again. There
    is no time limit: an index of a large table takes hours.
    """
    said, refusals = "", 0
    while True:
        described = tables.described(name)
        if described is None:
            raise Unavailable(f"The table {name} was deleted meanwhile.", "ResourceNotFoundException")
        statuses = drift.named(described, "status of")
        text = ", ".join(f"{what} is {status}" for what, status in statuses.items() if status != ACTIVE)
        found = [*drift.differences(tables.declared(name), described)]
        wanted = [each.fact for each in found if each.remedy == Remedy.UPDATE]
        if not wanted:
            yield from (Step(name, each.text, each.remedy != Remedy.SURPLUS) for each in found)
            return
        if not text:
            try:
                with translated():
                    _change(name, wanted[0])
            except Unavailable as error:
                refusals += 1
                if error.code not in _NOT_NOW or refusals == TRIES:
                    raise
            else:
                refusals = 0
                yield Step(name, f"adding {wanted[0]}" if wanted[0].startswith("index") else f"{wanted[0]} enabled")
                continue
        elif text != said:
            said = text
            yield Step(name, text)
        time.sleep(POLL_SECONDS)


def _change(name: str, fact: str) -> None:
    """Send the request that makes a fact of a table as it is declared."""
    dynamodb: Any = client()
    if fact == PROTECTION:
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
    elif fact == RECOVERY:
        recovery = {"PointInTimeRecoveryEnabled": True}
        dynamodb.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=recovery)
    elif fact == TTL:
        ttl = {"Enabled": True, "AttributeName": tables.ttl_attribute(name)}
        dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification=ttl)
    else:
        definition = tables.definition(name)
        (index,) = (each for each in definition["GlobalSecondaryIndexes"] if fact == f"index {each['IndexName']}")
        keys = {part["AttributeName"] for part in index["KeySchema"]}
        dynamodb.update_table(
            TableName=name,
            AttributeDefinitions=[each for each in definition["AttributeDefinitions"] if each["AttributeName"] in keys],
            GlobalSecondaryIndexUpdates=[{"Create": index}],
        )
