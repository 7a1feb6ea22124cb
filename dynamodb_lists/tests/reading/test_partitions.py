"""Parcels of a depot: their keys, and the lists that indexes keep of them, beside plain Python."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import partial
from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading import key_lists
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.reading.key_lists import ByKeys
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.reading.partitions import KeptLists
from dynamodb_lists.schema.attributes import KeyAttribute, NumberKeyAttribute, TextKeyAttribute
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.indexes import global_index, local_index
from dynamodb_lists.schema.keys import KeyRange, number_key, on_days
from dynamodb_lists.schema.models import ItemModel, Values
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.paging import every_page, rows_of


class State(StrEnum):
    WAITING = "WAITING"
    SENT = "SENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """A parcel. Only its key has the depot, which is no attribute, and its number is in every key."""

    depot: Annotated[str, Field("Depot", stored=False)]
    number: Annotated[str, Field("Number")]
    came_at: Annotated[datetime, Field("Came")]
    state: Annotated[State, Field("State")]
    city: Annotated[str, Field("City")]
    weight: Annotated[Decimal, Field("Weight")]
    note: Annotated[str, Field("Note", listed=False)] = ""


def is_waiting(parcel: Parcel) -> bool:
    return parcel.state is State.WAITING


def is_heavy(parcel: Parcel) -> bool:
    return parcel.weight >= 50  # noqa: PLR2004


SHOWN = ["state", "city", "weight", "came_at"]


@register
class ParcelModel(ItemModel):
    """A parcel. Those that wait are spread over shards, and the heavy ones are by weight."""

    class Meta:
        table_name = table_name("consignments")

    kind = "consignment"
    entity = Parcel
    key_templates = "DEPOT#{depot}", "PARCEL#{number}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    came = KeyAttribute("{came_at:time}#{number}")
    waiting_shard = KeyAttribute("WAITING#{number:of 3}", when=is_waiting)
    shard = KeyAttribute("ALL#{number:of 3}")
    heavy_city = TextKeyAttribute("city", when=is_heavy)
    heavy_weight = NumberKeyAttribute("weight", when=is_heavy)
    by_came = local_index("by-came", "pk", "came", projected=SHOWN)
    waiting = global_index("waiting", "waiting_shard", "came", projected=SHOWN)
    keys_by_came = global_index("keys-by-came", "shard", "came", projected=["city"])
    heavy = global_index("heavy", "heavy_city", "heavy_weight", projected=SHOWN, numeric=True)


BY_CAME = KeptLists[Parcel](name="parcels", model=ParcelModel, index="by-came")
WAITING = KeptLists[Parcel](name="waiting parcels", model=ParcelModel, index="waiting", item_bytes=150)
KEYS = KeptLists[Values](name="all parcels", model=ParcelModel, index="keys-by-came", item_bytes=150, build=dict)
HEAVY = KeptLists[Parcel](name="heavy parcels", model=ParcelModel, index="heavy")
DEPOTS, CITIES = ("north", "south"), ("Ghent", "Paris", "Ulm")
DAY = datetime(2026, 11, 1, tzinfo=UTC)
ALL = on_days(None, None)


def some_parcels(count: int) -> list[Parcel]:
    rnd = Random(11)
    return [
        Parcel(
            depot=rnd.choice(DEPOTS),
            number=f"p-{number}",
            came_at=DAY + timedelta(seconds=rnd.randrange(20 * 86_400)),
            state=rnd.choice(list(State)),
            city=rnd.choice(CITIES),
            weight=Decimal(rnd.randrange(1, 800)) / 10,
            note="left at the door",
        )
        for number in range(count)
    ]


PARCELS = some_parcels(300)


@pytest.fixture(scope="module")
def parcels(endpoint: str) -> None:
    create_table(ParcelModel.Meta.table_name)
    with ParcelModel.batch_write() as batch:
        for each in PARCELS:
            batch.save(ParcelModel.item(each))


def walked(listing: Listing[Parcel], size: int) -> Iterator[str]:
    """The numbers on all pages, whose links are checked."""
    pages = every_page(partial(read_page, listing, size), [*listing.stream()])
    return iter([parcel.number for parcel in rows_of(pages)])


def expected(found: Iterator[Parcel], *, descending: bool) -> list[str]:
    rows = sorted(found, key=lambda each: (each.came_at, each.number), reverse=descending)
    return [each.number for each in rows]


days = st.dates(date(2026, 10, 30), date(2026, 11, 24)) | st.none()
walk = settings(max_examples=15, deadline=None)


@pytest.mark.usefixtures("parcels")
class TestKeptLists:
    @walk
    @given(st.sampled_from(DEPOTS), days, days, st.booleans(), st.integers(3, 60))
    def test_a_partition_is_a_list(
        self, depot: str, first: date | None, before: date | None, descending: bool, size: int
    ) -> None:
        listing = BY_CAME.of(ParcelModel.partition_of(depot=depot), on_days(first, before), descending=descending)
        found = (each for each in PARCELS if each.depot == depot and _within(each, first, before))
        assert [*walked(listing, size)] == expected(found, descending=descending)

    @walk
    @given(days, days, st.booleans(), st.integers(3, 60))
    def test_shards_are_merged(self, first: date | None, before: date | None, descending: bool, size: int) -> None:
        shards, span = ParcelModel.template_of("waiting_shard").shards(), on_days(first, before)
        assert len(shards) == 3
        listing = WAITING.merged(dict.fromkeys(shards, span), span, descending=descending)
        found = (each for each in PARCELS if is_waiting(each) and _within(each, first, before))
        assert [*walked(listing, size)] == expected(found, descending=descending)

    @pytest.mark.parametrize("city", CITIES)
    def test_a_number_is_a_key(self, city: str) -> None:
        span = KeyRange(number_key(50), number_key(10**6))
        numbers = [*walked(HEAVY.of(city, span), 7)]
        weights = {each.number: each.weight for each in PARCELS if each.city == city and is_heavy(each)}
        assert {*numbers} == {*weights}
        assert [weights[number] for number in numbers] == sorted(weights.values())

    def test_keys_tell_what_is_no_attribute(self) -> None:
        by_number = {each.number: each for each in PARCELS}
        with ledger.recording() as calls:
            rows = [*BY_CAME.of(ParcelModel.partition_of(depot="north"), ALL).stream()]
        assert {(row.depot, row.note) for row in rows} == {("north", "")}, "lists do not show notes"
        assert [row.city for row in rows] == [by_number[row.number].city for row in rows]
        assert calls.requests == 1
        shard = ParcelModel.key_for("waiting_shard", number=rows[0].number)
        assert {row.depot for row in WAITING.of(shard, ALL).stream()} == {*DEPOTS}


def by_keys(
    first: date | None = None,
    before: date | None = None,
    *,
    descending: bool = False,
    cities: Collection[str] = CITIES,
    budget: int = 0,
) -> ByKeys[Parcel]:
    """All parcels, by entries of keys and the city. About so many entries are read for a page."""
    shards, span = ParcelModel.template_of("shard").shards(), on_days(first, before)
    entries = KEYS.merged(dict.fromkeys(shards, span), span, descending=descending)
    entries = replace(entries, keep=lambda values: values["city"] in cities, budget=budget)
    return ByKeys[Parcel].of(entries, ParcelModel)


@pytest.mark.usefixtures("parcels")
class TestByKeys:
    @walk
    @given(days, days, st.booleans(), st.integers(3, 60), st.sets(st.sampled_from(CITIES)), st.sampled_from([0, 1, 99]))
    def test_all_rows_are_reached_both_ways(
        self, first: date | None, before: date | None, descending: bool, size: int, cities: set[str], budget: int
    ) -> None:
        """Whatever a filter drops, and wherever reading stops."""
        found = (each for each in PARCELS if each.city in cities and _within(each, first, before))
        listing = by_keys(first, before, descending=descending, cities=cities, budget=budget)
        wanted = expected(found, descending=descending)
        assert [*walked(listing, size)] == wanted
        assert [each.number for each in listing.stream()] == wanted

    def test_a_page_takes_two_waves(self) -> None:
        with ledger.recording() as calls:
            page = read_page(by_keys(), 25)
        first = sorted(PARCELS, key=lambda each: (each.came_at, each.number))[:25]
        assert [*page.rows] == [replace(each, note="") for each in first], "lists do not show notes"
        assert (calls.requests, calls.waves) == (4, 2), "three shards, and a batch"
        assert calls.read_units == Decimal("14.5") or dynamodb_local.wanted()
        assert page.next
        assert not page.stopped

    def test_an_item_that_is_gone_has_no_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An index is behind its table. The page has its rows nevertheless."""
        gone = {each.number for each in PARCELS if each.number.endswith("7")}

        def stored(model: type[ItemModel], keys: Iterable[tuple[str, str]], **options: Any) -> Iterator[Values]:
            return get_items(model, [key for key in keys if key[1].removeprefix("PARCEL#") not in gone], **options)

        monkeypatch.setattr(key_lists, "get_items", stored)
        left = expected((each for each in PARCELS if each.number not in gone), descending=False)
        assert [each.number for each in read_page(by_keys(), 40).rows] == left[:40]
        assert [*walked(by_keys(), 40)] == left == [each.number for each in by_keys().stream()]

    def test_a_page_stops_when_its_budget_is_read(self) -> None:
        """It says so, and the next one goes on."""
        with ledger.recording() as calls:
            page = read_page(by_keys(cities=(), budget=90), 25)
        assert (page.rows, page.stopped, page.previous) == ((), True, None)
        assert page.next
        assert page.last
        assert sum(call.items_read for call in calls.calls) <= 4 * 81, "three times 27 items are 4 KB each"
        assert not read_page(by_keys(cities=(), budget=900), 25).stopped, "the list has ended"


def _within(parcel: Parcel, first: date | None, before: date | None) -> bool:
    day = parcel.came_at.date()
    return (first is None or first <= day) and (before is None or day < before)


def test_an_item_is_read_as_it_was_written() -> None:
    for each in PARCELS[:20]:
        item = ParcelModel.item(each).to_dynamodb_dict()
        assert ParcelModel.entity_of(item) == each
        assert ParcelModel.owns(item["pk"]["S"], item["sk"]["S"])
        assert ("waiting_shard" in item) == is_waiting(each)
        assert ("heavy_weight" in item) == is_heavy(each)
    assert not ParcelModel.owns("DEPOT#north#2026", "PARCEL#1")
    assert ParcelModel.values_in("DEPOT#north", "PARCEL#p-1") == {"depot": "north", "number": "p-1"}
