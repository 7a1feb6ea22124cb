"""Imports of files by ``manage.py``, which are killed and started again until they say that everything is in."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from threading import Thread
from typing import NamedTuple

from tests.storm.boot import ROOT
from tests.storm.journal import Journal, Mark, Outcome, Thing, Values
from tests.storm.writers.base import Clock

HOTEL = {"hotel_id": "storm-import", "hotel_name": "Storm Import", "city": "Bergen", "currency": "NOK"}
HOTEL_FIELDS = ("hotel_id", "hotel_name", "city")
ROWS = 200
KILLS = 2
"""The most kills of one import. Each is between the start and about the end of an import that nothing disturbs."""

KILL_SECONDS = (0.5, 4.0)
LONGEST_SECONDS = 60.0
TRACEBACK = "Traceback (most recent call last)"


class Row(NamedTuple):
    """A row of a file: its thing, and the values that the thing has after the import."""

    thing: Thing
    values: Values


class Importer(Thread):
    """Imports files of rooms, orders and reviews, each first with new things and then with changed ones."""

    def __init__(
        self, folder: Path, environment: Callable[[], Mapping[str, str]], journal: Journal, clock: Clock, seed: str
    ) -> None:
        super().__init__(name="storm-import", daemon=True)
        self.folder, self.environment, self.journal, self.clock = folder, environment, journal, clock
        self.random = Random(f"{seed}:{self.name}")

    def run(self) -> None:
        """Import one file after the other."""
        for batch in range(10**6):
            for kind, rows, changed in (
                ("rooms", _rooms(batch, 0), ("rate", _rooms(batch, 1))),
                ("orders", _orders(batch, "PLACED"), ("status", _orders(batch, "SHIPPED"))),
                ("reviews", _reviews(batch, 0), ("title", _reviews(batch, 1))),
            ):
                self._import(kind, rows, [])
                field, after = changed
                self._import(kind, after, [Mark(row.thing, "changed", field, row.values[field]) for row in after])
                if self.clock.over.is_set():
                    return

    def _import(self, kind: str, rows: Sequence[Row], marks: Sequence[Mark]) -> None:
        """Import a file, again and again until the command says that it is in."""
        if self.clock.over.is_set():
            return
        after: dict[Thing, Values | None] = {row.thing: _compared(row.values) for row in rows}
        after[("hotel", HOTEL["hotel_id"])] = {}
        after |= {("guest", row.values["username"]): {} for row in rows if "username" in row.values}
        write = self.journal.begin(f"import of {kind}", self.name, marks, after)
        file = _file(self.folder, kind, [row.values for row in rows])
        kills = self.random.randint(0, KILLS)
        while not self.clock.late.is_set():
            code, said = self._run(kind, file, self.random.uniform(*KILL_SECONDS) if write.sent < kills else None)
            self.journal.attempt(write, f"{code} {said}", answered=code == 0)
            if TRACEBACK in said:
                self.journal.report(f"an import ended with a traceback: {said.splitlines()[-1]}")
            if code == 0:
                self.journal.settle(write, Outcome.ACKNOWLEDGED)
                return

    def _run(self, kind: str, file: Path, kill_after: float | None) -> tuple[int, str]:
        """The command's exit status, and what it said. It is killed after some seconds, if these are given."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", f"import_{kind}", str(file)],
            env=self.environment(),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            said, _ = process.communicate(timeout=kill_after or LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
        return process.returncode, said.strip()


def _file(folder: Path, kind: str, rows: Sequence[Values]) -> Path:
    """The file to import. Its progress stays beside it, so the name says what is in it."""
    text = repr(rows)
    path = folder / f"{kind}-{abs(hash(text))}.{'jsonl' if kind == 'orders' else 'csv'}"
    with path.open("w", encoding="utf-8", newline="") as file:
        if kind == "orders":
            for row in rows:
                file.write(json.dumps({**row, "items": []}) + "\n")
            return path
        names = [*(HOTEL_FIELDS if kind == "rooms" else ()), *rows[0]]
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows({**{name: HOTEL[name] for name in HOTEL_FIELDS if name in names}, **row} for row in rows)
    return path


def _compared(values: Values) -> Values:
    """The values without times, which files write in another way."""
    return {name: value for name, value in values.items() if not name.endswith("_at")}


def _rooms(batch: int, change: int) -> list[Row]:
    rows = []
    for number in range(ROWS):
        values = {"number": f"{batch}-{number:03d}", "view": "Fjord", "size": str(20 + number % 30), "type": "Double"}
        rate = str(100 + batch + 1000 * change)
        thing = ("room", HOTEL["hotel_id"], values["number"])
        rows.append(Row(thing, {**values, "rate": rate, "currency": HOTEL["currency"]}))
    return rows


def _orders(batch: int, status: str) -> list[Row]:
    rows = []
    for number in range(ROWS):
        order_id, day = f"storm-{batch}-{number}", "2026-01-02T10:00:00Z"
        values = {"order_id": order_id, "username": f"storm.import.{number % 7}", "hotel_id": HOTEL["hotel_id"]}
        values |= {"status": status, "placed_at": day, "status_at": day, "currency": HOTEL["currency"]}
        rows.append(Row(("order", order_id), values))
    return rows


def _reviews(batch: int, change: int) -> list[Row]:
    rows = []
    for number in range(ROWS):
        values = {"review_id": f"storm-{batch}-{number}", "hotel_id": HOTEL["hotel_id"], "room_number": ""}
        values |= {"language": "en", "rating": str(1 + number % 5), "created_at": "2026-01-02", "author": "Storm"}
        rows.append(Row(("review", values["review_id"]), {**values, "title": f"Title {batch} {change}", "body": "Wet"}))
    return rows
