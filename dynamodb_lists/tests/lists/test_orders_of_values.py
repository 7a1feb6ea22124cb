"""Values in another order than that of their type: shelf marks, prices in a currency, days at the end."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import Field, List, Query, Record, UnknownField, WrongDeclaration, begins, between
from dynamodb_lists.schema.conditions import holds
from dynamodb_lists.schema.natural import Beginning, natural
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.natural import NATURAL
from dynamodb_lists.tests.helpers.paging import NEXT, follow
from dynamodb_lists.tests.trials import new_org

pytestmark = pytest.mark.usefixtures("tables")


@dataclass(frozen=True, kw_only=True)
class Copy(Record):
    """A copy of a book in a library."""

    library: str
    mark: Annotated[str, Field("Shelf mark", order="natural")]
    series: Annotated[str, Field("Series", order="natural")] = ""
    wing: Annotated[str, Field("Wing", order="slug")] = ""
    price: Annotated[Decimal, Field("Price", unit="currency")] = Decimal(0)
    currency: str = "EUR"
    due: Annotated[date | None, Field("Due", order="last")] = None


COPIES = List(
    Copy,
    id="mark",
    owner="library",
    facets="wing",
    sorts=("price", "due", "series"),
    name="shelf-copies",
    kind="shelf-copy",
)


@pytest.fixture(scope="module")
def library(tables: None) -> str:
    COPIES.create_table()
    name = new_org()
    amounts = ["-20", "-1.5", "0", "0.05", "9.5", "10", "99", "120.50", "1000"]
    copies = [
        Copy(
            library=name,
            mark=mark,
            wing=("Ost", "")[n % 2],
            price=Decimal(amounts[n % len(amounts)]),
            currency=("CHF", "EUR", "")[n % 3],
            series=("", "Band 9", "Band 10")[n % 3],
            due=None if n % 4 else date(2026, 1, 1 + n),
        )
        for n, mark in enumerate(reversed(NATURAL))
    ]
    assert COPIES.save(copies) == len(NATURAL)
    return name


def walked(query: Query[Copy]) -> list[Copy]:
    return [copy for page in follow(query.page(4), NEXT, lambda cursor: query.page(4, cursor)) for copy in page.rows]


def marks(library: str, sort: str = "mark", **conditions: Any) -> list[str]:
    query = COPIES.query(library=library).where(**conditions).order_by(sort)
    return [copy.mark for copy in walked(query)]


def test_texts_with_numbers_are_sorted_as_people_count(library: str) -> None:
    assert marks(library) == NATURAL
    assert marks(library, "-mark") == NATURAL[::-1]
    assert [copy.mark for copy in COPIES.query(library=library).page(30).rows] == NATURAL
    assert marks(library, mark=between("9", "101")) == ["9", "99", "101"]
    assert marks(library, mark=between("v1.9", "v1.10")) == ["v1.9", "v1.10"]
    assert marks(library, mark="101") == ["101"]
    assert COPIES.get(library=library, id="101 a").mark == "101 a"


@pytest.mark.parametrize("start", ["1", "10", "100", "9", "0", "A-1", "a-", "v1.", "V1.1", "b 2", "x"])
def test_a_beginning_of_a_text_is_found_in_whatever_order(library: str, start: str) -> None:
    wanted = [mark for mark in NATURAL if mark.casefold().startswith(start.casefold())]
    assert marks(library, mark=begins(start)) == wanted
    for sort in ("price", "due", "wing"):
        assert sorted(marks(library, sort, mark=begins(start))) == sorted(wanted), sort
    with pytest.raises(UnknownField, match="for a beginning or for a range, not for both"):
        COPIES.query(library=library).where(mark=begins(start)).where(mark=between("1", "2"))


def test_numbers_are_sorted_and_have_ranges_within_their_unit(library: str) -> None:
    prices = [(copy.currency, copy.price) for copy in walked(COPIES.query(library=library).order_by("price"))]
    assert prices == sorted(prices)
    dear = COPIES.query(library=library).where(price=between(Decimal("-1.5"), 99), currency="EUR").order_by("price")
    assert [copy.price for copy in dear] == [price for unit, price in prices if unit == "EUR" and -1.5 <= price <= 99]
    for currency in ("CHF", ""):
        found = COPIES.query(library=library).where(currency=currency).order_by("price", descending=True)
        assert [copy.price for copy in found] == [price for unit, price in prices if unit == currency][::-1]
    with pytest.raises(UnknownField, match="ask for the unit of price, too"):
        COPIES.query(library=library).where(price=9)


def test_no_text_in_natural_order_comes_first_and_is_in_no_range(library: str) -> None:
    series = [copy.series for copy in walked(COPIES.query(library=library).order_by("series"))]
    assert [*dict.fromkeys(series)] == ["", "Band 9", "Band 10"]
    for condition, some in (
        ("", {""}),
        (None, {""}),
        (begins("band"), {"Band 9", "Band 10"}),
        (between("A", "Band 9"), {"Band 9"}),
    ):
        found = walked(COPIES.query(library=library).where(series=condition))
        assert ({copy.series for copy in found}, len(found)) == (some, sum(each in some for each in series))


def test_no_day_is_the_last_one_and_no_text_is_unspecified(library: str) -> None:
    due = [copy.due for copy in walked(COPIES.query(library=library).order_by("due"))]
    assert due == sorted(filter(None, due)) + [None] * due.count(None)
    wings = [copy.wing for copy in walked(COPIES.query(library=library).order_by("wing"))]
    assert wings == ["Ost"] * wings.count("Ost") + [""] * wings.count("")


texts = st.text("019aB- .", min_size=1, max_size=6)


@settings(max_examples=examples(200))
@given(texts, texts)
def test_a_beginning_is_in_the_ranges_that_are_read_for_it(text: str, start: str) -> None:
    part, beginning = natural(text), Beginning.of(start)
    found = text.casefold().startswith(start.casefold())
    assert beginning.has(part) == found
    if found:
        assert any(holds(span, part) for span in beginning.ranges)
        assert all(holds(span, text) for span in beginning.texts)


def test_a_list_must_keep_the_order_of_its_ids() -> None:
    with pytest.raises(WrongDeclaration, match="sorted by 'mark' as people count: keep this order"):
        List(Copy, id="mark", owner="library", orders=("due",), name="bad-copies", kind="bad-copy")
    with pytest.raises(WrongDeclaration, match="The facet 'price' of bad-copies cannot have a unit"):
        List(Copy, id="mark", owner="library", facets="price", name="bad-copies", kind="bad-copy")
