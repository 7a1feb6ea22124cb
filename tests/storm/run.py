"""A whole storm: prepare the portal, let writers, readers and troubles loose, wait until it is quiet, and judge."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from random import Random
from threading import Thread

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import connections

from hotels.staff_hotels import EVERY, StaffHotel
from orders import commands as orders
from orders.entities import Guest
from tests.storm import checks
from tests.storm.browser import Browser
from tests.storm.bulk import FIRST_RATE, ROOMS, BulkWriter, Importer, new_rates, write_file
from tests.storm.clients import Client, Clock, LoginClient, Reader
from tests.storm.journal import Journal, Outcome
from tests.storm.judge import Finding, judge
from tests.storm.portal import Portal
from tests.storm.report import report
from tests.storm.stored import StoredThings
from tests.storm.troubles import Troubles
from tests.storm.writes import GUESTS, SUBJECTS, Writer

DEMO_DATA = {"rooms": [60, 150, 20], "guests": 40, "orders": 120, "reviews": 120}
"""Few, because the judge reads them all, and because waiting for demo data is no storm."""

CLIENTS: dict[str, type[Client]] = {
    **dict.fromkeys(SUBJECTS, Writer),
    "storm-bulk": BulkWriter,
    "storm-logins": LoginClient,
    "storm-reader-1": Reader,
    "storm-reader-2": Reader,
}
"""The users, and what each of them does."""

PROBER, PASSWORD = "storm-prober", "Nine waves and a gale"
SETTLE_SECONDS = 45.0
"""How long writers may go on after the storm, until the portal has said what became of their last writes."""

LONGEST_TROUBLE, SHORTEST_TROUBLE = 5.0, 1.0
ROUNDS = 3
"""How many rounds of troubles a storm should have. In a shorter one, each trouble is shorter."""


def run(work: Path, seed: str, minutes: float) -> bool:
    """Run a storm, and print what it does and finds; returns whether the portal broke a promise."""
    storm = Storm(work, seed)
    findings = storm.run(minutes)
    problems = Counter([*storm.journal.broken, *checks.errors_in(storm.portal.server_log)])
    print(*report(storm.journal, findings, problems), sep="\n")
    return bool(findings or problems)


class Storm:
    """One storm on a portal of its own. ``work`` is the folder of its journal and logs."""

    def __init__(self, work: Path, seed: str) -> None:
        self.work, self.seed, self.started = work, seed, time.monotonic()
        self.journal, self.clock = Journal(), Clock()
        self.portal = Portal(work, Random(f"{seed}:proxies"))
        threading.excepthook = self._failed

    def say(self, text: str) -> None:
        """Print a line with the time."""
        print(f"{time.monotonic() - self.started:6.1f} s  {text}", flush=True)

    def run(self, minutes: float) -> list[Finding]:
        """Everything, one after the other. Stops all processes that it has started, also after an error."""
        self.portal.start_engine()
        try:
            self._prepare()
            before = StoredThings().population()
            self._blow(minutes)
            self.say("comparing what was acknowledged with what is stored")
            findings = [*judge(self.journal, StoredThings(), before)]
            self.journal.broken.extend(checks.faults_by("verify_data") + checks.faults_by("check_tables"))
        finally:
            self.clock.over.set()
            self.clock.late.set()
            if not self.portal.stop():
                self.journal.report("the server did not stop within its time")
            self.journal.save(self.work / "journal.jsonl")
        if not any(write.shared and write.outcome is Outcome.ACKNOWLEDGED for write in self.journal.writes):
            self.journal.report("no change of a shared room was acknowledged, so the storm proves nothing of them")
        return findings

    def _prepare(self) -> None:
        self.say("preparing: tables, demo data, users, server")
        call_command("migrate", verbosity=0)
        with (self.work / "prepared.log").open("w") as log:
            call_command("create_tables", stdout=log)
            call_command("seed_demo", stdout=log, **DEMO_DATA)
        create_users()
        create_things(self.work / "start.csv", self.journal)
        connections.close_all()
        self.portal.start_server()

    def _browser(self, username: str) -> Browser:
        return Browser(self.portal.before_server.url, self.journal, username, PASSWORD)

    def _logged_in(self) -> Iterator[Client]:
        """Yield a client for each user. Each logs in, because a storm in which nobody writes proves nothing."""
        for username, kind in CLIENTS.items():
            client = kind(self._browser(username), self.journal, self.clock, self.seed)
            client.log_in()
            yield client

    def _blow(self, minutes: float) -> None:
        """The storm itself."""
        self.say("everybody logs in")
        prober = self._browser(PROBER)
        while not prober.log_in():
            time.sleep(0.1)
        troubles = Troubles(self.portal, prober, self.journal, Random(f"{self.seed}:troubles"), self.say)
        importer = Importer(self.work, self.portal.environment, self.journal, self.clock, self.seed)
        threads = [*self._logged_in(), importer]
        for thread in threads:
            thread.start()
        ends, length = time.monotonic() + minutes * 60, minutes * 60 / ROUNDS / len(troubles.all) / 2
        troubles.run(ends, min(max(length, SHORTEST_TROUBLE), LONGEST_TROUBLE))
        self.clock.over.set()
        self.say("over: waiting until every writer knows what became of its last write")
        self._settle(threads)

    def _settle(self, threads: Sequence[Thread]) -> None:
        ends = time.monotonic() + SETTLE_SECONDS
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))
        self.clock.late.set()
        for thread in threads:
            thread.join(SETTLE_SECONDS)
            if thread.is_alive():
                self.journal.report(f"{thread.name} still waits for an answer")

    def _failed(self, failure: threading.ExceptHookArgs) -> None:
        """Note that a thread ended by an error, either of the storm itself or because a page was wrong."""
        name = failure.thread.name if failure.thread else "a thread"
        self.journal.report(f"{name} ended by {failure.exc_type.__name__}: {failure.exc_value}")
        threading.__excepthook__(failure)


def create_users() -> None:
    """Create the users in SQL: managers of every hotel. All have the same password."""
    password = make_password(PASSWORD)
    for name in (*CLIENTS, PROBER):
        user = User.objects.create(username=name, password=password, is_staff=True)
        user.groups.set(Group.objects.filter(name="Manager"))
        StaffHotel.objects.create(user=user, hotel_id=EVERY)


def create_things(file: Path, journal: Journal) -> None:
    """Create what writers begin with: guests who order, and hotels whose rooms are changed all at once."""
    orders.add_missing_guests([Guest(username, f"Guest {username}") for username in GUESTS])
    for hotel_id in ROOMS:
        write_file(file, hotel_id, FIRST_RATE)
        call_command("import_rooms", file, stdout=StringIO())
        journal.begin("start", "storm", new_rates(hotel_id, FIRST_RATE, what="")).outcome = Outcome.ACKNOWLEDGED
