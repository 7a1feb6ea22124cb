"""The requests in docs/dynamodb.md do what it says."""

import json
import re
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from dynamodb_lists.connection.client import client
from tests.helpers.documents import text_of

RUN = dict(re.findall(r"<!-- run: ([\w-]+) -->\n```json\n(.*?)\n```", text_of("dynamodb.md"), re.DOTALL))


def request(name: str) -> Any:
    """Return a request of the document, about the tables of the tests."""
    return json.loads(RUN[name].replace('"TableName": "', f'"TableName": "{settings.DYNAMODB_TABLE_PREFIX}'))


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
