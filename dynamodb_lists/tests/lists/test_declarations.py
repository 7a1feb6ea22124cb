"""What can be declared, and what a declaration says that cannot be kept."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import count
from typing import Annotated, Any, cast

import pytest

from dynamodb_lists import (
    BadCursor,
    Field,
    KeptOrder,
    KeyAttribute,
    List,
    Record,
    Table,
    WrongDeclaration,
    WrongValue,
    at_least,
    at_most,
    begins,
    between,
    global_index,
)
from dynamodb_lists.connection.client import client
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.verification import TableCheck

pytestmark = pytest.mark.usefixtures("tables")
_names = count(1)


class Colour(StrEnum):
    """Values that are no slugs."""

    DARK_BLUE = "Dark blue"
    RED = "Red"


@dataclass(frozen=True, kw_only=True)
class Odd(Record):
    """An entity of all types, with names that models need, too."""

    id: str
    kind: str | None
    version: int | None
    count: int
    pk: str = ""
    colour: Colour = Colour.RED
    fresh: bool = False
    made: date | None
    seen: datetime
    price: Decimal = Decimal(0)
    made_key: str = ""


@dataclass(frozen=True, kw_only=True)
class Priced(Record):
    id: str
    price: Annotated[Decimal, Field("Price", unit="curr")]


@dataclass(frozen=True, kw_only=True)
class Ordered(Record):
    id: str
    count: Annotated[int, Field("Count", order="natural")]


AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
ODD = [
    Odd(id="a/b c", kind="Sea view", version=1, count=-5, made=None, seen=AT, price=Decimal("-1.5"), made_key="own"),
    Odd(id="ünï", kind=None, version=None, count=0, made=date(2026, 1, 2), seen=AT, colour=Colour.DARK_BLUE),
    Odd(id="!", kind="???", version=9, count=7, pk="x", fresh=True, made=date(1999, 9, 9), seen=AT, price=Decimal(3)),
]


def declared(**options: Any) -> List[Any]:
    """Return a list in a table of its own."""
    return List(**{"entity": Odd, "id": "id", "name": f"odds-{(n := next(_names))}", "kind": f"odd-{n}", **options})


@pytest.fixture(scope="module")
def odds(tables: None) -> List[Odd]:
    found = declared(
        facets=("kind", "colour", "fresh", "version"),
        sorts=("count", "made", "seen", "price", "pk"),
        orders=(("kind", "count"), ("colour", "made"), "count", "made", "seen", "price", "pk", "version"),
        sparse={"new": ("seen",)},
    )
    found.create_table()
    assert found.save(ODD) == 3
    return found


def ids(rows: Any) -> list[str]:
    return sorted(row.id for row in rows)


def test_every_type_and_name_comes_back_as_it_was(odds: List[Odd]) -> None:
    assert {row.id: row for row in odds.query()} == {odd.id: odd for odd in ODD}
    assert [odds.get(id=odd.id) for odd in ODD] == ODD
    assert odds.save(ODD) == 0
    first = odds.update(odds.get(id="!"), kind="Land", count=8, version=None)
    assert odds.get(id="!", consistent=True) == first
    odds.update(first, kind="???", count=7, version=9)


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ({"version": at_least(2)}, ["!"]),
        ({"version": at_most(5)}, ["a/b c"]),
        ({"version": None}, ["ünï"]),
        ({"kind": between("A", "Z")}, ["a/b c"]),
        ({"kind": begins("SEA")}, ["a/b c"]),
        ({"kind": begins("un")}, []),
        ({"kind": begins("")}, ["!", "a/b c", "ünï"]),
        ({"kind": {None, "???"}}, ["!", "ünï"]),
        ({"colour": Colour.DARK_BLUE}, ["ünï"]),
        ({"fresh": True}, ["!"]),
        ({"made": None}, ["a/b c"]),
        ({"made": between(date(2000, 1, 1), date(2026, 1, 2))}, ["ünï"]),
        ({"seen": between(date(2026, 1, 5), date(2026, 1, 5))}, ["!", "a/b c", "ünï"]),
        ({"price": at_most(Decimal(0))}, ["a/b c", "ünï"]),
        ({"count": between(9, 3)}, []),
        ({"pk": "X"}, []),
        ({"pk": "x"}, ["!"]),
        ({"kind": set()}, []),
    ],
)
def test_conditions_of_every_type(odds: List[Odd], conditions: dict[str, Any], found: list[str]) -> None:
    query = odds.query().where(**conditions)
    assert ids(query.page().rows) == ids(query) == found
    assert ids(query.order_by("-count").page().rows) == found


def test_conditions_on_one_field_add_up(odds: List[Odd]) -> None:
    assert ids(odds.query().where(count=at_least(-1)).where(count=at_most(5))) == ["ünï"]
    assert ids(odds.query().where(colour={Colour.RED}).where(colour={Colour.DARK_BLUE})) == []
    assert ids(odds.query().where(pk="x").where(pk="x")) == ["!"]
    assert ids(odds.query().where(pk="x!").where(pk="x")) == [], "one slug, and two texts"


def test_a_cursor_is_of_one_text_among_those_of_a_slug(odds: List[Odd]) -> None:
    cursor = odds.query().where(pk="").order_by("count").page(1).next
    assert cursor
    assert ids(odds.query().where(pk="").order_by("count").page(1, cursor).rows) == ["ünï"]
    for text in ("x", "???"):  # the second has the part of no other text here, the first has another part
        with pytest.raises(BadCursor):
            odds.query().where(pk=text).order_by("count").page(1, cursor)
    spelt = [odds.query().where(pk=text).order_by("count").asked.selected for text in ("C", "C+")]
    assert spelt[0] != spelt[1]


def test_facets_have_values_of_their_type(odds: List[Odd]) -> None:
    assert odds.query().page().facets == {
        "kind": {None: 1, "???": 1, "Sea view": 1},
        "colour": {Colour.DARK_BLUE: 1, Colour.RED: 2},
        "fresh": {False: 2, True: 1},
        "version": {None: 1, 1: 1, 9: 1},
    }


def test_a_sort_that_no_index_has_alone_is_made_in_memory(odds: List[Odd]) -> None:
    query = odds.query().order_by("-fresh")
    first = query.page(2)
    second = query.page(2, first.next)
    assert [row.fresh for row in (*first.rows, *second.rows)] == [True, False, False]
    assert query.page(2, second.previous).rows == first.rows


@dataclass(frozen=True, kw_only=True)
class Tagged(Record):
    """What no key can hold."""

    id: str
    tags: list[str]


@dataclass(frozen=True, kw_only=True)
class Weighed(Record):
    """What is not exact."""

    id: str
    weight: float | None = None


@dataclass(frozen=True, kw_only=True)
class Offer(Record):
    """What ends at a time."""

    id: str
    until: datetime | None = None
    price: int = 0


def test_rows_expire_at_the_time_of_a_field_and_nothing_counts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = declared(entity=Offer, expires="until", sorts=("until", "price"))
    assert offers.create_table()
    # The engine deletes what has expired while the test runs: each row expires after it.
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    rows = [Offer(id=str(n), until=later + timedelta(hours=n) if n % 3 else None, price=-n) for n in range(9)]
    with monkeypatch.context() as context:
        context.setattr("dynamodb_lists.lists.counting.pack_counts", None)  # a list without counts packs none
        assert offers.save(rows) == 9
    assert ids(offers.query().where(until=at_least(later + timedelta(hours=5)))) == ["5", "7", "8"]
    assert [*offers.query().order_by("-price")] == rows
    page = offers.query().order_by("until").page(3)
    assert (ids(page.rows), page.total, offers.query().count()) == (["0", "3", "6"], None, 9)
    table, key = offers.models.item.Meta.table_name, {"pk": {"S": offers.declaration.name}, "sk": {"S": "1"}}
    stored: Any = client().get_item(TableName=table, Key=key)["Item"]
    assert stored["until"] == {"N": str(int(later.timestamp()) + 3600)}
    assert client().describe_time_to_live(TableName=table)["TimeToLiveDescription"].get("AttributeName") == "until"
    assert not offers.update(offers.get(id="1"), until=None).until
    assert [*TableCheck(table, rules(offers), repair=False).faults(lambda _: None)] == []


SIX = [KeptOrder(name, on_gsi=False) for name in ("count", "made", "seen", "price", "pk", "version")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"id": "count"}, "must be a str"),
        ({"id": ""}, "have no id: id= names the field"),
        ({"owner": "kind", "facets": "kind"}, "name 'kind' twice: as owner and as facet"),
        ({"words": "price"}, "are found by words of 'price', which is no text"),
        ({"derive": "x"}, "derive= is a function"),
        ({"entity": Priced}, "Priced.price has the unit 'curr'"),
        ({"entity": Ordered}, "Ordered.count has the order 'natural'"),
        ({"owner": "made"}, "must be a str or an int"),
        ({"facets": "nothing"}, "name 'nothing', which is no field of Odd"),
        ({"orders": SIX}, "6 orders on LSIs; a table has at most 5"),
        ({"sorts": "count", "orders": ["made"]}, "have the sort 'count', but no order that has it"),
        ({"sparse": {"n": "count"}}, "cannot name a table or an index"),
        ({"entity": int}, "must be a frozen dataclass"),
        ({"entity": Tagged, "facets": "tags"}, "name 'tags', whose values have parts: no key can hold them"),
        ({"entity": Offer, "expires": "price"}, "expire: 'price' must be a datetime"),
        ({"entity": Offer, "expires": "until", "facets": "price"}, "there can be no facets and no words"),
        ({"entity": Weighed}, "A float is not exact: use Decimal"),
        ({"name": "odd", "words": lambda odd: []}, "The words of odd must be fields, for table= is no model"),
        ({"table": "odd", "key": "{id}"}, "table= must be a Table"),
        ({"table": Table("odd", key="id"), "key": "{id}", "id": "odd"}, "name 'odd', which is no field of Odd"),
    ],
)
def test_a_declaration_that_cannot_be_kept_says_why(options: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongDeclaration, match=words):
        declared(**options)


def test_the_last_sparse_lists_have_whole_items_if_all_indexes_would_project_too_many_attributes() -> None:
    fields = "kind", "version", "count", "pk", "colour", "made", "price"
    orders = [KeptOrder(name, on_gsi=True) for name in fields]
    sparse = {name: KeptOrder("made", when=bool) for name in ("first", "second", "third")}
    beside = {
        "any": KeyAttribute("{kind}"),
        "beside": global_index("beside", "any", "pk", projected=["kind", "made"]),
    }
    for others, whole in (({}, {"third"}), (beside, {"second", "third"})):
        indexes = declared(orders=orders, sparse=sparse, others=others).model.indexes()
        assert {name for name, (_, projected) in indexes.items() if projected is None} == whole


def test_two_lists_of_one_entity_have_two_kinds() -> None:
    first = declared().declaration
    with pytest.raises(WrongDeclaration, match=f"already a list of the kind '{first.kind}'"):
        declared(kind=first.kind)


@pytest.mark.parametrize(
    "ask",
    [
        lambda odds: odds.create(Odd(id="x", kind="k", version=1, count=cast(Any, "7"), made=None, seen=AT)),
        lambda odds: odds.create(Odd(id="x", kind="k", version=1, count=cast(Any, None), made=None, seen=AT)),
        lambda odds: odds.update(odds.get(id="!"), made=AT),
        lambda odds: odds.save([ODD[0], ODD[0]]),
        lambda odds: odds.query().where(count="7"),
        lambda odds: odds.query().where(made=between(1, 2)),
        lambda odds: odds.query().where(count=begins("1")),
        lambda odds: odds.query().where(kind=begins(cast(Any, 3))),
        lambda odds: odds.query().page(0),
    ],
)
def test_a_value_of_another_type_is_refused(odds: List[Odd], ask: Callable[[Any], Any]) -> None:
    with pytest.raises(WrongValue):
        ask(odds)
