"""Items of tables that exist, as a declaration of their keys tells them, against plain Python."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists import Field, List, Misfit, Record, Table
from dynamodb_lists.connection.errors import WrongDeclaration
from dynamodb_lists.declared.told import Told
from dynamodb_lists.schema.conditions import GIVEN


@dataclass(frozen=True, kw_only=True)
class Sale(Record):
    """A sale of a shop, of a seller if somebody sold it."""

    shop: Annotated[str, Field("Shop")]
    at: Annotated[datetime, Field("At")]
    price: Annotated[Decimal, Field("Price")] = Decimal(0)
    seller: Annotated[str | None, Field("Seller")] = None
    number: Annotated[int, Field("Number")] = 0


def told(*key: str, name: str = "sales", numbers: tuple[str, ...] = (), **options: Any) -> Told:
    table = options.pop("table", None) or Table("shop", key=("PK", "SK"), numbers=numbers)
    declared = List(Sale, id="number", name=name, table=table, key=key, **options).declaration
    assert isinstance(declared, Told)
    return declared


TEXTS = st.text("ab#: ", max_size=4)
SALES = st.builds(
    Sale,
    shop=st.text("ab:", min_size=1, max_size=4),
    at=st.integers(-(10**8), 10**9).map(lambda n: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(seconds=n)),
    price=st.decimals(-99, 99, places=2),
    seller=st.none() | TEXTS.filter(bool),
    number=st.integers(0, 999),
)


@given(SALES, st.booleans())
def test_values_come_from_keys_where_no_attribute_has_them(sale: Sale, spelt: bool) -> None:
    """The last part may hold any text, and is blank without a value."""
    declared = told("SHOP#{shop}", "{at:time}#{number:3}#{seller}")
    place = declared.place(vars(sale))
    item = {**place, "price": {"N": f"{sale.price:f}"}, **({"number": {"S": str(sale.number)}} if spelt else {})}
    assert declared.owns(item)
    assert declared.built(item) == sale
    assert isinstance(declared.built({**item, "number": {"N": "1000"}}), Misfit)
    assert isinstance(declared.built({**item, "shop": {"S": f"{sale.shop}!"}}), Misfit)


@given(SALES, st.sampled_from(["{at:epoch}", "{at:epoch-ms}", "{price}", "{number}"]), st.booleans())
def test_numbers_in_keys_are_compared_as_numbers(sale: Sale, template: str, spelt: bool) -> None:
    declared = told("SHOP#{shop}", template, numbers=("SK",))
    place = declared.place(vars(sale))
    number = Decimal(place["SK"]["N"])
    stored = {"price": {"S": f"{sale.price:f}0"} if spelt else {"N": str(sale.price.normalize())}}
    rest = {"at": {"S": sale.at.isoformat()}, "number": {"N": str(sale.number)}, **stored}
    rest |= {"seller": {"S": sale.seller}} if sale.seller else {}
    for text in (f"{number:f}", f"{number.normalize():f}"):
        assert declared.built({**place, **rest, "SK": {"N": text}}) == sale
    assert isinstance(declared.built({**place, **rest, "SK": {"N": str(number + 1)}}), Misfit)


def test_a_revision_that_is_no_number_is_named() -> None:
    declared = told("{shop}", "{at:time}", revision="version", writes=True)
    item = {"PK": {"S": "a"}, "SK": {"S": "2024-01-01T00:00:00Z"}, "version": {"S": "three"}}
    assert declared.built(item).reason == "version is not of type int"


MARKS: st.SearchStrategy[Any] = st.sampled_from([None, GIVEN, "x", "y"])


@given(st.dictionaries(st.sampled_from(["a", "b"]), MARKS), st.dictionaries(st.sampled_from(["a", "b"]), MARKS))
def test_two_lists_have_no_item_in_common(one: dict[str, Any], other: dict[str, Any]) -> None:
    """They are told apart by an attribute, or by its presence; if they are not, the declaration says so."""
    table = Table("shop", key=("PK", "SK"))
    key = {"PK": {"S": "SHOP#1"}, "SK": {"S": "1"}}
    possible = [({"S": value} if value else None) for value in ("", "x", "y", "z")]
    items = [{**key, **{k: v for k, v in (("a", a), ("b", b)) if v}} for a in possible for b in possible]
    first = told("SHOP#{shop}", "{number}", table=table, marks=one)
    assert any(map(first.owns, items))
    try:
        second = told("SHOP#{shop}", "{number}", table=table, marks=other, name="others")
    except WrongDeclaration:
        lists = [told("SHOP#{shop}", "{number}", marks=marks) for marks in (one, other)]
        assert any(all(each.owns(item) for each in lists) for item in items)
    else:
        assert not any(first.owns(item) and second.owns(item) for item in items)


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (("{shop}", "{number}"), "SHOP#x and 2"),
        (("SHOP#1", "{seller}"), "SHOP#1 and 2"),
        (("SHOP#{shop}", "PROFILE"), ""),
        (("SHOP#{shop}", "{number:3}x"), ""),
        (("SHOPS#{shop}", "{at}"), ""),
    ],
)
def test_kinds_are_told_apart_by_texts_and_by_what_no_number_has(other: tuple[str, str], shared: str) -> None:
    table = Table("shop", key=("PK", "SK"))
    told("SHOP#{shop}", "2{number:3}", table=table)
    if not shared:
        told(*other, table=table, name="others")
        return
    with pytest.raises(WrongDeclaration, match=f"both have the key {shared}"):
        told(*other, table=table, name="others")
