"""The tables at the end of a storm."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.storm.journal import Journal, Outcome, Write
from tests.storm.judge import Finding

MOST_LINES, MOST_LETTERS = 20, 300
HEADER = ("writes", "sent", *Outcome, "sent again")


def report(journal: Journal, findings: Sequence[Finding], problems: Counter[str]) -> Iterator[str]:
    """The report, line by line: a row for each kind of write, how often each status was seen, and what is wrong."""
    kinds: dict[str, list[Write]] = {}
    for write in journal.writes:
        kinds.setdefault(write.kind, []).append(write)
    rows = {kind: _numbers(writes) for kind, writes in sorted(kinds.items())}
    rows["all"] = _numbers(journal.writes)
    yield f"{HEADER[0]:20}" + "".join(f"{name:>14}" for name in HEADER[1:])
    for kind, numbers in rows.items():
        yield f"{kind:20}" + "".join(f"{number:14}" for number in numbers)
    statuses = sorted(Counter(journal.statuses).items())
    yield "Answers: " + ", ".join(f"{count} x {status or 'none'}" for status, count in statuses)
    for lines in ([f"{problem}, {count} times" for problem, count in problems.most_common()], [*map(str, findings)]):
        yield from (f"BROKEN: {line}"[:MOST_LETTERS] for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"BROKEN: and {len(lines) - MOST_LINES} more"


def _numbers(writes: Sequence[Write]) -> list[int]:
    outcomes = Counter(write.outcome for write in writes)
    again = sum(max(len(write.answers) - 1, 0) for write in writes)
    return [len(writes), *(outcomes[outcome] for outcome in Outcome), again]
