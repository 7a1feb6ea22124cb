"""How the settings open connections to the SQL database. The settings import it, so it imports nothing of Django."""

from math import ceil
from typing import Any

COMMAND_SECONDS = 20
"""How long a command waits for another writer of SQLite. Pages wait until their deadline."""


def add(database: dict[str, Any], deadline: float) -> None:
    """Complete an entry of ``DATABASES``. What ``DATABASE_URL`` says takes precedence.

    A page must not wait longer than its deadline for a connection to PostgreSQL, or for a machine that is away. A
    connection that was lost is opened again.
    """
    options: dict[str, Any] = {}
    if database["ENGINE"].endswith("sqlite3"):  # let writers wait for each other, not fail
        options = {"transaction_mode": "IMMEDIATE", "timeout": COMMAND_SECONDS}
    elif database["ENGINE"].endswith("postgresql"):
        options = {"connect_timeout": max(2, ceil(deadline / 2)), "tcp_user_timeout": ceil(deadline * 1000)}
    database["OPTIONS"] = {**options, **database.get("OPTIONS", {})}
    database.setdefault("CONN_MAX_AGE", 600)
    database.setdefault("CONN_HEALTH_CHECKS", True)
