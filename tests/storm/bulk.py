"""Writers of many things at once: changes of all rooms of a hotel, and imports that are killed and started again."""

import csv
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Thread

from tests.helpers.own_portal import ROOT
from tests.storm.browser import find_form
from tests.storm.clients import CSRF_FIELD, Client, Clock
from tests.storm.journal import Change, Journal, Outcome

BULK_HOTEL, IMPORT_HOTEL = "storm-bulk", "storm-import"
ROOMS = {BULK_HOTEL: 30, IMPORT_HOTEL: 200}
"""The hotels whose rooms are all changed at once, and how many rooms each has."""

FIRST_RATE = 100
FACTS = {"view": "Fjord", "size": "20", "type": "Double", "currency": "NOK"}
"""What is the same of all these rooms. They differ in their number, and their rate changes."""


def new_rates(hotel_id: str, rate: int, what: str = "changed") -> list[Change]:
    """Return what a new rate does to each room of a hotel."""
    return [
        Change(("room", hotel_id, str(n)), what, {**FACTS, "rate": str(rate)}, "rate") for n in range(ROOMS[hotel_id])
    ]


def write_file(file: Path, hotel_id: str, rate: int) -> None:
    """Write a file to import, in which all rooms of a hotel have a rate."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["hotel_id", "hotel_name", "city", "number", "rate", *FACTS])
        writer.writerows([hotel_id, hotel_id, "Bergen", n, rate, *FACTS.values()] for n in range(ROOMS[hotel_id]))


class BulkWriter(Client):
    """Raises all rates of a hotel, again and again."""

    rate = FIRST_RATE

    def step(self) -> None:
        """Raise the rates, and let the change take its steps, until its page says that it is done."""
        form = self.form(f"/hotels/{BULK_HOTEL}/rooms/change/?all=on&new-action=rate-by&new-rate_by=1", "seen")
        self.rate += 1
        write = self.journal.begin("rooms in bulk", self.name, new_rates(BULK_HOTEL, self.rate))
        outcome, progress = self.send(write, form)
        while outcome is Outcome.ACKNOWLEDGED and "bulk-continue" in (page := self.page(progress)).text:
            self.browser.post(replace(find_form(page, CSRF_FIELD), action=progress))
        self.settle(write, outcome)


KILLS = 2
"""The most kills of one import. Each is between the start and about the end of an import that nothing disturbs."""

KILL_SECONDS = (0.5, 4.0)
LONGEST_SECONDS = 60.0


class Importer(Thread):
    """Imports a file with new rates of all rooms of a hotel, again and again."""

    def __init__(self, folder: Path, environment: Mapping[str, str], journal: Journal, clock: Clock, seed: str) -> None:
        super().__init__(name="storm-import", daemon=True)
        self.file, self.environment, self.journal, self.clock = folder / "rooms.csv", environment, journal, clock
        self.random = Random(f"{seed}:{self.name}")

    def run(self) -> None:
        """Import one file after the other, each until the command says that it is in."""
        rate = FIRST_RATE
        while not self.clock.over.is_set():
            rate += 1
            write_file(self.file, IMPORT_HOTEL, rate)
            write = self.journal.begin("import of rooms", self.name, new_rates(IMPORT_HOTEL, rate))
            kills = self.random.randint(0, KILLS)
            while write.outcome is Outcome.UNKNOWN and not self.clock.late.is_set():
                killed = len(write.answers) < kills
                code, said = self._import(self.random.uniform(*KILL_SECONDS) if killed else LONGEST_SECONDS)
                write.answers.append(f"{code} {said}")
                if "Traceback" in said:
                    self.journal.report(f"an import ended with a traceback: {said.splitlines()[-1]}")
                if code == 0:
                    write.outcome = Outcome.ACKNOWLEDGED

    def _import(self, kill_after: float) -> tuple[int, str]:
        """Run the import, kill it after some seconds, and return its exit status and its output."""
        command = [sys.executable, "manage.py", "import_rooms", str(self.file)]
        environment = {**os.environ, **self.environment}
        with subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            try:
                said, _ = process.communicate(timeout=kill_after)
            except subprocess.TimeoutExpired:
                process.kill()
                said, _ = process.communicate()
        return process.returncode, said.strip()
