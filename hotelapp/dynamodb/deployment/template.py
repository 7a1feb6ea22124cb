"""The CloudFormation template of all tables, with their alarms and the IAM policies for them."""

from collections.abc import Iterable, Sequence
from typing import Any

from hotelapp.dynamodb.deployment import alarms
from hotelapp.dynamodb.deployment.alarms import camel_case
from hotelapp.dynamodb.deployment.policies import Role, policy_document
from hotelapp.dynamodb.deployment.table_schemas import IndexSchema, TableSchema, key_schema

PREFIX, APPLICATION, PROTECTION = "TablePrefix", "Application", "DeletionProtection"


def template(schemas: Sequence[TableSchema], prefix: str, application: str) -> dict[str, Any]:
    """A CloudFormation template.

    ``prefix`` is the default of the parameter for the prefix of table names. Tables are tagged with ``application``.
    """
    resources: dict[str, Any] = {}
    for schema in schemas:
        resources[logical_id(schema)] = _table(schema)
        resources.update(alarms.alarms(schema, logical_id(schema)))
    arns = {schema.name: {"Fn::GetAtt": [logical_id(schema), "Arn"]} for schema in schemas}
    for role in Role:
        resources[_policy_id(role)] = _policy(role, policy_document(role, schemas, arns))
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


def logical_id(schema: TableSchema) -> str:
    """The id of a table in the template."""
    return f"{camel_case(schema.name)}Table"


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


def _table(schema: TableSchema) -> dict[str, Any]:
    """A table, which stays if the stack is deleted."""
    properties: dict[str, Any] = {
        "TableName": {"Fn::Sub": f"${{{PREFIX}}}{schema.name}"},
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in sorted(schema.types.items())
        ],
        "KeySchema": key_schema(schema.keys),
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        "DeletionProtectionEnabled": {"Ref": PROTECTION},
        "Tags": [{"Key": "application", "Value": {"Ref": APPLICATION}}],
    }
    if schema.local_indexes:
        properties["LocalSecondaryIndexes"] = _indexes(schema.local_indexes)
    if schema.global_indexes:
        properties["GlobalSecondaryIndexes"] = _indexes(schema.global_indexes)
    if schema.ttl:
        properties["TimeToLiveSpecification"] = {"AttributeName": schema.ttl, "Enabled": True}
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": properties,
    }


def _indexes(indexes: Iterable[IndexSchema]) -> list[dict[str, Any]]:
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
