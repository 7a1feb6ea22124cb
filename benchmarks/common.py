"""The harness of every benchmark: its own settings, database and engine, rounds, and tables, which ``--write`` keeps.

Import it before any other module of the project. The import points the settings at a temporary folder and a free port,
so that a benchmark never touches real data.
"""

import argparse
import atexit
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random
from types import MappingProxyType

from django.conf import settings
from tqdm import tqdm

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.schema import tables
from tests.helpers.own_portal import PROC, ROOT, boot

WORK = Path(tempfile.mkdtemp(prefix="benchmark-"))
STARTED = time.monotonic()
README = ROOT / "benchmarks" / "README.md"
PACKAGES = ("Django", "gunicorn", "boto3", "pynamodb", "Jinja2")


@contextmanager
def engine_on(file: Path, port: int = 0) -> Iterator[Engine]:
    """An engine on a file, with every table that was missing in it. The benchmark calls it."""
    port = port or settings.DYNAMODB_ENGINE_PORT
    with engine.start(engine.find_binary(ROOT), port, file=file, log=file.with_suffix(".log")) as running:
        use(running.url)
        for _ in tables.migrate():
            pass
        yield running


def use(endpoint: str) -> None:
    """Call this engine from now on."""
    settings.DYNAMODB_ENDPOINT_URL = endpoint
    forget()


@contextmanager
def fresh_tables() -> Iterator[Engine]:
    """An engine on a new file, with empty tables. Both are removed afterwards."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder, engine_on(Path(folder) / "engine.sqlite3") as running:
        yield running


def alternated(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Return what each measures in each round, in a new order each time. The first round does not count."""
    random, found = Random(1), dict[str, list[float]]((name, []) for name in measures)
    for _ in tqdm(range(rounds + 1), "Measuring", unit=" rounds", disable=None):
        for name in random.sample([*found], len(found)):
            found[name].append(measures[name]())
    return {name: values[1:] for name, values in found.items()}


# --- What is printed --------------------------------------------------------------------------------------

_said: list[str] = []
"""What this benchmark has printed."""


def print_targets(targets: Iterable[tuple[str, float, float]]) -> None:
    """Print ratios, and what each should be at least."""
    rows = [
        (name, f"{ratio:.2f}", f">= {least:g}", "yes" if ratio >= least else "NO") for name, ratio, least in targets
    ]
    print_table(("ratio of medians", "measured", "target", "met"), rows)


def say(text: str) -> None:
    """Print a line about the run."""
    print(f"{text}\n")
    _said.append(text)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown: the first column aligned to the left, the figures to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    say("\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows)))


def finish(options: argparse.Namespace) -> None:
    """Say how long the benchmark took. With ``--write``, put all that it said into its block of the README."""
    say(f"It took {(time.monotonic() - STARTED) / 60:.1f} minutes.")
    if options.write:
        name = sys.modules["__main__"].__spec__.name.rpartition(".")[2]  # type: ignore[union-attr]
        block = re.compile(rf"(?<=<!-- measured: {name} -->\n).*?(?=<!-- end of measured -->)", re.DOTALL)
        text = "\n\n".join([_machine(), *_said]) + "\n"
        README.write_text(block.sub(lambda _: text, README.read_text(encoding="utf-8")), encoding="utf-8")


def _machine() -> str:
    """Return the day, the machine and the versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = re.search(r"model name\s*: (.*)", (PROC / "cpuinfo").read_text())
    cores = f"{os.cpu_count()} cores of {model[1] if model else platform.machine()}, {memory:.0f} GB"
    dynoxide = json.loads((ROOT / "package.json").read_text())["optionalDependencies"]["@dynoxide/linux-x64"]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    found = f"Python {platform.python_version()}, {versions}, dynoxide {dynoxide}"
    return f"{datetime.now(UTC):%d %B %Y}, {platform.system()}, {cores}. {found}."


def options(
    description: str, choices: Mapping[str, Sequence[str]] = MappingProxyType({}), **sizes: tuple[int, int]
) -> argparse.Namespace:
    """Return the command's options: one of some ``choices``, the first by default; or a whole number. ``sizes`` are the
    default and the smallest of each.

    With ``--smallest`` the command shows only that it runs. With ``--write`` the figures go into the README.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for name, (default, _) in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"how many {name}")
    for name, several in choices.items():
        parser.add_argument(f"--{name}", choices=several, default=several[0], help="; ".join(several))
    smallest = {name: least for name, (_, least) in sizes.items()}
    text = f"the smallest size, in place of all others: {smallest}"
    parser.add_argument("--smallest", action="store_true", help=text)
    parser.add_argument("--write", action="store_true", help="write the figures into benchmarks/README.md")
    chosen = parser.parse_args()
    first = {name: several[0] for name, several in choices.items()}
    return argparse.Namespace(**smallest, **first, write=False) if chosen.smallest else chosen


atexit.register(shutil.rmtree, WORK, ignore_errors=True)
boot(WORK, LOG_LEVEL="WARNING")
