"""What the tests of claims share: a plain client of DynamoDB, a table, and the figures in docs/claims.md."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import boto3
import pytest
from django.conf import settings

from tests.claims.tables import FILLING, Table, created, index, key, local_indexes, number, text

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "claims.md"
FIGURE = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
ITEMS = 1000


def sections() -> dict[str, str]:
    """The part of the document about each claim, by the name of its test."""
    _, *parts = DOCUMENT.read_text(encoding="utf-8").split("\n## ")
    return {name: part for part in parts for name in re.findall(r"`(test_\w+)`", part)}


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Sequence[str]:
    """The bold figures of the claim that the running test is about, in their order."""
    return FIGURE.findall(sections()[request.node.name])


@pytest.fixture(scope="session")
def dynamodb(endpoint: str) -> Any:
    """The client of boto3, as anybody creates it. It has nothing of the portal."""
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )


@pytest.fixture(scope="session")
def table(dynamodb: Any) -> Iterator[Table]:
    """A table with a local index by ``metres``, a Number, and a global one by ``kind``."""
    with created(
        dynamodb,
        f"{settings.DYNAMODB_TABLE_PREFIX}claims",
        {"pk": "S", "sk": "S", "metres": "N", "kind": "S"},
        KeySchema=key("pk", "sk"),
        LocalSecondaryIndexes=local_indexes(["metres"]),
        GlobalSecondaryIndexes=[index("by-kind", "kind", "sk")],
    ) as table:
        yield table


@pytest.fixture(scope="session")
def parts(table: Table) -> Table:
    """A thousand items of 400 bytes in the partition ``parts``. Each tenth one is ``rare``. A shelf has 100."""
    table.put(
        {
            **text(pk="parts", sk=f"{n:04d}", kind="rare" if n % 10 == 0 else "usual", filling=FILLING),
            **number(shelf=n // 100, price=(n * 619) % ITEMS),
        }
        for n in range(ITEMS)
    )
    return table
