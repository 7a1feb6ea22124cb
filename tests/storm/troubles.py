"""The troubles: what fails, for how long, and how soon the portal is as usual again."""

import signal
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from random import Random

from tests.helpers.proxy import Fault
from tests.storm.browser import LOGIN, OK, Browser
from tests.storm.journal import Journal
from tests.storm.portal import READ_TIMEOUT, Disk, Portal

SLOW_CLIENTS = (3, 12)  # fewer than the threads of a process: more are for a proxy
SLOW_BYTES = 3
"""How often each slow client sends another byte."""

STATIC = "/static/portal/portal.css"
LOST_SHARES = (0.4, 0.9)
"""The share of requests to the engine that suffer while the proxy fails. The SDK sends most requests three times."""

LOST_FORMS = 0.5
"""The share of forms whose answer gets lost on its way to the browser."""

NORMAL_ANSWERS = 3
"""How many good answers in a row show that the portal is as usual again."""

NORMAL_SECONDS = 2.0
"""The longest time of a good answer."""

LONGEST_RECOVERY = 45.0
FULL_SECONDS = 1.5
"""How long the disk is full at least, so that somebody writes meanwhile."""

ORPHAN_SECONDS = 20.0
"""How long workers may live after the server's first process was killed. They give requests 8 seconds to end."""

SLOW_REQUEST = b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\nX-Slow: "


class Troubles:
    """Everything that can go wrong. Each method begins and ends one trouble, and lasts about ``seconds``.

    ``recoveries`` has for each trouble how many seconds passed after each of its ends until the portal was as usual.
    """

    def __init__(
        self, portal: Portal, disk: Disk, prober: Browser, journal: Journal, random: Random, say: Callable[[str], None]
    ) -> None:
        self.portal, self.disk, self.journal, self.random, self.say = portal, disk, journal, random, say
        self.prober, self.stranger = prober, Browser(portal.port, prober.traffic, "nobody", "")
        self.recoveries: dict[str, list[float]] = defaultdict(list)

    @property
    def all(self) -> Mapping[str, Callable[[float], None]]:
        """Each trouble by its name. Only root can fill a disk."""
        return {
            **({"disk full": self.fill_disk} if self.disk.mounted else {}),
            "engine killed": self.kill_engine,
            "engine stopped": self.stop_engine,
            "worker killed": self.kill_worker,
            "server killed": self.kill_server,
            "engine's answers lost": lambda seconds: self.fail(seconds, Fault.LOSE, Fault.CUT, Fault.BLANK),
            "engine's answers late": lambda seconds: self.fail(seconds, Fault.STALL, Fault.LATE),
            "requests to the engine lost": lambda seconds: self.fail(seconds, Fault.CLOSE, Fault.HANG),
            "portal's answers lost": self.lose_answers,
            "slow clients": self.slow_clients,
        }

    def run(self, ends: float, seconds: float) -> None:
        """One trouble after the other, each of about ``seconds``, in rounds of all of them in random order.

        It ends at the time ``ends`` of :func:`time.monotonic`, but always completes the first round.
        """
        done = 0
        while done < len(self.all) or time.monotonic() < ends:
            for name in self.random.sample(sorted(self.all), len(self.all)):
                if done >= len(self.all) and time.monotonic() > ends:
                    return
                self.say(name)
                self.all[name](self.random.uniform(0.5, 1) * seconds)
                self._recover(name)
                time.sleep(self.random.uniform(0.2, 0.4) * seconds)
                done += 1

    def kill_engine(self, seconds: float) -> None:
        """Kill the engine, and start it again on the same file."""
        self.portal.signal_engine(signal.SIGKILL)
        time.sleep(seconds / 2)
        self.portal.start_engine()

    def stop_engine(self, seconds: float) -> None:
        """Stop the engine for longer than the portal waits for it. Pages that do not need it must be shown."""
        self.portal.signal_engine(signal.SIGSTOP)
        self._require_answers(READ_TIMEOUT + seconds, "while the engine was stopped", LOGIN, STATIC)
        self.portal.signal_engine(signal.SIGCONT)

    def kill_worker(self, seconds: float) -> None:
        """Kill workers of the server one by one."""
        self.portal.kill_worker(self.random)
        time.sleep(seconds / 2)
        self.portal.kill_worker(self.random)

    def kill_server(self, seconds: float) -> None:
        """Kill the server's first process, wait until its port is free, and start the server again."""
        self.portal.kill_server()
        if not self.portal.port_is_free(ORPHAN_SECONDS):
            self.journal.report(
                "the port of a killed server was not free in time; what was left of it had to be killed"
            )
            self.portal.kill_orphans()
        time.sleep(seconds / 4)
        self.portal.start_server()

    def fill_disk(self, seconds: float) -> None:
        """Fill the disk of the engine and of SQL."""
        if not self.disk.fill():
            self.journal.report("the storm could not fill the disk")
        time.sleep(max(seconds, FULL_SECONDS))
        self.disk.free()
        if self.portal.engine and self.portal.engine.process.poll() is not None:
            self.portal.start_engine()

    def fail(self, seconds: float, *faults: Fault) -> None:
        """Let the proxy before the engine fail in one of these ways."""
        fault, share = self.random.choice(faults), self.random.uniform(*LOST_SHARES)
        self.say(f"  {share:.0%} of the requests: {fault}")
        with self.portal.proxy.failing(fault, share=share):
            time.sleep(seconds)

    def lose_answers(self, seconds: float) -> None:
        """Let browsers hang up after they have sent a form. The portal goes on with it, while it is sent again."""
        self.prober.traffic.lost_share = LOST_FORMS
        time.sleep(seconds)
        self.prober.traffic.lost_share = 0.0

    def slow_clients(self, seconds: float) -> None:
        """Open connections that send a byte of their request now and then. They must not keep others waiting."""
        with ExitStack() as stack:
            clients = list(_connections(self.portal.port, self.random.randint(*SLOW_CLIENTS), stack))
            self.say(f"  {len(clients)} of them")
            for _ in range(SLOW_BYTES):
                for client in clients:
                    with suppress(OSError):
                        client.send(b"a")
                self._require_answers(seconds / SLOW_BYTES, "beside slow clients", LOGIN, STATIC)

    def _require_answers(self, seconds: float, when: str, *paths: str) -> None:
        """Ask for pages that need no database, as a stranger. The trouble lasts until each was shown.

        A slow machine takes its time, but a page that waits for the database's return is never shown.
        """
        ends = time.monotonic() + seconds
        for path in paths:
            latest = time.monotonic() + LONGEST_RECOVERY
            while not (shown := self._is_shown(path)) and time.monotonic() < latest:
                time.sleep(0.1)
            if not shown:
                self.journal.report(f"{path} was not shown within {LONGEST_RECOVERY:.0f} s {when}")
        time.sleep(max(0.0, ends - time.monotonic()))

    def _is_shown(self, path: str) -> bool:
        return self.stranger.request("GET", path, timeout=LONGEST_RECOVERY).status == OK

    def normal(self) -> bool:
        """Whether the portal shows a list within its time."""
        started = time.monotonic()
        answer = self.prober.request("GET", "/hotels/", timeout=NORMAL_SECONDS)
        return answer.status == OK and time.monotonic() - started < NORMAL_SECONDS

    def _recover(self, name: str) -> None:
        """Wait until the portal is as usual, and note how long that took."""
        ended = time.monotonic()
        since, row = ended, 0
        while row < NORMAL_ANSWERS and time.monotonic() - ended < LONGEST_RECOVERY:
            asked = time.monotonic()
            if self.normal():
                row += 1
            else:
                row, since = 0, time.monotonic()
                time.sleep(max(0.0, 0.1 - (since - asked)))
        self.recoveries[name].append(since - ended)
        if row < NORMAL_ANSWERS:
            self.journal.report(f"the portal was not as usual {LONGEST_RECOVERY:.0f} seconds after: {name}")


def _connections(port: int, number: int, stack: ExitStack) -> Iterator[socket.socket]:
    for _ in range(number):
        with suppress(OSError):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=1))
            client.send(SLOW_REQUEST)
            yield client
