"""A whole storm: prepare the portal, let writers, readers and troubles loose, wait until it is quiet, and judge."""

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Thread

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from tests.storm.boot import DATA
from tests.storm.browser import FOUND
from tests.storm.clients import PROBER, browser, clients, create_things, create_users
from tests.storm.disk import Disk
from tests.storm.journal import Journal
from tests.storm.judge import checks
from tests.storm.judge.stored import StoredThings
from tests.storm.judge.verdicts import judge
from tests.storm.portal import Portal, kill_left_over, wait_until_free
from tests.storm.report import Result, tables
from tests.storm.traffic import Traffic
from tests.storm.troubles import Troubles
from tests.storm.writers.base import Client, Clock

DEMO_DATA = {"rooms": [60, 150, 20], "guests": 40, "orders": 120, "reviews": 120}
"""Few, because the judge reads them all, and because waiting for demo data is no storm."""

LOGIN_SECONDS = 180.0
SETTLE_SECONDS = 45.0
"""How long writers may go on after the storm, until the portal has said what became of their last writes."""

LONGEST_TROUBLE, SHORTEST_TROUBLE = 5.0, 1.0
ROUNDS = 3
"""How many rounds of troubles a storm should have. In a shorter one, each trouble is shorter."""

Say = Callable[[str], None]


def run(work: Path, seed: str, minutes: float) -> bool:
    """Run a storm, and print what it does and finds; returns whether the portal broke a promise."""
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:6.1f} s  {text}", flush=True)

    storm = Storm(work, seed, say)
    disk = Disk(work / DATA, lambda: storm.portal.engine_pid)
    try:
        result = storm.run(minutes, disk)
    finally:
        disk.unmount()
    print(f"\nThe disk was {disk.description}.", *tables(result), sep="\n")
    return result.broken


class Storm:
    """One storm on a portal of its own. ``work`` is the folder of its journals and logs; the data are on ``disk``."""

    def __init__(self, work: Path, seed: str, say: Say) -> None:
        self.seed, self.say = seed, say
        self.journal, self.traffic, self.clock = Journal(work / "journal.jsonl"), Traffic(), Clock()
        self.portal = Portal(work, Random(f"{seed}:proxy"))
        self.problems: Counter[str] = Counter()
        self.checked: list[tuple[str, str, int]] = []
        threading.excepthook = self._failed

    def run(self, minutes: float, disk: Disk) -> Result:
        """Everything, one after the other. Stops all processes that it has started, also after an error."""
        stored = StoredThings()
        try:
            self._prepare()
            before = stored.population()
            recoveries = self._blow(minutes, disk)
            self.say("comparing what was acknowledged with what is stored")
            judgement = judge(self.journal, stored, before)
            self._check_data()
            self._stop_server()
        finally:
            self._stop_all()
        self._check_files()
        self.problems += self.journal.broken
        return Result(self.journal, self.traffic, judgement, recoveries, self.checked, self.problems)

    def _prepare(self) -> None:
        self.say("preparing: engine, tables, demo data, users, server")
        self.portal.start_engine()
        call_command("migrate", verbosity=0)
        with (self.portal.work / "prepared.log").open("w") as log:
            call_command("create_tables", stdout=log)
            call_command("seed_demo", stdout=log, **DEMO_DATA)
        create_users()
        create_things(self.journal)
        connections.close_all()
        self.portal.start_server()

    def _blow(self, minutes: float, disk: Disk) -> dict[str, list[float]]:
        """The storm itself; returns the recoveries."""
        prober = browser(self.portal, self.traffic, PROBER)
        while prober.log_in().status != FOUND:
            time.sleep(0.1)
        troubles = Troubles(self.portal, disk, prober, self.journal, Random(f"{self.seed}:troubles"), self.say)
        threads = list(clients(self.portal, self.journal, self.traffic, self.clock, self.seed))
        for thread in threads:
            thread.start()
        self._wait_for_logins(threads)
        ends, length = time.monotonic() + minutes * 60, minutes * 60 / ROUNDS / len(troubles.all) / 2
        troubles.run(ends, min(max(length, SHORTEST_TROUBLE), LONGEST_TROUBLE))
        self.clock.over.set()
        self.say("over: waiting until every writer knows what became of its last write")
        self._settle(threads)
        return troubles.recoveries

    def _wait_for_logins(self, threads: list[Thread]) -> None:
        """Wait until all are logged in, because a storm in which nobody writes proves nothing."""
        self.say("everybody logs in")
        ends = time.monotonic() + LOGIN_SECONDS
        for thread in threads:
            while isinstance(thread, Client) and not thread.logged_in:
                if time.monotonic() > ends or not thread.is_alive():
                    raise TimeoutError(f"{thread.name} cannot log in.")
                time.sleep(0.1)

    def _settle(self, threads: list[Thread]) -> None:
        ends = time.monotonic() + SETTLE_SECONDS
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        self.clock.late.set()
        for thread in threads:
            thread.join(SETTLE_SECONDS)
            if thread.is_alive():
                self.problems[f"{thread.name} still waits for an answer"] += 1

    def _check_data(self) -> None:
        self.say("running verify_data and check_tables")
        amount, faults = checks.verify_data()
        self._note("verify_data", amount, faults)
        self._note("check_tables", "", checks.check_tables())

    def _stop_server(self) -> None:
        """Stop the server. Nothing of it may be left."""
        ended = self.portal.stop_server()
        free = wait_until_free(self.portal.port, 0)
        faults = [] if ended else ["the server did not stop within its time"]
        self._note(
            "the server stops", "", faults + ([] if free else ["the port is taken after the server has stopped"])
        )

    def _stop_all(self) -> None:
        self.clock.over.set()
        self.clock.late.set()
        self.portal.stop_server()
        self.portal.stop_engine()
        self.portal.proxy.stop()
        self._keep_databases()
        left = [f"left over: {command}" for command in kill_left_over()]
        self._note("processes left over", "", left)
        self.journal.close()

    def _keep_databases(self) -> None:
        """Copy the databases from the disk that goes away with the storm."""
        for _, file in _databases():
            for part in file.parent.glob(f"{file.name}*"):
                shutil.copy(part, self.portal.work / part.name)

    def _check_files(self) -> None:
        for name, file in _databases():
            self._note(name, "integrity_check", checks.sqlite_problems(self.portal.work / file.name))
        with self.portal.server_log.open(encoding="utf-8", errors="replace") as log:
            found = checks.errors(log)
        self.checked.append(("server's log", "errors", found.total()))
        self.problems.update({f"in the server's log: {error}": count for error, count in found.items()})

    def _note(self, what: str, amount: str, faults: list[str]) -> None:
        self.checked.append((what, amount, len(faults)))
        self.problems.update(f"{what}: {fault}" for fault in faults)

    def _failed(self, failure: threading.ExceptHookArgs) -> None:
        """Note that a thread ended by an error, which is one of the storm's own, or a page that is not as it was."""
        name = failure.thread.name if failure.thread else "a thread"
        self.journal.report(f"{name} ended by {failure.exc_type.__name__}: {failure.exc_value}")
        threading.__excepthook__(failure)


def _databases() -> Iterator[tuple[str, Path]]:
    yield "SQL database", Path(settings.DATABASES["default"]["NAME"])
    yield "engine's file", settings.DYNAMODB_ENGINE_FILE
