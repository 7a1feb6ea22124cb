"""Check whether an answer can be used. This is the one place that decides, for reads and writes, before anybody has it.

Networks, proxies and servers cut answers, mix them up, and send something else. A usable answer is a JSON object whose
parts have the types of botocore's description of the service, and whose items have the keys of the request. An answer
is read to its end and checked before its connection is used again. urllib3 closes the connection of any other answer,
because nobody knows what follows on it.
"""

import io
import json
import re
import socket
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from decimal import Decimal
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from itertools import repeat
from math import inf
from threading import Lock
from typing import Any
from zlib import crc32

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from dynamodb_lists.connection.errors import UNREADABLE
from dynamodb_lists.connection.scope import seconds_left

Answer = dict[str, Any]
Item = Mapping[str, Mapping[str, Any]]

DEEPEST = 32
"""The most levels of an attribute."""

MOST = 10**11
"""More than any number beside attributes: counts, sizes, capacity, and times in seconds."""

MOST_BYTES = 40_000_000
"""The most bytes of an answer. DynamoDB's longest has 16 MB of items, which are longer as JSON."""

MIN_SECONDS = 0.001
"""The shortest time-out of a socket; 0 would mean that it does not wait at all."""

REMEMBERED = 1000
"""The numbers of so many answers are remembered, those that came last."""

_seen: dict[str, None] = {}
_lock = Lock()
_STATUSES = {HTTPStatus.OK, *range(HTTPStatus.BAD_REQUEST, 600)}

_NUMBER = re.compile(r"-?\d{1,126}(\.\d{1,168})?([eE][+-]?\d{1,3})?", re.ASCII).fullmatch
_CONDITION = re.compile(r"(#?\w+) = (:\w+)(?: AND (#?\w+) BETWEEN (:\w+) AND (:\w+))?").match
_SCALARS = {"string": str, "boolean": bool}
_FRACTIONS = {"double", "timestamp"}
_SOME = {"ProjectionExpression", "AttributesToGet"}
"""The parameters of a read that does not ask for all attributes of its items, maybe not for their keys."""


class Unusable(HTTPException):
    """An answer that cannot be used. botocore treats it as a connection that was closed before an answer."""


# --- Connections ---------------------------------------------------------------------------------------------


def guard(client: Any) -> None:
    """Let the connections of a client hand out only usable answers. Call it before the first request."""
    for scheme, pool, connection in (
        ("http", HTTPConnectionPool, HTTPConnection),
        ("https", HTTPSConnectionPool, HTTPSConnection),
    ):
        guarded = type("Connection", (Guarded, connection), {"model": client.meta.service_model})
        pool_class = type("Pool", (pool,), {"ConnectionCls": guarded})
        client._endpoint.http_session._pool_classes_by_scheme[scheme] = pool_class


class _Receiver(socket.SocketIO):
    """Reads an answer from a socket until the deadline. A socket's own time-out would begin again with each byte."""

    _sock: socket.socket

    def readinto(self, buffer: Any) -> int | None:
        seconds = seconds_left()
        if seconds <= 0:
            raise TimeoutError("The page's time is over.")
        if seconds < inf:
            self._sock.settimeout(min(seconds, self._sock.gettimeout() or seconds))
        return super().readinto(buffer)


class _Response(HTTPResponse):
    """An answer whose head and body are read by a :class:`_Receiver`."""

    fp: Any

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.raw.__class__ = _Receiver  # which the socket has made itself, because it counts its readers


class Guarded(HTTPConnection):
    """A connection that knows the request of its next answer, and checks whether the answer fits."""

    model: Any
    response_class = _Response

    def connect(self) -> None:
        """Connect, and wait at most until the deadline."""
        self.timeout = max(min(seconds_left(), self.timeout or inf), MIN_SECONDS)
        super().connect()

    def request(self, method: Any, url: Any, body: Any = None, headers: Any = None, **options: Any) -> None:
        super().request(method, url, body, headers, **options)
        target = headers["X-Amz-Target"]
        name = (target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        self._operation, self._asked = self.model.operation_model(name), body

    def getresponse(self) -> Any:
        """Read an answer to its end, and return it with its object in ``answer``. Raises: :class:`Unusable`."""
        response: Any = super().getresponse()
        headers = response.headers
        with closing(response._fp):
            # It says how long it is, or that it goes on until the connection is closed.
            sizes, size = headers.getlist("Content-Length"), response.length_remaining
            is_told = len(sizes) + ("Transfer-Encoding" in headers) <= 1 and bool(sizes) == (size is not None)
            if not is_told or (size or 0) > MOST_BYTES:
                raise Unusable("An answer does not say how long it is, or it is too long.")
            body: bytes = response.read(None if sizes else MOST_BYTES)
        # DynamoDB gives each answer a number of its own.
        if request_id := headers.get("x-amzn-requestid"):
            with _lock:
                if request_id in _seen:
                    raise Unusable("An answer was sent twice.")
                _seen[request_id] = None
                if len(_seen) > REMEMBERED:
                    del _seen[next(iter(_seen))]
        response.answer = judged(self._operation, self._asked, response.status, headers.get("x-amz-crc32"), body)
        # The body has no chunks any more. The SDK would obey the other one past the deadline.
        for name in ("Transfer-Encoding", "x-amz-retry-after"):
            headers.discard(name)
        response._fp, response.chunked, response.length_remaining = io.BytesIO(body), False, len(body)
        return response


# --- Can it be used? -----------------------------------------------------------------------------------------


def judged(operation: Any, asked: bytes, status: int, checksum: str | None, body: bytes) -> Answer:
    """Return the object in an answer to ``asked``. ``operation`` is botocore's model. Raises: :class:`Unusable`."""
    if checksum is not None and checksum.strip() != str(crc32(body)):
        raise Unusable("The checksum of an answer is wrong.")
    if status == HTTPStatus.OK and operation.output_shape is None:
        return {}
    try:
        answer: Answer = _decode(body.decode())
        if b"\\ud" in body or b"\\uD" in body:  # halves of pairs, which UTF-8 does not have
            json.dumps(answer, ensure_ascii=False).encode()
        request = json.loads(asked)
        if status == HTTPStatus.OK:
            is_right = _is_success(operation, request, answer) and _fits(operation.output_shape, answer)
            is_right = is_right and _JUDGES.get(operation.name, _is_written)(request, answer)
        else:
            is_right = status in _STATUSES and _is_refusal(operation, request, answer)
    except UNREADABLE as error:
        raise Unusable(f"An answer cannot be read: {type(error).__name__}.") from error
    if not is_right:
        raise Unusable(f"An answer with the status {status} is not one to its request.")
    return answer


_lacking: dict[str, None] = {}
_decode = json.JSONDecoder(parse_constant=_lacking.__getitem__).decode  # which refuses NaN: it is no JSON


def _is_success(operation: Any, request: Answer, answer: Answer) -> bool:
    """Return whether an answer says that the call succeeded, and names no table but those of the request."""
    members = operation.output_shape.members
    may_be_blank = "ConsumedCapacity" in members and request.get("ReturnConsumedCapacity", "NONE") == "NONE"
    if "__type" in answer or not (may_be_blank or answer.keys() & members.keys()):
        return False
    tables = {None, request.get("TableName"), *request.get("RequestItems", ())}
    for item in request.get("TransactItems", ()):
        tables.update(action.get("TableName") for action in item.values())
    price = answer.get("ConsumedCapacity")
    for part in price if isinstance(price, list) else [price]:
        if part and part.get("TableName") not in tables:
            return False
    for name in ("Table", "TableDescription"):
        if name in members and answer[name]["TableName"] not in tables:
            return False
    return True


def _is_refusal(operation: Any, request: Answer, answer: Answer) -> bool:
    """Return whether an answer is an error of DynamoDB, with parts of the right types."""
    code = answer["__type"].partition(":")[0].rpartition("#")[2]
    shape = operation.service_model.shape_for_error_code(code)
    if not isinstance(answer.get("message", answer.get("Message", "")), str) or (shape and not _fits(shape, answer)):
        return False
    actions = [action for item in request.get("TransactItems", ()) for action in item.values()]
    reasons = answer.get("CancellationReasons", [{}] * len(actions))
    pairs = [(request, answer), *zip(actions, reasons, strict=True)]
    return all(_is_of(each.get("Key", {}), told["Item"], whole=True) for each, told in pairs if told.get("Item"))


def _is_item(request: Answer, answer: Answer) -> bool:
    """Return whether the item in the answer to a GetItem, if any, has the key of the request."""
    return "Item" not in answer or _is_of(request["Key"], answer["Item"], whole=_SOME.isdisjoint(request))


def _is_written(request: Answer, answer: Answer) -> bool:
    """Return whether the item in the answer to a write, if any, has the key of the request."""
    whole = request.get("ReturnValues") == "ALL_NEW"
    return "Key" not in request or _is_of(request["Key"], answer.get("Attributes") or {}, whole=whole)


def _is_batch(request: Answer, answer: Answer) -> bool:
    """Return whether each item of a batch, and each key that is left, is one of those that were asked for, once."""
    unread = answer.get("UnprocessedKeys") or {}
    for table in {*answer["Responses"], *unread}:
        asked = request["RequestItems"][table]
        names = sorted(asked["Keys"][0])
        wanted = set(map(_values_of, asked["Keys"], repeat(names)))
        items = answer["Responses"].get(table, ()) if _SOME.isdisjoint(asked) else ()
        for item in (*items, *(unread[table]["Keys"] if unread.get(table) else ())):
            wanted.remove(_values_of(item, names))
    return True


def _is_range(request: Answer, answer: Answer) -> bool:
    """Return whether the items of a Query or a Scan are of its partition and its range, and whether none is missing."""
    counted, start = request.get("Select") == "COUNT", request.get("ExclusiveStartKey")
    items, count = () if counted else answer["Items"], answer["Count"]
    if not count <= answer["ScannedCount"] <= request.get("Limit", inf) or (len(items) != count and not counted):
        return False
    # A read that stopped at a key can go on from there.
    stopped = answer.get("LastEvaluatedKey")
    if stopped is not None and (stopped in ({}, start) or (start and stopped.keys() != start.keys())):
        return False
    found, values = _CONDITION(request.get("KeyConditionExpression", "")), request.get("ExpressionAttributeValues", {})
    if found is None:
        return True
    partition, value, sort, low, high = found.groups()
    names, whole = request.get("ExpressionAttributeNames", {}), _SOME.isdisjoint(request)
    partition, sort = names.get(partition, partition), names.get(sort, sort)
    wanted = _values_of(values, [value])
    lowest, highest = (_values_of(values, [low]), _values_of(values, [high])) if sort else ((), ())
    for item in items:
        if (whole or partition in item) and _values_of(item, [partition]) != wanted:
            return False
        if sort and (whole or sort in item) and not lowest <= _values_of(item, [sort]) <= highest:
            return False
    return True


_JUDGES: dict[str, Callable[[Answer, Answer], bool]] = {
    "GetItem": _is_item,
    "BatchGetItem": _is_batch,
    "Query": _is_range,
    "Scan": _is_range,
}
"""What says of which items an answer tells, by the operation. Others are writes, or tell of no items."""


def _is_of(key: Item, item: Item, *, whole: bool) -> bool:
    """Return whether an item has a key. One that is not whole may lack it."""
    names = sorted(key if whole else key.keys() & item.keys())
    return _values_of(item, names) == _values_of(key, names)


def _values_of(item: Item, names: Iterable[str]) -> tuple[Any, ...]:
    """Return the values of these attributes of a key, to compare keys."""
    values = []
    for name in names:
        ((kind, value),) = item[name].items()
        if kind == "B" and type(value) is str:  # in a request
            value = b64decode(value)
        values.append(Decimal(value) if kind == "N" else value)
    return tuple(values)


# --- Has it the right types? -------------------------------------------------------------------------------


def _fits(shape: Any, value: Any) -> bool:
    """Return whether a JSON value fits botocore's description. Raises: :data:`UNREADABLE` for some other values."""
    rest = [(shape, value)]
    while rest:
        shape, value = rest.pop()
        kind = shape.type_name
        if kind == "structure":
            members = shape.members
            for name in value.keys() & members.keys():
                if value[name] is not None:
                    rest.append((members[name], value[name]))
        elif kind == "list":
            if type(value) is not list:
                return False
            rest += zip(repeat(shape.member), value)
        elif kind == "map" and shape.value.name == "AttributeValue":
            if not _are_attributes(value.values()):
                return False
        elif kind == "map":
            rest += zip(repeat(shape.value), value.values())
        elif kind in _SCALARS:
            if not isinstance(value, _SCALARS[kind]):
                return False
        elif type(value) not in {int, float if kind in _FRACTIONS else int} or not 0 <= value < MOST:
            return False
    return True


def _are_attributes(values: Iterable[Any]) -> bool:
    """Return whether all values are attributes of DynamoDB, nested no deeper than DynamoDB allows. Binaries, which are
    texts in JSON, become bytes.
    """
    rest: list[tuple[Iterable[Any], int]] = [(values, DEEPEST)]
    while rest:
        values, deepest = rest.pop()
        for typed in values:
            ((kind, value),) = typed.items()
            if type(value) is str and (kind == "S" or (kind == "N" and _NUMBER(value))):
                continue
            if kind in {"L", "M"}:
                if not deepest or type(value) is not (list if kind == "L" else dict):
                    return False
                rest.append((value.values() if type(value) is dict else value, deepest - 1))
            elif kind == "B":
                typed[kind] = b64decode(value, validate=True)
            elif kind in {"SS", "NS", "BS"}:
                members = [{kind[0]: each} for each in value] if type(value) is list else []
                if not members or not _are_attributes(members):
                    return False
                typed[kind] = [each[kind[0]] for each in members]
            elif kind not in {"BOOL", "NULL"} or type(value) is not bool:
                return False
    return True
