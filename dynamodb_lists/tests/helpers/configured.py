"""Another configuration for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.configuration import connection, read_from


@contextmanager
def configured(**changes: Any) -> Iterator[None]:
    """Change the configuration inside the block, and use a new client there."""
    before = connection().read()
    changed = replace(before, **changes)
    read_from(lambda: changed)
    forget()
    try:
        yield
    finally:
        read_from(lambda: before)
        forget()
