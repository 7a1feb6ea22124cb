"""What writes cost, and what becomes of expired items."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from django.conf import settings

from accounts.sessions.models import SessionModel
from accounts.sessions.store import SessionStore
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels.commands import save_hotels
from hotels.entities import Hotel
from reviews import commands, keys
from reviews.models import LISTED, ReviewModel
from reviews.seeding import reviews as demo_reviews
from tests.claims.tables import FILLING, Table, text, units
from tests.costs.measuring import plain, recorded
from tests.costs.measuring import units as units_by_place

REVIEWS = 300


@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges four units for an item of a transaction")
def test_a_transaction_costs_twice(dynamodb: Any, table: Table, figures: Sequence[str]) -> None:
    item, wanted = text(pk="twice", sk="1", filling=FILLING), {"ReturnConsumedCapacity": "TOTAL"}
    place = {"TableName": table.name, "Key": text(pk="twice", sk="1")}
    put = {"TableName": table.name, "Item": item}
    answers = [
        dynamodb.put_item(**put, **wanted),
        dynamodb.transact_write_items(TransactItems=[{"Put": put}], **wanted),
        dynamodb.get_item(**place, **wanted),
        dynamodb.get_item(**place, **wanted, ConsistentRead=True),
        dynamodb.transact_get_items(TransactItems=[{"Get": place}], **wanted),
    ]
    assert figures == [f"{units(answer):g}" for answer in answers]


@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges index entries of transactions otherwise")
@pytest.mark.usefixtures("empty_tables")
def test_a_copy_for_every_combination_takes_32_writes(table: Table, figures: Sequence[str]) -> None:
    hotel_id = "seaside"
    save_hotels([Hotel(hotel_id, "Seaside")])
    # No review names a room, because copies by rating and language cannot list the reviews of a room.
    reviews = [replace(review, room_number="") for review in demo_reviews(1, hotel_id, REVIEWS)]
    with recorded() as answers:
        commands.save_reviews(reviews)
    found = units_by_place([answer for call, answer in answers if not call.reads], REVIEWS)
    statistics = found.pop(plain(settings.DYNAMODB_TABLE_PREFIX + "hotel-app"))
    unanswered = found.pop("reviews unanswered")
    one_item = sum(found.values())
    review, others_of = reviews[0], [rating for rating in keys.RATINGS if rating != reviews[0].rating]
    item = ReviewModel.item(review).serialize()
    listed = {name: item[name] for name in LISTED if name in item}
    copies = table.put(
        {**listed, **text(pk="-".join(map(str, sorted((review.rating, *others)))), sk=language)}
        for size in range(len(keys.RATINGS))
        for others in combinations(others_of, size)
        for language in ("all", review.language)
    )
    whole = one_item + unanswered + statistics
    shown = [f"{copies:g}", f"{one_item:.2f}", f"{copies / one_item:.1f}", f"{unanswered:.2f}", f"{statistics:.2f}"]
    assert figures == [*shown, f"{whole:.2f}", f"{copies / whole:.1f}"]


@pytest.mark.usefixtures("empty_tables")
def test_expired_items_are_still_read(dynamodb: Any, figures: Sequence[str]) -> None:
    session = SessionStore()
    session["seen"] = True
    session.save(must_create=True)
    assert session.session_key
    name = SessionModel.Meta.table_name
    (stored,) = dynamodb.scan(TableName=name)["Items"]
    key = {"session_key": stored["session_key"]}
    hour_ago = int((datetime.now(UTC) - timedelta(hours=1)).timestamp())
    dynamodb.put_item(TableName=name, Item={**stored, "expires_at": {"N": str(hour_ago)}})
    answer = dynamodb.get_item(TableName=name, Key=key, ReturnConsumedCapacity="TOTAL")
    late = dynamodb.scan(
        TableName=name,
        FilterExpression="expires_at < :now",
        ExpressionAttributeValues={":now": {"N": str(hour_ago + 1)}},
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["Item"]["expires_at"]["N"] == str(hour_ago)
    assert late["Count"] == 1
    assert "seen" not in SessionStore(session.session_key)
    assert figures == [f"{units(answer):g}"]
