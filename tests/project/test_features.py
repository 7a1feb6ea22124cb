"""The requests in docs/features.md do what it says, and its counts are those of the tables."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.schema import tables
from dynamodb_lists.schema.drift import named
from dynamodb_lists.schema.keys import now
from hotels import commands as hotels
from hotels.entities import Hotel
from orders import commands as orders
from orders.statuses import Status
from reviews import commands as reviews
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import BulkChange, RoomAction
from tests.helpers.orders import make_guest, make_items, make_order, stored
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room

TEXT = (Path(settings.BASE_DIR) / "docs" / "features.md").read_text(encoding="utf-8")
RUN = dict(re.findall(r"<!-- run: ([\w-]+) -->\n```json\n(.*?)\n```", TEXT, re.DOTALL))


def request(name: str) -> dict[str, Any]:
    """A request of the document, about the tables of the tests."""
    written = re.sub(r'("TableName": ")', rf"\1{settings.DYNAMODB_TABLE_PREFIX}", RUN[name])
    parsed: dict[str, Any] = json.loads(written)
    return parsed


@pytest.mark.usefixtures("empty_tables")
def test_a_transaction_with_a_token_is_made_once() -> None:
    asked = request("token")
    for _ in range(2):
        client().transact_write_items(**asked)
    update = asked["TransactItems"][0]["Update"]
    item = client().get_item(TableName=update["TableName"], Key=update["Key"])["Item"]
    assert item["reviews"] == {"N": "1"}


@pytest.mark.usefixtures("empty_tables")
def test_a_refused_write_has_the_stored_item() -> None:
    asked = request("refused")
    client().transact_write_items(**asked)
    with pytest.raises(ClientError) as refusal:
        client().transact_write_items(**asked)
    answer: Any = refusal.value.response
    (reason,) = answer["CancellationReasons"]
    assert (reason["Code"], reason["Item"]) == ("ConditionalCheckFailed", asked["TransactItems"][0]["Put"]["Item"])


def again_after_a_refusal() -> Iterator[tuple[str, Callable[[], object]]]:
    """The writes of the document's table that is about refusals. Each is refused, because it, or another, was made."""
    make_hotel([make_room("101"), make_room("102")])
    room, guest, hotel = room_queries.room(ABC, "101"), make_guest("alex"), Hotel("neu", "Neu")
    bulk = BulkChange("01", RoomAction.VIEW, "101", "anna", now(), text="Garden")
    order = make_order(items=make_items(3), total=make_order().with_items(make_items(3)).total)
    twice: dict[str, Callable[[], object]] = {
        "a room added again": lambda: rooms.create_room(make_room("103"), "anna"),
        "a guest added again": lambda: orders.create_guest(guest, "anna"),
        "a hotel added again": lambda: hotels.create_hotel(hotel, "anna"),
        "a review added again": lambda: reviews.add_review(make_review(), "anna"),
        "an edit sent again": lambda: orders.edit_guest(replace(guest, revision=1), replace(guest, phone="1"), "anna"),
        "an order of three items placed again": lambda: orders.place_order(order, "anna"),
        "a bulk change asked again": lambda: rooms.ask_for(ABC, bulk),
    }
    for words, write in twice.items():
        write()
        yield words, write
    seen = stored()
    orders.take_step(seen, Status.PROCESSING, "bob")
    yield ("a step of an order after somebody else's", lambda: orders.take_step(seen, Status.CANCELLED, "anna"))
    yield ("a correction after somebody else's step", lambda: orders.correct_order(seen, make_items(2), "anna"))
    yield "a room's new number that another has", lambda: rooms.edit_room(room, replace(room, number="102"), "anna")


@pytest.mark.usefixtures("empty_tables")
def test_the_document_tells_what_is_read_after_a_refusal() -> None:
    table = TEXT.split("| refused write |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    documented = [(words, read) for read, refused in rows for words in refused.split("; ")]
    found = {}
    for words, write in again_after_a_refusal():
        with ledger.recording() as calls, suppress(Conflict):
            write()
        (refused,) = (number for number, call in enumerate(calls.calls) if call.conflict)
        after = [call for call in calls.calls[refused + 1 :] if call.purpose != "catalogue"]
        units = sum(call.units for call in after)
        found[words] = f"{len(after)} request, {float(units):g} read unit" if after else "nothing"
    assert sorted(found.items()) == sorted(documented)


@contextmanager
def created(definition: dict[str, Any]) -> Iterator[str]:
    """A new table, which is deleted after the block."""
    client().create_table(**definition)
    try:
        yield definition["TableName"]
    finally:
        client().delete_table(TableName=definition["TableName"])


REVIEWS_BY_ATTRIBUTES: dict[str, Any] = {
    "TableName": f"{settings.DYNAMODB_TABLE_PREFIX}ratings",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "N" if name == "rating" else "S"}
        for name in ("review_id", "hotel_id", "language", "rating", "created_at")
    ],
    "KeySchema": [{"AttributeName": "review_id", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-language-rating",
            "KeySchema": [
                *({"AttributeName": name, "KeyType": "HASH"} for name in ("hotel_id", "language", "rating")),
                {"AttributeName": "created_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}
"""The key of three and one attributes, of which the document speaks."""


@pytest.mark.usefixtures("endpoint")
def test_the_engines_lack_multi_attribute_keys() -> None:
    """The embedded engine refuses the Query, an old DynamoDB Local the table. If this fails, change the document."""
    (condition,) = re.findall(r"```\n(hotel_id = .*)\n```", TEXT)
    values: Any = {f":{name}": {"S": "x"} for name in ("hotel", "language", "day")} | {":rating": {"N": "5"}}
    query = {
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values,
        "IndexName": "by-language-rating",
    }
    with (
        pytest.raises(ClientError, match="Key Schema too big|Unexpected token"),
        created(REVIEWS_BY_ATTRIBUTES) as table,
    ):
        client().query(TableName=table, ExpressionAttributeNames={"#language": "language"}, **query)


def test_the_document_counts_the_rules_of_contributor_insights() -> None:
    """A rule for the partition key of each table and each GSI, and one more for those with a sort key."""
    declared = [tables.declared(name) for name in tables.names()]
    keys = [facts["keys"] for facts in declared]
    keys += [index[1:] for facts in declared for index in named(facts, "index").values() if index[0] == "GSI"]
    rules = sum(map(len, keys))
    assert f"The {len(keys)} tables and GSIs here have {rules} rules" in " ".join(TEXT.split())
    assert f"a month: {rules * 0.5:.2f}." in " ".join(TEXT.split())
