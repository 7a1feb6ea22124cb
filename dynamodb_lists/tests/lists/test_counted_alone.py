"""Fields that are counted alone, beside the combinations: numbers, totals and pages beside plain Python."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import List, Record, WrongDeclaration, ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.models import HEAD
from dynamodb_lists.lists import items
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.migration import migrate_list
from dynamodb_lists.maintenance.rules import GroupRule
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import every_page
from dynamodb_lists.tests.helpers.releases import of_another_process, release, writing
from dynamodb_lists.tests.trials import new_org


class State(StrEnum):
    OPEN = "open"
    HELD = "held"
    PAID = "paid"


@dataclass(frozen=True, kw_only=True)
class Bill(Record):
    shop: str
    number: str
    kind: str
    state: State | None = State.OPEN
    urgent: bool = False
    amount: Decimal = Decimal(0)


OWN: dict[str, Any] = {"owner": "shop", "id": "number", "facets": "kind", "sorts": "amount"}
KINDS, STATES = ("food", "rent", "wine"), (*State, None)
bills = List(Bill, **OWN, counted=("state", "urgent"), name="bills", kind="bill")
NUMBERS = [f"B{n:02}" for n in range(12)]


@pytest.fixture(scope="module", autouse=True)
def _table(endpoint: str) -> None:
    bills.create_table()


def some_bills(shop: str, count: int, draw: random.Random) -> list[Bill]:
    """Return bills, few of which are held."""
    return [
        Bill(
            shop=shop,
            number=f"B{n:03}",
            kind=draw.choice(KINDS),
            state=draw.choices(STATES, (50, 4, 40, 6))[0],
            urgent=draw.random() < 0.1,
            amount=Decimal(draw.randrange(1000)),
        )
        for n in range(count)
    ]


def numbers(listed: List[Any], shop: str) -> Counter[Any]:
    """Return the stored numbers that are not zero, by field and part."""
    of_values, head = listed.declaration.of_values, listed.reader.now.heads((shop,), HEAD).get(HEAD, {})
    return Counter({pair: head[name] for pair, name in of_values.items() if head.get(name)})


def counted(listed: List[Any], rows: Sequence[Bill]) -> Counter[Any]:
    names = listed.declaration.counted_alone
    return Counter(pair for row in rows for pair in zip(names, listed.declaration.parts(row, names), strict=True))


values = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS), "state": st.sampled_from(STATES), "urgent": st.booleans()}
)
one = st.tuples(st.sampled_from(NUMBERS), values)
steps = st.lists(
    st.tuples(st.sampled_from(["put", "delete", "many"]), st.lists(one, min_size=1, max_size=6)),
    max_size=8,
)


@settings(max_examples=examples(25), deadline=None)
@given(steps)
def test_any_writes_leave_the_numbers_of_the_items(drawn: list[Any]) -> None:
    shop, stored = new_org(), dict[str, Bill]()
    for step, some in drawn:
        wanted = {number: Bill(shop=shop, number=number, **fields) for number, fields in some}
        if step == "many":
            bills.save(wanted.values())
            stored |= wanted
            continue
        for number, bill in wanted.items():
            seen = bills.get(shop=shop, number=number, consistent=True) if number in stored else None
            if step == "delete" and seen:
                bills.delete(seen)
                del stored[number]
            elif step == "put":
                changes: dict[str, Any] = {"kind": bill.kind, "state": bill.state, "urgent": bill.urgent}
                stored[number] = bills.update(seen, **changes) if seen else bills.create(bill)
    assert numbers(bills, shop) == counted(bills, [*stored.values()])
    assert {row.number for row in bills.query(shop=shop)} == stored.keys()


@pytest.fixture(scope="module")
def many(_table: None) -> list[Bill]:
    found = some_bills(new_org(), 150, random.Random(1))  # noqa: S311
    bills.save(found)
    return found


@pytest.mark.parametrize(("sort", "kind"), [*product(("", "amount", "-amount", "kind", "number"), (None, "wine"))])
def test_every_page_has_the_rows_that_plain_python_finds_and_the_total(many: list[Bill], sort: str, kind: Any) -> None:
    filters: list[dict[str, Any]] = [{"state": each} for each in STATES]
    filters += [{"urgent": True}, {"state": {State.HELD, State.PAID}}, {"state": State.OPEN, "urgent": True}]
    for asked in filters:
        sets = {name: each if isinstance(each, set) else {each} for name, each in asked.items()}
        sets |= {"kind": {kind}} if kind else {}
        wanted = [bill for bill in many if all(getattr(bill, name) in each for name, each in sets.items())]
        query = bills.query(shop=many[0].shop).where(**asked, **({"kind": kind} if kind else {}))
        query = query.order_by(sort) if sort else query
        pages = every_page(partial(query.page, 7), stored_of(wanted))
        totals = {page.total for page in pages}
        assert totals == {len(wanted)} if len(sets) == 1 else totals <= {len(wanted), None}


def stored_of(wanted: Sequence[Bill]) -> list[Bill]:
    """Return bills as pages have them."""
    found = {row.number: row for row in bills.query(shop=wanted[0].shop)} if wanted else {}
    return [found[bill.number] for bill in wanted]


def test_a_page_reads_no_more_than_without_numbers_and_a_change_writes_two_units_more(many: list[Bill]) -> None:
    shop = many[0].shop
    page = bills.query(shop=shop).where(state=State.HELD).page(50)
    assert page.cost.requests <= 2
    seen = bills.get(shop=shop, number=many[0].number, consistent=True)
    units = []
    for change in ({"amount": seen.amount + 1}, {"state": State.PAID if seen.state == State.OPEN else State.OPEN}):
        with ledger.recording() as calls:
            seen = bills.update(seen, **change)
        units.append(calls.write_units)
    assert units[1] <= units[0] + 2 or dynamodb_local.wanted(), "and no key of an index changes"
    bills.update(seen, state=many[0].state)


def test_numbers_that_are_wrong_tell_the_planner_nothing_and_are_found_and_repaired(many: list[Bill]) -> None:
    shop, head = many[0].shop, bills.models.head
    place = bills.declaration.counts_partition((shop,)), HEAD
    right = numbers(bills, shop)
    checked = rules(bills)
    for rule in checked:
        if isinstance(rule, GroupRule):
            rule.settle_seconds = 0.0

    def found(*, repair: bool = False) -> list[str]:
        check = TableCheck(bills.models.item.Meta.table_name, checked, repair=repair)
        return [fault.text for fault in check.faults(lambda _: None)]

    attribute = bills.declaration.of_values["state", "held"]
    head(*place).update([head.attribute(attribute).add(5)])
    page = bills.query(shop=shop).where(state=State.HELD).page(50)
    assert page.total is None
    assert len(page.rows) == right["state", "held"]
    held = right["state", "held"]
    fault = f"the number of bills of state#held {shop} is {held + 5}; the number of bills is {held}"
    assert found() == [fault]
    assert found(repair=True) == [fault]
    assert found() == []
    assert numbers(bills, shop) == right


@pytest.fixture
def releases(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(items, "SHAPE_SECONDS", 0.2)
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.05)
    name = new_org()
    yield name
    client().delete_table(TableName=tables.table_name(name))


def test_a_field_that_becomes_counted_is_filled_beside_writers_and_filters_before(releases: str) -> None:
    first = release(Bill, releases, f"{releases}-bill", **OWN)
    first.create_table()
    first.save(some_bills("S", 120, random.Random(2)))  # noqa: S311
    second = of_another_process(release(Bill, releases, f"{releases}-bill", **OWN, counted="state"))
    rows = [*second.query(shop="S")]
    page = second.query(shop="S").where(state=State.HELD).page(100)
    assert (page.total, len(page.rows)) == (None, sum(row.state == State.HELD for row in rows))

    def some(draw: random.Random) -> Bill:
        return replace(draw.choice(some_bills("S", 120, draw)), shop="S")

    with writing(second, some):
        assert migrate_list(second) == []
        assert migrate_list(second, finish=True) == []
    of_another_process(second)
    rows = [*second.query(shop="S")]
    assert numbers(second, "S") == counted(second, rows)
    assert second.query(shop="S").where(state=State.HELD).page(5).total == sum(row.state == State.HELD for row in rows)


def test_what_has_no_few_values_is_not_counted_alone() -> None:
    for name in ("amount", "kind"):
        with pytest.raises(WrongDeclaration, match=f"count '{name}' alone"):
            List(Bill, **OWN, counted=name, name=f"bills-{name}", kind=f"bill-{name}")
