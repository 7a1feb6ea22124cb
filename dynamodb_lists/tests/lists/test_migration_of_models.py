"""A list over a model that grows: what its table lacks is refused by name, filled beside writers, then read."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import (
    Change,
    IntegerAttribute,
    ItemModel,
    KeyAttribute,
    List,
    NotFilledYet,
    Record,
    Update,
    WordModel,
    Words,
    Write,
    at_least,
    deltas,
    global_index,
    read_partition,
    register,
)
from dynamodb_lists.connection.client import client
from dynamodb_lists.lists import items
from dynamodb_lists.maintenance import list_rules
from dynamodb_lists.maintenance.migration import migrate_list, plan
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.releases import Killed, forget, killed_after, of_another_process, writing
from dynamodb_lists.tests.trials import new_org

PORTS, HULLS = ("Basel", "Bonn"), ("oak", "wood")


@dataclass(frozen=True, kw_only=True)
class Barge(Record):
    """A barge, as the first release declares it."""

    number: str
    port: str
    decks: int


@dataclass(frozen=True, kw_only=True)
class Barge2(Barge):
    """With a field of the second release."""

    hull: str = "wood"


def first_release(name: str) -> List[Any]:
    """Return a list by port and number, which counts the barges of a port."""

    class Stored(ItemModel):
        class Meta:
            table_name = name

        pk = UnicodeAttribute(hash_key=True)
        sk = UnicodeAttribute(range_key=True)

    @register
    class Model(Stored):
        kind, entity = name, Barge
        key_templates = "BARGE#{number}", "BARGE"
        port_key = KeyAttribute("{port}")
        number_key = KeyAttribute("{number}")
        of_port = global_index("of-port", "port_key", "number_key", projected=["port", "decks", "revision"])

    class Count(Stored):
        kind, key_templates = f"{name}-count", ("counts#{port}", "all")
        barges = IntegerAttribute(default=0)

    return List(Barge, table=Model, name=name, counts=Count).with_writes(partial(counted, Count, ("port",)))


def second_release(name: str) -> List[Any]:
    """A list that is also sorted by decks, found by them in all ports, has big barges apart, a hull, and words."""

    class Stored(ItemModel):
        class Meta:
            table_name = name

        pk = UnicodeAttribute(hash_key=True)
        sk = UnicodeAttribute(range_key=True)

    shown = ["port", "decks", "revision", "hull"]

    @register
    class Model(Stored):
        kind, entity = name, Barge2
        key_templates = "BARGE#{number}", "BARGE"
        port_key = KeyAttribute("{port}")
        number_key = KeyAttribute("{number}")
        decks_key = KeyAttribute("{decks:2}#{number}")
        all_decks = KeyAttribute("decks{decks}")
        big_port = KeyAttribute("{port}", when=[{"decks": at_least(5)}])
        of_port = global_index("of-port", "port_key", "number_key", projected=shown)
        by_decks = global_index("by-decks", "port_key", "decks_key", projected=shown)
        of_decks = global_index("of-decks", "all_decks", "number_key", projected=shown)
        big = global_index("big", "big_port", "number_key", projected=shown)

    class Count(Stored):
        kind, key_templates = f"{name}-count", ("counts-2#{port}", "{hull}#{decks}")
        barges = IntegerAttribute(default=0)

    class Word(Stored, WordModel):
        kind, key_templates = f"{name}-word", ("WORD#{initials}", "{text}#{id}")

        @classmethod
        def of(cls, entity: Any) -> Sequence[Self]:
            return cls.repeated(entity.number, Words.of(f"{entity.number} {entity.hull}"))

    listed: List[Any] = List(Barge2, table=Model, name=name, counts=Count, words=Word)
    return listed.with_writes(partial(counted, Count, ("port", "hull", "decks")))


def counted(model: Any, names: Sequence[str], changes: Sequence[Change[Any]], by: Any) -> Iterator[Write]:
    """Yield the counts of barges, which the program's own functions write."""
    pairs = (
        [each and tuple(getattr(each, name) for name in names) for each in (one.before, one.after)] for one in changes
    )
    for values, number in deltas((before, after) for before, after in pairs).items():
        yield Update(model.keyed(**dict(zip(names, values, strict=True))), actions=[model.barges.add(number)])


def a_barge(entity: Any, number: int, draw: random.Random) -> Any:
    more = {"hull": draw.choice(HULLS)} if entity is Barge2 else {}
    return entity(number=f"B{number:03}", port=draw.choice(PORTS), decks=draw.randrange(3, 7), **more)


def some(entity: Any) -> Callable[[random.Random], Any]:
    return lambda draw: a_barge(entity, draw.randrange(40), draw)


class Releases:
    """The lists of two releases, each as a process declares it that has just started, in a table with some barges."""

    def __init__(self) -> None:
        self.name, draw = new_org(), random.Random(3)
        self.first = self.of(first_release)
        tables.create_table(self.name)
        for number in range(30):
            self.first.create(a_barge(Barge, number, draw))
        self.second = self.of(second_release)

    def of(self, release: Any) -> List[Any]:
        forget(self.name, self.name)
        found: List[Any] = release(self.name)
        return found


@pytest.fixture
def barges(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Releases]:
    monkeypatch.setattr(items, "SHAPE_SECONDS", 0.1)
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(list_rules, "INDEX_SECONDS", 0.01)
    made = Releases()
    yield made
    client().delete_table(TableName=made.name)


def stored(listed: List[Any]) -> dict[str, Any]:
    """Return all barges as plain Python finds them."""
    items = client().scan(TableName=listed.model.Meta.table_name)["Items"]
    found = map(listed.model.entity_of, filter(listed.model.holds, items))
    return {each.number: each for each in found}


def same_as_in_python(listed: List[Any]) -> None:
    """Compare each list, its total, counts and words with plain Python."""
    truth = [each for _, each in sorted(stored(listed).items())]
    for port in PORTS:
        query, wanted = listed.query(port=port), [each for each in truth if each.port == port]
        assert [*query.order_by("number")] == wanted
        assert [*query.order_by("decks")] == sorted(wanted, key=lambda each: each.decks)
        assert [*query.only("big")] == [each for each in wanted if each.decks >= 5]
        assert [*query.where(hull="oak").order_by("number")] == [each for each in wanted if each.hull == "oak"]
        assert query.page(4).total == len(wanted)
        model: Any = vars(listed.declaration)["counted_by"]
        counts = {each["sk"]: each["barges"] for each in read_partition(model, f"counts-2#{port}", ("sk", "barges"))}
        numbers = Counter(f"{each.hull}#{each.decks}" for each in wanted)
        assert {key: number for key, number in counts.items() if number} == numbers
    for decks in range(3, 7):
        assert [*listed.query(decks=decks)] == [each for each in truth if each.decks == decks]
    check = TableCheck(listed.model.Meta.table_name, list_rules.rules(listed), repair=False)
    assert [*check.faults(lambda _: None)] == []


def test_what_the_table_of_a_model_lacks_is_refused_by_name_and_all_else_has_every_row(barges: Releases) -> None:
    second, everything = barges.second, stored(barges.second)
    query = second.query(port="Bonn")
    assert query.page(3).rows[0].hull == "wood", "an index that is older than a field"
    of_bonn = [each for each in everything.values() if each.port == "Bonn"]
    assert {each.number for each in query.order_by("decks")} == {each.number for each in of_bonn}
    assert query.page(3).total is None, "the counts of the second release are not there yet"
    for refused, name in ((second.query(decks=3), "of-decks"), (query.only("big"), "big")):
        for ask in (refused.page, lambda each=refused: [*each]):
            with pytest.raises(NotFilledYet, match=name):
                ask()
    lacks = str(plan(second))
    assert all(text in lacks for text in ("by-decks", "of-decks", "big", "counts by hull and decks", "words of items"))
    assert not plan(barges.first).lacks


def test_the_table_of_a_model_is_filled_beside_writers_of_both_releases_and_after_kills(barges: Releases) -> None:
    first, second = barges.first, barges.second
    [*tables.migrate()]
    with writing(first, some(Barge)), writing(second, some(Barge2)):
        with pytest.raises(Killed):
            migrate_list(second, progress=killed_after(0))
        assert migrate_list(second) == []
    with writing(second, some(Barge2), 1, pause=0.2):
        for pages in (0, 3):
            with suppress(Killed):
                migrate_list(of_another_process(second), finish=True, progress=killed_after(pages))
        assert migrate_list(of_another_process(second), finish=True) == []
    assert not plan(second).lacks
    same_as_in_python(second)
    row = second.query(port="Basel").page(1).rows[0]
    second.update(row, hull="oak", decks=7)
    same_as_in_python(second)


def test_what_a_release_of_a_model_declares_no_more_is_gone_and_what_it_counts_is_right(barges: Releases) -> None:
    second, draw = barges.second, random.Random(9)
    [*tables.migrate()]
    assert migrate_list(second, finish=True) == []
    for number in range(50, 55):
        second.create(a_barge(Barge2, number, draw))  # the first release does not count them
    third = barges.of(first_release)
    assert third.query(port="Bonn").page(3).total is None
    assert migrate_list(third, finish=True) == []
    assert third.query(port="Bonn").page(3).total == sum(each.port == "Bonn" for each in stored(third).values())
    items = client().scan(TableName=barges.name)["Items"]
    assert not {"decks_key", "all_decks", "big_port"} & {name for item in items for name in item}
    assert {"hull", "port", "port_key"} <= {name for item in items for name in item}
    table = client().describe_table(TableName=barges.name)["Table"]
    assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == ["of-port"]
