"""Drives the changelist's process from the benchmark: it sends one line, and reads one line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHANGELIST = "/admin/stock/room/"


class Changelist:
    """The stock changelist in its own process, because a process can have only one set of Django settings."""

    def __init__(self, root: Path, database: Path, rooms: int) -> None:
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings",
            "STOCK_DATABASE": f"sqlite:///{database}",
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
        """The time of one page, in milliseconds."""
        return float(self.ask(query)["ms"])

    def ask(self, query: str) -> dict[str, Any]:
        """The figures of one page: its milliseconds, its rows, and with a filter the number of all results."""
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
        """Close the process's input, which ends it."""
        self._process.communicate()
