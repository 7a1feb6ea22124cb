"""How the changes of an import are saved: all of them, or as an upload does, which keeps what is in."""

from collections.abc import Callable, Iterable
from typing import Any

from dynamodb_lists import Change

FindChanges = Callable[[], Iterable[Change[Any]]]
Save = Callable[[Any, FindChanges], int]
"""Saves the changes that a function finds, with a list or its writer; returns how many."""


def save_all(writer: Any, find_changes: FindChanges) -> int:
    return int(writer.save(find_changes))
