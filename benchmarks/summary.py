"""``python -m benchmarks.summary RESULTS [README]``: one table of all targets, and every figure into the README.

``make benchmark`` calls it with what the benchmarks have recorded. Each block of the README is between two comments.
"""

import json
import os
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?<=<!-- measured: )(\w+)( -->\n).*?(?=<!-- end of measured -->)", re.DOTALL)
ALL = "all"
PACKAGES = ("Django", "boto3", "pynamodb", "Jinja2")
HEADER = ("benchmark", "ratio of medians", "measured", "target", "met")

Record = tuple[str, str, Any]


def main(results: str, readme: str = "") -> None:
    """Print the table, and write the README if it is named."""
    records: list[Record] = [tuple(json.loads(line)) for line in Path(results).read_text().splitlines()]
    summary = f"{_machine()}\n\n{_table([HEADER, *_targets(records)])}"
    print(f"\n== all\n{summary}")
    if readme:
        file = Path(readme)
        file.write_text(written(file.read_text(encoding="utf-8"), records, summary), encoding="utf-8")


def written(text: str, records: Sequence[Record], summary: str) -> str:
    """The README with new blocks. The block of a benchmark that did not run stays as it is."""
    ran = {benchmark for benchmark, _, _ in records}

    def block(match: re.Match[str]) -> str:
        if match[1] not in ran | {ALL}:
            return match[0]
        parts = [summary] if match[1] == ALL else _shown(match[1], records)
        return match[1] + match[2] + "\n\n".join(parts) + "\n"

    return BLOCK.sub(block, text)


def _shown(benchmark: str, records: Sequence[Record]) -> Iterator[str]:
    """What a benchmark printed, but for the ratios, which are in the table of all."""
    for name, kind, what in records:
        if name == benchmark and kind != "targets":
            yield what if kind == "text" else _table(what)


def _targets(records: Sequence[Record]) -> Iterator[Sequence[str]]:
    for benchmark, kind, rows in records:
        if kind == "targets":
            yield from ([benchmark, *row] for row in rows)


def _table(rows: Sequence[Sequence[str]]) -> str:
    header, *others = rows
    aligned = [header, ["---", *["---:"] * (len(header) - 1)], *others]
    return "\n".join(f"| {' | '.join(row)} |" for row in aligned)


def _machine() -> str:
    """The day, the machine and the versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    processors = Path("/proc/cpuinfo")  # Linux
    model = re.search(r"model name\s*: (.*)", processors.read_text() if processors.exists() else "")
    cores = f"{os.cpu_count()} cores of {model[1] if model else platform.machine()}, {memory:.0f} GB"
    engine = json.loads((ROOT / "package.json").read_text())["optionalDependencies"]["@dynoxide/linux-x64"]
    found = [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    found.append(f"dynoxide {engine}")
    return f"{datetime.now(UTC):%d %B %Y}, {platform.system()}, {cores}. {', '.join(found)}."


if __name__ == "__main__":
    main(*sys.argv[1:])
