"""Lists over item models: every question that finds a way, page by page and both ways, beside plain Python."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from random import Random
from typing import Annotated, Any

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import List, Query, between, on_days_of
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import (
    AlreadyExists,
    KeyPartError,
    NoBoundedWay,
    NotFound,
    Refused,
    UnknownField,
    Unreadable,
    WrongDeclaration,
    WrongValue,
)
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.reading.sources import SourceTable
from dynamodb_lists.schema.attributes import KeyAttribute, global_index
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.tests.helpers.paging import every_page, rows_of

SIZE = 7
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)


class State(StrEnum):
    """What becomes of a parcel."""

    TAKEN = "TAKEN"
    SENT = "SENT"
    THERE = "THERE"


@dataclass(frozen=True)
class Parcel:
    """A parcel of a shop."""

    shop: Annotated[str, Field("Shop", stored=False)]
    number: Annotated[str, Field("Number", stored=False)]
    state: Annotated[State, Field("State")]
    at: Annotated[datetime, Field("At")]
    driver: Annotated[str, Field("Driver", sparse=True)] = ""
    weight: Annotated[int, Field("Weight", listed=False)] = field(default=0, compare=False, repr=False)


@register
class ParcelModel(ItemModel):
    """A parcel. Its number ends with a part that may be missing."""

    class Meta:
        table_name = table_name("posted-parcels")

    kind = "posted-parcel"
    entity = Parcel
    key_templates = "SHOP#{shop}", "PARCEL#{number:quoted}#{again?}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    shop_key = KeyAttribute("{shop}")
    by_state = KeyAttribute("{state}#{at:time}#{number:quoted}")
    on_way = KeyAttribute("{shop}#{state}", when=[{"state": {State.TAKEN, State.SENT}}])
    of_driver = KeyAttribute("{driver}", when=[{"driver": {"ann", "bob"}}])
    odd = KeyAttribute("{shop}", when=lambda parcel: parcel.at.day % 2 == 1)
    at_number = KeyAttribute("{at:time}#{number}")
    time_shard = KeyAttribute("{shard}")
    states = global_index("states", "shop_key", "by_state", projected=["state", "at", "driver"])
    unfinished = global_index("unfinished", "on_way", "at_number", projected=["at", "driver"])
    drivers = global_index("drivers", "of_driver", "at_number", projected=["state"])
    everything = global_index("everything", "time_shard", "at_number", projected=["driver"])
    odd_days = global_index("odd-days", "odd", "at_number", projected=["state", "at", "driver"])


PARCELS = List(Parcel, table=ParcelModel, name="parcels", shards=lambda: 3)


@pytest.fixture(scope="module")
def parcels(endpoint: str) -> list[Parcel]:
    create_table(ParcelModel.Meta.table_name)
    random = Random(5)
    found = [
        Parcel(
            random.choice(["north", "south"]),
            f"{number}/{random.choice('ab')}",
            random.choice([*State]),
            BEGIN + timedelta(hours=12 * random.randrange(9)),
            random.choice(["", "", "ann", "bob"]),
            random.randrange(1, 4),
        )
        for number in range(60)
    ]
    for parcel in found:
        ParcelModel.item(parcel, again=random.choice(["", "2"]), shard=random.choice("012")).save()
    return found


def read(query: Query[Parcel]) -> list[Parcel]:
    """Return all rows, page by page; each page before another is the one that was read."""
    pages = [query.page(SIZE)]
    while pages[-1].next:
        pages.append(query.page(SIZE, pages[-1].next))
        previous = query.page(SIZE, pages[-1].previous)
        assert previous.rows == pages[-2].rows
    return [row for page in pages for row in page.rows]


def test_every_question_is_answered_as_plain_python_answers_it(parcels: list[Parcel]) -> None:
    random, answered, found_by = Random(9), 0, set[str]()
    for _ in range(120):
        one, other = random.choices(parcels, k=2)
        low, high = sorted([one.at, other.at])
        asked: dict[str, Any] = {
            "shop": one.shop,
            "state": random.choice([one.state, {one.state, other.state}]),
            "driver": one.driver,
            "at": between(low, high),
            "weight": one.weight,
        }
        asked = {name: asked[name] for name in random.sample([*asked], random.randint(0, 3))}
        sort = random.choice(["at", "-at", "state", "number", "weight"])
        query = PARCELS.query(**asked).order_by(sort)
        wanted = [each for each in parcels if query.matches(each)]
        try:
            rows = read(query)
        except NoBoundedWay:
            continue
        answered += 1
        found_by.add(query.listing().index.split(" ")[0])
        assert sorted(rows, key=repr) == sorted(wanted, key=repr), asked
        stored = {(each.shop, each.number): each for each in parcels}  # rows of an index have no weight
        values = [getattr(stored[row.shop, row.number], sort.removeprefix("-")) for row in rows]
        assert values == sorted(values, reverse=sort.startswith("-")), asked
    assert answered > 50
    assert found_by == {"sorted", "", "states", "unfinished", "drivers", "everything"}


def test_an_index_with_a_function_is_read_by_name_alone(parcels: list[Parcel]) -> None:
    odd = [each for each in parcels if each.shop == "north" and each.at.day % 2 == 1]
    rows = PARCELS.query(shop="north").only("odd-days").order_by("at").take(99)
    assert sorted(rows, key=repr) == sorted(odd, key=repr)
    assert len(PARCELS.query(shop="north").order_by("at").take(99)) > len(odd)
    with pytest.raises(UnknownField, match="no index 'even-days'"):
        PARCELS.query(shop="north").only("even-days")


@pytest.mark.parametrize("others", [{"shop": {"north", "south"}}, {"driver": "ann"}, {}])
def test_days_may_be_other_ones_for_each_value_of_a_field(parcels: list[Parcel], others: dict[str, Any]) -> None:
    second, third = BEGIN + timedelta(days=1), BEGIN + timedelta(days=2)
    query = PARCELS.query(**others).where(at=on_days_of("shop", {"north": (None, second), "south": (second, third)}))
    wanted = [
        each
        for each in parcels
        if (each.at < second if each.shop == "north" else second <= each.at < third)
        and each.driver == others.get("driver", each.driver)
    ]
    found = query.order_by("at", "number").take(99)
    assert found == sorted(wanted, key=lambda each: (each.at, each.number))
    assert {each.driver for each in query.knowing(driver="me").order_by("at").take(9)} == {"me"}


EVERYTHING = PARCELS.query().order_by("at", "number")
"""All parcels. Their index has keys and drivers alone."""


def by_time(found: Iterable[Parcel]) -> list[Parcel]:
    return sorted(found, key=lambda each: (each.at, each.number))


def test_items_of_keys_are_read_once_for_a_page(parcels: list[Parcel]) -> None:
    """Items that the index shows to be unwanted are not read."""
    with ledger.recording() as calls:
        page = EVERYTHING.where(driver={"", "bob"}).page(SIZE)
    wanted = by_time(each for each in parcels if each.driver != "ann")
    assert [*page.rows] == wanted[:SIZE]
    *queries, batch = calls.calls
    assert ([each.operation for each in queries], batch.operation) == (["Query"] * 3, "BatchGetItem")
    assert (calls.waves, batch.items_read) == (2, SIZE + 1)


def test_an_item_that_is_gone_has_no_row(parcels: list[Parcel], monkeypatch: pytest.MonkeyPatch) -> None:
    """An index is behind its table. The page has its rows nevertheless."""
    whole, gone = SourceTable.whole, {each.number for each in parcels if "7" in each.number}

    def stored(table: SourceTable, entries: Any) -> Any:
        lost = [entry["at_number"]["S"].rpartition("#")[2] in gone for entry in entries]
        return [None if is_lost else item for item, is_lost in zip(whole(table, entries), lost, strict=True)]

    monkeypatch.setattr(SourceTable, "whole", stored)
    left = by_time(each for each in parcels if each.number not in gone)
    assert [*EVERYTHING.page(30).rows] == left[:30]
    assert read(EVERYTHING) == left == [*EVERYTHING]


def test_a_value_that_no_key_has_is_told_from_a_wrong_request(parcels: list[Parcel]) -> None:
    table = SourceTable(ParcelModel.Meta.table_name, PARCELS.declaration.sources[0].keys)
    for text in ("", "x" * 2049):
        with pytest.raises(KeyPartError):
            table.item({"pk": {"S": text}, "sk": {"S": "PARCEL#1"}}, consistent=False)
        with pytest.raises(KeyPartError):
            table.whole([{"pk": {"S": text}, "sk": {"S": "PARCEL#1"}}])
    for number in ("1" * 39, "1e200", "NaN", "one"):
        with pytest.raises(KeyPartError):
            table.item({"pk": {"N": number}, "sk": {"S": "PARCEL#1"}}, consistent=False)
    with pytest.raises(Refused, match="does not match the schema|conditions on the keys"):
        table.item({"pk": {"S": "SHOP#north"}}, consistent=False)


@pytest.mark.parametrize("most", [0, 1.5, 99])
@pytest.mark.parametrize("descending", [True, False])
def test_the_rest_of_a_dear_page_is_read_from_another_source(
    parcels: list[Parcel], most: float, descending: bool
) -> None:
    query = PARCELS.query(state={State.TAKEN, State.SENT}).order_by("at", "number", descending=descending)
    listing, rest = query.listing(), query.where(shop={"north", "south"}).listing
    assert (listing.index, rest().index) == ("everything", "unfinished")
    wanted = by_time(each for each in parcels if each.state is not State.THERE)
    wanted = wanted[::-1] if descending else wanted
    listing = listing.at_most(most, otherwise=rest)
    assert rows_of(every_page(partial(read_page, listing, SIZE), wanted)) == wanted


def test_no_value_at_all_sends_no_request(parcels: list[Parcel]) -> None:
    page = PARCELS.query(shop=()).order_by("at").page()
    assert (page.rows, page.cost.requests) == ((), 0)


def test_single_items_and_consistent_reads_come_from_the_table(parcels: list[Parcel]) -> None:
    key = {"shop": "east", "number": "a/b", "again": ""}
    ParcelModel.item(Parcel("east", "a/b", State.SENT, BEGIN), again="", shard="9").save()
    assert PARCELS.query(shop="east").consistently().order_by("at").listing().index == "sorted "
    for consistent, units in ((True, 1), (False, 0.5)):
        with ledger.recording() as calls:
            assert [each.number for each in PARCELS.get_many([key], consistent=consistent)] == ["a/b"]
        assert calls.read_units == units
    missing = {**key, "number": "c"}
    assert PARCELS.get_many([missing]) == []
    for consistent, requests in ((True, 1), (False, 2)):  # the second one is consistent
        with ledger.recording() as calls, pytest.raises(NotFound):
            PARCELS.get(**missing, consistent=consistent)
        assert (calls.requests, float(calls.calls[-1].units)) == (requests, 1.0)


def test_an_item_that_is_not_as_declared_is_an_error(parcels: list[Parcel]) -> None:
    ParcelModel("SHOP#west", "PARCEL#x").update(actions=[ParcelModel.attribute("state").set(State.SENT)])
    with pytest.raises(Unreadable, match="posted-parcel"):
        PARCELS.query(shop="west").consistently().take(1)


@dataclass(frozen=True)
class Driver:
    """A driver of a shop."""

    shop: Annotated[str, Field("Shop")]
    name: Annotated[str, Field("Name")]
    phone: Annotated[str, Field("Phone", sparse=True)] = ""
    revision: Annotated[int, Field("Revision")] = 0


@register
class DriverModel(ItemModel):
    class Meta:
        table_name = table_name("drivers")

    kind = "driver"
    entity = Driver
    key_templates = "SHOP#{shop}", "DRIVER#{name}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


def test_a_list_over_a_model_writes_it(endpoint: str) -> None:
    create_table(DriverModel.Meta.table_name)
    told = list[Any]()
    drivers = List(Driver, table=DriverModel, name="drivers")
    drivers = drivers.after_writes(lambda changes, by: told.append((by, len(changes))))
    assert (drivers.model, drivers.ids) == (DriverModel, ("shop", "name"))
    ann = drivers.by("boss").create(Driver("north", "ann", "1"))
    with pytest.raises(AlreadyExists, match="There is already a driver ann. Choose another name"):
        drivers.create(replace(ann, phone="2"))
    for wrong in ({"phone": 5}, {"name": "a#b"}, {"name": "n" * 1_050}, {"shop": "\n"}):
        with pytest.raises(WrongValue) as refused:
            drivers.update(ann, replace(ann, **wrong))
        assert {refused.value.field} == {*wrong}
    changed = drivers.update(ann, phone="3")
    assert drivers.update(ann, replace(ann, phone="3")) == changed, "the same again"
    moved = drivers.update(changed, lambda driver: replace(driver, name="eve", phone=driver.phone * 2))
    with pytest.raises(UnknownField, match="shop"):
        drivers.redact([moved], shop="")
    assert drivers.redact([moved, ann], phone="") == 1
    with pytest.raises(WrongDeclaration, match="by a function that gives changes"):
        drivers.save([ann])
    assert drivers.save(lambda: [*drivers.change(moved, moved), *drivers.change(None, ann)]) == 1
    stored = drivers.query(shop="north").consistently().all()
    assert [(each.name, each.phone) for each in stored] == [("ann", "1"), ("eve", "")]
    drivers.delete(moved)
    assert told == [("boss", 1), (None, 1), (None, 1), (None, 1), (None, 1), (None, 1)]
