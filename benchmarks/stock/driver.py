"""Drives the changelist's process from the benchmark: one line to it, one line back."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHANGELIST = "/admin/stock/room/"


class Changelist:
    """The stock changelist in a process of its own, because two Django settings cannot share one."""

    def __init__(self, root: Path, database: Path, rooms: int) -> None:
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings",
            "STOCK_DATABASE": str(database),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.stock.worker", str(rooms)],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def time(self, query: str) -> float:
        """Milliseconds of one page."""
        return float(self.ask(query)["ms"])

    def ask(self, query: str) -> dict[str, Any]:
        """Of one page: milliseconds, the rows that it shows, and with a filter how many results there are."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{CHANGELIST}{query}\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = self._read()
        return answer

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("The changelist's process ended; see its traceback above.")
        return json.loads(line)

    def __enter__(self) -> "Changelist":
        return self

    def __exit__(self, *_: object) -> None:
        """Its input ends, and so does the process."""
        self._process.communicate()
