"""IAM policies with the least privileges: for the portal, for housekeeping commands, and for deploying."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

Definition = Mapping[str, Any]
"""A table in the words of CreateTable."""

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


def policy_document(role: Role, definitions: Mapping[str, Definition], arns: Mapping[str, Arn]) -> dict[str, Any]:
    """The IAM policy document of a role. ``arns`` gives the ARN of each table by its name.

    A table without a sort key and without indexes holds single items, so it is not queried.
    """
    every = list(arns.values())
    if role is Role.DEPLOYING:
        return _document(_statement("Tables", DEPLOYING, every))
    indexed = [name for name, table in definitions.items() if any("Secondary" in part for part in table)]
    queried = [name for name, table in definitions.items() if name in indexed or len(table["KeySchema"]) > 1]
    statements = [
        _statement("Items", SINGLE_ITEMS, every),
        _statement("Identities", [IDENTITIES], every),
        _statement("Queries", [QUERY], [arns[name] for name in queried]),
        _statement("IndexQueries", [QUERY], [_indexes(arns[name]) for name in indexed]),
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
