"""Compares the journal with what is stored. It reads nothing itself."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from tests.storm.journal import Expected, Journal, Mark, Outcome, Thing, Values, Write

ERASED = "erased"


class Verdict(StrEnum):
    """What is wrong. A refused write that is stored, and a thing that nobody asked for, are broken promises."""

    LOST = "lost"
    DOUBLED = "doubled"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, the write that it is about (``None`` if there is none), and what it is in words."""

    verdict: Verdict
    write: Write | None
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a thing's history: what happened, and each changed field before and after."""

    what: str
    changes: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class Stored(Protocol):
    """What is stored."""

    def values(self, thing: Thing) -> Values | None:
        """The fields of a thing; ``None`` if there is no such thing."""

    def entries(self, thing: Thing) -> Sequence[Entry]:
        """The history of a thing, oldest first."""

    def population(self) -> Counter[Thing]:
        """How often each thing that exists is in the lists."""


@dataclass
class Judgement:
    """All that is wrong, and how much was compared."""

    findings: list[Finding] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """How many findings each comparison has."""

    def writes(self, verdict: Verdict, kind: str) -> int:
        """How many writes of a kind have a finding of this sort."""
        found = (finding.write for finding in self.findings if finding.verdict is verdict)
        return len({write.number for write in found if write and write.kind == kind})


def judge(journal: Journal, stored: Stored, before: Counter[Thing]) -> Judgement:
    """Compare everything. ``before`` is the population before the storm. No writer may be at work any more."""
    judgement = Judgement()
    for what, findings in (
        ("values of things", _values(journal, stored, judgement.compared)),
        ("entries of histories", _histories(journal, stored, judgement.compared)),
        ("things in lists", _population(journal, stored, before, judgement.compared)),
        ("chains of changes", _chains(journal, stored, judgement.compared)),
    ):
        found = list(findings)
        judgement.findings += found
        judgement.compared[what] += 0
        judgement.found[what] += len(found)
    return judgement


def _values(journal: Journal, stored: Stored, compared: Counter[str]) -> Iterator[Finding]:
    """Every thing has the values of the last write that was acknowledged, or of a later one that is in doubt."""
    doubtful: dict[Thing, list[Write]] = {}
    for write in journal.writes:
        for thing in write.after if write.doubtful else ():
            doubtful.setdefault(thing, []).append(write)
    for thing, expected in journal.expected.items():
        compared["values of things"] += 1
        later = [write for write in doubtful.get(thing, []) if write.number > expected.write.number]
        allowed = [expected.values, *(write.after[thing] for write in later)]
        found = stored.values(thing)
        if not any(_same(values, found) for values in allowed):
            yield Finding(Verdict.LOST, expected.write, f"{_name(thing)}: {_difference(expected, found)}")


def _same(expected: Values | None, found: Values | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return all(found.get(name) == value for name, value in expected.items())


def _difference(expected: Expected, found: Values | None) -> str:
    if expected.values is None:
        return "it was deleted, and is there"
    if found is None:
        return "it is missing"
    differing = (name for name, value in expected.values.items() if found.get(name) != value)
    return "; ".join(f"{name} is {found.get(name)!r}, not {expected.values[name]!r}" for name in differing)


def _histories(journal: Journal, stored: Stored, compared: Counter[str]) -> Iterator[Finding]:
    """Every acknowledged change has one entry, and every entry is of a change that was not refused."""
    for thing, marks in journal.by_thing().items():
        entries = stored.entries(thing)
        compared["entries of histories"] += len(entries)
        erased = any(entry.what == ERASED for entry in entries)
        waiting = [pair for pair in marks if pair[0].outcome is Outcome.ACKNOWLEDGED]
        maybe = [pair for pair in marks if pair[0].doubtful]
        refused = [pair for pair in marks if pair[0].outcome is Outcome.REFUSED and not pair[0].doubtful]
        used: list[tuple[Write, Mark]] = []
        for entry in entries:
            if pair := _taken(waiting, entry, erased):
                used.append(pair)
            elif pair := _taken(maybe, entry, erased):
                used.append(pair)
                if pair[0].outcome is Outcome.REFUSED and not pair[0].shared:
                    yield _finding(Verdict.BROKEN, pair, "it was refused when it was sent again, but is stored")
            elif pair := _taken(list(used), entry, erased):
                yield _finding(Verdict.DOUBLED, pair, "it is in the history twice")
            elif pair := _taken(refused, entry, erased):
                yield _finding(Verdict.BROKEN, pair, "it was refused, but is stored")
            else:
                yield Finding(Verdict.BROKEN, None, f"{_name(thing)}: nobody asked for {entry}")
        for pair in waiting:
            yield _finding(Verdict.LOST, pair, "it is not in the history")


def _taken(pairs: list[tuple[Write, Mark]], entry: Entry, erased: bool) -> tuple[Write, Mark] | None:
    """Remove and return the first pair whose mark the entry has; ``None`` if there is none."""
    for number, (_, mark) in enumerate(pairs):
        if _has(entry, mark, erased):
            return pairs.pop(number)
    return None


def _has(entry: Entry, mark: Mark, erased: bool) -> bool:
    """Whether an entry has a mark. The entries of a guest who was erased have lost their values."""
    if entry.what != mark.what:
        return False
    if not mark.field:
        return True
    change = entry.changes.get(mark.field)
    return change is not None and (change[1] == mark.value or (erased and not any(change)))


def _population(journal: Journal, stored: Stored, before: Counter[Thing], compared: Counter[str]) -> Iterator[Finding]:
    """Lists have each thing once, and no thing that nobody added."""
    added = {thing for write in journal.writes for thing in write.after if write.outcome is not Outcome.REFUSED}
    maybe = {thing for write in journal.writes for thing in write.after if write.doubtful}
    population = stored.population()
    for thing, count in population.items():
        compared["things in lists"] += 1
        expected = journal.expected.get(thing)
        if count > 1:
            yield Finding(
                Verdict.DOUBLED, expected.write if expected else None, f"{_name(thing)}: listed {count} times"
            )
        if thing not in before and thing not in added and thing not in maybe:
            yield Finding(Verdict.BROKEN, None, f"{_name(thing)}: nobody added it, and it is there")
    for thing in before:
        if thing not in population and thing not in journal.expected:
            yield Finding(Verdict.LOST, None, f"{_name(thing)}: it was there before the storm, and is missing")
    for thing, expected in journal.expected.items():
        if expected.values is not None and thing not in population and thing not in maybe:
            yield Finding(Verdict.LOST, expected.write, f"{_name(thing)}: no list has it")


def _chains(journal: Journal, stored: Stored, compared: Counter[str]) -> Iterator[Finding]:
    """Changes of a shared thing form a chain: each begins with the value that another one left."""
    shared = {(mark.thing, mark.field) for write in journal.writes if write.shared for mark in write.marks}
    for thing, name in sorted(shared):
        changes = [entry.changes[name] for entry in stored.entries(thing) if name in entry.changes]
        compared["chains of changes"] += 1
        froms, tos = Counter(change[0] for change in changes), Counter(change[1] for change in changes)
        final = (stored.values(thing) or {}).get(name, "")
        if changes and (max(froms.values()) > 1 or (tos - froms) != Counter([final])):
            yield Finding(Verdict.BROKEN, None, f"{_name(thing)}: a change of {name} did not see the one before it")


def _finding(verdict: Verdict, pair: tuple[Write, Mark], words: str) -> Finding:
    write, mark = pair
    what = f"{mark.what} {mark.field} {mark.value}".strip()
    return Finding(verdict, write, f"{_name(mark.thing)}: {write.kind} (write {write.number}, {what}): {words}")


def _name(thing: Thing) -> str:
    return " ".join(thing)
