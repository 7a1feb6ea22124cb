"""Readings of a machine in partitions of sensor and state: every selection, both ways, beside plain Python."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.connection import ledger
from dynamodb_lists.planning.partition_planner import PartitionIndex
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.attributes import KeyAttribute, global_index
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.keys import HIGHEST, KeyRange
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow
from dynamodb_lists.ways.partitioned import Partitioned

INDEXES = (
    PartitionIndex("by-machine", ()),
    PartitionIndex("by-sensor", ("sensor",)),
    PartitionIndex("by-sensor-state", ("sensor", "state")),
)
SENSORS, STATES = ("heat", "speed", "load"), (1, 2, 3, 4)
ALL = KeyRange("0", HIGHEST)


@dataclass(frozen=True, order=True)
class Reading:
    """A reading of a sensor. The hottest states are rare."""

    at: Annotated[str, Field("At")]
    sensor: Annotated[str, Field("Sensor")]
    state: Annotated[int, Field("State")]


@register
class ReadingModel(ItemModel):
    """A reading, in one partition of each index."""

    class Meta:
        table_name = table_name("readings")

    kind = "reading"
    entity = Reading
    key_templates = "{machine}", "{at}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    machine_key = KeyAttribute("machine#{machine}")
    sensor_key = KeyAttribute("machine#{machine}#{sensor}")
    sensor_state_key = KeyAttribute("machine#{machine}#{sensor}#{state}")
    by_machine = global_index("by-machine", "machine_key", "at", projected=["sensor", "state"])
    by_sensor = global_index("by-sensor", "sensor_key", "at", projected=["sensor", "state"])
    by_sensor_state = global_index("by-sensor-state", "sensor_state_key", "at", projected=["sensor", "state"])


def some_readings(count: int) -> list[Reading]:
    rnd = Random(7)
    return [
        Reading(f"{number:05d}", rnd.choice(SENSORS), rnd.choices(STATES, (60, 25, 12, 3))[0])
        for number in rnd.sample(range(10**5), count)
    ]


READINGS = some_readings(400)


@pytest.fixture(scope="module")
def readings(endpoint: str) -> None:
    create_table(ReadingModel.Meta.table_name)
    with ReadingModel.batch_write() as batch:
        for each in READINGS:
            batch.save(ReadingModel.item(each, machine="m"))


def wanted(selection: Selection, span: KeyRange = ALL, *, descending: bool = False) -> Partitioned[Reading]:
    return Partitioned(
        name="readings",
        model=ReadingModel,
        owner={"machine": "m"},
        facets={"sensor": str, "state": int},
        indexes=INDEXES,
        selection=selection,
        span=span,
        selected=repr((selection.text, span, descending)),
        descending=descending,
        counts_all=span == ALL,
    )


def counts() -> Counter[tuple[str, str]]:
    return Counter((each.sensor, str(each.state)) for each in READINGS)


def chosen(values: Mapping[str, Any]) -> Selection:
    return Selection({name: frozenset(map(str, some)) for name, some in values.items() if some})


@pytest.mark.usefixtures("readings")
@settings(max_examples=12)
@given(
    st.fixed_dictionaries({"sensor": st.sets(st.sampled_from(SENSORS)), "state": st.sets(st.sampled_from(STATES))}),
    st.sampled_from([ALL, KeyRange("20000", "60000")]),
    st.booleans(),
    st.sampled_from([7, 40]),
)
def test_every_selection_is_what_plain_python_gives(
    values: dict[str, set[Any]], span: KeyRange, descending: bool, size: int
) -> None:
    listing = wanted(chosen(values), span, descending=descending).cheapest(counts(), size + 1)
    right = sorted(
        (each for each in READINGS if all(getattr(each, name) in some for name, some in values.items() if some)),
        reverse=descending,
    )
    right = [each for each in right if each.at in span]
    read = partial(read_page, listing, size)
    pages: list[Page[Reading]] = list(follow(read(), NEXT, read))
    assert [row for page in pages for row in page.rows] == right
    back = list(follow(pages[-1], PREVIOUS, read))
    assert [row for page in reversed(back) for row in page.rows][-len(right) or None :] == right
    assert pages[0].total == (len(right) if span == ALL else None)


@pytest.mark.usefixtures("readings")
def test_a_filter_that_drops_little_reads_one_partition_and_one_that_drops_much_merges_exact_ones() -> None:
    for state, requests in ((4, 3), (None, 1)):
        listing = wanted(chosen({"state": {state} if state else set()})).cheapest(counts(), 6)
        with ledger.recording() as recorded:
            read_page(listing, 5)
        assert recorded.requests == requests
    names = [candidate.name for candidate in listing.grounds.candidates(6)]
    assert sorted(names) == sorted(f"index {index.name}" for index in INDEXES)


@pytest.mark.usefixtures("readings")
def test_a_whole_list_is_read_from_the_first_index_unless_it_is_short() -> None:
    whole = wanted(chosen({"state": {1, 2}})).whole(counts(), ("at", "sensor", "state"))
    assert whole is not None
    assert list(whole.stream()) == sorted(each for each in READINGS if each.state in {1, 2})
    rare = {("heat", "4"): 1, ("heat", "1"): 10_000}
    assert wanted(chosen({"state": {4}})).whole(rare, ("at", "sensor", "state")) is None
