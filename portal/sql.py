"""SQL under a page's limits, and its failures in the portal's exception family.

A page begins no SQL statement after its deadline. :func:`hotelapp.environment.database` limits how long each one waits.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, Error, InterfaceError, OperationalError, ProgrammingError

from dynamodb_lists.connection import deadlines
from dynamodb_lists.connection.errors import Refused, Unavailable

OUTDATED_HINT = "A table or a column of the SQL database is missing: run manage.py migrate."
DAMAGED_HINT = "The file of the SQL database is damaged: restore it."
_MISSING: Mapping[type[Error], tuple[str, ...]] = {  # as SQLite and PostgreSQL say it
    OperationalError: ("no such table", "no such column", "has no column named"),
    ProgrammingError: ("does not exist",),
}


@dataclass(slots=True)
class Statements:
    """How many statements a request has sent to SQL, and how many seconds it waited for them.

    None begins after the page's deadline.
    """

    queries: int = 0
    seconds: float = 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Run a statement and count it. Django calls this for each one, as an ``execute_wrapper``."""
        started = time.perf_counter()
        try:
            deadlines.check()
            return execute(sql, params, many, context)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - started


def outage(error: BaseException | None) -> Unavailable | None:
    """Translate an error of a database into the portal's exception family; ``None`` for any other error.

    Errors of DynamoDB belong to it already. In SQL, a lock, a full disk and a lost connection may be gone a moment
    later. Tables that ``migrate`` has not created, and a damaged file, need an administrator.
    """
    if isinstance(error, Unavailable):
        return error
    if not isinstance(error, Error):
        return None
    words = str(error).partition("\n")[0]  # PostgreSQL's other lines quote the statement
    text, code = f"The SQL database did not answer: {words}", type(error).__name__
    failure: Unavailable
    if any(part in words for part in _MISSING.get(type(error), ())):
        failure = Refused(text, code, OUTDATED_HINT)
    elif isinstance(error, (OperationalError, InterfaceError)):
        failure = Unavailable(text, code)
    elif type(error) is DatabaseError and error.__cause__:  # without a cause, it is an error of Django's own
        failure = Refused(text, code, DAMAGED_HINT)
    else:
        return None
    failure.__cause__ = error
    return failure
