"""The parser of the bodies of DynamoDB's answers. It refuses an answer that was cut short.

botocore would take it for an answer without items, so that a stored item would seem to be deleted.
"""

import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from botocore.exceptions import BotoCoreError
from botocore.parsers import JSONParser, ResponseParserFactory


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


_TYPES: dict[str, type] = {"S": str, "N": str, "B": bytes, "BOOL": bool, "NULL": bool, "M": dict}
_TYPES |= dict.fromkeys(["L", "SS", "NS", "BS"], list)


def _are_items(found: Any, *, projected: bool = False) -> bool:
    """Whether this is a list of items in DynamoDB's JSON. A projection may leave nothing of an item."""
    return isinstance(found, list) and all(
        isinstance(item, dict) and (item or projected) and all(map(_is_attribute, item.values())) for item in found
    )


def _is_attribute(value: Any) -> bool:
    """Called for every attribute that is read, so it makes no generator."""
    if type(value) is not dict or len(value) != 1:
        return False
    ((kind, held),) = value.items()
    return type(held) is _TYPES.get(kind)


def is_read(operation: str, request: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the body of an answer is what this read asked for."""
    asked_for = [request, *request.get("RequestItems", {}).values()]
    items = partial(_are_items, projected=any("ProjectionExpression" in each for each in asked_for))
    if operation == "GetItem":
        asked = request.get("ReturnConsumedCapacity", "NONE") != "NONE"
        return items([found["Item"]]) if "Item" in found else "ConsumedCapacity" in found or not asked
    if operation == "BatchGetItem":
        parts, left = found.get("Responses"), found.get("UnprocessedKeys", {})
        return isinstance(parts, dict) and isinstance(left, dict) and all(map(items, parts.values()))
    if "LastEvaluatedKey" in found and not _are_items([found["LastEvaluatedKey"]]):
        return False
    return isinstance(found.get("Count"), int) if request.get("Select") == "COUNT" else items(found.get("Items"))


class AnswerParser(JSONParser):
    """botocore's parser of the JSON protocol, which also refuses what it cannot read."""

    def parse(self, response: Any, shape: Any) -> Any:
        """The answer. If an error's body cannot be read, its code is the HTTP status.

        Raises :class:`UnreadableAnswer` for an answer that says that the call succeeded.
        """
        try:
            parsed = super().parse(response, shape)
            if isinstance(parsed.get("Error", {}).get("Code", ""), str):
                return parsed
        except (UnreadableAnswer, TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
            if response["status_code"] < HTTPStatus.MULTIPLE_CHOICES:
                raise UnreadableAnswer from error
        return super().parse({**response, "body": b""}, shape)

    def _do_parse(self, response: Any, shape: Any) -> Any:
        """The body of an answer that says that the call succeeded. Raises :class:`UnreadableAnswer`."""
        if shape is not None and not response["body"]:
            raise UnreadableAnswer
        return super()._do_parse(response, shape)  # type: ignore[misc]

    def _parse_body_as_json(self, body_contents: bytes) -> dict[str, Any]:
        """The JSON object in a body; empty for an empty body, as some errors have. Raises :class:`UnreadableAnswer`."""
        return json_object(body_contents) if body_contents else {}


class AnswerParserFactory(ResponseParserFactory):
    """Creates :class:`AnswerParser` for DynamoDB's JSON, and botocore's parsers for other protocols."""

    def create_parser(self, protocol_name: str) -> Any:
        return AnswerParser() if protocol_name == "json" else super().create_parser(protocol_name)
