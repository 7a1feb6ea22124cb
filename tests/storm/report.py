"""The tables at the end of a storm."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.storm.browser import Traffic
from tests.storm.journal import Journal, Outcome, Write
from tests.storm.judge.verdicts import Judgement, Verdict

MOST_LINES = 20
LINE = 300
WRITES = ("writes", "sent", *Outcome, "sent again", "lost", "doubled")


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
        return bool(self.problems or self.judgement.findings)


def report(result: Result) -> Iterator[str]:
    """The report, line by line."""
    judgement = result.judgement
    yield from _table(WRITES, _writes(result))
    recoveries = [(name, len(times), f"{max(times):.1f} s") for name, times in sorted(result.recoveries.items())]
    yield from _table(("troubles", "times", "longest until normal"), recoveries)
    compared = [(what, count, judgement.found[what]) for what, count in judgement.compared.items()]
    yield from _table(("checked", "how much", "broken"), [*compared, *result.checked])
    statuses = sorted(result.traffic.statuses.items())
    yield "\nAnswers: " + ", ".join(f"{count} x {status or 'none'}" for status, count in statuses)
    problems = [f"{problem[:LINE]}, {count} times" for problem, count in result.problems.most_common()]
    findings = [f"{finding.verdict}: {finding.text}"[:LINE] for finding in judgement.findings]
    for lines in (problems, findings):
        yield from (f"BROKEN: {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"BROKEN: and {len(lines) - MOST_LINES} more"


def _writes(result: Result) -> list[tuple[object, ...]]:
    """A row for each kind of write, and one of all."""
    kinds: dict[str, list[Write]] = {}
    for write in result.journal.writes:
        kinds.setdefault(write.kind, []).append(write)
    rows = [(kind, _numbers(result.judgement, kind, writes)) for kind, writes in sorted(kinds.items())]
    sums = map(sum, zip(*(numbers for _, numbers in rows), strict=True))
    return [*((kind, *numbers) for kind, numbers in rows), ("all", *sums)]


def _numbers(judgement: Judgement, kind: str, writes: Sequence[Write]) -> list[int]:
    outcomes = Counter(write.outcome for write in writes)
    again = sum(max(write.sent - 1, 0) for write in writes)
    lost, doubled = (judgement.writes(verdict, kind) for verdict in (Verdict.LOST, Verdict.DOUBLED))
    return [len(writes), *(outcomes[outcome] for outcome in Outcome), again, lost, doubled]


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """A table: the first column aligned to the left, the figures to the right."""
    texts = [[*header], *([*map(str, row)] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    yield ""
    for first, *others in (texts[0], ["-" * width for width in widths], *texts[1:]):
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells])
