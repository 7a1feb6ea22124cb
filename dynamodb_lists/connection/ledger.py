"""The record of each call to DynamoDB: its request, its cost, and how it ended.

The cost of a page, the figures in the log and the metrics come from these records. So does the answer to "may anything
have been written?". :mod:`dynamodb_lists.connection.client` writes them.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from http import HTTPStatus
from operator import attrgetter
from threading import Lock
from typing import Any

from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import LASTING

READS = {"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"}
THROTTLES = frozenset(
    {"LimitExceeded", "ProvisionedThroughputExceeded", "RequestLimitExceeded", "Throttling", "ThrottlingError"}
)
CONFLICTS = frozenset({"ConditionalCheckFailed", "TransactionConflict", "TransactionInProgress"})
"""Error codes and cancellation reasons, written without "Exception" at their end."""

_REFUSALS = THROTTLES.union(
    *LASTING.values(),
    ["ConditionalCheckFailed", "IdempotentParameterMismatch", "ReplicatedWriteConflict", "ResourceInUse"],
    ["TransactionCanceled", "TransactionConflict"],
)
"""Codes of answers that say that nothing was written. Any other, also of some proxy, leaves that open."""

_NOT_SENT = (ConnectTimeoutError, EndpointConnectionError)
"""Errors of attempts that had no connection. Any other error may come after DynamoDB has read the request."""

_PLACEHOLDER = re.compile(r"[#:]\w+")


@dataclass(slots=True)
class Call:
    """One call to DynamoDB with all its attempts.

    ``request`` is what was sent, and ``connection`` the name of the connection; blank for the configured one.
    ``started`` is a time of :func:`time.perf_counter`, in seconds; ``wave`` is as in the scope.

    ``units`` are capacity units, ``units_by_table`` their parts. ``throttles`` counts attempts that were throttled, and
    batches that were answered in part. ``code`` is the error's code, for a cancelled transaction its first reason, and
    without an answer the name of the SDK's exception; blank if the call succeeded. ``blamed`` are the tables whose
    items were throttled or in conflict. ``maybe_written`` is true if any attempt wrote, or may have written: the SDK
    sends a call again if no answer comes, so the last answer alone does not tell.
    """

    operation: str
    request: Mapping[str, Any]
    purpose: str = scope.OTHER
    wave: int = 0
    connection: str = ""
    started: float = field(default_factory=time.perf_counter)
    milliseconds: float = 0.0
    attempts: int = 0
    throttles: int = 0
    code: str = ""
    maybe_written: bool = False
    items_read: int = 0
    items_returned: int = 0
    units: Decimal = Decimal(0)
    units_by_table: dict[str, Decimal] = field(default_factory=dict)
    reads: bool = field(init=False)
    tables: tuple[str, ...] = field(init=False)
    blamed: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        request = self.request
        self.reads = self.operation in READS
        names = [request["TableName"]] if "TableName" in request else request.get("RequestItems", ())
        names = names or _tables_of_actions(request)
        self.tables = self.blamed = tuple(dict.fromkeys(names))

    @property
    def index(self) -> str:
        """The name of the index that the call reads; blank for the table."""
        return str(self.request.get("IndexName", ""))

    @property
    def key_condition(self) -> str:
        """The key condition with names and values written in; for a call about one item, its key."""
        parts = []
        for name, typed in self.request.get("Key", {}).items():
            (value,) = typed.values()
            parts.append(f"{name} = '{value}'")
        return spelt_out(self.request.get("KeyConditionExpression", ""), self.request) or " AND ".join(parts)

    @property
    def filter(self) -> str:
        """The filter with names and values written in."""
        return spelt_out(self.request.get("FilterExpression", ""), self.request)

    @property
    def forward(self) -> bool:
        """Whether a Query reads in ascending order."""
        return bool(self.request.get("ScanIndexForward", True))

    @property
    def limit(self) -> int | None:
        """The most items that the call may read; ``None`` for no limit."""
        return self.request.get("Limit")

    @property
    def resumed(self) -> bool:
        """Whether the call continues after the item of a cursor."""
        return "ExclusiveStartKey" in self.request

    @property
    def table(self) -> str:
        """The table of the call, or the tables of a batch or a transaction."""
        return ", ".join(self.tables)

    @property
    def retries(self) -> int:
        """The number of attempts after the first one."""
        return max(self.attempts - 1, 0)

    @property
    def conflict(self) -> bool:
        """Whether the call was refused, because an item has changed or another transaction is writing it."""
        return self.code in CONFLICTS

    @property
    def failed(self) -> bool:
        """Whether the call ended in an error other than a conflict."""
        return bool(self.code) and not self.conflict

    def add_attempt(self, response: tuple[Any, Mapping[str, Any]] | None, error: Exception | None) -> None:
        """Count an attempt, which ended with an answer (of HTTP, and its content) or with an error of the SDK."""
        self.attempts += 1
        if response is None:
            possible = not isinstance(error, _NOT_SENT)
        else:
            http, content = response
            code = content.get("Error", {}).get("Code", "").removesuffix("Exception")  # a success has none
            self.throttles += code in THROTTLES
            possible = http.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or code not in _REFUSALS
        if possible and not self.reads and not self.operation.startswith(("Describe", "List")):
            self.maybe_written = True

    def end(self, answer: Mapping[str, Any], error: BaseException | None = None) -> None:
        """Note the answer to the last attempt, or the error after which the SDK has given up."""
        self.milliseconds = (time.perf_counter() - self.started) * 1000
        if error:
            self.code = type(error).__name__
            return
        self.code = answer.get("Error", {}).get("Code", "").removesuffix("Exception")
        # A transaction answers once for each item, whether it exists or not; a batch by table.
        answers = answer.get("Responses", {})
        if isinstance(answers, list):
            self.items_returned = sum("Item" in answer for answer in answers)
        else:
            self.items_returned = int(answer.get("Count", "Item" in answer)) + sum(map(len, answers.values()))
        self.items_read = answer.get("ScannedCount", self.items_returned)
        consumed = answer.get("ConsumedCapacity") or []
        for part in consumed if isinstance(consumed, list) else [consumed]:
            units = Decimal(str(part.get("CapacityUnits") or 0))
            self.units_by_table[part.get("TableName") or self.table] = units
            self.units += units
        if answer.get("UnprocessedKeys") or answer.get("UnprocessedItems"):
            self.throttles += 1
        if "CancellationReasons" not in answer:
            return
        # Why a transaction was cancelled is told in the order of its actions.
        reasons = [each.get("Code", "").removesuffix("Exception") for each in answer["CancellationReasons"]]
        refusals = [reason for reason in reasons if reason not in {"", "None"}]
        self.code = refusals[0] if refusals else self.code
        self.throttles += not THROTTLES.isdisjoint(refusals)
        pairs = zip(_tables_of_actions(self.request), reasons, strict=False)
        blamed = dict.fromkeys(table for table, reason in pairs if reason in THROTTLES | CONFLICTS)
        self.blamed = tuple(blamed) or self.tables


@dataclass(slots=True)
class Ledger:
    """The calls of a block in the order in which they ended, and their totals, without the SDK's retries.

    Without ``keeps_calls``, only the totals are kept, so that a long download takes no more memory than a short one.
    ``milliseconds`` is the sum of the times of all calls, including parallel ones. ``code`` is the error code of the
    last call with an error. ``maybe_written`` tells whether a write may have been made.
    """

    calls: list[Call] = field(default_factory=list)
    keeps_calls: bool = True
    requests: int = 0
    read_units: Decimal = Decimal(0)
    write_units: Decimal = Decimal(0)
    milliseconds: float = 0.0
    retries: int = 0
    throttles: int = 0
    conflicts: int = 0
    code: str = ""
    maybe_written: bool = False
    _lock: Lock = field(default_factory=Lock)

    def add(self, call: Call) -> None:
        """Record a call, also from a thread that runs in a copy of the block's context."""
        with self._lock:
            if self.keeps_calls:
                self.calls.append(call)
            self.requests += 1
            if call.reads:
                self.read_units += call.units
            else:
                self.write_units += call.units
            self.milliseconds += call.milliseconds
            self.retries += max(call.attempts - 1, 0)
            self.throttles += call.throttles
            self.conflicts += call.code in CONFLICTS
            self.code = call.code or self.code
            self.maybe_written = self.maybe_written or call.maybe_written

    @property
    def waves(self) -> int:
        """Return the number of waves. A wave is the calls that run at the same time."""
        return len(set(map(attrgetter("wave"), self.calls)))

    def of(self, purpose: str) -> list[Call]:
        """Return the calls for one purpose, such as ``list`` or ``counts``; :func:`purpose` names others."""
        return [call for call in self.calls if call.purpose == purpose]


observers: list[Callable[[Call], None]] = []
"""Functions that are told of each call of this process, inside a scope or not."""


@contextmanager
def recording() -> Iterator[Ledger]:
    """Record every call of the block: in its thread, and in threads that run in a copy of its context."""
    ledger = Ledger()
    with scope.changed(observers=(*scope.current().observers, ledger.add)):
        yield ledger


def purpose(name: str, *, unless_given: bool = False) -> AbstractContextManager[None]:
    """Record ``name`` as the purpose of every call inside the block, or only of those that have none yet."""
    known = scope.current().purpose
    return scope.changed(purpose=known if unless_given and known != scope.OTHER else name)


def spelt_out(expression: str, request: Mapping[str, Any]) -> str:
    """Return an expression with the names and values of ``request`` in place of ``#0`` and ``:0``. The highest
    character is written as its escape.
    """
    if not expression:
        return ""
    words = dict(request.get("ExpressionAttributeNames", {}))
    for placeholder, value in request.get("ExpressionAttributeValues", {}).items():
        ((kind, plain),) = value.items()
        words[placeholder] = plain if kind == "N" else f"'{plain}'"
    spelt = _PLACEHOLDER.sub(lambda match: words.get(match[0], match[0]), expression)
    return spelt.replace("\U0010ffff", r"\U0010ffff")


def _tables_of_actions(request: Mapping[str, Any]) -> list[str]:
    """Return the table of each action of a transaction, in the order of its cancellation reasons."""
    return [action["TableName"] for item in request.get("TransactItems", ()) for action in item.values()]
