"""Checks of what is not in the journal: the portal's own invariants, and the server's log."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command

ERROR = re.compile(r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)*(.*)", re.MULTILINE)
"""An exception in a log. The group is its line after the traceback."""


def faults_by(command: str) -> list[str]:
    """Return the faults that a command of the portal finds."""
    errors = StringIO()
    try:
        call_command(command, stdout=StringIO(), stderr=errors)
    except CommandError as error:
        errors.write(str(error))
    return [f"{command}: {line}" for line in errors.getvalue().splitlines()]


def errors_in(log: Path) -> Iterator[str]:
    """Yield the exceptions in a server's log, without the numbers in which they differ."""
    for error in ERROR.findall(log.read_text(encoding="utf-8", errors="replace")):
        yield "in the server's log: " + re.sub(r"\d+", "N", error)
