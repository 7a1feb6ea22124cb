"""What each request asked DynamoDB, and what it cost.

The client's own events (botocore's ``before-parameter-build``, ``after-call``) are hooked once. Calls are kept for the
request being served, which a context variable holds, so that threads started for it write to the same ledger.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

READS = {"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"}
_current: ContextVar["Ledger | None"] = ContextVar("ledger", default=None)
_PLACEHOLDER = re.compile(r"[#:]\w+")
_purpose: ContextVar[str] = ContextVar("purpose", default="other")


@dataclass(frozen=True, slots=True)
class Call:
    """One call to DynamoDB. ``key_condition`` (of one item, its key) and ``filter`` have their values written in."""

    operation: str
    purpose: str
    table: str
    index: str
    key_condition: str
    filter: str
    forward: bool
    limit: int | None
    resumed: bool
    items_read: int
    items_returned: int
    units: Decimal
    started: float
    milliseconds: float
    request: Mapping[str, Any]

    @property
    def reads(self) -> bool:
        """Whether it reads; its units are read units then, else write units."""
        return self.operation in READS


@dataclass(slots=True)
class Ledger:
    """The calls of one request, in the order in which they finished."""

    calls: list[Call] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """How many calls were sent, retries of the SDK not counted."""
        return len(self.calls)

    @property
    def read_units(self) -> Decimal:
        """Read capacity units that the calls took."""
        return sum((call.units for call in self.calls if call.reads), Decimal(0))

    @property
    def write_units(self) -> Decimal:
        """Write capacity units that the calls took."""
        return sum((call.units for call in self.calls if not call.reads), Decimal(0))

    @property
    def milliseconds(self) -> float:
        """Time spent in all the calls; parallel ones are added up."""
        return sum(call.milliseconds for call in self.calls)

    def items_read(self, purpose: str) -> int:
        """Items that DynamoDB read (and charged) for one purpose, before any filter."""
        return sum(call.items_read for call in self.calls if call.purpose == purpose)

    def of(self, purpose: str) -> list[Call]:
        """The calls made for one purpose: ``list``, ``counts``, or what the caller named it."""
        return [call for call in self.calls if call.purpose == purpose]


@contextmanager
def recording() -> Iterator[Ledger]:
    """Keep every call made inside, in this thread and in those that carry its context."""
    ledger = Ledger()
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


@contextmanager
def purpose(name: str) -> Iterator[None]:
    """Say what the calls made inside are for."""
    token = _purpose.set(name)
    try:
        yield
    finally:
        _purpose.reset(token)


def watch(client: Any) -> None:
    """Hook a botocore client's events. Called once for each client."""
    client.meta.events.register("before-parameter-build.dynamodb", _started)
    client.meta.events.register("after-call.dynamodb", _finished)


def _started(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    if _current.get() is not None:
        context["ledger"] = (params, time.perf_counter())


def _finished(model: Any, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    ledger = _current.get()
    if ledger is None or "ledger" not in context:
        return
    params, start = context["ledger"]
    ledger.calls.append(_entry(model.name, params, parsed, start))


def _entry(operation: str, params: Mapping[str, Any], parsed: Mapping[str, Any], started: float) -> Call:
    returned = _returned(parsed)
    return Call(
        operation=operation,
        purpose=_purpose.get(),
        table=_tables(params),
        index=params.get("IndexName", ""),
        key_condition=spelt_out(params.get("KeyConditionExpression", ""), params) or _key(params.get("Key", {})),
        filter=spelt_out(params.get("FilterExpression", ""), params),
        forward=params.get("ScanIndexForward", True),
        limit=params.get("Limit"),
        resumed="ExclusiveStartKey" in params,
        items_read=parsed.get("ScannedCount", returned),
        items_returned=returned,
        units=_units(parsed.get("ConsumedCapacity")),
        started=started,
        milliseconds=(time.perf_counter() - started) * 1000,
        request=params,
    )


def _returned(parsed: Mapping[str, Any]) -> int:
    """How many items an answer holds: of a Query, of a batch, or the one that was fetched."""
    batches = parsed.get("Responses", {}).values()
    return int(parsed.get("Count", "Item" in parsed)) + sum(map(len, batches))


def _tables(params: Mapping[str, Any]) -> str:
    """The table of a call, or the tables of a batch or a transaction."""
    writes = [write for action in params.get("TransactItems", ()) for write in action.values()]
    names = [params.get("TableName", ""), *params.get("RequestItems", ()), *(write["TableName"] for write in writes)]
    return ", ".join(dict.fromkeys(filter(None, names)))


def _key(key: Mapping[str, Mapping[str, str]]) -> str:
    """The whole key of one item, as the condition that it amounts to."""
    return " AND ".join(f"{name} = '{value}'" for name, typed in key.items() for value in typed.values())


def _units(consumed: Any) -> Decimal:
    """Units of one call; DynamoDB answers one table's figure, or a list of them for batches and transactions."""
    tables = consumed if isinstance(consumed, list) else [consumed or {}]
    return sum((Decimal(str(table.get("CapacityUnits", 0))) for table in tables), Decimal(0))


def spelt_out(expression: str, params: Mapping[str, Any]) -> str:
    """An expression with its ``#0`` and ``:0`` replaced by the names and values that they stand for."""
    words = dict(params.get("ExpressionAttributeNames", {}))
    for placeholder, value in params.get("ExpressionAttributeValues", {}).items():
        ((kind, plain),) = value.items()
        words[placeholder] = plain if kind == "N" else f"'{plain}'"
    return _PLACEHOLDER.sub(lambda match: words.get(match[0], match[0]), expression)
