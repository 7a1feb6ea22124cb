"""A server before the engine that spoils answers: one table of the kinds of bad answers.

The server passes each request on and changes the answer in bytes, as networks, proxies and broken servers do. It knows
no page, list or client, so each test takes the whole table.
"""

import gzip
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from itertools import takewhile
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import pytest

from dynamodb_lists.connection import answers
from dynamodb_lists.tests.helpers.waiting import PATIENCE

OK = b"HTTP/1.1 200 OK"


@dataclass
class Exchange:
    """A request, the engine's answer to it, and the whole answer that another request got before."""

    request: dict[str, Any]
    body: bytes
    before: bytes

    @property
    def answer(self) -> Any:
        return json.loads(self.body)


Kind = Callable[[Exchange], bytes]
"""What is sent instead of an answer. After an empty one, or one that ends with ``CLOSE``, the connection is closed."""

CLOSE = b"-- close --"


def message(body: bytes, start: bytes = OK, *headers: bytes, length: object = None, crc: object = None) -> bytes:
    """An answer of HTTP, with the right length and checksum unless others are given; with neither if they are blank."""
    told = [b"x-amz-crc32: %d" % crc32(body) if crc is None else b"x-amz-crc32: %s" % str(crc).encode()]
    told += [b"Content-Length: %s" % str(len(body) if length is None else length).encode()] if length != "" else []
    return b"\r\n".join([start, *told, *headers, b"", body])


def whole(exchange: Exchange) -> bytes:
    return message(exchange.body)


def started(start: bytes, *headers: bytes) -> Kind:
    """Return the answer with another first line, and with more headers."""
    return lambda x: message(x.body, start, *headers)


def sized(length: Callable[[int], object], end: bytes = b"") -> Kind:
    """The answer with another length than it has."""
    return lambda x: message(x.body, length=length(len(x.body))) + end


def refusing(status: int, body: object, *headers: bytes) -> Kind:
    """Return an error instead of the answer, as JSON or as it is."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda x: message(text, b"HTTP/1.1 %d No" % status, *headers)


def instead(body: bytes | Callable[[bytes], bytes]) -> Kind:
    """Another body, with its right length and checksum."""
    return lambda x: message(body if isinstance(body, bytes) else body(x.body))


def changed(change: Callable[[dict[str, Any], Exchange], object]) -> Kind:
    """Return the answer with another content: the function changes the object."""

    def send(exchange: Exchange) -> bytes:
        answer = exchange.answer
        change(answer, exchange)
        return message(json.dumps(answer).encode())

    return send


def members(**parts: Any) -> Kind:
    """Return the answer with other members, if it has such. ``None`` stands for a missing one."""

    def change(answer: dict[str, Any], _: Exchange) -> None:
        for name in answer.keys() & parts.keys():
            answer[name] = parts[name]
            if parts[name] is None:
                del answer[name]

    return changed(change)


def items_of(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of an answer of any read."""
    found = [answer["Item"]] if "Item" in answer else list(answer.get("Items", ()))
    return found + [item for items in dict(answer.get("Responses", {})).values() for item in items]


def attribute(value: Any) -> Kind:
    """Return the answer with one more attribute in each item."""
    return changed(lambda answer, _: [item.update(evil=value) for item in items_of(answer)])


def each_attribute(change: Callable[[str, Any], Any]) -> Kind:
    """Return the answer with other values in each item, but for those of texts that look like keys."""

    def send(answer: dict[str, Any], _: Exchange) -> None:
        for item in items_of(answer):
            for name, typed in list(item.items()):
                ((kind, value),) = typed.items()
                if "#" not in str(value) and name not in {"pk", "sk", "PK", "SK", "kind", "version"}:
                    item[name] = change(kind, value)
                    if item[name] is None:
                        del item[name]

    return changed(send)


def with_numbers(number: str) -> Kind:
    """Return the answer with this number instead of each other one."""
    return each_attribute(lambda kind, value: {kind: number if kind == "N" else value})


def with_other_keys(answer: dict[str, Any], _: Exchange) -> None:
    """Change each text of each item, so that the item belongs to another key."""
    for item in items_of(answer):
        item.update({name: {"S": f"{typed['S']}0"} for name, typed in item.items() if "S" in typed})


def priced(**parts: Any) -> Kind:
    """Return the answer with another price in each part of it."""

    def change(answer: dict[str, Any], _: Exchange) -> None:
        price = answer.get("ConsumedCapacity")
        for part in price if isinstance(price, list) else [price] if price else []:
            part.update(parts)

    return changed(change)


def nested(levels: int) -> Any:
    return {"S": "x"} if not levels else {"L": [nested(levels - 1)]}


NO_ATTRIBUTES: list[Any] = [
    *(None, 5, "x", [], {}, {"S": 5}, {"S": None}, {"N": 5}, {"N": "abc"}, {"N": "NaN"}, {"N": "1E999999"}),
    *({"N": "٣"}, {"N": ""}, {"B": "a"}, {"B": 5}, {"X": "x"}, {"S": "x", "N": "1"}, {"BOOL": "true"}),
    *({"NULL": 1}, {"SS": "x"}, {"SS": []}, {"SS": [5]}, {"NS": ["x"]}, {"BS": ["a"]}, {"L": {}}, {"L": [5]}),
    *({"N": "9" * 127}, {"M": []}, {"M": {"x": 5}}, {"M": {"x": {"S": 5}}}),
    *(nested(40), nested(400)),
]
NUMBERS = ["9.9E+125", f"99{'0' * 124}", "1E-130", f"1{'0' * 20}", "9" * 20, f"{'9' * 20}.{'9' * 18}", "-0.5"]
"""The ends of what DynamoDB takes, and of what fields hold."""

MOST = 1_000_000
HUGE = b" " * 2 * MOST
"""Before a right answer, it is one that is only too long."""

DEEP = b"[" * 100_000 + b"]" * 100_000
_OTHER = {"S": {"N": "1"}, "N": {"S": "x"}}

RIGHT: dict[str, Kind] = {
    "as it is": whole,
    "in small chunks": lambda x: _chunks(*(bytes([byte]) for byte in x.body), end=b"0\r\n\r\n"),
    "with a trailer": lambda x: _chunks(x.body, end=b"0;last\r\nTrailer: x\r\n\r\n"),
    "until the end": lambda x: message(x.body, OK, b"Connection: close", length="") + CLOSE,
    "of HTTP/1.0": lambda x: message(x.body, b"HTTP/1.0 200 OK", length="") + CLOSE,
    "after 100": lambda x: b"HTTP/1.1 100 Continue\r\n\r\n" + whole(x),
    "blanks around": instead(lambda body: b" \n%s\n " % body),
    "twice": lambda x: whole(x) + whole(x),
    "with another one": lambda x: whole(x) + x.before,
    "unknown members": changed(lambda answer, _: answer.update(Evil=[5])),
    "no price": changed(lambda answer, _: answer.pop("ConsumedCapacity", None) if len(answer) > 1 else None),
    "units: no table": priced(TableName=None),
}
"""Answers that can be used."""

WRONG: dict[str, Kind] = {
    **{f"status {status}": started(b"HTTP/1.1 %d X" % status) for status in (101, 204, 299, 304, 600)},
    **{f"redirect {status}": started(b"HTTP/1.1 %d X" % status, b"Location: /") for status in (302, 307)},
    "no HTTP": started(b"ICY 200 OK"),
    "long header": started(OK, b"a: " + b"b" * 100_000),
    "no end of the head": lambda x: OK + b"\r\na: b" + CLOSE,
    "length: too short": sized(lambda size: size - 5),
    "length: half": sized(lambda size: size // 2),
    "length: none": sized(lambda _: 0),
    "length: too long": sized(lambda size: size + 5, CLOSE),
    "length: negative": sized(lambda _: -1),
    "length: beyond all": sized(lambda _: 10**30),
    "two lengths": lambda x: message(x.body, OK, b"Content-Length: 5"),
    "length and chunks": started(OK, b"Transfer-Encoding: chunked"),
    "chunk: no size": lambda x: _chunks(end=b"zz\r\n") + CLOSE,
    "chunk: beyond all": lambda x: _chunks(end=b"f" * 40 + b"\r\n") + x.body + CLOSE,
    "chunk: cut": lambda x: _chunks(x.body)[:-9] + CLOSE,
    "chunk: no last": lambda x: _chunks(x.body) + CLOSE,
    "compressed": lambda x: message(gzip.compress(x.body), OK, b"Content-Encoding: gzip"),
    "checksum: wrong": lambda x: message(x.body, crc=1),
    "nothing": lambda x: b"",
    "cut in the body": lambda x: whole(x)[:-1] + CLOSE,
    "huge": instead(lambda body: HUGE + body),
    "huge, in chunks": lambda x: _chunks(HUGE, x.body, end=b"0\r\n\r\n"),
    "huge, until the end": lambda x: message(HUGE + x.body, length="") + CLOSE,
    "body: a list": instead(b"[]"),
    "body: HTML": instead(b"<html>"),
    "body: deep": instead(DEEP),
    "body: of Latin-1": instead(lambda body: body[:-1] + b', "x": "\xe9"}'),
    "body: half a character": instead(lambda body: body[:-1] + b', "x": "\\ud800"}'),
    "body: NaN": instead(lambda body: body[:-1] + b', "x": NaN}'),
    "body: twice": instead(lambda body: body + body),
    "an error with 200": instead(b'{"__type": "x#InternalServerError"}'),
    **{f"error with {status}": refusing(status, {"__type": "x#ThrottlingException"}) for status in (299, 600)},
    "error: asks to wait": refusing(500, {"__type": "x#InternalServerError"}, b"x-amz-retry-after: 60000"),
    "error: a list": refusing(400, []),
    "error: no type": refusing(500, {}),
    "error: a number as type": refusing(400, {"__type": 5}),
    "error: a number as message": refusing(400, {"__type": "x#ThrottlingException", "message": 5}),
    "error: an unknown one": refusing(400, {"__type": "x#Evil"}),
    "error: a reason": refusing(400, {"__type": "x#TransactionCanceledException", "CancellationReasons": [5]}),
    "error: other reasons": refusing(
        400, {"__type": "x#TransactionCanceledException", "CancellationReasons": [{}] * 99}
    ),
    "error: an item": refusing(400, {"__type": "x#ConditionalCheckFailedException", "Item": {"pk": 5}}),
    "of another request": lambda x: x.before,
    "of another request, with its own": lambda x: x.before + whole(x),
    "of another table": priced(TableName="evil-table"),
    "price: a list": members(ConsumedCapacity=[5, []]),
    "units: a text": priced(CapacityUnits="abc"),
    "units: less than none": priced(CapacityUnits=-1),
    "units: huge": priced(CapacityUnits=10**400),
    "units: infinite": lambda x: message(
        priced(CapacityUnits="I")(x).partition(b"\r\n\r\n")[2].replace(b'"I"', b"1e999")
    ),
    "items: an object": members(Items={}, Item=[], Responses=[]),
    "items: null": changed(
        lambda answer, _: answer.update({name: None for name in ("Items", "Item") if name in answer})
    ),
    "items: texts": members(Items=["x"], Item="x", Responses={"x": ["x"]}),
    "items: twice": changed(
        lambda answer, _: [answer[name].extend(answer[name][:1]) for name in answer if name == "Items"]
    ),
    "items: with other keys": changed(with_other_keys),
    "items: without attributes": changed(lambda answer, _: [*map(dict.clear, items_of(answer))]),
    "count: another": members(Count=10**6, Item=5),
    "count: a fraction": members(Count=1.5, Item=1.5),
    "count: none scanned": members(ScannedCount=None, Item={}),
    "left: a number": changed(lambda answer, _: answer.update(UnprocessedKeys=5, LastEvaluatedKey=5, Attributes=5)),
    "left: other keys": changed(
        lambda answer, _: answer.update(
            UnprocessedKeys={"x": {"Keys": [{"x": {"S": "x"}}]}},
            LastEvaluatedKey={"x": {"S": "x"}},
            Item={"x": {"S": "x"}},
        )
    ),
    **{f"attribute {n}: {value!r:.40}": attribute(value) for n, value in enumerate(NO_ATTRIBUTES)},
}
"""Answers that cannot be used."""

STRANGE: dict[str, Kind] = {
    "attributes of other types": each_attribute(lambda kind, _: _OTHER.get(kind, {"BOOL": True})),
    "no attributes": each_attribute(lambda *_: None),
    "nonsense in texts": each_attribute(lambda kind, value: {kind: "\x00 nonsense" if kind == "S" else value}),
    "blank texts": each_attribute(lambda kind, value: {kind: "" if kind == "S" else value}),
    **{f"numbers: {number:.12}": with_numbers(number) for number in NUMBERS},
    "empty parts": each_attribute(lambda kind, value: {kind: {"L": [], "M": {}}.get(kind, value)}),
    "parts of other types": each_attribute(lambda kind, value: {kind: {"L": [{"S": "x"}]}.get(kind, value)}),
}
"""Answers with items that no program of ours has written. A page may show what it can of them."""

KINDS = RIGHT | WRONG | STRANGE


def _chunks(*chunks: bytes, end: bytes = b"") -> bytes:
    """Return an answer in chunks, each with its size."""
    sized = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
    return OK + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + sized + end


@dataclass
class Evil:
    """The server. It sends answers of a ``kind`` to requests that :meth:`sending` chooses, and counts them.

    A request that contains the text ``spared``, such as the name of a table, gets its right answer.
    """

    upstream: str
    url: str = ""
    spared: str = ""
    kind: Kind | None = None
    operations: tuple[str, ...] = ()
    times: float = 0
    share: float = 1
    met: int = 0
    _random: Random = field(default_factory=lambda: Random(1))
    _before: bytes = field(default=message(b"{}"), repr=False)

    @contextmanager
    def sending(self, name: str, *operations: str, times: float = float("inf"), share: float = 1) -> Iterator[None]:
        """Send answers of a kind inside the block: to these operations, or all; the next ``times``, or a ``share``."""
        self.kind, self.operations, self.times, self.share, self.met = KINDS[name], operations, times, share, 0
        try:
            yield
        finally:
            self.kind = None

    def serve(self, connection: socket.socket) -> None:
        """Answer the requests of a connection."""
        upstream = HTTPConnection(urlsplit(self.upstream).netloc, timeout=PATIENCE)
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            while head := [*takewhile(b"\r\n".__ne__, lines)]:
                headers = dict(line.decode().strip().split(": ", 1) for line in head[1:])
                body = lines.read(int({name.lower(): value for name, value in headers.items()}["content-length"]))
                upstream.request("POST", "/", body, headers)
                answer = upstream.getresponse()
                text = self._text(headers, body, answer, answer.read())
                connection.sendall(text.removesuffix(CLOSE))
                if not text or text.endswith(CLOSE):
                    break
        upstream.close()

    def _text(self, headers: dict[str, str], asked: bytes, answer: HTTPResponse, body: bytes) -> bytes:
        """Return the text that is sent instead of an answer. Errors stay as they are."""
        request_id = f"x-amzn-requestid: {answer.headers['x-amzn-requestid']}".encode()
        right = message(body, b"HTTP/1.1 %d X" % answer.status, request_id)
        operation = headers["X-Amz-Target"].rpartition(".")[2]
        if answer.status != HTTPStatus.OK or (self.spared and self.spared.encode() in asked):
            return right
        is_chosen = operation in (self.operations or {operation}) and self._random.random() < self.share
        if self.kind is None or not is_chosen or self.times <= 0:
            self._before = right
            return right
        self.times -= 1
        self.met += 1
        return self.kind(Exchange(json.loads(asked), body, self._before))


@contextmanager
def evil(upstream: str) -> Iterator[Evil]:
    """Such a server before the engine. What is longer than ``MOST`` bytes is too long."""
    server = Evil(upstream)
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        patch.setattr(answers, "MOST_BYTES", MOST)
        server.url = f"http://127.0.0.1:{listening.getsockname()[1]}"

        def accept() -> None:
            with suppress(OSError):
                while True:
                    Thread(target=server.serve, args=[listening.accept()[0]], daemon=True).start()

        thread = Thread(target=accept, daemon=True)
        thread.start()
        yield server
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)
