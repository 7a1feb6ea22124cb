"""The troubles: what fails, for how long, and how soon the portal is as usual again."""

import time
from collections.abc import Callable, Mapping
from random import Random

from tests.helpers.proxy import Fault, Proxy
from tests.storm.browser import OK, Browser
from tests.storm.journal import Journal
from tests.storm.portal import Portal

LOST_SHARES = (0.4, 0.9)
"""The share of requests that suffer while a proxy fails. The SDK sends most requests to the engine three times."""

NORMAL_ANSWERS, NORMAL_SECONDS = 3, 2.0
"""How many good answers in a row show that the portal is as usual again, and the longest time of each."""

LONGEST_RECOVERY = 45.0


class Troubles:
    """Everything that can go wrong. Each method begins and ends one trouble, and lasts about ``seconds``."""

    def __init__(
        self, portal: Portal, prober: Browser, journal: Journal, random: Random, say: Callable[[str], None]
    ) -> None:
        self.portal, self.prober, self.journal, self.random, self.say = portal, prober, journal, random, say

    @property
    def all(self) -> Mapping[str, Callable[[float], None]]:
        """Each trouble by its name."""
        engine, server = self.portal.before_engine, self.portal.before_server
        return {
            "engine killed": self.kill_engine,
            "worker killed": self.kill_worker,
            "server killed": self.kill_server,
            "engine's answers lost": lambda seconds: self.fail(engine, seconds, Fault.LOSE, Fault.CUT, Fault.BLANK),
            "engine's answers late": lambda seconds: self.fail(engine, seconds, Fault.STALL, Fault.LATE),
            "requests to the engine lost": lambda seconds: self.fail(engine, seconds, Fault.CLOSE, Fault.HANG),
            "portal's answers lost": lambda seconds: self.fail(server, seconds, Fault.LOSE),
        }

    def run(self, ends: float, seconds: float) -> None:
        """Make one trouble after the other, each of about ``seconds``, in rounds of all troubles in random order.

        The run ends at the time ``ends`` of :func:`time.monotonic`, but completes the first round.
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
        self.portal.kill_engine()
        time.sleep(seconds / 2)
        self.portal.start_engine()

    def kill_worker(self, seconds: float) -> None:
        """Kill a worker of the server."""
        self.portal.kill_worker(self.random)
        time.sleep(seconds)

    def kill_server(self, seconds: float) -> None:
        """Kill the server's first process, wait until its port is free, and start the server again."""
        if not self.portal.kill_server():
            self.journal.report("the port of a killed server was not free in time; its workers had to be killed")
        time.sleep(seconds / 4)
        self.portal.start_server()

    def fail(self, proxy: Proxy, seconds: float, *faults: Fault) -> None:
        """Let a proxy fail in one of these ways. The server's proxy fails only for POST requests."""
        fault, share = self.random.choice(faults), self.random.uniform(*LOST_SHARES)
        operations = ("POST",) if proxy is self.portal.before_server else ()
        self.say(f"  {share:.0%} of the requests: {fault}")
        with proxy.failing(fault, *operations, share=share):
            time.sleep(seconds)

    def _recover(self, name: str) -> None:
        """Wait until the portal shows a list within its time, some times in a row."""
        ended, row = time.monotonic(), 0
        while row < NORMAL_ANSWERS:
            if time.monotonic() - ended > LONGEST_RECOVERY:
                self.journal.report(f"the portal was not as usual {LONGEST_RECOVERY:.0f} seconds after: {name}")
                return
            good = self.prober.get("/hotels/", timeout=NORMAL_SECONDS).status == OK
            row = row + 1 if good else 0
            time.sleep(0 if good else 0.1)
        self.say(f"  as usual after {time.monotonic() - ended:.1f} s")
