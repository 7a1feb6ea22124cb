"""Records the calls to DynamoDB that serve a request, and what they cost.

Two events of the botocore client (``before-parameter-build`` and ``after-call``) are hooked once. A context variable
holds the ledger of the request, so that threads that run in a copy of its context write to the same ledger.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

READS = {"GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"}
_current: ContextVar["Ledger | None"] = ContextVar("ledger", default=None)
_PLACEHOLDER = re.compile(r"[#:]\w+")
_purpose: ContextVar[str] = ContextVar("purpose", default="other")
_wave: ContextVar[int] = ContextVar("wave", default=0)


@dataclass(frozen=True, slots=True)
class Call:
    """One call to DynamoDB, as it was sent and what it returned.

    ``key_condition`` and ``filter`` are expressions with their names and values written in; for a call about one item,
    ``key_condition`` is its key. ``resumed`` is true if the call continues after an item. ``units`` are capacity units.
    ``wave`` is one more than the number of calls, one after the other, that this call had to wait for. ``started`` is a
    time of :func:`time.perf_counter`, in seconds.
    """

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
    wave: int
    started: float
    milliseconds: float
    request: Mapping[str, Any]

    @property
    def reads(self) -> bool:
        """Whether the call reads. Its units are read units then, and write units otherwise."""
        return self.operation in READS


@dataclass(slots=True)
class Ledger:
    """The calls of one request, in the order in which they finished."""

    calls: list[Call] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """The number of calls, without the SDK's retries."""
        return len(self.calls)

    @property
    def waves(self) -> int:
        """How many times a call had to wait for another one. Calls that may run at the same time are of one wave."""
        return len({call.wave for call in self.calls})

    @property
    def read_units(self) -> Decimal:
        """The read capacity units of all calls."""
        return sum((call.units for call in self.calls if call.reads), Decimal(0))

    @property
    def write_units(self) -> Decimal:
        """The write capacity units of all calls."""
        return sum((call.units for call in self.calls if not call.reads), Decimal(0))

    @property
    def milliseconds(self) -> float:
        """The sum of the times of all calls, including those that ran in parallel."""
        return sum(call.milliseconds for call in self.calls)

    def items_read(self, purpose: str) -> int:
        """The number of items that DynamoDB read, and charged, for one purpose. Filters drop items only later."""
        return sum(call.items_read for call in self.calls if call.purpose == purpose)

    def of(self, purpose: str) -> list[Call]:
        """The calls for one purpose: ``list``, ``counts``, or another name that :func:`purpose` was given."""
        return [call for call in self.calls if call.purpose == purpose]


@contextmanager
def recording() -> Iterator[Ledger]:
    """Record every call inside the block, in this thread and in threads that run in a copy of its context."""
    ledger = Ledger()
    token, wave = _current.set(ledger), _wave.set(0)
    try:
        yield ledger
    finally:
        _current.reset(token)
        _wave.reset(wave)


@contextmanager
def purpose(name: str) -> Iterator[None]:
    """Record ``name`` as the purpose of every call inside the block."""
    token = _purpose.set(name)
    try:
        yield
    finally:
        _purpose.reset(token)


def join(contexts: Iterable[Context]) -> None:
    """Record that what follows waits for all calls in these copies of this context."""
    _wave.set(max(context.get(_wave, 0) for context in contexts))


def watch(client: Any) -> None:
    """Record the calls of a botocore client. Call it once for each client."""
    client.meta.events.register("before-parameter-build.dynamodb", _started)
    client.meta.events.register("after-call.dynamodb", _finished)


def _started(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    if _current.get() is not None:
        _wave.set(_wave.get() + 1)
        context["ledger"] = (params, _wave.get(), time.perf_counter())


def _finished(model: Any, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    ledger = _current.get()
    if ledger is None or "ledger" not in context:
        return
    params, wave, started = context["ledger"]
    ledger.calls.append(_entry(model.name, params, parsed, wave, started))


def _entry(operation: str, params: Mapping[str, Any], parsed: Mapping[str, Any], wave: int, started: float) -> Call:
    returned = _returned(parsed)
    return Call(
        operation=operation,
        purpose=_purpose.get(),
        table=", ".join(tables_of(params)),
        index=params.get("IndexName", ""),
        key_condition=spelt_out(params.get("KeyConditionExpression", ""), params) or _key(params.get("Key", {})),
        filter=spelt_out(params.get("FilterExpression", ""), params),
        forward=params.get("ScanIndexForward", True),
        limit=params.get("Limit"),
        resumed="ExclusiveStartKey" in params,
        items_read=parsed.get("ScannedCount", returned),
        items_returned=returned,
        units=sum(units_by_table(parsed.get("ConsumedCapacity")).values(), Decimal(0)),
        wave=wave,
        started=started,
        milliseconds=(time.perf_counter() - started) * 1000,
        request=params,
    )


def _returned(parsed: Mapping[str, Any]) -> int:
    """The number of items in the answer to a Query, a batch, a GetItem or a transaction."""
    answers = parsed.get("Responses", {})
    if isinstance(answers, list):  # a transaction answers once for each item, whether it exists or not
        return sum("Item" in answer for answer in answers)
    return int(parsed.get("Count", "Item" in parsed)) + sum(map(len, answers.values()))


def _key(key: Mapping[str, Mapping[str, str]]) -> str:
    """The key of one item, written as a condition."""
    return " AND ".join(f"{name} = '{value}'" for name, typed in key.items() for value in typed.values())


def tables_of(params: Mapping[str, Any]) -> tuple[str, ...]:
    """The table of a call, or the tables of a batch or a transaction."""
    names = [params.get("TableName", ""), *params.get("RequestItems", ()), *tables_of_actions(params)]
    return tuple(dict.fromkeys(filter(None, names)))


def tables_of_actions(params: Mapping[str, Any]) -> list[str]:
    """The table of each action of a transaction, in their order, which is that of its cancellation reasons."""
    return [action["TableName"] for item in params.get("TransactItems", ()) for action in item.values()]


def units_by_table(consumed: Any) -> dict[str, Decimal]:
    """The capacity units of one call. DynamoDB returns a list for batches and transactions, or one figure."""
    tables = consumed if isinstance(consumed, list) else [consumed] if consumed else []
    return {table["TableName"]: Decimal(str(table.get("CapacityUnits", 0))) for table in tables}


def spelt_out(expression: str, params: Mapping[str, Any]) -> str:
    """An expression in which each placeholder (``#0``, ``:0``) is replaced by its name or value."""
    words = dict(params.get("ExpressionAttributeNames", {}))
    for placeholder, value in params.get("ExpressionAttributeValues", {}).items():
        ((kind, plain),) = value.items()
        words[placeholder] = plain if kind == "N" else f"'{plain}'"
    return _PLACEHOLDER.sub(lambda match: words.get(match[0], match[0]), expression)
