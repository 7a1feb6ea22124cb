"""``create_tables`` and ``check_tables``: their outputs, and when they fail. The package tests their effects."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.models import SHAPES
from dynamodb_lists.schema import tables
from hotelapp.demo.management.commands import run_demo
from orders import models as order_models
from reviews import models as review_models
from tests.helpers.contents import delete_all
from tests.helpers.kinds import items_of
from tests.helpers.orders import make_order, store

ORDERS, REVIEWS = order_models.TABLE, review_models.TABLE


@pytest.fixture(autouse=True)
def _fresh_tables(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test may leave its tables as it likes."""
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.01)
    yield
    delete_all()
    list(tables.migrate())


BARE: Any = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
}
"""A table without indexes."""


def run(command: str) -> tuple[str, str, bool]:
    """Return what a command wrote to its two streams, and whether it succeeded."""
    out, err = StringIO(), StringIO()
    try:
        call_command(command, stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
        return out.getvalue(), err.getvalue(), False
    return out.getvalue(), err.getvalue(), True


def without(name: str, *missing: str) -> None:
    """Create a table anew, without some of its indexes."""
    client().delete_table(TableName=name)
    definition = tables.definition(name)
    for section in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        definition[section] = [each for each in definition[section] if each["IndexName"] not in missing]
    used = set(re.findall("'AttributeName': '(.*?)'", str(definition | {"AttributeDefinitions": []})))
    attributes = [each for each in definition["AttributeDefinitions"] if each["AttributeName"] in used]
    client().create_table(**definition | {"AttributeDefinitions": attributes})


@pytest.mark.django_db
def test_the_demo_says_in_one_line_what_to_do_with_the_data_of_another_version(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    client().delete_table(TableName=ORDERS)
    key = {name: BARE[name][:1] for name in ("KeySchema", "AttributeDefinitions")}
    client().create_table(**BARE | key, TableName=ORDERS)
    settings.DYNAMODB_ENGINE, settings.DYNAMODB_NAMED_ENDPOINT = "embedded", ""
    with pytest.raises(CommandError) as refused:
        run_demo.Command()._prepare()
    assert str(refused.value).endswith(run_demo.UNUSABLE)
    assert "\n" not in str(refused.value)
    assert f"{ORDERS}: keys is PK instead of PK, SK." in capsys.readouterr().err


def test_what_the_documents_say_fills_a_new_table() -> None:
    """The copy of docs/operate.md, for a table whose local index is missing."""
    without(ORDERS, "by-placed")
    store([make_order(f"o-{number}") for number in range(3)])
    text = (Path(settings.BASE_DIR) / "docs" / "operate.md").read_text(encoding="utf-8")
    (copy,) = re.findall(r"^python manage.py shell --no-imports <<END\n(.*?)END\n", text, re.DOTALL | re.MULTILINE)
    old, stored = f"{ORDERS}-old", items_of(ORDERS)
    client().create_table(TableName=old, **BARE)
    try:
        exec(copy.replace("hotel-app-2", old).replace("hotel-app", ORDERS), {})
        delete_all()
        assert run("create_tables")[2]
        exec(copy.replace("hotel-app-2", ORDERS).replace("hotel-app", old), {})
    finally:
        client().delete_table(TableName=old)
    there = [item for item in items_of(ORDERS) if item["PK"] != {"S": SHAPES}]
    assert sorted(json.dumps(item, sort_keys=True) for item in there) == sorted(
        json.dumps(item, sort_keys=True) for item in stored
    )
    assert run("check_tables")[2]


def test_check_tables_writes_nothing_and_names_missing_tables() -> None:
    client().delete_table(TableName=REVIEWS)
    sent: set[str] = set()

    def note(event_name: str, **_: Any) -> None:
        sent.add(event_name.rpartition(".")[2])

    client().meta.events.register("before-send.dynamodb", note)
    try:
        _, faults, passed = run("check_tables")
    finally:
        client().meta.events.unregister("before-send.dynamodb", note)
    assert not passed
    assert f"{REVIEWS}: the table is missing" in faults
    assert sent == {"DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups"}
