"""What is printed of a table runs, reads every item back, and answers questions."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from boto3.dynamodb.types import TypeSerializer
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import List, Misfit
from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.told import Table
from dynamodb_lists.lists.list import lists_by_name
from dynamodb_lists.maintenance.inspection import declaration, table_of
from dynamodb_lists.maintenance.scans import sample
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.tests.helpers.designs import DESIGNS, Design, Item, iso, moment
from dynamodb_lists.tests.helpers.examples import examples

BY_NAME = {design.name: design for design in DESIGNS}
_typed = TypeSerializer().serialize


def stored(items: Iterator[Item]) -> list[RawItem]:
    return [{name: _typed(value) for name, value in item.items()} for item in items]


def definition(design: Design) -> dict[str, Any]:
    """Return the request that creates the table."""
    names = dict.fromkeys([*design.key, *(name for index in design.indexes.values() for name in index)])
    types = {name: "N" if name in design.numbers else "S" for name in names}

    def schema(key: Any) -> list[dict[str, str]]:
        return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(key, ("HASH", "RANGE"), strict=False)]

    indexes = [
        {"IndexName": name, "KeySchema": schema(key), "Projection": {"ProjectionType": "ALL"}}
        for name, key in design.indexes.items()
    ]
    return {
        "TableName": design.name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": schema(design.key),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()],
        **({"GlobalSecondaryIndexes": indexes} if indexes else {}),
    }


@contextmanager
def run(text: str) -> Iterator[dict[str, Any]]:
    """The names that a printed module has; its lists are forgotten afterwards."""
    before, names = {**lists_by_name}, dict[str, Any]()
    try:
        exec(text, names)
        yield names
    finally:
        lists_by_name.clear()
        lists_by_name.update(before)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_printed_reads_every_item_back(design: Design, seed: int) -> None:
    items = stored(design.items(Random(seed)))
    Random(seed).shuffle(items)
    text = declaration(table_of(design.name, drift.facts(definition(design))), items[:300])
    assert [each for each in design.finds if each not in text] == [], text
    with run(text) as names:
        table: Table = names["TABLE"]
        for item in items:
            (declared,) = [each for each in table.lists if each.owns(item)]
            assert not isinstance(declared.built(item), Misfit), (item, declared.built(item), text)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_it_answers_a_question_from_the_table(design: Design, endpoint: str) -> None:
    items = stored(design.items(Random(3)))
    client().create_table(**definition(design))
    try:
        for item in items:
            client().put_item(TableName=design.name, Item=item)
        sampled, units = sample(design.name, design.key)
        assert (len(sampled) >= min(len(items), 250), 0 < units <= 150) == (True, True)
        text = declaration(table_of(design.name, drift.facts(tables.description(design.name) or {})), sampled)
        with run(text):
            asked = {**design.asked}
            listed: List[Any] = lists_by_name[asked.pop("list")]
            found = list(listed.query(**asked))
            built = [listed.declaration.built(each) for each in items if listed.declaration.owns(each)]  # type: ignore[attr-defined]
            wanted = [
                each
                for each in built
                if all(
                    getattr(each, name) in (value if isinstance(value, list) else [value])
                    for name, value in asked.items()
                )
            ]
            assert wanted
            assert len(found) == len(wanted)
            assert [each for each in found if each not in wanted] == []
    finally:
        client().delete_table(TableName=design.name)


def test_kinds_behind_many_items_of_another_one_are_found(endpoint: str) -> None:
    """A partition has more entries than a sample takes at a time, and its stars come after them."""

    def rows() -> Iterator[Item]:
        for n in range(600):
            yield {"PK": f"REPO#{n % 20}", "SK": f"ENTRY#{n:04}", "repo": str(n % 20), "number": n}
        yield from ({"PK": f"PERSON#{n}", "SK": f"PERSON#{n}", "person": n} for n in range(300))
        yield from ({"PK": f"REPO#{n % 20}", "SK": f"STAR#u{n}", "repo": str(n % 20), "by": f"u{n}"} for n in range(40))

    design = Design("repos", ("PK", "SK"), lambda _: rows())
    client().create_table(**definition(design))
    try:
        for item in stored(rows()):
            client().put_item(TableName=design.name, Item=item)
        sampled, units = sample(design.name, design.key)
        assert len(sampled) == 300
        assert units < 100
        assert {item["SK"]["S"].split("#")[0] for item in sampled} == {"ENTRY", "PERSON", "STAR"}
        text = declaration(Table(design.name, key=design.key), sampled)
        assert "id='number',\n    key=('REPO#{repo}', 'ENTRY#{number:4}')" in text
    finally:
        client().delete_table(TableName=design.name)


def test_a_kind_is_told_by_an_attribute_and_times_of_other_zones_stay_texts() -> None:
    """The key has the time with its zone, as a text; no format of a template writes such a time."""
    rows = [{"PK": f"A#{n % 9}", "SK": f"2023-01-{n % 28 + 1:02d}T10:00:00+02:00", "n": n % 9} for n in range(40)]
    items = stored({**row, "at": row["SK"]} for row in rows)
    text = declaration(Table("t", key=("PK", "SK")), items)
    assert "key=('A#{n}', '{at}')" in text
    assert "at: str" in text


def test_a_key_that_no_template_spells_is_named() -> None:
    """The key contains the state in a form that no template can spell, so a change of the state would not move the
    item.
    """
    states = {"open": "o", "closed": "c"}
    rows = (
        {"PK": f"A#{n}", "SK": "A", "n": n, "state": state, "GSI1PK": "A", "GSI1SK": f"{states[state]}{999 - n}"}
        for n, state in enumerate([*states] * 20)
    )
    text = declaration(Table("t", key=("PK", "SK"), indexes={"GSI1": ("GSI1PK", "GSI1SK")}), stored(rows))
    assert "# No template spells 'GSI1SK': update() leaves it as it is." in text
    assert "'GSI1PK'" not in text.partition("# Of 40 items.")[2].partition("List(")[0]


def a_value(random: Random, kind: str) -> Any:
    at = moment(random)
    values = {
        "text": random.choice(["ann", "Bob Lee", "c#d", "x_y", "é", "{b}", "", "10", "N-1"]),
        "id": str(random.randrange(10**6)),
        "number": random.randrange(2000),
        "amount": Decimal(random.randrange(-999, 9999)) / 100,
        "time": iso(at),
        "day": str(at.date()),
        "state": random.choice(["OPEN", "CLOSED", "in work"]),
        "epoch": int(at.timestamp()),
        "map": {"x": [1]},
        "none": None,
    }
    return values[kind]


KINDS = ["text", "id", "number", "amount", "time", "day", "state", "epoch", "map", "none"]
NAMES = ["id", "at", "name", "status", "ts", "class", "x-y", "email", "date", "revision", "Type", "str"]


def any_items(random: Random) -> list[RawItem]:
    """Items of up to four kinds, whose keys are made of any of their values in any format."""
    items = dict[tuple[str, str], Item]()
    for _ in range(random.randint(1, 4)):
        word, mark = random.choice(["USER", "ORDER", "Item", "$x_1", "É", "META"]), random.choice("#:_|/")
        kinds = {random.choice(NAMES): random.choice(KINDS) for _ in range(7)}
        chosen = random.choices([*kinds], k=4)
        formats: list[Any] = [str, lambda v: str(v).lower(), lambda v: str(v)[:10], lambda v: str(v).zfill(6)]
        shown = random.choices(formats, k=4)
        for _ in range(random.choice([1, 5, 60])):
            values = {name: a_value(random, kind) for name, kind in kinds.items() if random.random() < 0.9}
            parts = [each(values.get(name, "")) for name, each in zip(chosen, shown, strict=True)]
            keys = {"PK": mark.join([word, parts[0]]), "SK": mark.join([word, *parts[1:3]])}
            sparse = {"GSI1PK": f"{word}{mark}{parts[3]}", "GSI1SK": parts[1]} if random.random() < 0.7 else {}
            items[keys["PK"], keys["SK"]] = {**values, **keys, **{name: key for name, key in sparse.items() if key}}
    return stored(iter(items.values()))


@settings(max_examples=examples(60))
@given(st.randoms(use_true_random=False))
def test_whatever_lies_in_a_table_is_read_back(random: Random) -> None:
    items = any_items(random)
    text = declaration(Table("any", key=("PK", "SK"), indexes={"GSI1": ("GSI1PK", "GSI1SK")}), items)
    with run(text) as names:
        for item in items:
            (declared,) = [each for each in names["TABLE"].lists if each.owns(item)]
            assert not isinstance(declared.built(item), Misfit), (item, declared.built(item), text)
