"""The tables at the end of a storm."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.storm.journal import Journal, Outcome, Write
from tests.storm.judge.verdicts import Judgement, Verdict
from tests.storm.traffic import NO_ANSWER, Traffic, longest

MOST_LINES = 20
LINE = 300


@dataclass
class Result:
    """Everything that a storm found out. ``problems`` are sentences about what must not happen, with their number."""

    journal: Journal
    traffic: Traffic
    judgement: Judgement
    recoveries: Mapping[str, Sequence[float]]
    checked: Sequence[tuple[str, str, int]] = ()
    """What was checked beside the journal: its name, how much of it, and how many faults were found."""

    problems: Counter[str] = field(default_factory=Counter)

    @property
    def broken(self) -> bool:
        """Whether the portal broke a promise."""
        return bool(self.problems or self.judgement.findings or self.traffic.faults)


def tables(result: Result) -> Iterator[str]:
    """The report, line by line."""
    yield from _table(
        ("writes", "sent", "acknowledged", "refused", "unknown", "sent again", "lost", "doubled"), _writes(result)
    )
    yield from _table(
        ("troubles", "times", "longest until normal"),
        [(name, str(len(times)), f"{longest(times):.1f} s") for name, times in sorted(result.recoveries.items())],
    )
    yield from _statuses(result.traffic)
    judgement = result.judgement
    compared = [(what, str(count), str(judgement.found[what])) for what, count in judgement.compared.items()]
    checked = [(what, amount, str(count)) for what, amount, count in result.checked]
    yield from _table(("checked", "how much", "broken"), [*compared, *checked])
    yield from _faults(result)


def _writes(result: Result) -> list[tuple[str, ...]]:
    kinds: dict[str, list[Write]] = {}
    for write in result.journal.writes:
        kinds.setdefault(write.kind, []).append(write)
    rows = [(kind, *_numbers(result.judgement, kind, writes)) for kind, writes in sorted(kinds.items())]
    sums = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    return [(str(row[0]), *map(str, row[1:])) for row in [*rows, ("all", *sums)]]


def _numbers(judgement: Judgement, kind: str, writes: Sequence[Write]) -> list[int]:
    outcomes = Counter(write.outcome for write in writes)
    again = sum(max(write.sent - 1, 0) for write in writes)
    lost, doubled = (judgement.writes(verdict, kind) for verdict in (Verdict.LOST, Verdict.DOUBLED))
    return [len(writes), *(outcomes[outcome] for outcome in Outcome), again, lost, doubled]


def _statuses(traffic: Traffic) -> Iterator[str]:
    seen = sorted({status for counter in traffic.statuses.values() for status in counter} - {NO_ANSWER})
    rows = [
        (kind, *(str(counter[status] or "") for status in seen), str(counter[NO_ANSWER] or ""))
        for kind, counter in sorted(traffic.statuses.items())
    ]
    return _table(("answers", *map(str, seen), "none"), rows)


def _faults(result: Result) -> Iterator[str]:
    for status, count in result.traffic.faults.items():
        yield f"BROKEN: status {status}, {count} times, first for {result.traffic.examples[status]}"
    for problem, count in result.problems.most_common(MOST_LINES):
        yield f"BROKEN: {problem}"[:LINE] + f" ({count} times)" * (count > 1)
    yield from _first(sorted(result.problems)[MOST_LINES:], 0)
    yield from _first([f"{finding.verdict}: {finding.text}" for finding in result.judgement.findings], MOST_LINES)


def _first(lines: Sequence[str], most: int) -> Iterator[str]:
    """The first lines, and how many more there are."""
    for line in lines[:most]:
        yield f"BROKEN: {line}"[:LINE]
    if len(lines) > most:
        yield f"BROKEN: and {len(lines) - most} more"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table: the first column aligned to the left, the figures to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    yield ""
    for row in (header, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()
