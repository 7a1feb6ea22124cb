"""A model of what DynamoDB lets through, in simulated time: the units of each partition and table, and conflicts.

No partition is split, and none has saved units for a burst. If a global index is full, the write of its table is
refused. A transaction holds its items while it is served; another one is refused meanwhile, though it has taken its
units. Refused requests are sent again as the product does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from random import Random
from typing import NamedTuple

from dynamodb_lists.connection.retries import FIRST_WAIT, MOST_ATTEMPTS, SDK_ATTEMPTS

Key = tuple[str, ...]
"""What has a limit: the name of a table or a global index, and a partition key, which is blank for a whole table; or an
item. If :data:`OWN` is last, each hotel has its own."""

OWN = "own"
READ_UNITS, WRITE_UNITS, TRANSACTIONS = "read units", "write units", "transactions"
SERVICE = {READ_UNITS: 0.004, WRITE_UNITS: 0.01}
"""Seconds for which a request is served, by what it takes."""

OF_TABLE = 40_000.0
A_SECOND = {READ_UNITS: 3000.0, WRITE_UNITS: 1000.0, TRANSACTIONS: 1 / SERVICE[WRITE_UNITS]}
"""What a table takes with its indexes, and what a partition key or, of transactions, an item takes."""

START = 0.02
"""The part of a second's units that is left at the time 0."""


class Request(NamedTuple):
    """A call: what it takes by key, the items that a transaction writes, and the seconds until the next call."""

    what: str
    taken: Mapping[Key, float]
    written: Sequence[Key] = ()
    seconds: float = 0.0


def limit(what: str, key: Key) -> float:
    """What a key takes a second."""
    return A_SECOND[what] if key[1] else OF_TABLE


@dataclass
class Limits:
    """What is left of a second's units, which a bucket for each key holds, and until when items are held."""

    left: dict[tuple[str, Key], tuple[float, float]] = field(default_factory=dict)
    held: dict[Key, float] = field(default_factory=dict)

    def refusal(self, request: Request, now: float, hotel: str = "") -> tuple[str, Key] | None:
        """What refuses a hotel's request at a time, if anything does: units or transactions, of a key."""
        what, left = request.what, {}
        for key, units in request.taken.items():
            bucket, most = (what, _of(hotel, key)), limit(what, key)
            before, then = self.left.get(bucket, (START * most, 0.0))
            left[bucket] = min(most, before + (now - then) * most) - units, now
            if left[bucket][0] < 0:
                return what, key
        self.left |= left
        items = [_of(hotel, item) for item in request.written]
        for item in items:
            if self.held.get(item, 0.0) > now:
                return TRANSACTIONS, item
        self.held |= dict.fromkeys(items, now + SERVICE[what])
        return None


def _of(hotel: str, key: Key) -> Key:
    return (*key[:-1], hotel) if key[-1] == OWN else key


@dataclass
class Outcome:
    """What was sent and refused, by what can refuse it, and the seconds of each action that succeeded."""

    sent: Counter[str] = field(default_factory=Counter)
    refused: Counter[tuple[str, Key]] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    failed: int = 0


def play(actions: Iterable[tuple[float, str, Sequence[Request]]], random: Random) -> Outcome:
    """Play actions: when each begins, in which hotel, and its requests one after the other."""
    limits, outcome = Limits(), Outcome()
    events = [(begun, n, 0, 0, begun, hotel, requests) for n, (begun, hotel, requests) in enumerate(actions)]
    heapify(events)
    while events:
        now, n, at, attempt, begun, hotel, requests = heappop(events)
        request = requests[at]
        outcome.sent.update([request.what, TRANSACTIONS] if request.written else [request.what])
        then = now + request.seconds
        if refusal := limits.refusal(request, now, hotel):
            outcome.refused[refusal] += 1
            most, first = (MOST_ATTEMPTS, FIRST_WAIT) if request.written else (SDK_ATTEMPTS, 1.0)
            if attempt + 1 < most:
                wait = random.uniform(0, first * 2**attempt)
                heappush(events, (then + wait, n, at, attempt + 1, begun, hotel, requests))
            else:
                outcome.failed += 1
        elif at + 1 < len(requests):
            heappush(events, (then, n, at + 1, 0, begun, hotel, requests))
        else:
            outcome.seconds.append(then - begun)
    return outcome
