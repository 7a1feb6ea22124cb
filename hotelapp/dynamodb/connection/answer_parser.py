"""The parser of the bodies of DynamoDB's answers. It refuses an answer that was cut short.

botocore would take it for an answer without items, so that a stored item would seem to be deleted.
"""

import json
from collections.abc import Callable
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
    except ValueError as error:
        raise UnreadableAnswer from error
    if not isinstance(parsed, dict):
        raise UnreadableAnswer
    return parsed


class AnswerParser(JSONParser):
    """botocore's parser of the JSON protocol, which also refuses what it cannot read."""

    def _do_parse(self, response: Any, shape: Any) -> Any:
        """The body of an answer that says that the call succeeded. Raises :class:`UnreadableAnswer`."""
        if shape is not None and not response["body"]:
            raise UnreadableAnswer
        return super()._do_parse(response, shape)  # type: ignore[misc]

    def _do_error_parse(self, response: Any, shape: Any) -> Any:
        """The error in an answer. If the body cannot be read, the error's code is the HTTP status."""
        try:
            return super()._do_error_parse(response, shape)  # type: ignore[misc]
        except UnreadableAnswer:
            return super()._do_error_parse({**response, "body": b""}, shape)  # type: ignore[misc]

    def _parse_body_as_json(self, body_contents: bytes) -> dict[str, Any]:
        """The JSON object in a body; empty for an empty body, as some errors have. Raises :class:`UnreadableAnswer`."""
        return json_object(body_contents) if body_contents else {}


class AnswerParserFactory(ResponseParserFactory):
    """Creates :class:`AnswerParser` for DynamoDB's JSON, and botocore's parsers for other protocols."""

    def create_parser(self, protocol_name: str) -> Any:
        return AnswerParser() if protocol_name == "json" else super().create_parser(protocol_name)
