"""The CloudFormation template of all tables, with their alarms, and the IAM policies for them.

Two files beside this module have the parts that do not depend on the models. ``template.json`` has the parameters, and
the common properties of tables, alarms and policies. ``policies.json`` has the actions of each role, in statements. The
statement ``IndexQueries`` is about indexes, ``Queries`` about tables with indexes or with several items in a partition,
``Shapes`` about the items with the shapes of lists, and every other statement about all tables. IAM authorises a
transaction through its operations.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dynamodb_lists.declared.models import SHAPES

GSIS = "GlobalSecondaryIndexes"
OF_GSIS = 'SELECT SUM(WriteThrottleEvents) FROM SCHEMA("AWS/DynamoDB", GlobalSecondaryIndexName, TableName)'
"""The query, in Metrics Insights, of the throttled writes of all GSIs."""
Definition = Mapping[str, Any]
"""A table in the words of CreateTable."""

OF_SHAPES = {"Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{SHAPES}*"]}}}
"""What allows nothing but the items that say what a table has of its lists."""

Arn = Any
"""An ARN as text, or a CloudFormation function that gives one."""

Resource = tuple[str, str, Mapping[str, Any]]
"""The logical id of a resource, which of the common resources it is, and the properties of its own."""

_FOLDER = Path(__file__).parent
FRAME: Mapping[str, Any] = json.loads((_FOLDER / "template.json").read_text(encoding="utf-8"))
ROLES: Mapping[str, Mapping[str, list[str]]] = json.loads((_FOLDER / "policies.json").read_text(encoding="utf-8"))
METRIC = FRAME["Resources"]["Metric"]["Properties"]


def template(
    definitions: Mapping[str, Definition], ttls: Mapping[str, str], prefix: str, application: str
) -> dict[str, Any]:
    """Return a CloudFormation template of tables, by their names without the ``prefix``."""
    common, usual = FRAME["Resources"], {"TablePrefix": prefix, "Application": application}
    parameters = {
        name: {**each, "Default": usual.get(name, each.get("Default"))} for name, each in FRAME["Parameters"].items()
    }
    arns = {name: {"Fn::GetAtt": [_table_id(name), "Arn"]} for name in definitions}
    own: list[Resource] = [
        *((_table_id(name), "Table", _table(name, definitions[name], ttls[name])) for name in definitions),
        *(alarm for name, definition in definitions.items() for alarm in _alarms(name, definition)),
    ]
    for role in ROLES:
        description = {"Fn::Sub": f"${{Application}}: access to DynamoDB for {role}"}
        policy = {"Description": description, "PolicyDocument": policy_document(role, definitions, arns)}
        own.append((f"{camel_case(role)}Policy", "Policy", policy))
    resources = dict[str, Any]()
    for logical_id, kind, properties in own:
        resources[logical_id] = {**common[kind], "Properties": {**common[kind]["Properties"], **properties}}
    return {**FRAME, "Parameters": parameters, "Resources": resources}


def policy_document(role: str, definitions: Mapping[str, Definition], arns: Mapping[str, Arn]) -> dict[str, Any]:
    """Return the IAM policy document of a role: ``portal``, ``housekeeping`` or ``deploying``. ``arns`` has the ARN of
    each table by its name.
    """
    indexed = [name for name, table in definitions.items() if any("Secondary" in part for part in table)]
    queried = [name for name, table in definitions.items() if name in indexed or len(table["KeySchema"]) > 1]
    resources = {
        "IndexQueries": [
            f"{arn}/index/*" if isinstance(arn, str) else {"Fn::Join": ["/", [arn, "index/*"]]}
            for arn in map(arns.__getitem__, indexed)
        ],
        "Queries": [arns[name] for name in queried],
    }
    statements = list[dict[str, Any]]()
    for statement, actions in ROLES[role].items():
        on = resources.get(statement, list(arns.values()))
        allowed = {"Sid": statement, "Effect": "Allow", "Action": [f"dynamodb:{action}" for action in actions]}
        statements.append({**allowed, "Resource": on, **(OF_SHAPES if statement == "Shapes" else {})})
    return {"Version": "2012-10-17", "Statement": statements}


def camel_case(name: str) -> str:
    """Return a name as a part of a logical id, which holds letters and digits alone."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").replace(".", "-").split("-"))


def _table_id(name: str) -> str:
    return f"{camel_case(name)}Table"


def _table(name: str, definition: Definition, ttl: str) -> Mapping[str, Any]:
    """Return the properties of a table. Its GSIs have maximums and insights of their own; writes have a maximum for the
    table alone, because a GSI that throttles its entries throttles its table.
    """
    properties = {**definition, "TableName": {"Fn::Sub": f"${{TablePrefix}}{name}"}}
    if ttl:
        properties["TimeToLiveSpecification"] = {"AttributeName": ttl, "Enabled": True}
    if GSIS in definition:
        properties[GSIS] = [{**index, **FRAME["Resources"]["Index"]["Properties"]} for index in definition[GSIS]]
    return properties


def _alarms(name: str, definition: Definition) -> Iterator[Resource]:
    """Yield the alarms of a table: throttled requests, and transaction conflicts.

    A GSI that throttles its writes also throttles the table's. CloudWatch counts them under the index, so one alarm
    watches the sum over all GSIs, however many there are: an alarm for each would fill the 51,200 bytes that a template
    may have without a bucket. GSIs are read by Queries alone, so one alarm watches the reads of all.
    """
    throttled, conflicts = f"DynamoDB throttles {name}.", {"Ref": "ConflictThreshold"}
    yield _alarm(name, "ReadThrottleEvents", throttled, 0)
    yield _alarm(name, "WriteThrottleEvents", throttled, 0)
    if GSIS in definition:
        yield _alarm(name, "ThrottledRequests", throttled, 0, Operation="Query")
        of_gsis = f"{OF_GSIS} WHERE TableName = '${{{_table_id(name)}}}'"
        query = {"Id": "sum", "Expression": {"Fn::Sub": of_gsis}, "Period": METRIC["Period"]}
        properties = {"AlarmDescription": f"A GSI of {name} throttles writes.", "Threshold": 0, "Metrics": [query]}
        yield f"{_table_id(name)}IndexWriteThrottleEventsAlarm", "Alarm", properties
    yield _alarm(name, "TransactionConflict", f"Transactions on {name} conflict.", conflicts)


def _alarm(name: str, metric: str, description: str, threshold: object, **others: str) -> Resource:
    """Return an alarm of a metric of a table. ``others`` are other dimensions."""
    dimensions: list[dict[str, Any]] = [{"Name": "TableName", "Value": {"Ref": _table_id(name)}}]
    dimensions += [{"Name": dimension, "Value": value} for dimension, value in others.items()]
    properties = {"AlarmDescription": description, "MetricName": metric, "Threshold": threshold}
    properties["Dimensions"] = dimensions
    return f"{_table_id(name)}{metric}Alarm", "Alarm", {**METRIC, **properties}
