"""Random items, tables with overloaded keys, and questions, for tests that compare what is found with plain Python."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from random import Random
from typing import Any

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.planning.sources import Known, Question, Source, SourceKey
from dynamodb_lists.schema.conditions import GIVEN, Begins, Between, Condition, holds, meets
from dynamodb_lists.schema.templates import Template


class State(StrEnum):
    """What becomes of a thing."""

    PLACED = "PLACED"
    SHIPPED = "SHIPPED"
    DELIVERED = "DELIVERED"


Item = Mapping[str, Any]
TYPES: Mapping[str, type] = {
    "user": str,
    "id": str,
    "state": State,
    "at": datetime,
    "day": date,
    "n": int,
    "price": Decimal,
    "ok": bool,
    "place": str,
    "name": str,
    "tag": str,
}
FIELDS = {name: Known(kind, frozenset([None]) if name == "place" else frozenset()) for name, kind in TYPES.items()}
"""Items may lack a place. All other fields are always there."""

PARTS = (
    *("{user}", "{state}", "{day}", "{at:time}", "{at:epoch}", "{at:date}", "{n:4}", "{n}", "{place}", "{name}"),
    *("{id}", "{ok}", "{name:lower}", "{user:of 3}", "lit"),
)
WHENS: Sequence[Sequence[Mapping[str, Any]]] = (
    [{"state": frozenset([State.PLACED, State.SHIPPED])}],
    [{"ok": frozenset([True])}, {"state": frozenset([State.DELIVERED])}],
    [{"n": Between(10, None)}],
    [{"place": GIVEN}],
    [{"place": frozenset([None])}],
)

OUTLIERS: Mapping[str, Any] = {
    "n": [-5, 20_000],
    "at": [datetime(1960, 1, 1, tzinfo=UTC), datetime(2400, 1, 1, tzinfo=UTC)],
}
"""What is asked for, but cannot be in all keys, and no item has."""


def an_item(random: Random, number: int) -> Item:
    """Return an item with few values of each field, so that keys tie, and texts that sort before and after ``#``."""
    return {
        "user": random.choice(["ann", "bob", "al", "al!x", "a b"]),
        "id": str(number),
        "state": random.choice(list(State)),
        "at": datetime(2023, 1, 1, tzinfo=UTC) + timedelta(seconds=random.randrange(8) * 40_000),
        "day": date(2023, 1, 1) + timedelta(days=random.randrange(9)),
        "n": random.randrange(30),
        "price": Decimal(random.randrange(40)) / 4,
        "ok": random.random() < 0.5,
        "place": random.choice([None, "1", "2", "10"]),
        "name": random.choice(["ab", "a", "a!", "b c", "b", "zz", "Z"]),
        "tag": random.choice(["", "a", "b!"]),
    }


def a_source(random: Random, name: str) -> Source:
    """Return a table, whose name is blank, or an index of it."""
    if random.random() < 0.25:
        sort = SourceKey(f"s{name}", Template(random.choice(["{n}", "{price}", "{at:epoch}"]), TYPES), True)
    else:
        sort = SourceKey(f"s{name}", _template(random, random.randint(1, 4), of_table=not name))
    when = random.choice(WHENS) if name and random.random() < 0.3 else ()
    partition = SourceKey(f"p{name}", _template(random, random.randint(1, 2), of_table=not name))
    lacks = frozenset([*TYPES]) - {"id"} if name and random.random() < 0.2 else frozenset()
    return Source(name, partition, sort, tuple(when), lacks)


def _template(random: Random, parts: int, *, of_table: bool) -> Template:
    named = {part.strip("{}").partition(":")[0]: part for part in random.choices(PARTS, k=parts)}
    left = [part for name, part in named.items() if not (of_table and name == "place")]
    if not of_table and random.random() < 0.2:
        left.append("{tag?}")
    return Template(random.choice(["", "X", "U:"]) + "#".join(left) or "X", TYPES)


def a_question(random: Random, items: Sequence[Item]) -> Question:
    """Values, ranges and beginnings of up to four fields, and up to three sorts, often of these."""
    asked = {name: _condition(random, name, items) for name in random.sample([*TYPES], random.randint(0, 4))}
    sort = dict.fromkeys(random.choices([*TYPES, *asked, *asked], k=random.choice([0, 1, 1, 2, 3])))
    return Question(asked, (*sort,), random.random() < 0.5)


def _condition(random: Random, name: str, items: Sequence[Item]) -> Condition:
    one, other = (random.choice([random.choice(items)[name], *OUTLIERS.get(name, ())]) for _ in range(2))
    kind = random.random()
    if kind < 0.02:
        return frozenset()
    if kind < 0.45 or name == "ok":
        return frozenset([one])
    if kind < 0.65:
        return frozenset([one, other])
    if name == "place":
        return Begins("1")
    if name in {"name", "user", "id"} and kind > 0.9:
        return Begins(one[:1])
    low, high = sorted([one, other])
    return random.choice([Between(low, high), Between(low, None), Between(None, high)])


def key_of(attribute: SourceKey, item: Item) -> Any:
    """Return the value of a key attribute of an item; ``None`` if the item has none."""
    if any(item[name] is None for name in attribute.template.names):
        return None
    try:
        text = attribute.template.begin(item.__getitem__, attribute.template.pieces)
    except KeyPartError:
        return None
    return Decimal(text) if attribute.numeric else text


def entries(source: Source, items: Sequence[Item]) -> list[tuple[Any, Any, Item]]:
    """Return what a source holds: the keys of each item in it, and the item."""
    assert source.sort is not None
    found = [
        (key_of(source.partition, item), key_of(source.sort, item), item) for item in items if meets(source.when, item)
    ]
    return [entry for entry in found if None not in entry[:2]]


def wanted(question: Question, items: Sequence[Item]) -> list[Item]:
    """Return what plain Python finds."""
    return [item for item in items if matches(question, item)]


def matches(question: Question, item: Item) -> bool:
    """Return whether an item meets all conditions."""
    return all(holds(condition, item[name]) for name, condition in question.asked.items())


def rank(question: Question, item: Item) -> tuple[Any, ...]:
    """By what items are sorted; what is missing comes first."""
    return tuple((item[name] is not None, item[name]) for name in question.sort)
