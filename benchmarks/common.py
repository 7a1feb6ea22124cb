"""The base of every benchmark: its own settings, database and engine, timing, and plain tables.

Import it before any other module of the project. The import points the settings at a temporary folder and a free port,
so that a benchmark never touches real data. (It is first in the alphabet, so the linter keeps it there.)
"""

import argparse
import atexit
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.schema import tables
from tests.helpers.own_portal import ROOT, boot

WORK = Path(tempfile.mkdtemp(prefix="benchmark-"))
RESULTS = "BENCHMARK_RESULTS"
TARGETS = ("ratio of medians", "measured", "target", "met")

Timings = dict[str, list[float]]


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder, which is removed afterwards."""
    path = Path(tempfile.mkdtemp(dir=WORK))
    yield path
    shutil.rmtree(path)


@contextmanager
def engine_on(file: Path, port: int = 0) -> Iterator[Engine]:
    """An engine on a file, with every table that was missing in it. The benchmark calls it."""
    port = port or settings.DYNAMODB_ENGINE_PORT
    with engine.start(engine.find_binary(ROOT), port, file=file, log=file.with_suffix(".log")) as running:
        use(running.url)
        for _ in tables.create_missing():
            pass
        yield running


def use(endpoint: str) -> None:
    """Call this engine from now on."""
    settings.DYNAMODB_ENDPOINT_URL = endpoint
    forget()


@contextmanager
def fresh_tables() -> Iterator[None]:
    """An engine on a new file, with empty tables. Both are removed afterwards."""
    with folder() as path, engine_on(path / "engine.sqlite3"):
        yield


def batches(values: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """The values in lists of ``size``, the last one shorter."""
    while batch := list(islice(values, size)):
        yield batch


# --- Timing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A target for the ratio of two medians: at most ``limit``, or at least ``limit``."""

    over: str
    under: str
    limit: float
    at_least: bool = False

    def row(self, medians: Mapping[str, float]) -> tuple[str, ...]:
        """The row of the table: the name, the ratio, the target, and whether it is met."""
        ratio = medians[self.over] / medians[self.under]
        met = ratio >= self.limit if self.at_least else ratio <= self.limit
        bound = f"{'>=' if self.at_least else '<='} {self.limit:g}"
        return f"{self.over} / {self.under}", f"{ratio:.2f}", bound, "yes" if met else "NO"


def medians(timings: Timings) -> dict[str, float]:
    """The median of each timer."""
    return {name: statistics.median(values) for name, values in timings.items()}


def print_targets(figures: Mapping[str, float], targets: Sequence[Target]) -> None:
    """Print the ratios with their targets."""
    report_targets([target.row(figures) for target in targets])


def report_targets(rows: Sequence[Sequence[str]]) -> None:
    """Print what was measured beside its target: the ratio's name, its value, its target, and whether it is met."""
    _print(TARGETS, rows)
    _record("targets", rows)


def say(text: str) -> None:
    """Print a line about the run."""
    print(text)
    _record("text", text)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: the first column aligned to the left, the figures to the right."""
    _print(header, rows)
    _record("table", [header, *rows])


def _print(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    print()
    for row in (header, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells]))


def _record_time(start: float) -> None:
    _record("text", f"It took {(time.monotonic() - start) / 60:.1f} minutes.")


def _record(kind: str, what: object) -> None:
    """Keep what was printed for :mod:`benchmarks.summary`, if the environment names a file for it."""
    if RESULTS in os.environ:
        benchmark = sys.modules["__main__"].__spec__.name.rpartition(".")[2]  # type: ignore[union-attr]
        with Path(os.environ[RESULTS]).open("a", encoding="utf-8") as results:
            results.write(json.dumps([benchmark, kind, what]) + "\n")


def options(description: str, **sizes: tuple[int, int]) -> argparse.Namespace:
    """The command's options, each a whole number above zero. ``sizes`` are the default and the smallest of each.

    With ``--smallest`` the command shows only that it runs.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for name, (default, _) in sizes.items():
        parser.add_argument(f"--{name}", type=_positive, default=default, metavar="N", help=f"how many {name}")
    smallest = {name: least for name, (_, least) in sizes.items()}
    text = f"the smallest size, in place of all others: {smallest}"
    parser.add_argument("--smallest", action="store_true", help=text)
    chosen = parser.parse_args()
    return argparse.Namespace(**smallest) if chosen.smallest else chosen


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


atexit.register(shutil.rmtree, WORK, ignore_errors=True)
atexit.register(_record_time, time.monotonic())
boot(WORK, LOG_LEVEL="WARNING", **({RESULTS: os.environ[RESULTS]} if RESULTS in os.environ else {}))
