"""A faster parser for the items in DynamoDB's answers.

botocore rebuilds every attribute value from its service model: for each ``{"S": "suite"}`` it checks all ten types that
a value can have. But apart from bytes, DynamoDB's JSON has the same shape as the result. So this parser keeps strings,
numbers, booleans and nulls as they are, and leaves everything else to botocore. It reads a few hundred counts in two
thirds of the time.
"""

from typing import Any

from botocore.parsers import JSONParser, ResponseParserFactory

_REBUILT = frozenset({"B", "BS", "L", "M"})  # bytes are sent as base64; lists and maps may contain bytes


class ItemParser(JSONParser):
    """botocore's parser of the JSON protocol, which returns most attribute values as they are."""

    _parse_shape: Any

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
        """The parser for a protocol."""
        return ItemParser() if protocol_name == "json" else super().create_parser(protocol_name)
