"""Whether an answer can be used: one place decides, for reads and writes, before anybody has the answer.

Networks, proxies and servers cut answers, mix them up, and send what is none. An answer can be used if it is a JSON
object whose parts have the types that botocore's description of the service gives them, and if the items in it have the
keys that were asked for. The connection of any other answer is closed, because nobody knows what follows on it.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from decimal import Decimal
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from zlib import crc32

from dynamodb_lists.connection.errors import UNREADABLE

Answer = dict[str, Any]
Item = Mapping[str, Mapping[str, Any]]

DEEPEST = 32
"""The most levels of an attribute."""

MOST = 10**11
"""More than any number beside attributes: counts, sizes, capacity, and times in seconds."""

_STATUSES = {HTTPStatus.OK, *range(HTTPStatus.BAD_REQUEST, 600)}

_NUMBER = re.compile(r"-?\d{1,126}(\.\d{1,168})?([eE][+-]?\d{1,3})?", re.ASCII).fullmatch
_CONDITION = re.compile(r"(#?\w+) = (:\w+)(?: AND (#?\w+) BETWEEN (:\w+) AND (:\w+))?").match
_SCALARS = {"string": str, "boolean": bool}
_FRACTIONS = {"double", "timestamp"}


class Unusable(HTTPException):
    """An answer that cannot be used. To botocore, the connection was closed before there was one."""


def judged(operation: Any, asked: bytes, status: int, checksum: str | None, body: bytes) -> Answer:
    """The object in an answer to a request. ``operation`` is botocore's model. Raises :class:`Unusable`."""
    if checksum is not None and checksum.strip() != str(crc32(body)):
        raise Unusable("The checksum of an answer is wrong.")
    if status == HTTPStatus.OK and operation.output_shape is None:
        return {}
    judge = _is_success if status == HTTPStatus.OK else _is_refusal
    try:
        if status in _STATUSES and judge(operation, json.loads(asked), answer := _object(body)):
            return answer
    except UNREADABLE as error:
        raise Unusable(f"An answer cannot be read: {type(error).__name__}.") from error
    raise Unusable(f"An answer with the status {status} is not one to its request.")


def _not_json(constant: str) -> None:
    raise ValueError(constant)


_decode = json.JSONDecoder(parse_constant=_not_json).decode


def _object(body: bytes) -> Answer:
    """The JSON object in a body of UTF-8. Raises :data:`UNREADABLE`, also for texts that UTF-8 does not have."""
    answer: Answer = _decode(body.decode())
    if b"\\ud" in body or b"\\uD" in body:
        json.dumps(answer, ensure_ascii=False).encode()
    return answer


# --- Is it an answer to this request? ----------------------------------------------------------------------


def _is_success(operation: Any, request: Answer, answer: Answer) -> bool:
    """Whether an answer says that the call succeeded, and is one to this request."""
    members = operation.output_shape.members
    price = answer.get("ConsumedCapacity")
    parts = price if isinstance(price, list) else [price]
    names = {part.get("TableName") for part in parts if isinstance(part, dict)}
    names |= {answer[name]["TableName"] for name in ("Table", "TableDescription") if name in members}
    may_be_blank = "ConsumedCapacity" in members and request.get("ReturnConsumedCapacity", "NONE") == "NONE"
    return (
        "__type" not in answer
        and bool(may_be_blank or answer.keys() & members.keys())
        and names <= _tables_of(request)
        and _fits(operation.output_shape, answer)
        and _has_right_items(operation.name, request, answer)
    )


def _is_refusal(operation: Any, request: Answer, answer: Answer) -> bool:
    """Whether an answer is one of DynamoDB's errors, with parts of the right types."""
    code = answer["__type"].partition(":")[0].rpartition("#")[2]
    shape = operation.service_model.shape_for_error_code(code)
    if not isinstance(answer.get("message", answer.get("Message", "")), str) or (shape and not _fits(shape, answer)):
        return False
    actions = [action for item in request.get("TransactItems", ()) for action in item.values()]
    reasons = answer.get("CancellationReasons", [{}] * len(actions))
    pairs = [(request, answer), *zip(actions, reasons, strict=True)]
    return all(_is_of(each.get("Key", {}), told["Item"], whole=True) for each, told in pairs if told.get("Item"))


def _tables_of(request: Answer) -> set[Any]:
    """The tables that a request names; ``None`` stands for an answer without the name."""
    actions = [action for item in request.get("TransactItems", ()) for action in item.values()]
    return {None, *request.get("RequestItems", ()), *(part.get("TableName") for part in (request, *actions))}


def _has_right_items(operation: str, request: Answer, answer: Answer) -> bool:
    """Whether the items of an answer have the keys that were asked for, and whether none is missing in it."""
    if operation == "GetItem":
        return "Item" not in answer or _is_of(request["Key"], answer["Item"], whole=_is_whole(request))
    if operation == "BatchGetItem":
        left = answer.get("UnprocessedKeys") or {}
        asked, returned = request["RequestItems"], answer["Responses"]
        return all(_are_of(asked[table], returned.get(table, ()), left.get(table)) for table in {*returned, *left})
    if operation in {"Query", "Scan"}:
        items = answer["Items"] if request.get("Select") != "COUNT" else ()
        return (
            (len(items) == answer["Count"] or request.get("Select") == "COUNT")
            and answer["Count"] <= answer["ScannedCount"] <= request.get("Limit", answer["ScannedCount"])
            and _is_in_range(request, items)
            and _continues(request, answer.get("LastEvaluatedKey"))
        )
    whole = request.get("ReturnValues") == "ALL_NEW"
    return "Key" not in request or _is_of(request["Key"], answer.get("Attributes") or {}, whole=whole)


def _is_whole(request: Answer) -> bool:
    """Whether a read asks for all attributes of its items."""
    return not request.keys() & {"ProjectionExpression", "AttributesToGet"}


def _is_of(key: Item, item: Item, *, whole: bool) -> bool:
    """Whether an item has a key. One that is not whole may lack it."""
    return all(_plain(item[name]) == _plain(key[name]) for name in key if whole or name in item)


def _are_of(asked: Answer, items: Iterable[Item], left: Answer | None) -> bool:
    """Whether each item of a table, and each key that is left, is one of those that were asked for, once."""
    names = sorted(asked["Keys"][0])
    wanted = {tuple(_plain(key[name]) for name in names) for key in asked["Keys"]}
    for key in (*(items if _is_whole(asked) else ()), *(left["Keys"] if left else ())):
        wanted.remove(tuple(_plain(key[name]) for name in names))
    return True


def _is_in_range(request: Answer, items: Iterable[Item]) -> bool:
    """Whether the items of a Query are of its partition, and have sort keys of its range."""
    found, values = _CONDITION(request.get("KeyConditionExpression", "")), request.get("ExpressionAttributeValues", {})
    if found is None:
        return True
    partition, value, sort, *ends = found.groups()
    names, whole = request.get("ExpressionAttributeNames", {}), _is_whole(request)
    partition, sort = names.get(partition, partition), names.get(sort, sort)
    low, high = (_plain(values[end]) if end else None for end in ends)
    for item in items:
        if (whole or partition in item) and _plain(item[partition]) != _plain(values[value]):
            return False
        if sort and (whole or sort in item) and not low <= _plain(item[sort]) <= high:
            return False
    return True


def _continues(request: Answer, stopped: Item | None) -> bool:
    """Whether a read that stopped at a key can go on from there."""
    start = request.get("ExclusiveStartKey")
    return stopped is None or (stopped.keys() == start.keys() and stopped != start if start else stopped != {})


def _plain(typed: Mapping[str, Any]) -> Any:
    """The value of a key, by which it is compared."""
    ((kind, value),) = typed.items()
    return Decimal(value) if kind == "N" else value


# --- Has it the right types? -------------------------------------------------------------------------------


def _fits(shape: Any, value: Any) -> bool:
    """Whether a JSON value is one of a shape of botocore's. Raises :data:`UNREADABLE` for some that are not."""
    if shape.type_name == "structure":
        members = shape.members
        return all(value[name] is None or _fits(members[name], value[name]) for name in value.keys() & members.keys())
    if shape.type_name == "list":
        return type(value) is list and all(_fits(shape.member, each) for each in value)
    if shape.type_name == "map":
        is_item = shape.value.name == "AttributeValue"
        return _are_attributes(value.values()) if is_item else all(_fits(shape.value, each) for each in value.values())
    if shape.type_name in _SCALARS:
        return isinstance(value, _SCALARS[shape.type_name])
    return type(value) in {int, float if shape.type_name in _FRACTIONS else int} and 0 <= value < MOST


def _are_attributes(values: Iterable[Any], deepest: int = DEEPEST) -> bool:
    """Whether all these are attributes. Most are texts and numbers, and lists have thousands of them."""
    for typed in values:
        ((kind, value),) = typed.items()
        if type(value) is str and (kind == "S" or (kind == "N" and _NUMBER(value))):
            continue
        if not _is_other(kind, value, deepest):
            return False
    return True


def _is_other(kind: str, value: Any, deepest: int) -> bool:
    """Whether a JSON value is one of an attribute that is no text and no number, of at most so many levels."""
    if kind in {"SS", "NS", "BS"}:
        return type(value) is list and bool(value) and _are_attributes({kind[0]: each} for each in value)
    if kind in {"L", "M"}:
        inner = value if type(value) is list else value.values()
        return deepest > 0 and (type(value) is list) == (kind == "L") and _are_attributes(inner, deepest - 1)
    if kind in {"BOOL", "NULL"}:
        return type(value) is bool
    return kind == "B" and b64decode(value, validate=True) is not None
