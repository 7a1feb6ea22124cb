"""The judge of a storm: each acknowledged write is stored exactly once, and nothing else is stored."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from tests.storm.journal import Change, Journal, Outcome, Thing, Values, Write
from tests.storm.stored import Entry, StoredThings

Changes = Sequence[tuple[Write, Change]]
"""The changes of one thing, in the order in which they were first sent."""


class Verdict(StrEnum):
    """What is wrong. A refused write that is stored, and a thing that nobody asked for, are broken promises."""

    LOST = "lost"
    DOUBLED = "doubled"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a thing, in words, and the write that it is about; ``None`` if there is none."""

    verdict: Verdict
    thing: Thing
    words: str
    write: Write | None = None

    def __str__(self) -> str:
        write = f" ({self.write.kind}, write {self.write.number})" if self.write else ""
        return f"{self.verdict}: {' '.join(self.thing)}{write}: {self.words}"


def judge(journal: Journal, stored: StoredThings, before: Counter[Thing]) -> Iterator[Finding]:
    """Yield all that is wrong. ``before`` is the population before the storm. No writer may be at work any more."""
    by_thing = journal.by_thing()
    for thing, changes in by_thing.items():
        values = stored.values(thing)
        yield from _values(thing, changes, values)
        if any(change.what for _, change in changes):
            entries = stored.entries(thing)
            yield from _history(thing, changes, entries)
            for name in {change.marked for write, change in changes if write.shared}:
                yield from _chain(thing, name, values, entries)
    yield from _population(by_thing, stored.population(), before)


def _possible(changes: Changes) -> Changes:
    """Return the last change that was acknowledged, and the later ones that are in doubt. One of them is stored."""
    numbers = [n for n, (write, _) in enumerate(changes) if write.outcome is Outcome.ACKNOWLEDGED and not write.shared]
    if not numbers:
        return []
    last, *later = changes[numbers[-1] :]
    return [last, *((write, change) for write, change in later if write.doubtful)]


def _values(thing: Thing, changes: Changes, found: Values | None) -> Iterator[Finding]:
    """Yield a finding if a thing has other values than those of its last acknowledged write, or of a later doubtful
    one.
    """
    possible = _possible(changes)
    differences = [_difference(change.after, found) for _, change in possible]
    if possible and all(differences):
        yield Finding(Verdict.LOST, thing, differences[0], possible[0][0])


def _difference(expected: Values | None, found: Values | None) -> str:
    """In what a thing is not as it should be; blank if it is."""
    if expected is None or found is None:
        return "" if expected is found else "it is missing" if found is None else "it was deleted, and is there"
    differing = (name for name, value in expected.items() if found.get(name) != value)
    return "; ".join(f"{name} is {found.get(name)!r}, not {expected[name]!r}" for name in differing)


def _history(thing: Thing, changes: Changes, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield a finding for each acknowledged change without an entry, and for each entry of a refused change."""
    changes = [(write, change) for write, change in changes if change.what]
    left, used = list(changes), list[tuple[Write, Change]]()
    for entry in entries:
        if pair := _of(entry, left):
            left.remove(pair)
            used.append(pair)
            write, _ = pair
            if write.outcome is Outcome.REFUSED and not (write.shared and write.doubtful):
                yield Finding(Verdict.BROKEN, thing, f"it was refused, but is stored: {entry}", write)
        elif pair := _of(entry, used):
            yield Finding(Verdict.DOUBLED, thing, f"it is in the history twice: {entry}", pair[0])
        else:
            yield Finding(Verdict.BROKEN, thing, f"nobody asked for {entry}")
    for write, _ in left:
        if write.outcome is Outcome.ACKNOWLEDGED:
            yield Finding(Verdict.LOST, thing, "it is not in the history", write)


def _of(entry: Entry, changes: Changes) -> tuple[Write, Change] | None:
    """The change that left an entry: rather one that was acknowledged, then one in doubt; ``None`` if there is none."""
    of_it = [pair for pair in changes if entry.is_of(pair[1])]
    acknowledged = [pair for pair in of_it if pair[0].outcome is Outcome.ACKNOWLEDGED]
    doubtful = [pair for pair in of_it if pair[0].doubtful]
    return next(chain(acknowledged, doubtful, of_it), None)


def _chain(thing: Thing, name: str, values: Values | None, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Changes of a shared thing form a chain: each begins with the value that another one left."""
    changes = [entry.changes[name] for entry in entries if name in entry.changes]
    begun, left = Counter(change[0] for change in changes), Counter(change[1] for change in changes)
    if changes and (max(begun.values()) > 1 or left - begun != Counter([(values or {}).get(name)])):
        yield Finding(Verdict.BROKEN, thing, f"a change of {name} did not see the one before it")


def _population(by_thing: Mapping[Thing, Changes], listed: Counter[Thing], before: Counter[Thing]) -> Iterator[Finding]:
    """Lists have each thing once, and no thing that nobody added."""
    for thing, count in listed.items():
        asked = any(write.outcome is not Outcome.REFUSED or write.doubtful for write, _ in by_thing.get(thing, ()))
        if count > 1:
            yield Finding(Verdict.DOUBLED, thing, f"it is listed {count} times")
        if thing not in before and not asked:
            yield Finding(Verdict.BROKEN, thing, "nobody added it, and it is there")
    for thing in {*before, *by_thing} - {*listed}:
        possible = _possible(by_thing.get(thing, ()))
        if (possible or thing in before) and all(change.after is not None for _, change in possible):
            yield Finding(Verdict.LOST, thing, "no list has it", possible[0][0] if possible else None)
