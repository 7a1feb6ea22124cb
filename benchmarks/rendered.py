"""Serves pages of the portal from memory: ``python -m benchmarks.rendered PORT PROCESSES COOKIE ADDRESS ...``.

Each page is read once. From then on its template is rendered again and again with the same context, without a session,
SQL and DynamoDB. That is the limit of what a page with this template can reach in this server.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import django
from django.db import connections
from django.template.response import TemplateResponse
from django.test import Client

from dynamodb_lists.connection import ledger
from hotelapp.serving.options import ServerOptions
from hotelapp.serving.server import serve

MOST_DIFFERENCE = 0.01
"""The part of a page that changes from one time to the next: what it cost, and the token of its forms."""

Start = Callable[[str, Sequence[tuple[str, str]]], object]


def main(port: str, processes: str, cookie: str, *addresses: str) -> None:
    """Read the pages, and serve them until a signal arrives."""
    django.setup()
    client = Client(SERVER_NAME="localhost", HTTP_COOKIE=cookie)
    pages = {address: _rendered(client, address) for address in addresses}
    connections.close_all()  # the processes do not need it

    def application(environ: Mapping[str, Any], start: Start) -> Iterable[bytes]:
        query = environ["QUERY_STRING"]
        content = pages[f"{environ['PATH_INFO']}?{query}".removesuffix("?")].rendered_content.encode()
        start("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(content)))])
        return [content]

    serve(application, ServerOptions(f"127.0.0.1:{port}", int(processes)))


def _rendered(client: Client, address: str) -> TemplateResponse:
    """A page that can be rendered again. Ends the program if that would read anything, or render something else."""
    page = client.get(address)
    assert isinstance(page, TemplateResponse)
    with ledger.recording() as calls:
        again = page.rendered_content
    if calls.calls or abs(len(again) / len(page.text) - 1) > MOST_DIFFERENCE:
        raise SystemExit(f"{address} cannot be rendered from memory: {[call.operation for call in calls.calls]}.")
    return page


if __name__ == "__main__":
    main(*sys.argv[1:])
