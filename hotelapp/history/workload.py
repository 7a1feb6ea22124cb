"""What the history stores and reads, for ``manage.py estimate_cost``. Apps count the entries of their own writes."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from hotelapp.dynamodb.deployment.workloads import (
    ItemChange,
    Owners,
    PageLoad,
    Read,
    Sample,
    Stock,
    Workload,
    changes,
    encoded,
    positive,
    register,
)
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history import keys
from hotelapp.history.commands import RecordedWriter, entry_put
from hotelapp.history.entities import IMPORT, Actor, FieldChange, HistoryEntry, How, What
from hotelapp.history.models import HistoryModel
from hotelapp.history.queries import NEWEST

T = TypeVar("T")
DEFAULT_ENTRIES, DEFAULT_STAFF = 100_000_000, 500
SAMPLES = 40
PAGE = 26
"""The rows that a list reads for a page of 25."""

AT = datetime(2027, 1, 15, 10, 22, 31, tzinfo=UTC)
ACTOR = Actor("anna", at=AT)
"""A member of staff who adds samples."""

STAMP: dict[str, Any] = {"added_at": AT, "added_by": IMPORT.username}
"""When and by what samples were added: the values for their ``added_at`` and ``added_by``."""


def recorded(
    writer: Callable[[Actor], RecordedWriter[T]], entities: Sequence[tuple[Owners, Change[T]]]
) -> list[tuple[Owners, list[ItemChange]]]:
    """What the transactions of these changes change, with their entries. Each change is by another member of staff."""
    return [
        changed
        for number, entity in enumerate(entities)
        for changed in changes(writer(Actor(f"member-{number}", at=AT)), [entity])
    ]


@register
class HistoryWorkload(Workload):
    """The entries of all things."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many entries and members of staff."""
        parser.add_argument("--entries", type=positive, default=DEFAULT_ENTRIES, metavar="N")
        parser.add_argument("--staff", type=positive, default=DEFAULT_STAFF, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """Entries, each of one changed field."""
        entries = map(_entry, range(SAMPLES))
        samples = [Sample({"staff": entry.by, "thing": entry.thing}, _encoded(entry)) for entry in entries]
        things = max(1, options["entries"] // 10)
        owners = {"staff": options["staff"], "thing": things}
        yield Stock(HistoryModel, samples, options["entries"], owners, imported=False)

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """The newest entries of a thing, and the changes of a member of staff."""
        yield PageLoad("history of a thing", [Read(HistoryModel, NEWEST + 1)], 3)
        yield PageLoad("changes by staff", [Read(HistoryModel, PAGE, keys.BY_STAFF)], 1)


def _entry(number: int) -> HistoryEntry:
    return HistoryEntry(
        thing=keys.thing("room", f"hotel-{number % 5:05d}", str(100 + number // 2)),
        at=AT + timedelta(hours=number),
        by=f"member-{number % 4}",
        how=How.PORTAL,
        what=What.CHANGED,
        changes=(FieldChange("rate", "120.5", "130"),),
    )


def _encoded(entry: HistoryEntry) -> Any:
    return encoded(entry_put(entry).item)
