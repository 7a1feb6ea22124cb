"""What was sent to the portal, what it answered, and what must be stored because of it."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path

Thing = tuple[str, ...]
"""A kind and the ids of one thing of that kind: ``("room", "seaside", "101")``."""

Values = Mapping[str, str]
"""Fields of a thing, as texts."""


class Outcome(StrEnum):
    """What the portal said of a write in the end. Unknown: it did not say, however often it was asked."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Change:
    """What a write does to a thing: what its history then says, and its fields afterwards; ``None`` if it is gone.

    The entry of the history has the new value of the field ``marked``. Writers choose a value that no other write has
    where they can, so that the entry identifies the write. A change with a blank ``what`` leaves no entry.
    """

    thing: Thing
    what: str
    after: Values | None
    marked: str = ""

    @property
    def mark(self) -> str:
        """The new value of the marked field."""
        return (self.after or {}).get(self.marked, "")


@dataclass(slots=True)
class Write:
    """One form, or one file. ``answers`` has what came back each time it was sent.

    Several writers change the things of a ``shared`` write, so it may be refused, and nobody knows the last one.
    """

    number: int
    kind: str
    by: str
    changes: Sequence[Change]
    shared: bool = False
    outcome: Outcome = Outcome.UNKNOWN
    answers: list[str] = field(default_factory=list)

    @property
    def doubtful(self) -> bool:
        """Whether the write may be stored, or may not be: an attempt before the last one may have been carried out."""
        return self.outcome is Outcome.UNKNOWN or (self.outcome is Outcome.REFUSED and len(self.answers) > 1)


class Journal:
    """Every write of a storm, the status of each answer, and what was broken. All clients share it."""

    def __init__(self) -> None:
        self.writes: list[Write] = []
        self.statuses: list[int] = []
        self.broken: list[str] = []
        self._numbers = count(1)

    def begin(self, kind: str, by: str, changes: Sequence[Change], *, shared: bool = False) -> Write:
        """Return a new write, before it is sent for the first time."""
        write = Write(next(self._numbers), kind, by, changes, shared)
        self.writes.append(write)
        return write

    def report(self, problem: str) -> None:
        """Note that the portal broke a promise, such as a session that ended by itself."""
        self.broken.append(problem)

    def by_thing(self) -> Mapping[Thing, Sequence[tuple[Write, Change]]]:
        """Return the changes of each thing, in the order in which they were first sent."""
        found: dict[Thing, list[tuple[Write, Change]]] = defaultdict(list)
        for write in self.writes:
            for change in write.changes:
                found[change.thing].append((write, change))
        return found

    def save(self, file: Path) -> None:
        """Write all into a file, to look into a failure."""
        with file.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(asdict(write), ensure_ascii=False) + "\n" for write in self.writes)
