"""A faster parser for the items in DynamoDB's answers.

botocore rebuilds every attribute value from its service model: for each ``{"S": "suite"}`` it checks all ten types that
a value can have. But apart from bytes, DynamoDB's JSON has the same shape as the result. So this parser keeps strings,
numbers, booleans and nulls as they are, and leaves everything else to botocore. It reads a few hundred counts in two
thirds of the time.

It also refuses an answer that was cut short. botocore would take it for an answer without items, so that a stored item
would seem to be deleted.
"""

import json
from typing import Any

from botocore.exceptions import BotoCoreError
from botocore.parsers import JSONParser, ResponseParserFactory

_REBUILT = frozenset({"B", "BS", "L", "M"})  # bytes are sent as base64; lists and maps may contain bytes


class UnreadableAnswer(BotoCoreError):
    """The body of an answer is not a JSON object: it is cut short, or not from DynamoDB."""

    fmt = "The answer cannot be read. It was cut short, or it is not from DynamoDB."


class ItemParser(JSONParser):
    """botocore's parser of the JSON protocol, which returns most attribute values as they are."""

    _parse_shape: Any

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
        """The JSON object in a body; empty for an empty body. Raises :class:`UnreadableAnswer`."""
        try:
            parsed = json.loads(body_contents) if body_contents else {}
        except ValueError as error:
            raise UnreadableAnswer from error
        if not isinstance(parsed, dict):
            raise UnreadableAnswer
        return parsed

    def _handle_map(self, shape: Any, value: Any) -> Any:
        if shape.value.name != "AttributeValue":
            return super()._handle_map(shape, value)  # type: ignore[misc]
        return {
            name: attribute if _REBUILT.isdisjoint(attribute) else self._parse_shape(shape.value, attribute)
            for name, attribute in value.items()
        }


class ItemParserFactory(ResponseParserFactory):
    """Creates :class:`ItemParser` for DynamoDB's JSON, and botocore's parsers for other protocols."""

    def create_parser(self, protocol_name: str) -> Any:
        return ItemParser() if protocol_name == "json" else super().create_parser(protocol_name)
