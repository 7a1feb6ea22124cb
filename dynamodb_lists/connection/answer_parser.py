"""The parser of the bodies of DynamoDB's answers. It refuses an answer that was cut short.

botocore would take it for an answer without items, so that a stored item would seem to be deleted.
"""

import json
from collections.abc import Callable
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
