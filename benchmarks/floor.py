"""Serves the least of a room list: ``python -m benchmarks.floor PORT PROCESSES COOKIE ADDRESS ...``.

Every page of this list needs the reader's session, the hotel and the rooms. The floor reads these and nothing else, in
the portal's server, with the requests that the portal sends, but without an SDK. It joins the rows by hand.

It leaves out the user's rights, filters and their counts, plans, the checks of rows, forms and links, the frame around
the page, and log lines. The portal's page takes the rest of its processor time for these, the SDK and templates.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from threading import local
from typing import Any

import django
from django.conf import settings
from django.db import connections
from django.http import parse_cookie
from django.test import Client

from benchmarks import bare
from hotelapp.serving.options import ServerOptions
from hotelapp.serving.server import serve

READS = {"session": "GetItem", "counts": "GetItem", "list": "Query"}
"""The calls of a page, by their purposes."""

COLUMNS = ("number", "type", "view", "size", "rate", "status")
HEAD = "".join(f"<th>{name}</th>" for name in COLUMNS)

Item = Mapping[str, Mapping[str, str]]
Start = Callable[[str, Sequence[tuple[str, str]]], object]


@dataclass(frozen=True)
class Reads:
    """The requests of a page, in JSON but for that of the session, which has another key for each reader.

    The Query reads one room more than the page has ``rows``, and backwards from the end if it is not ``forward``.
    """

    session: Mapping[str, Any]
    hotel: str
    rooms: str
    rows: int
    forward: bool


class Engine(local):
    """The engine. Each thread has a connection of its own, which stays open."""

    def __init__(self) -> None:
        self.connection = bare.connect(str(settings.DYNAMODB_ENDPOINT_URL))

    def send(self, operation: str, body: str) -> dict[str, Any]:
        """The engine's answer to a request in JSON."""
        return bare.send(self.connection, operation, body)


def main(port: str, processes: str, cookie: str, *addresses: str) -> None:
    """Read the pages once, and serve them until a signal arrives."""
    django.setup()
    client = Client(SERVER_NAME="localhost", HTTP_COOKIE=cookie)
    pages = {address: _reads(client, address) for address in addresses}
    connections.close_all()  # the processes do not need it
    engine = Engine()

    def application(environ: Mapping[str, Any], start: Start) -> Iterable[bytes]:
        reads = pages[f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}".removesuffix("?")]
        status, content = "403 Forbidden", b""
        if _has_session(engine, reads, environ.get("HTTP_COOKIE", "")):
            status, content = "200 OK", _page(engine, reads).encode()
        start(status, [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(content)))])
        return [content]

    serve(application, ServerOptions(f"127.0.0.1:{port}", int(processes)))


def _reads(client: Client, address: str) -> Reads:
    """What the portal sends for a page when its process is warm. Ends the program if it sends other calls."""
    client.get(address)
    request: Any = client.get(address).wsgi_request
    calls = {call.purpose: call for call in request.ledger.calls}
    operations = {purpose: call.operation for purpose, call in calls.items()}
    if operations != READS or len(request.ledger.calls) != len(READS):
        raise SystemExit(f"{address} sends {operations}, in {len(request.ledger.calls)} calls, and not {READS}.")
    session, hotel, rooms = (calls[purpose].request for purpose in READS)
    return Reads(session, json.dumps(hotel), json.dumps(rooms), rooms["Limit"] - 1, calls["list"].forward)


def _has_session(engine: Engine, reads: Reads, cookies: str) -> bool:
    """Whether the cookie's session exists and has not expired. Its key is as in :mod:`accounts.sessions.store`."""
    digest = sha256(parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "").encode()).hexdigest()
    answer = engine.send("GetItem", json.dumps({**reads.session, "Key": {"session_key": {"S": digest}}}))
    return "Item" in answer and float(answer["Item"]["expires_at"]["N"]) > time.time()


def _page(engine: Engine, reads: Reads) -> str:
    """The page: the hotel with the number of its rooms, and the table."""
    hotel: Item = engine.send("GetItem", reads.hotel)["Item"]
    rooms: Sequence[Item] = engine.send("Query", reads.rooms)["Items"][: reads.rows]
    rows = "".join(map(_row, rooms if reads.forward else reversed(rooms)))
    title = f"{escape(hotel['name']['S'])}: {escape(hotel['rooms']['N'])} rooms"
    return f"<!doctype html><title>{title}</title><h1>{title}</h1><table><tr>{HEAD}</tr>{rows}</table>"


def _row(room: Item) -> str:
    """A row of the table. A room without a status is clean, and can be let."""
    number, status = escape(room["number"]["S"]), room.get("housekeeping", {"S": "clean"})["S"]
    if "service" in room:
        status = f"{room['service']['S']}, {status}"
    cells = (
        f"<td>{number}</td><td>{escape(room['type']['S'])}</td><td>{escape(room['view']['S'])}</td>"
        f"<td>{escape(room['size']['N'])} m²</td>"
        f"<td>{escape(room['currency']['S'])} {float(room['rate']['N']):.2f}</td><td>{escape(status)}</td>"
    )
    return f'<tr data-row="{number}">{cells}</tr>'


if __name__ == "__main__":
    main(*sys.argv[1:])
