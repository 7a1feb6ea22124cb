"""Programs that a benchmark starts: wait until they listen, measure their processor time, and stop them."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks import common
from tests.storm.portal import PROC, children, listens

TICKS = os.sysconf("SC_CLK_TCK")
START_SECONDS = 120.0


@contextmanager
def listening(command: Sequence[str | Path], port: int, environment: Mapping[str, str] | None = None) -> Iterator[int]:
    """A program that has begun to listen on a port; yields its process. Raises :class:`RuntimeError` if it fails."""
    log = (common.WORK / f"{port}.log").open("w+")
    everything = os.environ | dict(environment or {})
    process = subprocess.Popen(command, cwd=common.ROOT, env=everything, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{command[:3]} does not listen. {Path(log.name).read_text()}")
            time.sleep(0.05)
        yield process.pid
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        log.close()


def processor_seconds(process: int) -> float:
    """The processor time that a process and all that come from it have used. Linux tells it in /proc."""
    fields = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / TICKS
    return own + sum(map(processor_seconds, children(process)))


def thread_seconds(process: int) -> float:
    """The processor time of all threads of a process that run now: more exact than that of the whole process."""
    times = ((thread / "schedstat").read_text() for thread in (PROC / str(process) / "task").iterdir())
    return sum(int(text.split()[0]) for text in times) / 1e9


def child(name: str) -> int | None:
    """The process of a program that this process has started; ``None`` if there is none."""
    named = (each for each in children(os.getpid()) if (PROC / str(each) / "comm").read_text().startswith(name))
    return next(named, None)
