"""A table becomes what its model declares, without Django: what can be changed in place is, and the rest is named."""

import json
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest
from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.connection.errors import Refused, Unavailable
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.attributes import global_index, local_index
from dynamodb_lists.schema.drift import Remedy
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.tests.helpers.answers import answer, answering, refusal
from dynamodb_lists.tests.helpers.configured import configured


class Loan(ItemModel):
    """A loan, in the order of its days, and by its reader and its book."""

    class Meta:
        table_name = "loans-of-the-tests"

    kind = "loan-of-the-tests"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    day = UnicodeAttribute()
    reader = UnicodeAttribute()
    book = UnicodeAttribute()
    title = UnicodeAttribute(default="")
    expires_at = TTLAttribute(null=True)
    by_day = local_index("by-day", "pk", "day", projected=["title"])
    by_reader = global_index("by-reader", "reader", "day", projected=["title"])
    by_book = global_index("by-book", "book", "day", projected=["title"])


NAME = Loan.Meta.table_name
GSIS = "GlobalSecondaryIndexes"
ALL_DONE = ["there already"]


@pytest.fixture(autouse=True)
def _one_table(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Create one registered table. A test may change it in any way."""
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(tables, "_registry", {NAME: Loan})
    list(tables.migrate())
    yield
    if (table := tables.description(NAME)) and table.get("DeletionProtectionEnabled"):
        client().update_table(TableName=NAME, DeletionProtectionEnabled=False)
    delete()


def delete() -> None:
    if tables.description(NAME):
        client().delete_table(TableName=NAME)
        client().get_waiter("table_not_exists").wait(TableName=NAME)


def migrated() -> tuple[list[str], list[str]]:
    """Return what was done with the table, and what cannot be done in place."""
    steps = list(tables.migrate())
    return [step.text for step in steps if not step.failed], [step.text for step in steps if step.failed]


def faults() -> list[str]:
    """In what the table differs from its model."""
    described = tables.described(NAME)
    assert described
    return [each.text for each in drift.differences(tables.declared(NAME), described)]


def created_as(*missing: str, **sections: Any) -> None:
    """Create the table anew, without some of its indexes, or with other sections than its model declares."""
    delete()
    definition = tables.definition(NAME) | sections
    for section in ("LocalSecondaryIndexes", GSIS):
        definition[section] = [each for each in definition.get(section, ()) if each["IndexName"] not in missing]
    used = set(re.findall("'AttributeName': '(.*?)'", str(definition | {"AttributeDefinitions": []})))
    attributes = [each for each in definition["AttributeDefinitions"] if each["AttributeName"] in used]
    definition = {part: value for part, value in definition.items() if value}
    client().create_table(**definition | {"AttributeDefinitions": attributes})


def gsis() -> list[Any]:
    return [*tables.definition(NAME)[GSIS]]


def key_schema(*keys: str) -> Any:
    return [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)]


def attributes(**types: str) -> list[Any]:
    """Return the attributes of the table's keys, some of them new, or of another type."""
    declared = {
        each["AttributeName"]: each["AttributeType"] for each in tables.definition(NAME)["AttributeDefinitions"]
    }
    return [{"AttributeName": each, "AttributeType": kind} for each, kind in (declared | types).items()]


# --- In place -------------------------------------------------------------------------------------------


def test_a_missing_table_is_created_with_its_ttl() -> None:
    delete()
    assert migrated()[0] == ["created", "TTL enabled"]
    assert faults() == []
    described = tables.described(NAME)
    assert described
    assert described[drift.TTL] == "expires_at"


def test_missing_indexes_are_added_one_after_the_other_and_then_used() -> None:
    created_as("by-reader", "by-book")
    for number in range(2):
        Loan("library", f"{number}", day=f"{number}", reader="ann", book="b").save()
    assert "index by-book is missing. Run manage.py create_tables." in faults()
    sent: list[Any] = []
    with answering(lambda request, **_: sent.append(json.loads(request.body)), "UpdateTable"):
        done, failed = migrated()
    assert not failed
    assert [len(body["GlobalSecondaryIndexUpdates"]) for body in sent] == [1, 1]
    assert "adding index by-book" in done
    assert [item["sk"] for item in read_partition(Loan, "ann", index="by-reader")] == ["0", "1"]
    assert faults() == []
    assert not any("adding" in text for text in migrated()[0])


def test_the_progress_of_an_index_is_shown_until_it_is_active() -> None:
    creating: dict[str, Any] = {"IndexStatus": "CREATING", "Backfilling": False}
    states = [creating] * 4 + [{**creating, "Backfilling": True}] * 2  # two are read to see whether the table exists

    def respond(**_: Any) -> Any:
        return answer(200, Table=described_with(states.pop(0))) if states else None

    with answering(respond, "DescribeTable"):
        done, _ = migrated()
    assert done[:3] == ["there already", "index by-book is CREATING", "index by-book is CREATING, backfilling"]


def described_with(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what DynamoDB says of the table when its index ``by-book`` is in another state."""
    statuses = {"by-book": state}
    indexes = [each | statuses.get(each["IndexName"], {"IndexStatus": "ACTIVE"}) for each in gsis()]
    return tables.definition(NAME) | {"TableStatus": "ACTIVE", GSIS: indexes}


def test_two_may_run_it_at_once() -> None:
    created_as("by-reader", "by-book")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrated(), range(4)))
    assert faults() == []


def test_an_index_that_another_process_has_begun_to_add_is_waited_for() -> None:
    created_as("by-book")
    codes = ("ResourceInUseException", "LimitExceededException", "ValidationException")
    refused = [refusal(code) for code in codes]
    with answering(lambda **_: refused.pop() if refused else None, "UpdateTable"):
        assert not migrated()[1]
    assert not refused
    assert faults() == []


def test_an_index_that_is_refused_for_good_is_an_error() -> None:
    created_as("by-book")
    with (
        answering(lambda **_: refusal("LimitExceededException"), "UpdateTable"),
        pytest.raises(Unavailable, match="LimitExceededException"),
    ):
        migrated()
    with answering(lambda **_: refusal("AccessDeniedException"), "UpdateTable"), pytest.raises(Refused):
        migrated()


# --- What cannot be changed in place ------------------------------------------------------------------------


def test_a_missing_local_index_is_reported_and_the_rest_is_done() -> None:
    created_as("by-day", "by-book")
    done, failed = migrated()
    assert "adding index by-book" in done
    assert failed == [f"index by-day (LSI on pk, day) is missing. {drift.NEW_TABLE}"] == faults()


@pytest.mark.parametrize(
    ("there", "text"),
    [
        ({"projection of by-book": frozenset({"old"})}, "projection of by-book is without title and with old."),
        ({"index by-book": ("LSI", "pk", "book")}, "index by-book is LSI on pk, book instead of GSI on book, day."),
        ({"index by-book": ("GSI", "day", "book")}, "index by-book is GSI on day, book instead of GSI on book, day."),
        ({"type of book": "N"}, "type of book is N instead of S."),
        ({"index by-book": None, "type of day": "N"}, "index by-book (GSI on book, day) is missing."),
    ],
)
def test_what_needs_a_new_table_is_named(there: Mapping[str, Any], text: str) -> None:
    found = drift.differences(tables.declared(NAME), {**tables.declared(NAME), **there})
    assert (f"{text} {drift.NEW_TABLE}", Remedy.MANUAL) in [(each.text, each.remedy) for each in found]


def test_a_surplus_index_and_a_ttl_on_another_attribute_stay() -> None:
    surplus = {"IndexName": "by-title", "KeySchema": key_schema("title"), "Projection": {"ProjectionType": "ALL"}}
    created_as(AttributeDefinitions=attributes(title="S"), **{GSIS: [*gsis(), surplus]})
    client().update_time_to_live(TableName=NAME, TimeToLiveSpecification={"Enabled": True, "AttributeName": "day"})
    done, failed = migrated()
    assert failed == [
        "TTL is day instead of expires_at. Switch it off on AWS, wait an hour, and run manage.py create_tables."
    ]
    assert any("index by-title is not declared" in text for text in done)
    described = tables.described(NAME)
    assert described
    assert (described["index by-title"], described["projection of by-title"]) == (("GSI", "title"), drift.WHOLE)


# --- Protection -----------------------------------------------------------------------------------------


def test_protection_is_enabled_where_it_is_asked_for_and_stays() -> None:
    with configured(protected=True):
        assert "deletion protection is off instead of on. Run manage.py create_tables." in faults()
        done, failed = migrated()
        assert not failed
        assert done[1:] == ["deletion protection enabled"]
        assert faults() == []
        assert migrated()[0] == ALL_DONE
    assert migrated() == (ALL_DONE, [])
    assert (tables.described(NAME) or {})[drift.PROTECTION] == drift.ON


def test_point_in_time_recovery_is_enabled_where_the_endpoint_has_it() -> None:
    enabled: list[str] = []
    busy = [refusal("ContinuousBackupsUnavailableException")]

    def describe(**_: Any) -> Any:
        recovery = {"PointInTimeRecoveryStatus": "ENABLED" if enabled else "DISABLED"}
        return answer(200, ContinuousBackupsDescription={"PointInTimeRecoveryDescription": recovery})

    def update(request: AWSPreparedRequest, **_: Any) -> Any:
        assert isinstance(request.body, bytes)
        if busy:
            return busy.pop()
        body = json.loads(request.body)
        assert body["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        enabled.append(body["TableName"])
        return answer(200)

    with (
        configured(protected=True),
        answering(describe, "DescribeContinuousBackups"),
        answering(update, "UpdateContinuousBackups"),
    ):
        assert any("point-in-time recovery is off instead of on" in text for text in faults())
        assert "point-in-time recovery enabled" in migrated()[0]
        assert enabled == [NAME]
        assert faults() == []


@pytest.mark.parametrize("code", ["UnknownOperationException", "ValidationException"])
def test_aws_supports_everything_so_there_an_unknown_operation_is_an_error(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    with answering(lambda **_: refusal(code), "DescribeContinuousBackups"):
        described = tables.described(NAME)
        assert described
        assert described[drift.RECOVERY] == drift.UNSUPPORTED
        with monkeypatch.context() as patch:
            patch.setattr(connection(), "read", partial(replace, connection().read(), endpoint_url=None))
            with pytest.raises(Unavailable, match="database"):
                tables.described(NAME)
