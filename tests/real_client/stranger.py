"""A client that knows docs/access-patterns.md, and nothing of the portal: ``stranger.py DOCUMENT ENDPOINT PREFIX``.

It takes every read out of the document, sends it with the low-level client of boto3, and prints as JSON what came back,
and the modules that it has loaded.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3

SHORT = re.compile(r"<!-- request: [^>]+ -->\n```\n(.*?)\n```", re.DOTALL)
FULL = re.compile(r"<!-- in full: ([\w-]+) -->\n```json\n(.*?)\n```", re.DOTALL)
ENTRY = re.compile(r"^(\S+) +((?:Query|GetItem|BatchGetItem) .*(?:\n +.*)*)", re.MULTILINE)
LITERAL = r"'[^']*'|-?\d+"
CONDITION = re.compile(rf"(\w+) ?= ?({LITERAL})(?: AND (\w+) BETWEEN ({LITERAL}) AND ({LITERAL}))?")
KEY = re.compile(r"(\w+) ?= ?'([^']*)'")
OPERATIONS = {"Query": "query", "GetItem": "get_item", "BatchGetItem": "batch_get_item"}


def written(document: str) -> Iterator[tuple[str, str]]:
    """The name and the text of each read in the document."""
    for block in SHORT.findall(document):
        yield from ENTRY.findall(block.replace(r"\U0010ffff", "\U0010ffff"))


def typed(literal: str) -> dict[str, str]:
    """A value of the document as the API takes it."""
    return {"S": literal[1:-1]} if literal.startswith("'") else {"N": literal}


def query(place: str, text: str) -> dict[str, Any]:
    """The parameters of a Query."""
    table, _, index = place.partition(".")
    condition = CONDITION.search(text)
    assert condition, text
    partition, value, sort, first, last = condition.groups()
    values = {":partition": typed(value)}
    request: dict[str, Any] = {"TableName": table, "KeyConditionExpression": f"{partition} = :partition"}
    if sort:
        request["KeyConditionExpression"] += f" AND {sort} BETWEEN :first AND :last"
        values |= {":first": typed(first), ":last": typed(last)}
    if dropped := re.search(r"drops what does not match (.*)", text):
        literals = re.findall(LITERAL, dropped[1])
        values |= {f":value{number}": typed(literal) for number, literal in enumerate(literals)}
        names = iter(f":value{number}" for number in range(len(literals)))
        request["FilterExpression"] = re.sub(LITERAL, lambda _: next(names), dropped[1])
    if limit := re.search(r"limit (\d+)", text):
        request["Limit"] = int(limit[1]) + ("from the cursor" in text)  # the range begins with the row at the cursor
    if index:
        request["IndexName"] = index
    return {**request, "ExpressionAttributeValues": values, "ScanIndexForward": "backwards" not in text}


def parameters(text: str) -> tuple[str, dict[str, Any]]:
    """The operation of a read in the document, and its parameters."""
    operation, place, rest = text.split(maxsplit=2)
    table = place.removesuffix(":")
    if operation == "Query":
        return operation, query(table, rest)
    keys = [{name: {"S": value} for name, value in KEY.findall(line)} for line in rest.split(";") if KEY.search(line)]
    if operation == "GetItem":
        return operation, {"TableName": table, "Key": keys[0]}
    return operation, {"RequestItems": {table: {"Keys": keys, "ConsistentRead": "consistent" in text}}}


def with_prefix(request: dict[str, Any], prefix: str) -> dict[str, Any]:
    """A request about the tables whose names have this prefix."""
    if "TableName" in request:
        return {**request, "TableName": prefix + request["TableName"]}
    return {"RequestItems": {prefix + table: keys for table, keys in request["RequestItems"].items()}}


def items(client: Any, operation: str, request: dict[str, Any]) -> list[Any]:
    """The items that a request returns."""
    answer = getattr(client, OPERATIONS[operation])(**request)
    if operation == "GetItem":
        return [answer["Item"]] if "Item" in answer else []
    return (
        answer["Items"] if operation == "Query" else [item for found in answer["Responses"].values() for item in found]
    )


def main(document: str, endpoint: str, prefix: str) -> None:
    session = boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")
    client = session.client("dynamodb", endpoint_url=endpoint)
    text = Path(document).read_text(encoding="utf-8")
    short, found = dict(written(text)), {}
    for name, request in short.items():
        operation, sent = parameters(request)
        found[name] = items(client, operation, with_prefix(sent, prefix))[int("from the cursor" in request) :]
    full = {
        name: items(client, short[name].split()[0], with_prefix(json.loads(request), prefix))
        for name, request in FULL.findall(text)
        if name in short
    }
    modules = sorted({module.partition(".")[0] for module in sys.modules})
    print(json.dumps({"short": found, "full": full, "modules": modules}, default=bytes.hex))


if __name__ == "__main__":
    main(*sys.argv[1:])
