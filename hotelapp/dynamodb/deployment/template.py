"""The CloudFormation template of all tables, with their alarms and the IAM policies for them.

``template.json`` beside this module has what does not depend on the models: parameters, and what all tables, alarms and
policies have in common.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hotelapp.dynamodb.deployment.policies import Definition, Role, policy_document

FRAME = Path(__file__).with_name("template.json")
Resource = tuple[str, str, Mapping[str, Any]]
"""The logical id of a resource, which of the common resources it is, and the properties of its own."""


def template(definitions: Mapping[str, Definition], ttls: Mapping[str, str], prefix: str) -> dict[str, Any]:
    """A CloudFormation template of tables, whose definitions and TTL attributes are by their names without the prefix.

    ``prefix`` is the default of the parameter for the prefix of table names.
    """
    frame: dict[str, Any] = json.loads(FRAME.read_text(encoding="utf-8"))
    frame["Parameters"]["TablePrefix"]["Default"] = prefix
    common = frame.pop("Resources")
    arns = {name: {"Fn::GetAtt": [_table_id(name), "Arn"]} for name in definitions}
    own = [
        *((_table_id(name), "Table", _table(name, definitions[name], ttls[name])) for name in definitions),
        *(alarm for name, definition in definitions.items() for alarm in _alarms(name, definition)),
        *((_policy_id(role), "Policy", _policy(role, policy_document(role, definitions, arns))) for role in Role),
    ]
    return {
        **frame,
        "Resources": {
            logical_id: {**common[kind], "Properties": {**common[kind]["Properties"], **properties}}
            for logical_id, kind, properties in own
        },
        "Outputs": {
            f"{_policy_id(role)}Arn": {
                "Description": f"ARN of the policy for {role}.",
                "Value": {"Ref": _policy_id(role)},
            }
            for role in Role
        },
    }


def camel_case(name: str) -> str:
    """A name as a part of a logical id, which holds letters and digits only."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").replace(".", "-").split("-"))


def _table_id(name: str) -> str:
    return f"{camel_case(name)}Table"


def _policy_id(role: Role) -> str:
    return f"{camel_case(role)}Policy"


def _table(name: str, definition: Definition, ttl: str) -> Mapping[str, Any]:
    setting = {"TimeToLiveSpecification": {"AttributeName": ttl, "Enabled": True}} if ttl else {}
    return {**definition, "TableName": {"Fn::Sub": f"${{TablePrefix}}{name}"}, **setting}


def _policy(role: Role, document: Mapping[str, Any]) -> Mapping[str, Any]:
    description = {"Fn::Sub": f"${{Application}}: access to DynamoDB for {role}"}
    return {"Description": description, "PolicyDocument": document}


def _alarms(name: str, definition: Definition) -> Iterator[Resource]:
    """The alarms of a table: throttled requests, and transaction conflicts.

    A GSI that throttles its writes also throttles the table's. CloudWatch counts them under the index, so each GSI has
    alarms of its own.
    """
    indexes = [index["IndexName"] for index in definition.get("GlobalSecondaryIndexes", ())]
    for metric in ("ReadThrottleEvents", "WriteThrottleEvents"):
        for index in ("", *indexes):
            words = f"{name}, index {index}" if index else name
            yield _alarm(name, metric, f"DynamoDB throttles {words}.", 0, index)
    conflicts = {"Ref": "ConflictThreshold"}
    yield _alarm(name, "TransactionConflict", f"Transactions on {name} conflict.", conflicts)


def _alarm(name: str, metric: str, description: str, threshold: object, index: str = "") -> Resource:
    dimensions: list[dict[str, Any]] = [{"Name": "TableName", "Value": {"Ref": _table_id(name)}}]
    if index:
        dimensions.append({"Name": "GlobalSecondaryIndexName", "Value": index})
    properties = {
        "AlarmDescription": description,
        "MetricName": metric,
        "Threshold": threshold,
        "Dimensions": dimensions,
    }
    return f"{_table_id(name)}{camel_case(index)}{metric}Alarm", "Alarm", properties
