"""Values that are written: each that is taken is read back as an equal one, and any other is refused by its field."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists import Field, List, Record, WrongValue
from dynamodb_lists.tests.trials import new_org

pytestmark = pytest.mark.usefixtures("_table")


class Grade(StrEnum):
    """Values that are no slugs."""

    FINE = "Very fine"
    POOR = "Poor"


@dataclass(frozen=True, kw_only=True)
class Stamp(Record):
    """A stamp of an album, with a field of each kind, in keys of all kinds."""

    album: str
    number: str
    grade: Grade = Grade.FINE
    issued: datetime | None = None
    bought: date | None = None
    price: Annotated[Decimal, Field("Price", unit="currency")] = Decimal(0)
    currency: str = "EUR"
    copies: int = 0
    used: bool = False
    mark: Annotated[str, Field("Mark", order="natural")] = "A-1"
    title: str = ""
    note: Annotated[str, Field("Note", listed=False)] = ""
    tags: Annotated[frozenset[str], Field("Tags", listed=False)] = frozenset({"old"})
    sizes: set[int] = field(default_factory=set)
    owners: Annotated[list[Any], Field("Owners", listed=False)] = field(default_factory=list)
    prints: dict[str, Any] | None = None
    more: Annotated[Any, Field("More", listed=False)] = None


stamps = List(
    Stamp,
    owner="album",
    id="number",
    facets=("grade", "used"),
    sorts=("issued", "bought", "price", "copies", "mark", "title"),
    words="title",
)
ZONE = timezone(timedelta(hours=2))
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, *Grade, "Poor", "poor", "EUR", "a#b", "\n", "x" * 1_000, "x" * 1_100, "é" * 600, 10**20]),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.dates(),
    st.datetimes(min_value=datetime(2, 1, 1), timezones=st.sampled_from([None, UTC, ZONE])),
    st.binary(max_size=5),
    st.frozensets(st.text(max_size=3) | st.integers(), max_size=2),
    st.sets(st.integers(), max_size=2),
)
VALUES = st.recursive(
    SCALARS, lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=3), one), max_leaves=4
)
WRITES: dict[str, Callable[[Stamp, dict[str, Any]], Any]] = {
    "create": lambda seen, values: stamps.create(replace(seen, **{"number": "2", "revision": 0, **values})),
    "update": stamps.update,
    "save": lambda seen, values: stamps.save([replace(seen, **values)]),
}


@pytest.fixture(scope="module")
def _table(tables: None) -> None:
    stamps.create_table()


def test_to_save_a_row_of_a_page_leaves_what_the_page_has_not_read() -> None:
    first = stamps.create(Stamp(album=new_org(), number="1", note="Bought in Ulm"))
    query = stamps.query(album=first.album)

    def saved(**values: Any) -> str:
        (row,) = query.order_by("copies").page().rows
        assert row.note == ""
        stamps.save([replace(row, **values)])
        return stamps.get(album=first.album, id="1", consistent=True).note

    assert (saved(copies=2), saved()) == ("Bought in Ulm", "Bought in Ulm")
    assert saved(note="Sold") == "Sold"
    (whole,) = query
    stamps.save([replace(whole, note="")])
    assert not stamps.get(album=first.album, id="1", consistent=True).note


def as_stored(value: Any) -> Any:
    """Return a value that is taken, as a reader gets it."""
    return value.replace(microsecond=0) if isinstance(value, datetime) else value


@given(
    name=st.sampled_from([each.name for each in fields(Stamp) if each.name not in {"revision", "album"}]),
    value=VALUES,
    verb=st.sampled_from([*WRITES]),
)
def test_a_value_is_read_back_or_refused_by_its_field(name: str, value: Any, verb: str) -> None:
    seen = stamps.create(Stamp(album=new_org(), number="1"))
    refused: WrongValue | None = None
    try:
        WRITES[verb](seen, {name: value})
    except WrongValue as error:
        refused = error
    if refused:
        assert (refused.field, str(refused)[: len(name)]) == (name, name)
        assert [*stamps.query(album=seen.album)] == [seen]
        return
    number = value if name == "number" else "2" if verb == "create" else "1"
    stored = stamps.get(album=seen.album, id=number, consistent=True)
    assert stored in [*stamps.query(album=seen.album)]
    assert getattr(stored, name) == as_stored(value)
    assert type(getattr(stored, name)) in {type(value), Grade, Decimal, str, set, frozenset}
