"""Serves the changelist as the portal is served: ``python -m benchmarks.stock.serving PORT PROCESSES FILE ROOMS``.

It fills the database first, and writes the cookies of logged-in users into the file.
"""

import json
import sys
from pathlib import Path

import django
from django.contrib.auth import get_user_model
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from django.test import Client

from hotelapp.serving.options import ServerOptions
from hotelapp.serving.server import serve

USERS = 8
SECRET = "csrftoken=" + "a" * 32
"""The cookie of forms, which a browser has from its first page on."""


def main(port: str, processes: str, file: str, rooms: str) -> None:
    """Fill, log in, and serve until a signal arrives."""
    django.setup()
    from benchmarks.stock.worker import fill  # noqa: PLC0415 (it needs the settings)

    fill(int(rooms))
    Path(file).write_text(json.dumps([_cookie(f"staff{number}") for number in range(USERS)]))
    connections.close_all()  # each process opens its own
    serve(WSGIHandler(), ServerOptions(f"127.0.0.1:{port}", int(processes)))


def _cookie(username: str) -> str:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser(username))
    return f"sessionid={client.cookies['sessionid'].value}; {SECRET}"


if __name__ == "__main__":
    main(*sys.argv[1:])
