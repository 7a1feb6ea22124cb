"""Imports: a file is read row by row, a form checks each row, and good rows are written in batches."""

from collections.abc import Callable, Iterable
from typing import Any

from dynamodb_lists import Change

FindChanges = Callable[[], Iterable[Change[Any]]]
Save = Callable[[Any, FindChanges], int]
"""Saves the changes that a function finds, with a list: all of them, or as an upload does, which keeps what is in."""
