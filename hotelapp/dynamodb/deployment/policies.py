"""IAM policies with the least privileges: for the portal, for housekeeping commands, and for deploying."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from hotelapp.dynamodb.schema.drift import TableState

Arn = Any
"""An ARN as text, or a CloudFormation function that gives one."""

SERVICE = "dynamodb:"
QUERY = "Query"
SINGLE_ITEMS = ("BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem")
"""What the portal does with items. IAM authorises a transaction through the operations that it contains."""

IDENTITIES = "DescribeTable"
"""What an import does before it continues: the tables must be those in which it began."""

HOUSEKEEPING = ("DescribeContinuousBackups", "DescribeTimeToLive", "ListTagsOfResource", "Scan")
"""What commands that go through whole tables, or check their settings, do besides."""

DEPLOYING = (
    "CreateTable",
    "Describe*",
    "ListTagsOfResource",
    "TagResource",
    "UpdateContinuousBackups",
    "UpdateTable",
    "UpdateTimeToLive",
)
"""What creates and changes tables. It neither reads nor writes items, and deletes no table."""


class Role(StrEnum):
    """Who gets a policy."""

    PORTAL = "portal"
    HOUSEKEEPING = "housekeeping"
    DEPLOYING = "deploying"


def policy_document(role: Role, tables: Mapping[str, TableState], arns: Mapping[str, Arn]) -> dict[str, Any]:
    """The IAM policy document of a role. ``arns`` gives the ARN of each of the ``tables`` by its name.

    A table without a sort key and without indexes holds single items, so it is not queried.
    """
    every = [arns[name] for name in tables]
    if role is Role.DEPLOYING:
        return _document(_statement("Tables", DEPLOYING, every))
    queried = [arns[name] for name, table in tables.items() if table.indexes or len(table.keys) > 1]
    statements = [
        _statement("Items", SINGLE_ITEMS, every),
        _statement("Identities", [IDENTITIES], every),
        _statement("Queries", [QUERY], queried),
        _statement("IndexQueries", [QUERY], [_indexes(arns[name]) for name, table in tables.items() if table.indexes]),
    ]
    if role is Role.HOUSEKEEPING:
        statements.append(_statement("WholeTables", HOUSEKEEPING, every))
    return _document(*(statement for statement in statements if statement["Resource"]))


def _statement(name: str, actions: Sequence[str], resources: list[Arn]) -> dict[str, Any]:
    return {
        "Sid": name,
        "Effect": "Allow",
        "Action": [f"{SERVICE}{action}" for action in sorted(actions)],
        "Resource": resources,
    }


def _document(*statements: Mapping[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def _indexes(arn: Arn) -> Arn:
    """The ARN of all indexes of a table."""
    return f"{arn}/index/*" if isinstance(arn, str) else {"Fn::Join": ["/", [arn, "index/*"]]}
