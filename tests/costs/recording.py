"""``make record-aws``: run every access pattern and every write once on AWS, and write what each cost to a file.

It creates the tables of a throw-away prefix, fills them with a little data, measures as the tests do, and deletes them.
That takes about 20,000 write units and a few thousand read units: some cents. Where an endpoint is named, it runs
there: the tests run it on their engine.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from dynamodb_lists.schema import tables
from tests.costs import data, measuring
from tests.helpers.tables import delete_all

SETTLING_SECONDS = 15
"""How long to wait on AWS until the new items are in the global indexes. As a rule, they are there within a second."""


def main() -> None:
    """Measure on tables of their own, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.costs", description="Record what each pattern costs on AWS.")
    parser.add_argument("file", type=Path, help="the file to write, such as docs/costs-aws.json")
    file = parser.parse_args().file
    region = settings.AWS_REGION if settings.DYNAMODB_ENDPOINT_URL is None else ""
    call_command("migrate", verbosity=0)
    with throw_away_tables():
        data.fill()
        time.sleep(SETTLING_SECONDS if region else 0)
        patterns = measuring.in_lines(measuring.measure())
    where = json.dumps({"region": region, "day": datetime.now(UTC).date().isoformat()})
    file.write_text(f'{{"recorded": {where},\n"patterns": {patterns}}}\n', encoding="utf-8")


@contextmanager
def throw_away_tables() -> Iterator[None]:
    """Create the tables, and delete them at the end. Stop before that if one of them exists: it may be in use."""
    if existing := [name for name in tables.names() if tables.description(name)]:
        sys.exit(f"There are tables with this prefix already: {', '.join(existing)}. Choose another prefix.")
    try:
        list(tables.create_missing())
        yield
    finally:
        delete_all()
