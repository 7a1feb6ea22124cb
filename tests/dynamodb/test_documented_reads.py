"""The requests that docs/access-patterns.md shows in full, sent by boto3 alone, return the row that it shows."""

import json
import re
from io import StringIO
from pathlib import Path

import boto3
import pytest
from django.conf import settings
from django.core.management import call_command

TEXT = (Path(settings.BASE_DIR) / "docs" / "access-patterns.md").read_text(encoding="utf-8")
ROWS, FULL = (
    dict(re.findall(rf"<!-- {kind}: ([\w-]+) -->\n```json\n(.*?)\n```", TEXT, re.DOTALL)) for kind in ("row", "in full")
)


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_documented_requests_return_the_documented_row(endpoint: str) -> None:
    """The row of the list, the room 101 as a tap changes it, by its number, and counts, which are packed.

    The demo has more rooms, of which these are the first.
    """
    call_command("seed_demo", rooms=[1, 240], guests=0, orders=0, reviews=0, stdout=StringIO())
    session = boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")
    client = session.client("dynamodb", endpoint_url=endpoint)
    prefixed = f"{settings.DYNAMODB_TABLE_PREFIX}hotel-app"
    requests = {name: json.loads(text.replace("hotel-app", prefixed)) for name, text in FULL.items()}
    rows = client.query(**requests["R2-one"])["Items"]
    assert rows[0] == json.loads(ROWS["R2-one"])
    assert f"first row of {len(rows)}" in TEXT
    room = client.get_item(**requests["R5-one"])["Item"]
    tap = requests["room-status"]["TransactItems"][0]["Update"]
    assert room["sk"] == tap["Key"]["sk"]
    assert room["revision"] == tap["ExpressionAttributeValues"][":0"]
    (found,) = client.batch_get_item(**requests["R6"])["Responses"].values()
    assert len(found) == 2
