"""Helpers for tests of the history."""

from portal.history.entities import HistoryEntry
from portal.history.models import HistoryModel
from tests.helpers.kinds import items_of


def all_entries() -> list[HistoryEntry]:
    """Return every entry, the oldest first. Tests may scan; pages never do."""
    items = sorted(items_of(HistoryModel.Meta.table_name), key=lambda item: str(item["sk"]["S"]))
    return [*map(HistoryModel.entity_of, items)]


def changes(entry: HistoryEntry) -> list[tuple[str, str, str]]:
    """Return the fields that an entry says were changed, with their values before and after."""
    return [(change.field, change.before, change.after) for change in entry.changes]


def told() -> list[tuple[str, str, str]]:
    """Return what happened, to what, and who did it, the oldest first."""
    return [(str(entry.what), entry.thing, entry.by) for entry in all_entries()]
