"""A list whose items lie in a table beside others: its home, further indexes, moves, and values that follow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from dynamodb_lists import KeptOrder, List, Record
from dynamodb_lists.declared.asked import Rule
from dynamodb_lists.declared.models import PACKED
from dynamodb_lists.lists import counts as reading_counts
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.rules import GroupRule
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.attributes import KeyAttribute, global_index
from dynamodb_lists.schema.tables import create_table
from dynamodb_lists.tests.trials import new_org
from dynamodb_lists.writing.transactions import Delete


@dataclass(frozen=True, kw_only=True)
class Lot(Record):
    """A lot of a sale. Its ``band`` follows from its price."""

    sale: str
    number: str
    maker: str
    price: Decimal
    band: str = ""


def with_band(before: Lot | None, after: Lot, actor: str | None) -> Lot:
    return replace(after, band="dear" if after.price >= 100 else "cheap")


LOTS = List(
    Lot,
    owner="sale",
    id="number",
    facets="maker",
    orders=[("price",), ("maker",)],
    sparse={"dear": KeptOrder("band", when=lambda lot: lot.band == "dear")},
    moves="price",
    table="auctions",
    home="auction#{sale}#lots",
    others={
        "any_sale": KeyAttribute("{number:folded}"),
        "by_number": global_index("lots-of-number", "any_sale", "pk", projected=["maker"]),
    },
    derive=with_band,
)


@pytest.fixture(scope="module", autouse=True)
def _table(endpoint: str) -> None:
    create_table(LOTS.model.Meta.table_name)


@pytest.fixture
def sale() -> str:
    """A sale with lots of three makers."""
    name = new_org()
    LOTS.save(Lot(sale=name, number=f"L{n}", maker=f"Maker, {n % 3}", price=Decimal(10 * n)) for n in range(30))
    return name


def a_lot(sale: str, number: str = "L1") -> Lot:
    return LOTS.get(sale=sale, number=number, consistent=True)


def numbers(rows: Sequence[Lot]) -> list[str]:
    return [lot.number for lot in rows]


def test_items_lie_at_home_and_in_the_further_index(sale: str) -> None:
    home = f"auction#{sale}#lots"
    assert len([*read_partition(LOTS.model, home)]) == 30
    assert LOTS.declaration.counts_partition([sale]) == f"{home}#counts"
    found = read_partition(LOTS.model, LOTS.model.partition_of("lots-of-number", number="L1"), index="lots-of-number")
    assert home in {values["pk"] for values in found}


def test_a_value_follows_from_others_at_each_write(sale: str) -> None:
    assert a_lot(sale).band == "cheap"
    assert LOTS.update(a_lot(sale), price=Decimal(100)).band == a_lot(sale).band == "dear"
    dear = LOTS.query(sale=sale).only("dear")
    assert "L1" in numbers([*dear])
    LOTS.update(a_lot(sale), price=Decimal(1), band="dear")
    assert "L1" not in numbers([*dear])


def test_a_page_says_if_rows_have_moved_since_the_first_one(sale: str) -> None:
    by_price = LOTS.query(sale=sale).order_by("price")
    first = by_price.page(10)
    LOTS.update(a_lot(sale), maker="Other")
    assert not by_price.page(10, first.next).outdated
    LOTS.update(a_lot(sale), price=Decimal(7))
    assert by_price.page(10, first.next).outdated
    by_number = LOTS.query(sale=sale)
    first = by_number.page(10)
    LOTS.update(a_lot(sale), price=Decimal(8))
    assert not by_number.page(10, first.next).outdated


def test_a_rule_that_no_key_knows_and_fields_beyond_those_of_lists(sale: str) -> None:
    even = Rule("even", lambda lot: int(lot.number[1:]) % 2 == 0)
    query = LOTS.query(sale=sale).where(maker="Maker, 1").ruled(even)
    assert {*numbers([*query])} == {"L4", "L10", "L16", "L22", "L28"}
    assert query.matches(a_lot(sale, "L4"))
    assert not query.matches(a_lot(sale, "L1"))
    assert LOTS.query(sale=sale).only("dear").showing("band").page(5).rows[0].band == "dear"


def test_the_counts_and_the_page_are_read_at_the_same_time(sale: str) -> None:
    counts, listing = LOTS.query(sale=sale).counted(25)
    page = read_page(listing, 25)
    assert (len(page.rows), page.total, sum(count.number for count in counts.values())) == (25, 30, 30)


def test_many_are_read_by_their_keys(sale: str) -> None:
    found = LOTS.get_many({"sale": sale, "number": number} for number in ("L1", "L2", "none"))
    assert sorted(numbers(found)) == ["L1", "L2"]


def test_counts_are_packed_after_the_last_of_several_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_counts, "FEW_COUNTS", 0)
    lots, sale = LOTS.without_packing(), new_org()
    for number in ("L1", "L2"):
        lots.create(Lot(sale=sale, number=number, maker="A", price=Decimal(1)))
    lots.commit(lots.change(a_lot(sale), replace(a_lot(sale), maker="B")))
    assert PACKED not in LOTS.reader.heads((sale,), PACKED)
    LOTS.pack(sale=sale)
    assert PACKED in LOTS.reader.heads((sale,), PACKED)
    assert LOTS.query(sale=sale).page().facets["maker"] == {"A": 1, "B": 1}


def test_a_lost_count_gets_its_labels_back(sale: str) -> None:
    checked = rules(LOTS)
    for rule in checked:
        if isinstance(rule, GroupRule):
            rule.settle_seconds = 0.0
    Delete(LOTS.models.count(LOTS.declaration.counts_partition([sale]), "maker-1")).send()
    check = TableCheck(LOTS.model.Meta.table_name, checked, repair=True)
    assert [fault.repaired for fault in check.faults(lambda _: None)] == [True]
    assert LOTS.query(sale=sale).page().facets["maker"] == {"Maker, 0": 10, "Maker, 1": 10, "Maker, 2": 10}
