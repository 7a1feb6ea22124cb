"""What was sent to the portal, what it answered, and what must be stored because of it."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import IO

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
class Mark:
    """What an entry of a thing's history must say because of a write: what happened, and a field's new value.

    Writers choose a new value for each write where they can, so that the entry identifies the write.
    """

    thing: Thing
    what: str
    field: str = ""
    value: str = ""


@dataclass(slots=True)
class Write:
    """One form, or one file. ``after`` has the values of each thing after the write; ``None`` means that it is gone.

    ``sent`` counts how often it was sent, and ``unanswered`` how often the portal did not say what became of it.
    Several writers change a ``shared`` thing, so a write that is sent again may come too late, and is refused.
    """

    number: int
    kind: str
    by: str
    marks: Sequence[Mark] = ()
    after: Mapping[Thing, Values | None] = field(default_factory=dict)
    shared: bool = False
    outcome: Outcome = Outcome.UNKNOWN
    sent: int = 0
    unanswered: int = 0

    @property
    def doubtful(self) -> bool:
        """Whether the write may be stored, or may not be."""
        return self.outcome is Outcome.UNKNOWN or (self.outcome is Outcome.REFUSED and self.unanswered > 0)


@dataclass(frozen=True, slots=True)
class Expected:
    """The values of a thing after the last write of it that was acknowledged; ``None`` if that write deleted it."""

    values: Values | None
    write: Write


class Journal:
    """Every write of a storm. Writers share it. Each attempt is also appended to a file, to look into a failure."""

    def __init__(self, file: Path | None = None) -> None:
        self.writes: list[Write] = []
        self.expected: dict[Thing, Expected] = {}
        self.broken: Counter[str] = Counter()
        self._lock = Lock()
        self._file: IO[str] | None = file.open("a", encoding="utf-8") if file else None

    def begin(
        self,
        kind: str,
        by: str,
        marks: Sequence[Mark] = (),
        after: Mapping[Thing, Values | None] | None = None,
        *,
        shared: bool = False,
    ) -> Write:
        """A new write, before it is sent for the first time."""
        with self._lock:
            write = Write(len(self.writes) + 1, kind, by, marks, after or {}, shared)
            self.writes.append(write)
        return write

    def attempt(self, write: Write, answer: str, *, answered: bool) -> None:
        """Note that a write was sent, and what came back."""
        write.sent += 1
        write.unanswered += not answered
        self._note(write, answer)

    def settle(self, write: Write, outcome: Outcome) -> None:
        """Note what became of a write. What an acknowledged one changed is expected from now on."""
        write.outcome = outcome
        if outcome is Outcome.ACKNOWLEDGED:
            with self._lock:
                self.expected.update({thing: Expected(values, write) for thing, values in write.after.items()})
        self._note(write, outcome)

    def report(self, problem: str) -> None:
        """Note that the portal broke a promise, such as a session that ended by itself."""
        with self._lock:
            self.broken[problem] += 1
        self._line({"broken": problem})

    def values(self, thing: Thing) -> Values | None:
        """The expected values of a thing; ``None`` if it was never acknowledged, or is deleted."""
        expected = self.expected.get(thing)
        return expected.values if expected else None

    def by_thing(self) -> dict[Thing, list[tuple[Write, Mark]]]:
        """The marks of all writes, by thing, in the order in which they were first sent."""
        found: dict[Thing, list[tuple[Write, Mark]]] = defaultdict(list)
        for write in self.writes:
            for mark in write.marks:
                found[mark.thing].append((write, mark))
        return found

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def _note(self, write: Write, text: str) -> None:
        after = {"/".join(thing): values for thing, values in write.after.items()}
        self._line({"write": write.number, "kind": write.kind, "by": write.by, "answer": text, "after": after})

    def _line(self, values: Mapping[str, object]) -> None:
        if self._file:
            with self._lock:
                self._file.write(json.dumps(values, ensure_ascii=False, default=str) + "\n")
                self._file.flush()
