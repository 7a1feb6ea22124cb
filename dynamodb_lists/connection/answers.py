"""What is an answer of DynamoDB: one that was cut short, or that another server gives, is refused.

botocore would take it for an answer without items, so that a stored item would seem to be deleted.
"""

import json
from collections.abc import Callable
from typing import Any

from botocore.exceptions import BotoCoreError


class UnreadableAnswer(BotoCoreError):
    """The body of an answer is not a JSON object: it is cut short, or not from DynamoDB."""

    fmt = "The answer cannot be read. It was cut short, or it is not from DynamoDB."


def json_object(body: bytes, object_hook: Callable[[dict[str, Any]], Any] | None = None) -> dict[str, Any]:
    """The JSON object in the body of an answer. Raises :class:`UnreadableAnswer`."""
    try:
        parsed = json.loads(body, object_hook=object_hook)
    except (ValueError, TypeError, RecursionError) as error:
        raise UnreadableAnswer from error
    if not isinstance(parsed, dict):
        raise UnreadableAnswer
    return parsed


def is_read(operation: str, request: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the body of an answer has the parts that this read asked for. Another server's JSON has not."""
    if operation == "GetItem":
        asked = request.get("ReturnConsumedCapacity", "NONE") != "NONE"
        return bool(found.get("Item")) if "Item" in found else "ConsumedCapacity" in found or not asked
    if operation == "BatchGetItem":
        parts = found.get("Responses")
        return isinstance(parts, dict) and all(isinstance(items, list) for items in parts.values())
    return (
        isinstance(found.get("Count"), int)
        if request.get("Select") == "COUNT"
        else isinstance(found.get("Items"), list)
    )
