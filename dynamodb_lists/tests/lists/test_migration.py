"""A list that grows with its product: what its table lacks is refused by name, filled beside writers, then read."""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Annotated, Any

import pytest

from dynamodb_lists import Change, Field, KeptOrder, List, NotFilledYet, Record, ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.lists import items
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.migration import migrate_list, plan
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.releases import Killed, killed_after, of_another_process, release, writing
from dynamodb_lists.tests.trials import new_org

YARDS = 2
KINDS, STATES, OWNERS = ("barge", "cutter", "ketch"), ("afloat", "ashore"), ("Ann Lee", "Bo Ek", "Cy")


@dataclass(frozen=True, kw_only=True)
class Boat(Record):
    """A boat in a yard, as the first release declares it."""

    yard: str
    number: str
    kind: str
    state: str
    name: str = ""
    owner: str = ""
    due: date | None = None
    price: Decimal = Decimal(0)


@dataclass(frozen=True, kw_only=True)
class Boat2(Boat):
    """With a field of the second release."""

    hull: str = "wood"


FIRST: dict[str, Any] = {"facets": ("kind", "state"), "sorts": ("due",), "words": "name"}
SECOND: dict[str, Any] = {
    "facets": ("kind", "owner"),
    "sorts": ("due", "price"),
    "words": ("name", "owner"),
    "sparse": {"dear": KeptOrder("price", when=lambda boat: boat.price >= 50)},
}


class Releases:
    """The lists of the releases of one table of boats, which has some in two yards."""

    def __init__(self, count: int = 60) -> None:
        self.name = new_org()
        self.first = self.of(Boat, FIRST)
        self.first.create_table()
        for yard in self.yards:
            self.first.save([a_boat(Boat, yard, n) for n in range(count)])

    def of(self, entity: type[Any], options: dict[str, Any]) -> List[Any]:
        """Return the list as a release declares it, in a process that has just started."""
        return release(entity, self.name, f"{self.name}-boat", owner="yard", id="number", **options)

    def migrate(self, listed: List[Any], *, finish: bool = True) -> None:
        """Run the command: no fault is left, and processes that start now know."""
        assert not [step for step in tables.migrate() if step.failed and step.table == listed.model.Meta.table_name]
        assert migrate_list(listed, finish=finish) == []
        of_another_process(listed)

    @property
    def yards(self) -> list[str]:
        return [f"Y{n}" for n in range(YARDS)]


def a_boat(entity: type[Boat], yard: str, number: int, draw: random.Random | None = None) -> Boat:
    draw = draw or random.Random(f"{yard} {number}")  # noqa: S311
    return entity(
        yard=yard,
        number=f"B{number:04}",
        kind=draw.choice(KINDS),
        state=draw.choice(STATES),
        name=f"{draw.choice(['Red', 'Blue'])} {draw.choice(['Gull', 'Tern'])}",
        owner=draw.choice(OWNERS),
        due=date(2026, 1, 1) + timedelta(draw.randrange(300)) if draw.random() < 0.9 else None,
        price=Decimal(draw.randrange(100)),
    )


def some(entity: type[Boat]) -> Callable[[random.Random], Boat]:
    return lambda draw: a_boat(entity, f"Y{draw.randrange(YARDS)}", draw.randrange(80), draw)


@pytest.fixture
def boats(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Releases]:
    monkeypatch.setattr(items, "SHAPE_SECONDS", 0.2)
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.05)
    made = Releases()
    yield made
    client().delete_table(TableName=made.first.model.Meta.table_name)


def stored(listed: List[Any], yard: str) -> list[Any]:
    """Return the boats of a yard as plain Python finds them."""
    model = listed.models.item
    items = [item for page in scan(model.Meta.table_name) for item in page["Items"] if model.holds(item)]
    return sorted((boat for boat in map(model.entity_of, items) if boat.yard == yard), key=lambda boat: boat.number)


def same_as_in_python(listed: List[Any], *, beyond: bool = True) -> None:
    """Compare lists by every filter in every order with plain Python, also page by page, with totals and counts."""
    declared = listed.declaration
    for yard in [f"Y{n}" for n in range(YARDS)]:
        truth = stored(listed, yard)
        of_yard = listed.query(yard=yard)
        filters: list[tuple[Any, Callable[[Any], bool]]] = [(of_yard, lambda _: True)]
        for name in declared.facets:
            values = sorted({getattr(boat, name) for boat in truth})
            filters += [(of_yard.where(**{name: each}), partial(_has, name, each)) for each in values]
        if "price" in declared.sorts:
            filters.append((of_yard.where(price=Decimal(7)), lambda boat: boat.price == 7))
        for query, holds in filters:
            wanted = {boat.number: boat for boat in truth if holds(boat)}
            page = query.page(7)
            assert page.total == len(wanted) or (page.total is None and query.asked.conditions.keys() == {"price"})
            for sort in declared.sorts:
                rows = [*query.order_by(sort)]
                assert {row.number: row for row in rows} == wanted
                keys = [next(declared.parts(row, [sort])) for row in rows]
                assert keys == sorted(keys)
        counts = of_yard.page(5).facets
        for name in declared.facets:
            assert counts[name] == {v: sum(getattr(b, name) == v for b in truth) for v in counts[name]}
        for text in ("gu", "ann") if beyond else ():
            has = {b.number for b in truth if text in " ".join(getattr(b, n) for n in declared.word_fields).lower()}
            assert {row.number for row in of_yard.search(text).take(1000)} == has
        for name, order in declared.sparse.items():
            assert {row.number for row in of_yard.only(name)} == {
                boat.number for boat in truth if order.when and order.when(boat)
            }


def _has(name: str, value: Any, boat: Boat) -> bool:
    return bool(getattr(boat, name) == value)


def test_a_plain_field_has_its_right_value_from_the_first_request_on(boats: Releases) -> None:
    second = boats.of(Boat2, FIRST)
    row = second.query(yard="Y0").order_by("due").page(3).rows[1]
    assert row.hull == "wood"
    second.update(row, hull="steel")
    assert second.query(yard="Y0").order_by("due").page(3).rows[1].hull == "steel"
    same_as_in_python(second)
    boats.migrate(second)
    same_as_in_python(second)
    assert second.query(yard="Y0").order_by("due").page(3).rows[1].hull == "steel"


def test_what_the_table_lacks_is_refused_by_name_until_it_is_filled(boats: Releases) -> None:
    second = boats.of(Boat2, SECOND)
    query = second.query(yard="Y0")
    for refused, name in (
        (query.order_by("price"), "price"),
        (query.where(price=Decimal(7)), "price"),
        (query.where(owner="Cy"), "owner"),
        (query.only("dear"), "dear"),
        (query.search("gull"), "search"),
    ):
        for ask in (refused.page, lambda each=refused: [*each], refused.explain, refused.counted):
            with pytest.raises(NotFilledYet, match=name):
                ask()
    everything = stored(second, "Y0")
    assert [*query] == everything
    assert {boat.number for boat in query.where(kind="ketch").order_by("due")} == {
        boat.number for boat in everything if boat.kind == "ketch"
    }
    page = query.page(7)
    assert (page.total, [*page.facets]) == (60, ["kind", "state"])
    lacks = str(plan(second))
    assert all(text in lacks for text in ("by-price", "dear", "counts by kind and owner", "words of name and owner"))
    boats.migrate(second)
    same_as_in_python(second)
    assert not plan(second).lacks
    check = TableCheck(second.model.Meta.table_name, rules(second), repair=False)
    assert [*check.faults(lambda _: None)] == []
    counts = second.reader.now
    counts.models.count(counts.declaration.counts_partition(["Y0"]), "barge#cy", number=77).save()
    assert len([*check.faults(lambda _: None)]) == 1, "the counts of the new generation are those that are verified"


def test_a_release_that_comes_back_shows_and_writes_every_row(boats: Releases) -> None:
    """The migration to the new release was finished, and the new release counts by a field that the old release does
    not have.
    """
    second = boats.of(Boat2, {**SECOND, "facets": ("kind", "hull")})
    boats.migrate(second)
    second.create(a_boat(Boat2, "Y0", 200))
    first = boats.of(Boat, FIRST)
    query = first.query(yard="Y0")
    first.create(a_boat(Boat, "Y0", 201))
    first.update(first.get(yard="Y0", id="B0001"), kind="ketch")
    first.delete(first.get(yard="Y0", id="B0002"))
    everything = stored(first, "Y0")
    page = query.page(7)
    assert (page.total, [*query]) == (61, everything)
    assert {*query.where(kind="ketch")} == {boat for boat in everything if boat.kind == "ketch"}
    with pytest.raises(NotFilledYet):
        query.where(state="ashore").page()
    boats.migrate(first)
    same_as_in_python(first)


def test_what_is_not_declared_any_more_is_gone(boats: Releases) -> None:
    second = boats.of(Boat, {"facets": "kind", "sorts": "price"})
    boats.migrate(second)
    same_as_in_python(second, beyond=False)
    items = [item for page in scan(second.model.Meta.table_name) for item in page["Items"]]
    kinds = {item["kind"]["S"].rpartition("-")[2] for item in items}
    assert kinds == {"boat", "count", "head", "shape"}
    assert not {"due_key", "kind_due_key"} & {name for item in items for name in item}
    third = boats.of(Boat, FIRST)
    boats.migrate(third)
    same_as_in_python(third)
    table = client().describe_table(TableName=third.model.Meta.table_name)["Table"]
    assert "by-price" not in {each["IndexName"] for each in table.get("GlobalSecondaryIndexes", ())}


def test_the_first_migration_of_a_table_without_a_shape_mends_everything(boats: Releases) -> None:
    shape = boats.first.models.shape(" shapes", boats.name)
    shape.delete()
    second = boats.of(Boat, {**FIRST, "sorts": ("due", "price")})
    assert "by-due" in str(plan(second)), "nobody knows what is there"
    boats.migrate(second)
    same_as_in_python(second)


def test_a_table_is_filled_beside_writers_of_both_releases_and_after_kills(boats: Releases) -> None:
    second = boats.of(Boat2, SECOND)
    list(tables.migrate())
    with writing(boats.first, some(Boat)), writing(boats.of(Boat2, SECOND), some(Boat2)):
        with pytest.raises(Killed):
            migrate_list(second, progress=killed_after(0))
        assert migrate_list(second) == []
    other = boats.of(Boat2, SECOND)
    with writing(other, some(Boat2)):
        for left in (0, 1, 4):
            with suppress(Killed):
                migrate_list(of_another_process(second), finish=True, progress=killed_after(left))
        assert migrate_list(of_another_process(second), finish=True) == []
        assert other.query(yard="Y0").where(owner="Cy").page(3).total is not None, "a process that runs looks again"
    for listed in (other, second):
        same_as_in_python(listed)
    with ledger.recording() as calls:
        assert migrate_list(second, finish=True) == []
    assert calls.write_units == 0


def changes(listed: List[Any], query: Any, **values: Any) -> list[Change[Any]]:
    return [change for row in query for change in listed.change(row, replace(row, **values))]


def test_values_ids_and_owners_change_beside_writers(boats: Releases) -> None:
    """Change values, ids and owners of rows as the manual describes, while six writers add, change and delete other
    rows.
    """
    listed = boats.first
    for yard in boats.yards:
        listed.save([replace(a_boat(Boat, yard, 900 + n), kind="dinghy") for n in range(30)])
    with writing(listed, some(Boat), 6):
        listed.save(lambda: changes(listed, listed.query(yard="Y0").where(kind="dinghy"), kind="jolly boat"))
        seen = listed.get(yard="Y0", number="B0900")
        listed.update(seen, number="C0900")
        for boat in listed.query(yard="Y1").where(kind="dinghy"):
            listed.commit([*listed.change(None, replace(boat, yard="Y2")), Change(boat, None)])
        for boat in listed.query(yard="Y2").where(state="ashore"):
            listed.delete(boat)
    same_as_in_python(listed)
    assert not [*listed.query(yard="Y0").where(kind="dinghy")]
    assert {boat.number for boat in listed.query(yard="Y0").where(kind="jolly boat")} == {"C0900"} | {
        f"B09{n:02}" for n in range(1, 30)
    }
    assert {boat.state for boat in listed.query(yard="Y2")} == {"afloat"}


@dataclass(frozen=True, kw_only=True)
class Renamed(Record):
    """With a field that has another name now, one less, and one of another type."""

    yard: str
    number: str
    rig: Annotated[str, Field("Rig", stored_as="kind_")]
    state: str
    name: str = ""
    due: date | None = None
    cents: int = 0


def test_fields_are_renamed_removed_and_get_another_type(boats: Releases) -> None:
    before = {boat.number: boat for boat in stored(boats.first, "Y0")}
    renamed = boats.of(Renamed, {"facets": ("rig", "state"), "sorts": ("due", "cents"), "words": "name"})
    assert [row.rig for row in renamed.query(yard="Y0").page(5).rows] == [each.kind for each in [*before.values()][:5]]
    boats.migrate(renamed)
    for yard in boats.yards:
        renamed.save(partial(changes_of_prices, renamed, stored(boats.first, yard)))
    same_as_in_python(renamed)
    assert {row.cents for row in renamed.query(yard="Y0")} == {int(100 * boat.price) for boat in before.values()}


def changes_of_prices(listed: List[Any], old: Iterable[Boat]) -> list[Change[Any]]:
    """Return the changes that give a field of another type the values of the old one."""
    rows = {row.number: row for row in listed.query(yard=next(iter(old)).yard)}
    cents = ((rows[boat.number], int(100 * boat.price)) for boat in old)
    return [change for row, value in cents for change in listed.change(row, replace(row, cents=value))]
