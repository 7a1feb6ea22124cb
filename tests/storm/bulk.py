"""Writers of many things at once: changes of all rooms of a hotel, and imports that are killed and started again."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random
from threading import Thread
from urllib.parse import urlencode

from tests.helpers.own_portal import ROOT
from tests.storm.browser import CSRF_FIELD, find_form
from tests.storm.clients import Client, Clock
from tests.storm.commands import HOUSEKEEPING
from tests.storm.journal import Journal, Mark, Outcome, Thing, Values

BULK_HOTEL, BULK_ROOMS = "storm-bulk", 30
BULK_THINGS: Sequence[Thing] = [("room", BULK_HOTEL, str(number)) for number in range(BULK_ROOMS)]


class BulkWriter(Client):
    """Changes all rooms of its own hotel at once, again and again."""

    def step(self) -> None:
        """Raise all rates, or set all statuses."""
        stored = {thing: self.journal.values(thing) or {} for thing in BULK_THINGS}
        if self.random.random() < 1 / 2:
            action, name = {"new-action": "rate-by", "new-rate_by": "1"}, "rate"
            new = {thing: f"{(Decimal(stored[thing]['rate']) + 1).normalize():f}" for thing in BULK_THINGS}
        else:
            status, name = self.random.choice(HOUSEKEEPING), "housekeeping"
            action, new = {"new-action": "status", "new-housekeeping": status}, dict.fromkeys(BULK_THINGS, status)
        marks = [Mark(thing, "changed", name, value) for thing, value in new.items() if value != stored[thing][name]]
        after = {thing: {**stored[thing], name: value} for thing, value in new.items()}
        form = self.form(f"/hotels/{BULK_HOTEL}/rooms/change/?{urlencode({'all': 'on', **action})}", "seen")
        write = self.journal.begin("rooms in bulk", self.name, marks, after)
        self.send(write, form, then=self._go_on)

    def _go_on(self, progress: str) -> None:
        """Let the change take its steps, until its page says that it is done."""
        while "bulk-continue" in (page := self.page(progress)).text:
            self.browser.post(replace(find_form(page, CSRF_FIELD), action=progress))


# --- Imports --------------------------------------------------------------------------------------------------

HOTEL = {"hotel_id": "storm-import", "hotel_name": "Storm Import", "city": "Bergen"}
CURRENCY, DAY = "NOK", "2026-01-02T10:00:00Z"
ROWS = 200
KILLS = 2
"""The most kills of one import. Each is between the start and about the end of an import that nothing disturbs."""

KILL_SECONDS = (0.5, 4.0)
LONGEST_SECONDS = 60.0
TRACEBACK = "Traceback (most recent call last)"
IMPORTS = (("rooms", "room", "rate"), ("orders", "order", "status"), ("reviews", "review", "title"))
"""What is imported, its kind, and the field that the second file of a batch changes."""


class Importer(Thread):
    """Imports files of rooms, orders and reviews, each first with new things and then with changed ones."""

    def __init__(self, folder: Path, environment: Mapping[str, str], journal: Journal, clock: Clock, seed: str) -> None:
        super().__init__(name="storm-import", daemon=True)
        self.folder, self.environment, self.journal, self.clock = folder, environment, journal, clock
        self.random = Random(f"{seed}:{self.name}")

    def run(self) -> None:
        """Import one file after the other."""
        batch = 0
        while not self.clock.over.is_set():
            for what, kind, field in IMPORTS:
                for changed in (False, True):
                    self._import(what, _things(kind, batch, changed=changed), field if changed else "")
            batch += 1

    def _import(self, what: str, rows: Mapping[Thing, Values], changed: str) -> None:
        """Import a file, again and again until the command says that it is in."""
        if self.clock.over.is_set():
            return
        marks = [Mark(thing, "changed", changed, values[changed]) for thing, values in rows.items() if changed]
        after: dict[Thing, Values | None] = {thing: _without_times(values) for thing, values in rows.items()}
        after |= {("guest", values["username"]): {} for values in rows.values() if "username" in values}
        after["hotel", HOTEL["hotel_id"]] = {}
        write = self.journal.begin(f"import of {what}", self.name, marks, after)
        file = self.folder / f"{write.number}-{what}.{'jsonl' if what == 'orders' else 'csv'}"
        _fill(file, [*rows.values()])
        kills = self.random.randint(0, KILLS)
        while not self.clock.late.is_set():
            kill_after = self.random.uniform(*KILL_SECONDS) if write.sent < kills else LONGEST_SECONDS
            code, said = self._run(what, file, kill_after)
            self.journal.attempt(write, f"{code} {said}", answered=code == 0)
            if TRACEBACK in said:
                self.journal.report(f"an import ended with a traceback: {said.splitlines()[-1]}")
            if code == 0:
                self.journal.settle(write, Outcome.ACKNOWLEDGED)
                return

    def _run(self, what: str, file: Path, kill_after: float) -> tuple[int, str]:
        """The command's exit status, and what it said. It is killed after some seconds."""
        with subprocess.Popen(
            [sys.executable, "manage.py", f"import_{what}", str(file)],
            env={**os.environ, **self.environment},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=kill_after)
            except subprocess.TimeoutExpired:
                process.kill()
                said, _ = process.communicate()
        return process.returncode, said.strip()


def _things(kind: str, batch: int, *, changed: bool) -> dict[Thing, Values]:
    """The things of a batch, and the values that each has after the import of its file."""
    found: dict[Thing, Values] = {}
    for n in range(ROWS):
        number, thing_id = f"{batch}-{n:03d}", f"storm-{batch}-{n}"
        if kind == "room":
            facts = {"number": number, "view": "Fjord", "size": str(20 + n % 30), "type": "Double"}
            rate = str(100 + batch + 1000 * changed)
            found[kind, HOTEL["hotel_id"], number] = {**HOTEL, **facts, "rate": rate, "currency": CURRENCY}
        elif kind == "order":
            status = "SHIPPED" if changed else "PLACED"
            whose = {"order_id": thing_id, "username": f"storm.import.{n % 7}", "hotel_id": HOTEL["hotel_id"]}
            found[kind, thing_id] = {
                **whose,
                "status": status,
                "placed_at": DAY,
                "status_at": DAY,
                "currency": CURRENCY,
            }
        else:
            said = {"language": "en", "rating": str(1 + n % 5), "author": "Storm", "body": "Wet"}
            title = f"Title {batch} {int(changed)}"
            place = {"review_id": thing_id, "hotel_id": HOTEL["hotel_id"], "room_number": ""}
            found[kind, thing_id] = {**place, **said, "title": title, "created_at": "2026-01-02"}
    return found


def _without_times(values: Values) -> Values:
    """What the judge compares: not times, which files write in another way, and of a room nothing of its hotel."""
    return {
        name: value for name, value in values.items() if not name.endswith("_at") and name not in {"hotel_name", "city"}
    }


def _fill(file: Path, rows: Sequence[Values]) -> None:
    """Write a file to import: orders as lines of JSON, all else as CSV."""
    with file.open("w", encoding="utf-8", newline="") as out:
        if file.suffix == ".jsonl":
            out.writelines(json.dumps({**row, "items": []}) + "\n" for row in rows)
            return
        writer = csv.DictWriter(out, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
