"""Lists over item models: every question that finds a way, page by page and both ways, beside plain Python."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random
from typing import Annotated, Any

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import List, Query, between, on_days_of
from dynamodb_lists.connection.errors import NoBoundedWay, UnknownField, Unreadable
from dynamodb_lists.schema.attributes import KeyAttribute, TextKeyAttribute
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.indexes import global_index
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import create_table, register, table_name

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
    of_driver = TextKeyAttribute("driver", when=[{"driver": {"ann", "bob"}}])
    odd = KeyAttribute("{shop}", when=lambda parcel: parcel.at.day % 2 == 1)
    at_number = KeyAttribute("{at:time}#{number:quoted}")
    time_shard = KeyAttribute("{shard}")
    states = global_index("states", "shop_key", "by_state", projected=["state", "at", "driver"])
    unfinished = global_index("unfinished", "on_way", "at_number", projected=["at", "driver"])
    drivers = global_index("drivers", "of_driver", "at_number", projected=["state"])
    everything = global_index("everything", "time_shard", "at_number", projected=["state", "at", "driver"])
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
        )
        for number in range(60)
    ]
    for parcel in found:
        ParcelModel.item(parcel, again=random.choice(["", "2"]), shard=random.choice("012")).save()
    return found


def read(query: Query[Parcel]) -> list[Parcel]:
    """All rows, page by page; each page before another is the one that was read."""
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
        }
        asked = {name: asked[name] for name in random.sample([*asked], random.randint(0, 3))}
        sort = random.choice(["at", "-at", "state", "number"])
        query = PARCELS.query(**asked).order_by(sort)
        wanted = [each for each in parcels if query.matches(each)]
        try:
            rows = read(query)
        except NoBoundedWay:
            continue
        answered += 1
        found_by.add(query.listing().index.removesuffix(" sorted"))
        assert sorted(rows, key=repr) == sorted(wanted, key=repr), asked
        values = [getattr(row, sort.removeprefix("-")) for row in rows]
        assert values == sorted(values, reverse=sort.startswith("-")), asked
    assert answered > 50
    assert found_by == {"", "states", "unfinished", "drivers", "everything"}


def test_an_index_with_a_function_is_read_by_name_alone(parcels: list[Parcel]) -> None:
    odd = [each for each in parcels if each.shop == "north" and each.at.day % 2 == 1]
    rows = PARCELS.query(shop="north").only("odd-days").order_by("at").first(99)
    assert sorted(rows, key=repr) == sorted(odd, key=repr)
    assert len(PARCELS.query(shop="north").order_by("at").first(99)) > len(odd)
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
    found = query.order_by("at", "number").first(99)
    assert found == sorted(wanted, key=lambda each: (each.at, each.number))
    assert {each.driver for each in query.knowing(driver="me").order_by("at").first(9)} == {"me"}


def test_no_value_at_all_sends_no_request(parcels: list[Parcel]) -> None:
    page = PARCELS.query(shop=()).order_by("at").page()
    assert (page.rows, page.cost.requests) == ((), 0)


def test_single_items_and_consistent_reads_come_from_the_table(parcels: list[Parcel]) -> None:
    key = {"shop": "east", "number": "a/b", "again": ""}
    ParcelModel.item(Parcel("east", "a/b", State.SENT, BEGIN), again="", shard="9").save()
    assert PARCELS.query(shop="east").consistently().order_by("at").listing().index == " sorted"
    assert [each.number for each in PARCELS.get_many([key, {**key, "number": "c"}])] == ["a/b"]


def test_an_item_that_is_not_as_declared_is_an_error(parcels: list[Parcel]) -> None:
    ParcelModel("SHOP#west", "PARCEL#x").update(actions=[ParcelModel.attribute("state").set(State.SENT)])
    with pytest.raises(Unreadable, match="posted-parcel"):
        PARCELS.query(shop="west").consistently().first(1)
