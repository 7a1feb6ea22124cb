"""``make record-aws``: run every access pattern and every write once on AWS, and write what each cost to a file.

It needs AWS credentials, ``AWS_REGION`` and a throw-away prefix in ``DYNAMODB_TABLE_PREFIX``. It creates the tables,
fills them with a little data, measures as the tests do, and deletes the tables; all of it costs a few cents. Where an
endpoint is named, it runs there instead: the tests run it on their engine.
"""

import argparse
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import django

SETTLING_SECONDS = 15
"""How long to wait on AWS until the new items are in the global indexes. They are there within a second, as a rule."""


def main() -> None:
    """Measure on the tables of a throw-away prefix, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.costs", description="Record what each pattern costs on AWS.")
    parser.add_argument("file", type=Path, help="the file to write, such as docs/costs-aws.json")
    file = parser.parse_args().file
    if not os.environ.get("DYNAMODB_TABLE_PREFIX", "").strip():
        sys.exit("Set DYNAMODB_TABLE_PREFIX to a throw-away prefix: the tables are deleted at the end.")
    _boot()

    from django.conf import settings
    from django.core.management import call_command

    from tests.costs import data, measuring

    call_command("migrate", verbosity=0)
    with _throw_away_tables():
        data.fill()
        on_aws = settings.DYNAMODB_ENDPOINT_URL is None
        time.sleep(SETTLING_SECONDS if on_aws else 0)
        costs = measuring.measure()
    where = {"region": settings.AWS_REGION if on_aws else "", "day": datetime.now(UTC).date().isoformat()}
    file.write_text(f'{{"recorded": {json.dumps(where)},\n"patterns": {measuring.in_lines(costs)}}}\n', encoding="utf-8")


def _boot() -> None:
    """Configure Django for this process: the demo's settings, accounts in memory, and DynamoDB as the shell names it.

    A table that is named on its own would not have the prefix, so such names are not read.
    """
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
        "ENV_FILE": "",
        "DEMO": "1",
        "LOG_LEVEL": "WARNING",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "testserver",
        "DATABASE_URL": "sqlite://:memory:",
        "DYNAMODB_PROTECTED": "0",
        "DYNAMODB_TABLE_NAMES": "",
    }
    django.setup()


@contextmanager
def _throw_away_tables() -> Iterator[None]:
    """Create the tables, and delete them at the end. Stop before that if one of them exists: it may be in use."""
    from hotelapp.dynamodb.schema import tables
    from tests.helpers.tables import delete_all

    if existing := [name for name in tables.names() if tables.description(name)]:
        sys.exit(f"There are tables with this prefix already: {', '.join(existing)}. Choose another prefix.")
    try:
        list(tables.create_missing())
        yield
    finally:
        delete_all()


if __name__ == "__main__":
    main()
