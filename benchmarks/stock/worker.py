"""The process that serves the changelist. It fills its database, then times one page for each line of its input."""

import json
import re
import sys
import time

import django
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client

from benchmarks import data

BULK = 5000
ROW = b'class="action-select"'
RESULTS = re.compile(rb"\b(\d+) rooms?\b")  # beside the pager


def main(how_many: int) -> None:
    """Write ``ready`` when the rooms are stored; then answer each path with the figures of its page."""
    django.setup()
    fill(how_many)
    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.create_superuser("staff"))
    _answer("ready")
    for line in sys.stdin:
        _answer(_timed(client, line.strip()))


def fill(how_many: int) -> None:
    """Create the tables, with so many rooms."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    model = apps.get_app_config("stock").get_model("Room")
    names = ("view", "size", "type", "number", "rate", "currency")
    rows = [model(**{name: getattr(room, name) for name in names}) for room in data.rooms(how_many)]
    model._default_manager.bulk_create(rows, batch_size=BULK)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _timed(client: Client, path: str) -> dict[str, float]:
    start = time.perf_counter()
    response = client.get(path)
    taken = (time.perf_counter() - start) * 1000
    match = RESULTS.search(response.content)
    results = int(match[1]) if match else 0
    return {"ms": taken, "rows": response.content.count(ROW), "results": results}


def _answer(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
