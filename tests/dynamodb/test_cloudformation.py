"""The CloudFormation template declares what ``create_tables`` creates, and its policies allow what the portal does."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, override_settings

from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.models import SHAPES
from dynamodb_lists.deployment.template import camel_case
from dynamodb_lists.schema import tables
from dynamodb_lists.schema.drift import facts, named
from dynamodb_lists.schema.entities import lists_lack
from hotels.entities import Hotel
from orders.entities import Guest, Order
from reviews import commands as reviews
from tests.helpers import faults
from tests.helpers.contents import delete_all
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.writes import create_guest

MOST_PROJECTED, MOST_PROJECTED_BY_INDEX = 100, 20
"""How many attributes all indexes of a table may project together, and how many an index may (DynamoDB's quotas)."""

MOST_BYTES = 51_200
"""The largest template that CloudFormation takes without a bucket."""

IAM_ACTIONS = {"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}
IAM_ACTIONS |= {"ConditionCheck": "ConditionCheckItem"}
"""What IAM checks for each part of a transaction."""

READ = f"/hotels/{ABC}/rooms/ /hotels/{ABC}/rooms/?view=sea-view&sort=-size /hotels/{ABC}/rooms/101/ /guests/?q=al"
READ += f" /hotels/ /hotels/{ABC}/orders/big/ /guests/alex/ /guests/alex/orders/?status=PLACED"
READ += f" /orders/o-1/ /hotels/{ABC}/reviews/?rating=1&rating=5 /hotels/{ABC}/reviews/?language=en&format=csv"
REVIEW = {"review_id": "r-9", "author": "Ann", "language": "en", "rating": "4", "title": "Fine", "body": "Really."}
ROOMS = """hotel_id,hotel_name,city,number,view,size,type,rate,currency
abc,Hotel ABC,Paris,101,Sea view,40,Suite,130.50,EUR
abc,Hotel ABC,Paris,102,Garden view,40,Suite,130.50,EUR
"""

Asked = set[tuple[str, str]]
"""IAM actions, each with the ARN of what it was done to."""


def printed(**options: Any) -> str:
    out = StringIO()
    call_command("cloudformation", stdout=out, **options)
    return out.getvalue()


def resources(kind: str) -> dict[str, Any]:
    declared = json.loads(printed())["Resources"]
    return {name: entry["Properties"] for name, entry in declared.items() if entry["Type"] == kind}


def test_the_template_declares_exactly_the_tables_that_create_tables_creates() -> None:
    declared = {}
    for properties in resources("AWS::DynamoDB::Table").values():
        name = properties["TableName"]["Fn::Sub"].replace("${TablePrefix}", settings.DYNAMODB_TABLE_PREFIX)
        declared[name] = facts(properties), properties.get("TimeToLiveSpecification", {}).get("AttributeName", "")
    assert declared == {name: (facts(tables.definition(name)), tables.ttl_attribute(name)) for name in tables.names()}
    assert len(declared) == 6


def test_the_indexes_project_no_more_than_dynamodb_allows() -> None:
    """The engines that run here allow more. Another test compares the template with the tables."""
    for table in resources("AWS::DynamoDB::Table").values():
        indexes = [*table.get("LocalSecondaryIndexes", []), *table.get("GlobalSecondaryIndexes", [])]
        projected = [len(index["Projection"].get("NonKeyAttributes", ())) for index in indexes]
        assert max(projected, default=0) <= MOST_PROJECTED_BY_INDEX, table["TableName"]
        assert sum(projected) <= MOST_PROJECTED, f"{table['TableName']}: give a field listed=False"


def test_lists_of_hotels_guests_and_orders_have_all_that_their_exports_show() -> None:
    assert not any(map(lists_lack, (Hotel, Guest, Order))), "read what lists lack in `exported` of the list's page"


def test_tables_survive_their_stack_can_be_restored_and_have_maxima_and_insights() -> None:
    insights = {"Enabled": {"Ref": "KeyInsights"}, "Mode": "THROTTLED_KEYS"}
    reads, writes = ({f"Max{kind}RequestUnits": {"Ref": f"Max{kind}Units"}} for kind in ("Read", "Write"))
    entries = [each for each in json.loads(printed())["Resources"].values() if each["Type"] == "AWS::DynamoDB::Table"]
    assert {(each["DeletionPolicy"], each["UpdateReplacePolicy"]) for each in entries} == {("Retain", "Retain")}
    declared = resources("AWS::DynamoDB::Table")
    for table in declared.values():
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["DeletionProtectionEnabled"] == {"Ref": "DeletionProtection"}
        assert table["Tags"]
        assert table["OnDemandThroughput"] == {**reads, **writes}
        assert table["ContributorInsightsSpecification"] == insights
        for index in table.get("GlobalSecondaryIndexes", ()):
            assert index["OnDemandThroughput"] == reads, "a maximum of writes would throttle the table"
            assert index["ContributorInsightsSpecification"] == insights
        assert not any("OnDemandThroughput" in index for index in table.get("LocalSecondaryIndexes", ()))
    classes = {name: table["TableClass"] for name, table in declared.items() if table["TableClass"] != "STANDARD"}
    assert classes == {"HistoryTable": "STANDARD_INFREQUENT_ACCESS"}


OF_GSIS = (
    r'SELECT SUM\(WriteThrottleEvents\) FROM SCHEMA\("AWS/DynamoDB", GlobalSecondaryIndexName, TableName\) '
    r"WHERE TableName = '\$\{(?P<table>\w+)\}'"
)


def test_every_table_and_its_gsis_have_alarms() -> None:
    watched: set[tuple[str, ...]] = set()
    for alarm in resources("AWS::CloudWatch::Alarm").values():
        if "Metrics" in alarm:  # a query over all GSIs of a table
            found = re.fullmatch(OF_GSIS, alarm["Metrics"][0]["Expression"]["Fn::Sub"])
            assert found, alarm
            watched.add(("WriteThrottleEvents", found["table"], "GSIs"))
            continue
        table, *index = (dimension["Value"] for dimension in alarm["Dimensions"])
        watched.add((alarm["MetricName"], table["Ref"], *index))
    expected: set[tuple[str, ...]] = set()
    for name in tables.names():
        table = f"{camel_case(name.removeprefix(settings.DYNAMODB_TABLE_PREFIX))}Table"
        expected.add(("TransactionConflict", table))
        expected |= {("ReadThrottleEvents", table), ("WriteThrottleEvents", table)}
        if any(kind == "GSI" for kind, *_ in named(tables.declared(name), "index").values()):
            expected |= {("ThrottledRequests", table, "Query"), ("WriteThrottleEvents", table, "GSIs")}
    assert watched == expected


def test_cfn_lint_accepts_the_template(tmp_path: Path) -> None:
    file = tmp_path / "template.json"
    file.write_text(printed())
    lint = [str(Path(sys.executable).with_name("cfn-lint")), "--regions", "eu-west-1", "--template", str(file)]
    done = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert file.stat().st_size < MOST_BYTES


# --- Policies -------------------------------------------------------------------------------------------


@contextmanager
def recording() -> Iterator[Asked]:
    """The IAM actions of every request that the process sends."""
    asked: Asked = set()

    def note(params: Mapping[str, Any], model: Any, **_: Any) -> None:
        asked.update(actions(model.name, params))

    client().meta.events.register("before-parameter-build.dynamodb", note)
    try:
        yield asked
    finally:
        client().meta.events.unregister("before-parameter-build.dynamodb", note)


def actions(operation: str, params: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what IAM checks for a request."""
    for part in params.get("TransactItems", ()):
        ((kind, asked),) = part.items()
        yield f"dynamodb:{IAM_ACTIONS[kind]}", arn(asked["TableName"])
    for table in params.get("RequestItems", ()):
        yield f"dynamodb:{operation}", arn(table)
    if "TableName" in params:
        index = f"/index/{params['IndexName']}" if "IndexName" in params else ""
        yield f"dynamodb:{operation}", arn(params["TableName"]) + index
    if "ResourceArn" in params:
        yield f"dynamodb:{operation}", arn(params["ResourceArn"].rpartition("/")[2])


def arn(table: str) -> str:
    return f"arn:aws:dynamodb:us-east-1:123456789012:table/{table}"


def allowed(policy: str, action: str, resource: str) -> bool:
    """Return whether a policy allows an action on any item, as IAM decides."""
    return any(
        "Condition" not in statement
        and any(fnmatchcase(action, pattern) for pattern in statement["Action"])
        and any(fnmatchcase(resource, pattern) for pattern in statement["Resource"])
        for statement in statements(policy)
    )


@cache
def statements(policy: str) -> Sequence[Mapping[str, Any]]:
    """Return the statements of a policy in the region of the tests."""
    document: Mapping[str, Sequence[Mapping[str, Any]]] = json.loads(printed(policy=policy, account="123456789012"))
    return document["Statement"]


@pytest.fixture
def used(empty_tables: None, db: None, tmp_path: Path) -> Asked:
    """What pages that read and write ask DynamoDB, from the login to the logout, and what an import does."""
    make_hotel([make_room("101")])
    create_guest(Guest("alex", "Alex Doe"), "alice")
    store([make_order("o-1")])
    reviews.save_reviews([make_review("r-1", rating=1), make_review("r-2", rating=5)])
    User.objects.create_superuser("root", password="root")
    rooms = tmp_path / "rooms.csv"
    rooms.write_text(ROOMS)
    with recording() as asked:
        browse()
        call_command("import_rooms", rooms, stdout=StringIO())
    return asked


def browse() -> None:
    browser = Client()
    assert browser.post("/admin/login/", {"username": "root", "password": "root"}).status_code == 302
    for path in READ.split():
        response = browser.get(path, follow=True)
        assert response.status_code == 200, path
        if response.streaming:
            list(response)
    assert browser.post("/guests/alex/edit/", {"name": "Alexandra", "revision": "1"}).status_code == 302
    assert browser.post("/orders/o-1/", {"step": "PROCESSING", "seen": "PLACED"}).status_code == 302
    assert browser.post(f"/hotels/{ABC}/reviews/add/", REVIEW).status_code == 302
    assert browser.post("/reviews/r-9/delete/", {"revision": "1"}).status_code == 302
    assert browser.post("/admin/logout/").status_code in {200, 302}


def test_the_portals_policy_allows_what_pages_and_imports_do_and_no_other_action(used: Asked) -> None:
    refused = {(action, resource) for action, resource in used if not allowed("portal", action, resource)}
    assert refused == set()
    document = json.loads(printed(policy="portal"))
    granted = {action for statement in document["Statement"] for action in statement["Action"]}
    assert granted == {action for action, _ in used}
    assert "dynamodb:Scan" not in granted


def commands_for(policy: str) -> list[str]:
    """Return the commands that docs/operate.md names for a policy."""
    text = (Path(settings.BASE_DIR) / "docs" / "operate.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{policy}` |"))
    return re.findall(r"`(\w+)`", row.split("|")[2])


def test_housekeeping_may_do_what_the_portal_and_each_of_its_commands_do(used: Asked) -> None:
    """The portal's policy is too narrow for the commands together."""
    done, commands = Asked(), commands_for("housekeeping")
    assert {*commands} == {"check_tables", "verify_data"}
    faults.delete(faults.HOTELS, (faults.COUNTS, "sea-view#0240#suite"))
    for name in commands:
        options = ["--repair"] if name == "verify_data" else []
        with recording() as asked:
            call_command(name, *options, stdout=StringIO(), stderr=StringIO())
        assert {action for action in asked if not allowed("housekeeping", *action)} == set(), name
        done |= asked
    granted = {action for statement in statements("housekeeping") for action in statement["Action"]}
    assert granted == {action for action, _ in done | used}
    assert {action for action, _ in done} - {action for action, _ in used}
    assert not any(allowed("portal", action, resource) for action, resource in done if action == "dynamodb:Scan")


def test_the_policy_for_deploying_allows_create_tables_and_no_item_but_shapes(own_engine: Any) -> None:
    delete_all()
    with recording() as asked:
        call_command("create_tables", stdout=StringIO())
    assert ("dynamodb:CreateTable", arn(tables.names()[0])) in asked
    assert {action for action, resource in asked if not allowed("deploying", action, resource)} == {"dynamodb:PutItem"}
    (shapes,) = (each for each in statements("deploying") if "Condition" in each)
    assert shapes["Action"] == ["dynamodb:PutItem"]
    assert shapes["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{SHAPES}*"]}}
    for action in ("DeleteTable", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"):
        assert not allowed("deploying", f"dynamodb:{action}", arn(tables.names()[0]))


@override_settings(AWS_REGION="cn-north-1")
def test_a_policy_names_the_tables_of_the_configured_region_and_no_others() -> None:
    document = json.loads(printed(policy="housekeeping", account="123456789012"))
    named = {resource for statement in document["Statement"] for resource in statement["Resource"]}
    start = f"arn:aws-cn:dynamodb:cn-north-1:123456789012:table/{settings.DYNAMODB_TABLE_PREFIX}"
    assert named
    assert all(resource.startswith(start) for resource in named)
    assert not any(resource.startswith(f"{start}*") for resource in named)
