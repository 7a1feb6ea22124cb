"""Tells, for each call to DynamoDB, how it went: units, time, retries, throttles and conflicts.

The ledger describes the calls of a page to the people who read it. This is for operators: it counts also the calls that
got no answer and each attempt that was throttled, and its totals take the same memory for ten calls as for a million.
Events of the botocore client are hooked once, as for the ledger.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock
from typing import Any

from hotelapp.dynamodb.connection import ledger

THROTTLES = frozenset(
    {"LimitExceeded", "ProvisionedThroughputExceeded", "RequestLimitExceeded", "Throttling", "ThrottlingError"}
)
CONFLICTS = frozenset({"ConditionalCheckFailed", "TransactionConflict", "TransactionInProgress"})
"""Error codes and cancellation reasons, written without "Exception" at their end."""

_current: ContextVar["Tally | None"] = ContextVar("tally", default=None)


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """How one call went, with all its attempts.

    ``tables`` are all tables of the call, ``blamed`` those whose items were throttled or in conflict. ``units`` are the
    capacity units by table. ``code`` is the error's code, for a cancelled transaction its first reason, and without an
    answer the name of the SDK's exception; blank if the call succeeded. ``throttles`` counts attempts that were
    throttled, and batches that were answered in part.
    """

    operation: str
    tables: tuple[str, ...]
    blamed: tuple[str, ...]
    units: Mapping[str, Decimal]
    seconds: float
    retries: int
    throttles: int
    code: str

    @property
    def reads(self) -> bool:
        """Whether the units are read units."""
        return self.operation in ledger.READS

    @property
    def conflict(self) -> bool:
        """Whether the call was refused because an item is not as the writer saw it, or is being written by another."""
        return self.code in CONFLICTS

    @property
    def failed(self) -> bool:
        """Whether the call ended in an error other than a conflict."""
        return bool(self.code) and not self.conflict


@dataclass(slots=True)
class Tally:
    """The totals of the calls inside a :func:`tallying` block. ``code`` is that of the last call with an error."""

    requests: int = 0
    read_units: Decimal = Decimal(0)
    write_units: Decimal = Decimal(0)
    seconds: float = 0.0
    retries: int = 0
    throttles: int = 0
    conflicts: int = 0
    code: str = ""
    _lock: Lock = field(default_factory=Lock)

    def add(self, outcome: FinishedCall) -> None:
        """Count a call. Threads that run in a copy of the block's context count in the same tally."""
        units = sum(outcome.units.values(), Decimal(0))
        with self._lock:
            self.requests += 1
            if outcome.reads:
                self.read_units += units
            else:
                self.write_units += units
            self.seconds += outcome.seconds
            self.retries += outcome.retries
            self.throttles += outcome.throttles
            self.conflicts += outcome.conflict
            self.code = outcome.code or self.code


observers: list[Callable[[FinishedCall], None]] = []
"""Functions that are told of each call of this process."""


@contextmanager
def tallying(tally: Tally) -> Iterator[None]:
    """Count the calls inside the block, in this thread and in threads that run in a copy of its context."""
    token = _current.set(tally)
    try:
        yield
    finally:
        _current.reset(token)


@dataclass(slots=True)
class _Attempts:
    """A call that is under way."""

    operation: str
    params: Mapping[str, Any]
    started: float
    sent: int = 0
    throttles: int = 0


def watch(client: Any) -> None:
    """Observe the calls of a botocore client. Call it once for each client."""
    events = client.meta.events
    events.register("before-parameter-build.dynamodb", _started)
    events.register("needs-retry.dynamodb", _answered)
    events.register("after-call.dynamodb", _finished)
    events.register("after-call-error.dynamodb", _unanswered)


def _started(params: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
    context["attempts"] = _Attempts(model.name, params, time.perf_counter())


def _answered(response: Any, request_dict: Mapping[str, Any], **_: Any) -> None:
    """Count an attempt. botocore tells of each one, whether or not it repeats the request."""
    attempts = request_dict["context"]["attempts"]
    attempts.sent += 1
    if response is not None and _plain(response[1].get("Error", {}).get("Code", "")) in THROTTLES:
        attempts.throttles += 1


def _finished(parsed: Mapping[str, Any], context: Mapping[str, Any], **_: Any) -> None:
    attempts = context["attempts"]
    code = _plain(parsed.get("Error", {}).get("Code", ""))
    reasons = [_plain(reason.get("Code", "")) for reason in parsed.get("CancellationReasons", ())]
    refusals = [reason for reason in reasons if reason not in {"", "None"}]
    throttled = not THROTTLES.isdisjoint(refusals) or any(map(parsed.get, ("UnprocessedKeys", "UnprocessedItems")))
    attempts.throttles += throttled
    _tell(attempts, refusals[0] if refusals else code, parsed.get("ConsumedCapacity"), reasons)


def _unanswered(exception: Exception, context: Mapping[str, Any], **_: Any) -> None:
    _tell(context["attempts"], type(exception).__name__, None, [])


def _tell(attempts: _Attempts, code: str, consumed: Any, reasons: Sequence[str]) -> None:
    tables = ledger.tables_of(attempts.params)
    writes = ledger.tables_of_actions(attempts.params)
    blamed = [table for table, reason in zip(writes, reasons, strict=False) if reason in THROTTLES | CONFLICTS]
    outcome = FinishedCall(
        operation=attempts.operation,
        tables=tables,
        blamed=tuple(dict.fromkeys(blamed)) or tables,
        units=ledger.units_by_table(consumed),
        seconds=time.perf_counter() - attempts.started,
        retries=max(attempts.sent - 1, 0),
        throttles=attempts.throttles,
        code=code,
    )
    if tally := _current.get():
        tally.add(outcome)
    for observe in observers:
        observe(outcome)


def _plain(code: str) -> str:
    return code.removesuffix("Exception")
