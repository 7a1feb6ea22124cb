"""Measures what calls cost: requests, waves, units of each table and index. docs/costs.json has all of it.

``ReturnConsumedCapacity=INDEXES`` makes DynamoDB say the units of each index. A place of units is a table, or a table
and an index: ``hotel-app lsi1``. The ledger says how calls were sent.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypedDict
from unittest.mock import patch

from django.conf import settings
from django.core.cache import cache

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.lists import counting
from hotels import queries as hotel_queries
from tests.costs import patterns, writes
from tests.costs.patterns import Pattern
from tests.helpers.contents import forget_counts

Item = Mapping[str, Any]


class Cost(TypedDict):
    """What a pattern costs, for one of its rows. ``read`` and ``written`` are units by place."""

    title: str
    requests: float
    waves: int
    read: dict[str, float]
    written: dict[str, float]


def measure() -> dict[str, Cost]:
    """Return the cost of every pattern by name: reads and then writes, on the data of :mod:`tests.costs.data`."""
    found = {name: cost_of(pattern) for name, pattern in patterns.reads().items()}
    with patch.object(counting, "randbelow", return_value=0):  # so that sizes do not depend on chance
        return found | {name: cost_of(pattern) for name, pattern in writes.writes()}


def cost_of(pattern: Pattern) -> Cost:
    """The cost of a pattern for each of its rows. This process has cached nothing but the group's number of shards."""
    cache.clear()
    forget_counts()
    hotel_queries.GROUP_SHARDS.numbers()
    with recorded() as answers:
        pattern.call()
    rows = pattern.rows
    return {
        "title": pattern.title,
        "requests": round(len(answers) / rows, 2),
        "waves": len({call.wave for call, _ in answers}),
        "read": units([answer for call, answer in answers if call.reads], rows),
        "written": units([answer for call, answer in answers if not call.reads], rows),
    }


@contextmanager
def recorded(look: Callable[[Call], object] = lambda _: None) -> Iterator[list[tuple[Call, Item]]]:
    """The calls of the block, of all threads, each with its answer, which names the units of every index.

    ``look`` is called with each call, before it is sent and after its answer.
    """
    answers: list[tuple[Call, Item]] = []

    def ask(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        if "ReturnConsumedCapacity" in params:
            params["ReturnConsumedCapacity"] = "INDEXES"
        look(context["call"])

    def keep(parsed: Item, context: dict[str, Any], **_: Any) -> None:
        look(context["call"])
        answers.append((context["call"], parsed))

    events = client().meta.events
    events.register("before-parameter-build.dynamodb", ask)
    events.register("after-call.dynamodb", keep)
    try:
        yield answers
    finally:
        events.unregister("before-parameter-build.dynamodb", ask)
        events.unregister("after-call.dynamodb", keep)


def units(answers: Iterable[Item], rows: int = 1) -> dict[str, float]:
    """Return the units by place, for each of the rows."""
    found = Counter[str]()
    for answer in answers:
        consumed = answer.get("ConsumedCapacity") or []
        for part in consumed if isinstance(consumed, list) else [consumed]:
            table = plain(part["TableName"])
            found[table] += part.get("Table", part)["CapacityUnits"]
            for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
                for index, used in part.get(kind, {}).items():
                    found[f"{table} {index}"] += used["CapacityUnits"]
    return {place: round(float(found[place]) / rows, 2) for place in sorted(found) if found[place]}


def plain(table: str) -> str:
    """Return a table's name without the prefix."""
    return table.removeprefix(settings.DYNAMODB_TABLE_PREFIX)


def in_lines(costs: Mapping[str, Any]) -> str:
    """JSON with a line for each entry, so that a difference shows what has changed."""
    lines = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in costs.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
