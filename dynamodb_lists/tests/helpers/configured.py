"""Another configuration for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.configuration import configuration, read_from


@contextmanager
def configured(**changes: Any) -> Iterator[None]:
    """Change the configuration inside the block, and use a new client there."""
    before = configuration()
    changed = replace(before, **changes)
    read_from(lambda: changed)
    forget()
    try:
        yield
    finally:
        read_from(lambda: before)
        forget()
