"""Serves the changelist as the portal is served: ``python -m benchmarks.stock.serving PORT PROCESSES``.

It fills the database first, with ``rooms.csv``, and writes the cookies of logged-in users into ``cookies.json``. All
files are in the folder ``VAR_DIR``.
"""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client

from hotelapp.serving import ServerOptions, serve

USERS, BULK = 8, 5000
COLUMNS = ("number", "view", "size", "type", "rate", "currency")
TOKEN = "a" * 32
SECRET = f"csrftoken={TOKEN}"
"""The cookie of forms, which a browser has from its first page on."""


def main(port: str, processes: str) -> None:
    """Fill, log in, and serve until a signal arrives."""
    django.setup()
    hotels = _fill(settings.VAR_DIR / "rooms.csv")
    cookies = [_bound(hotel) for hotel in hotels[1:] and hotels]
    for number in range(USERS if len(hotels) == 1 else 0):
        cookies.append(_cookie(get_user_model().objects.create_superuser(f"staff{number}")))
    (settings.VAR_DIR / "cookies.json").write_text(json.dumps([*cookies]))
    connections.close_all()  # each process opens its own
    serve(WSGIHandler(), ServerOptions(f"127.0.0.1:{port}", int(processes)))


def _fill(file: Path) -> list[str]:
    """Create the tables, with the rooms of ``file``; return the ids of the hotels in ``file``."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    model: Any = apps.get_app_config("stock").get_model("Room")
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [model(hotel=row["hotel_id"], **{name: row[name] for name in COLUMNS}) for row in csv.DictReader(lines)]
    model._default_manager.bulk_create(rows, batch_size=BULK)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return [*dict.fromkeys(row.hotel for row in rows)]


def _bound(hotel: str) -> str:
    """Create a user who sees and changes the rooms of ``hotel``; return the user's cookie."""
    user, permissions = (
        get_user_model().objects.create_user(hotel, is_staff=True),
        apps.get_model("auth", "Permission").objects,
    )
    user.user_permissions.set(permissions.filter(codename__in=["view_room", "change_room"]))
    return _cookie(user)


def _cookie(user: Any) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}; {SECRET}"


if __name__ == "__main__":
    main(*sys.argv[1:])
