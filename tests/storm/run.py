"""A whole storm: prepare the portal, let writers, readers and troubles loose, wait until it is quiet, and judge."""

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from threading import Thread

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import connections

from hotels import commands as hotels
from hotels.entities import Hotel
from hotels.staff_hotels import EveryHotel
from orders import commands as orders
from orders.entities import Guest
from rooms import commands as rooms
from rooms.entities import Room
from tests.helpers.own_portal import kill_left_over
from tests.storm.browser import FOUND, Browser, Traffic
from tests.storm.bulk import BULK_HOTEL, BULK_ROOMS, BULK_THINGS, BulkWriter, Importer
from tests.storm.clients import Client, Clock, LoginClient, Reader
from tests.storm.commands import GUESTS, SUBJECTS, Writer
from tests.storm.journal import Expected, Journal, Outcome, Write
from tests.storm.judge import checks
from tests.storm.judge.stored import StoredThings
from tests.storm.judge.verdicts import judge
from tests.storm.portal import Disk, Portal
from tests.storm.report import Result, report
from tests.storm.troubles import Troubles

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

PROBER, ADMINISTRATOR = "storm-prober", "storm-accounts"
PASSWORD = "Nine waves and a gale"
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

    disk = Disk(settings.VAR_DIR)
    if not disk.mounted:
        say("no disk becomes full: only root can mount one")
    try:
        result = Storm(work, seed, say).run(minutes, disk)
    finally:
        disk.unmount()
    print(*report(result), sep="\n")
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
            self.say("running verify_data and check_tables")
            self._note("verify_data", *checks.verify_data())
            self._note("check_tables", "", checks.check_tables())
            self._stop_server()
        finally:
            self._stop_all()
        self._check_files()
        if not any(write.shared and write.outcome is Outcome.ACKNOWLEDGED for write in self.journal.writes):
            self.problems["no change of a shared room was acknowledged, so the storm proves nothing of them"] += 1
        self.problems += self.journal.broken + self.traffic.faults
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

    def _browser(self, username: str) -> Browser:
        return Browser(self.portal.port, self.traffic, username, PASSWORD)

    def _threads(self) -> Iterator[Thread]:
        """A thread for each user, and one for imports. They are not started yet."""
        for username, client in CLIENTS.items():
            yield client(self._browser(username), self.journal, self.clock, self.seed)
        folder = self.portal.work / "imports"
        folder.mkdir()
        yield Importer(folder, self.portal.environment, self.journal, self.clock, self.seed)

    def _blow(self, minutes: float, disk: Disk) -> dict[str, list[float]]:
        """The storm itself; returns the recoveries."""
        prober = self._browser(PROBER)
        while prober.log_in().status != FOUND:
            time.sleep(0.1)
        troubles = Troubles(self.portal, disk, prober, self.journal, Random(f"{self.seed}:troubles"), self.say)
        threads = [*self._threads()]
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

    def _stop_server(self) -> None:
        """Stop the server. Nothing of it may be left."""
        faults = [] if self.portal.stop_server() else ["it did not stop within its time"]
        self._note("the server stops", "", faults + ([] if self.portal.port_is_free() else ["its port is still taken"]))

    def _stop_all(self) -> None:
        """Stop everything, and copy the databases from the disk that goes away with the storm."""
        self.clock.over.set()
        self.clock.late.set()
        self.portal.stop_server()
        self.portal.stop_engine()
        self.portal.proxy.stop()
        for _, file in _databases():
            for part in file.parent.glob(f"{file.name}*"):
                shutil.copy(part, self.portal.work / part.name)
        self._note("processes left over", "", [f"left over: {command}" for command in kill_left_over()])
        self.journal.close()

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


def create_users() -> None:
    """Create the users in SQL: managers, and one who may change accounts. All have the same password."""
    password = make_password(PASSWORD)
    for name in (*CLIENTS, PROBER):
        user = User.objects.create(username=name, password=password, is_staff=True, is_superuser=name == ADMINISTRATOR)
        user.groups.set(Group.objects.filter(name="Manager"))
        EveryHotel.objects.create(user=user)


def create_things(journal: Journal) -> None:
    """Create what writers begin with: guests who order, and a hotel whose rooms are changed in bulk."""
    orders.add_missing_guests([Guest(username, f"Guest {username}") for username in GUESTS])
    hotels.save_hotels([Hotel(BULK_HOTEL, "Hotel of the bulk changes", currency="GBP", time_zone="Europe/London")])
    rooms.save_rooms(
        [
            Room(BULK_HOTEL, str(n), view="Sea view", size=20 + n, type="Double", rate=Decimal(100), currency="GBP")
            for n in range(BULK_ROOMS)
        ]
    )
    write = Write(0, "start", "storm", outcome=Outcome.ACKNOWLEDGED)
    for thing in BULK_THINGS:
        journal.expected[thing] = Expected({"rate": "100", "housekeeping": "clean"}, write)
