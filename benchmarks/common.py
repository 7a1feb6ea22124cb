"""What every benchmark stands on: settings, database and engine of its own, timing, and a plain table.

Import it before anything else of the project: importing it points the settings at a temporary folder and a free
port, so that a benchmark never touches anybody's data. (The alphabet puts it first, and the linter keeps it there.)
"""

import argparse
import atexit
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import django
from tqdm import tqdm

from hotelapp.dynamodb import engine, tables

ROOT = Path(__file__).resolve().parent.parent
WORK = Path(tempfile.mkdtemp(prefix="benchmark-"))
PORT = engine.free_port()
WARM_UP = 3  # rounds that are not counted: connections, caches and templates are there after them

Timings = dict[str, list[float]]


def _boot() -> None:
    """Settings for this process alone; what the shell or ``.env`` says about the portal is left aside."""
    atexit.register(shutil.rmtree, WORK, ignore_errors=True)
    for name in list(os.environ):
        if name.startswith(("DYNAMODB_", "AWS_")):
            del os.environ[name]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
        "ENV_FILE": "",
        "SECRET_KEY": "only-for-benchmarks",
        "DEMO": "1",
        "DEBUG": "0",
        "DATABASE_URL": f"sqlite:///{WORK / 'portal.sqlite3'}",
        "DYNAMODB_ENGINE_PORT": str(PORT),
    }
    django.setup()


@contextmanager
def fresh_tables() -> Iterator[None]:
    """An engine on a new file with empty tables; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(dir=WORK))
    with engine.start(engine.find_binary(ROOT), PORT, file=folder / "engine.sqlite3", log=folder / "engine.log"):
        for _ in tables.create_missing():
            pass
        yield
    shutil.rmtree(folder)


def batches(values: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """The values in lists of ``size``, the last one shorter."""
    while batch := list(islice(values, size)):
        yield batch


# --- Timing ---------------------------------------------------------------------------------------------


def milliseconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def interleaved(timers: Mapping[str, Callable[[], float]], repeat: int) -> Timings:
    """Ask every timer ``repeat`` times, in rounds, so that a slow moment of the machine hits all alike.

    Each round has an order of its own: what runs before a call may warm or cool the caches for it.
    """
    random = Random(1)
    order = list(timers)
    timings: Timings = {name: [] for name in timers}
    for round_ in tqdm(range(-WARM_UP, repeat), desc="Timing", unit=" rounds", disable=None):
        random.shuffle(order)
        for name in order:
            taken = timers[name]()
            if round_ >= 0:
                timings[name].append(taken)
    return timings


def p90(values: Sequence[float]) -> float:
    """The value that nine in ten do not pass."""
    return sorted(values)[int(len(values) * 0.9)]


@dataclass(frozen=True)
class Target:
    """A ratio of two medians that is promised: at most ``limit``, or at least."""

    over: str
    under: str
    limit: float
    at_least: bool = False

    def row(self, medians: Mapping[str, float]) -> tuple[str, ...]:
        """The line of the table: what, the ratio, what is promised, and whether that is so."""
        ratio = medians[self.over] / medians[self.under]
        met = ratio >= self.limit if self.at_least else ratio <= self.limit
        bound = f"{'>=' if self.at_least else '<='} {self.limit:g}"
        return f"{self.over} / {self.under}", f"{ratio:.2f}", bound, "yes" if met else "NO"


def medians(timings: Timings) -> dict[str, float]:
    """The median of each."""
    return {name: statistics.median(values) for name, values in timings.items()}


def report(timings: Timings, targets: Sequence[Target]) -> None:
    """Print the milliseconds of everything that was timed, and each target beside its figure."""
    middle = medians(timings)
    print_table(
        ("what", "median ms", "p90 ms"),
        [(name, f"{middle[name]:.2f}", f"{p90(values):.2f}") for name, values in timings.items()],
    )
    print_targets(middle, targets)


def print_targets(figures: Mapping[str, float], targets: Sequence[Target]) -> None:
    """Print the ratios that are promised."""
    print_table(("ratio of medians", "measured", "target", "met"), [target.row(figures) for target in targets])


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns: the first to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    print()
    for row in (header, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells]))


def options(description: str, **defaults: int) -> argparse.Namespace:
    """The command's options, each a whole number above zero."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=_positive, default=default, metavar="N", help=f"how many {name}")
    return parser.parse_args()


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


_boot()
