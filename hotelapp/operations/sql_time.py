"""The time that a request waits for SQL."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection


@dataclass
class SqlTime:
    """How many statements a request has sent to SQL, and how many seconds they took."""

    queries: int = 0
    seconds: float = 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run a statement and count it. Django calls this for each one."""
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - started

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Count the statements of this thread inside the block. It opens no connection."""
        with connection.execute_wrapper(self):
            yield
