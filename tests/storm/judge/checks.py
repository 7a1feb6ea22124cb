"""Checks of what is not in the journal: the portal's own invariants, SQL, the engine's file, and the server's log."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command

from dynamodb_lists.django.declaring import rules
from dynamodb_lists.maintenance.invariants import GroupRule

TRACEBACK = "Traceback (most recent call last)"
CHAINED = ("direct cause of the following exception", "During handling of the above exception")
ERROR_LENGTH = 120
SERVER_ERROR = re.compile(r"\b[A-Z]+ \S+ 500 ")
ITEMS_READ = re.compile(r": (\d+) items read")


def verify_data() -> tuple[str, list[str]]:
    """What ``verify_data`` checked, in words, and the faults that it found."""
    said, faults = _command("verify_data")
    groups = [rule for rule in rules() if isinstance(rule, GroupRule)]
    items = sum(map(int, ITEMS_READ.findall(said)))
    return f"{items} items, {len(rules()) - len(groups)} rules of items, {len(groups)} of groups", faults


def check_tables() -> list[str]:
    """In what the tables are not as declared."""
    return _command("check_tables")[1]


def _command(name: str) -> tuple[str, list[str]]:
    out, errors = StringIO(), StringIO()
    try:
        call_command(name, stdout=out, stderr=errors)
    except CommandError as error:
        errors.write(f"{name}: {error}")
    return out.getvalue(), errors.getvalue().splitlines()


def sqlite_problems(file: Path) -> list[str]:
    """What SQLite says is wrong with a database file."""
    try:
        with closing(sqlite3.connect(file)) as database:
            rows = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        rows = [str(error)]
    return [f"{file.name}: {row}" for row in rows if row != "ok"]


def errors(log: Iterable[str]) -> Counter[str]:
    """How often each error is in a server's log: an exception with its traceback, or a request with the status 500.

    Of an exception and its causes only the last one counts.
    """
    found: Counter[str] = Counter()
    inside, error = False, ""
    for line in filter(str.strip, log):
        if error and not any(words in line for words in CHAINED):
            found[error] += 1
        error = ""
        if SERVER_ERROR.search(line):
            found["a request had the status 500"] += 1
        if TRACEBACK in line:
            inside = True
        elif inside and not line.startswith((" ", "\t")):
            inside, error = False, _shortened(line)
    if error:
        found[error] += 1
    return found


def _shortened(line: str) -> str:
    """An exception without the numbers that differ from one to the next."""
    return re.sub(r"\d+", "N", line.strip())[:ERROR_LENGTH]
