"""CloudWatch alarms of a table: throttled requests, of the table and of each GSI, and transaction conflicts."""

from collections.abc import Iterator
from typing import Any

from hotelapp.dynamodb.schema.drift import TableState

TOPIC, HAS_TOPIC = "AlarmTopicArn", "HasAlarmTopic"
CONFLICTS = "ConflictThreshold"
PERIOD = 300
"""Seconds over which events are added up."""

PARAMETERS = {
    TOPIC: {
        "Type": "String",
        "Default": "",
        "Description": "ARN of the SNS topic that alarms notify. Without it, alarms only change their state.",
    },
    CONFLICTS: {
        "Type": "Number",
        "Default": 100,
        "MinValue": 0,
        "Description": "Transaction conflicts of a table in five minutes above which the alarm is raised. "
        "Transactions that conflict are repeated, so a few conflicts are normal.",
    },
}
CONDITIONS = {HAS_TOPIC: {"Fn::Not": [{"Fn::Equals": [{"Ref": TOPIC}, ""]}]}}


def alarms(name: str, table: TableState, logical_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The alarms of a table, each with its logical id. ``logical_id`` is that of the table.

    A GSI that throttles its writes also throttles the table's. CloudWatch counts them under the index, so each GSI has
    alarms of its own.
    """
    for metric in ("ReadThrottleEvents", "WriteThrottleEvents"):
        for index in ("", *(index.name for index in table.global_indexes)):
            words = f"{name}, index {index}" if index else name
            yield (
                f"{logical_id}{camel_case(index)}{metric}Alarm",
                _alarm(metric, f"DynamoDB throttles {words}.", 0, logical_id, index),
            )
    yield (
        f"{logical_id}TransactionConflictAlarm",
        _alarm("TransactionConflict", f"Transactions on {name} conflict.", {"Ref": CONFLICTS}, logical_id),
    )


def camel_case(name: str) -> str:
    """A name as a part of a logical id, which holds letters and digits only."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").replace(".", "-").split("-"))


def _alarm(metric: str, description: str, threshold: object, table: str, index: str = "") -> dict[str, Any]:
    dimensions: list[dict[str, Any]] = [{"Name": "TableName", "Value": {"Ref": table}}]
    if index:
        dimensions.append({"Name": "GlobalSecondaryIndexName", "Value": index})
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": description,
            "Namespace": "AWS/DynamoDB",
            "MetricName": metric,
            "Dimensions": dimensions,
            "Statistic": "Sum",
            "Period": PERIOD,
            "EvaluationPeriods": 1,
            "Threshold": threshold,
            "ComparisonOperator": "GreaterThanThreshold",
            "TreatMissingData": "notBreaching",  # DynamoDB reports these metrics only when there are such events
            "AlarmActions": {"Fn::If": [HAS_TOPIC, [{"Ref": TOPIC}], {"Ref": "AWS::NoValue"}]},
            "OKActions": {"Fn::If": [HAS_TOPIC, [{"Ref": TOPIC}], {"Ref": "AWS::NoValue"}]},
        },
    }
