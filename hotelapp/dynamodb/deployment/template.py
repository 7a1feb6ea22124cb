"""The CloudFormation template of all tables, with their alarms and the IAM policies for them."""

from collections.abc import Iterable, Mapping
from typing import Any

from hotelapp.dynamodb.deployment import alarms
from hotelapp.dynamodb.deployment.alarms import camel_case
from hotelapp.dynamodb.deployment.policies import Role, policy_document
from hotelapp.dynamodb.schema.drift import IndexState, TableState, key_schema

PREFIX, APPLICATION, PROTECTION = "TablePrefix", "Application", "DeletionProtection"


def template(tables: Mapping[str, TableState], prefix: str, application: str) -> dict[str, Any]:
    """A CloudFormation template.

    ``prefix`` is the default of the parameter for the prefix of table names. Tables are tagged with ``application``.
    """
    resources: dict[str, Any] = {}
    for name, table in tables.items():
        resources[_table_id(name)] = _table(name, table)
        resources.update(alarms.alarms(name, table, _table_id(name)))
    arns = {name: {"Fn::GetAtt": [_table_id(name), "Arn"]} for name in tables}
    for role in Role:
        resources[_policy_id(role)] = _policy(role, policy_document(role, tables, arns))
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"DynamoDB tables of {application}, their alarms, and IAM policies. manage.py cloudformation.",
        "Parameters": {**_parameters(prefix, application), **alarms.PARAMETERS},
        "Conditions": alarms.CONDITIONS,
        "Resources": resources,
        "Outputs": {
            f"{_policy_id(role)}Arn": {
                "Description": f"ARN of the policy for {role}.",
                "Value": {"Ref": _policy_id(role)},
            }
            for role in Role
        },
    }


def _table_id(name: str) -> str:
    """The id of a table in the template."""
    return f"{camel_case(name)}Table"


def _policy_id(role: Role) -> str:
    return f"{camel_case(role)}Policy"


def _parameters(prefix: str, application: str) -> dict[str, Any]:
    return {
        PREFIX: {
            "Type": "String",
            "Default": prefix,
            "AllowedPattern": "[a-zA-Z0-9_.-]*",
            "Description": "Prefix of every table name; DYNAMODB_TABLE_PREFIX of the application must be the same.",
        },
        APPLICATION: {"Type": "String", "Default": application, "Description": "Value of the tag application."},
        PROTECTION: {
            "Type": "String",
            "Default": "true",
            "AllowedValues": ["true", "false"],
            "Description": "Whether DynamoDB refuses to delete the tables.",
        },
    }


def _table(name: str, table: TableState) -> dict[str, Any]:
    """A table, which stays if the stack is deleted."""
    properties: dict[str, Any] = {
        "TableName": {"Fn::Sub": f"${{{PREFIX}}}{name}"},
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in sorted(table.types.items())
        ],
        "KeySchema": key_schema(table.keys),
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        "DeletionProtectionEnabled": {"Ref": PROTECTION},
        "Tags": [{"Key": "application", "Value": {"Ref": APPLICATION}}],
    }
    if table.local_indexes:
        properties["LocalSecondaryIndexes"] = _indexes(table.local_indexes)
    if table.global_indexes:
        properties["GlobalSecondaryIndexes"] = _indexes(table.global_indexes)
    if table.ttl:
        properties["TimeToLiveSpecification"] = {"AttributeName": table.ttl, "Enabled": True}
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": properties,
    }


def _indexes(indexes: Iterable[IndexState]) -> list[dict[str, Any]]:
    return [
        {"IndexName": index.name, "KeySchema": key_schema(index.keys), "Projection": index.projection}
        for index in indexes
    ]


def _policy(role: Role, document: dict[str, Any]) -> dict[str, Any]:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": {"Fn::Sub": f"${{{APPLICATION}}}: access to DynamoDB for {role}"},
            "PolicyDocument": document,
        },
    }
