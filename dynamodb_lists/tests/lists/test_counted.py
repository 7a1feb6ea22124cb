"""Readings of a machine that something counts by sensor and state: every question, both ways, beside plain Python."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import List, Query, between
from dynamodb_lists.connection import ledger
from dynamodb_lists.schema.attributes import IntegerAttribute, KeyAttribute, global_index
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.tests.helpers.paging import every_page, rows_of

SENSORS, STATES = ("heat", "speed", "load"), (1, 2, 3, 4)


@dataclass(frozen=True, order=True)
class Reading:
    """A reading of a sensor. The hottest states are rare."""

    at: Annotated[str, Field("At")]
    sensor: Annotated[str, Field("Sensor")]
    state: Annotated[int, Field("State")]
    machine: Annotated[str, Field("Machine", stored=False)] = "m"
    note: Annotated[str, Field("Note", listed=False)] = ""


@register
class ReadingModel(ItemModel):
    """A reading, in one partition of each index."""

    class Meta:
        table_name = table_name("readings")

    kind = "reading"
    entity = Reading
    key_templates = "READING#{at}", "{machine}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    machine_key = KeyAttribute("machine#{machine}")
    sensor_key = KeyAttribute("machine#{machine}#{sensor}")
    sensor_state_key = KeyAttribute("machine#{machine}#{sensor}#{state}")
    by_machine = global_index("by-machine", "machine_key", "at", projected=["sensor", "state", "note"])
    by_sensor = global_index("by-sensor", "sensor_key", "at", projected=["sensor", "state"])
    by_sensor_state = global_index("by-sensor-state", "sensor_state_key", "at", projected=["sensor", "state"])


class ReadingCountModel(ItemModel):
    """How many readings of a machine have a sensor and a state."""

    class Meta:
        table_name = table_name("readings")

    kind = "reading-count"
    key_templates = "counts#{machine}", "{sensor}#{state}"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    readings = IntegerAttribute(default=0)


LIST = List(Reading, table=ReadingModel, name="readings", counts=ReadingCountModel, entry_bytes=120)


def some_readings(count: int, machine: str = "m") -> list[Reading]:
    rnd = Random(7)
    return [
        Reading(f"{number:05d}", rnd.choice(SENSORS), rnd.choices(STATES, (60, 25, 12, 3))[0], machine, f"of {number}")
        for number in rnd.sample(range(10**5), count)
    ]


READINGS = some_readings(400)
MISCOUNTED = some_readings(60, "miscounted")
LATE = [Reading(f"{at:05d}", SENSORS[at % 3], 1 if at >= 2000 else 2 + at % 3, "late") for at in range(2500)]
"""The last 500 have another state than those before."""


@pytest.fixture(scope="module")
def readings(endpoint: str) -> None:
    create_table(ReadingModel.Meta.table_name)
    with ReadingModel.batch_write() as batch:
        for each in [*READINGS, *MISCOUNTED, *LATE]:
            batch.save(ReadingModel.item(each))
    count(READINGS + LATE)


def count(counted: Iterable[Reading]) -> None:
    numbers = Counter((each.machine, each.sensor, each.state) for each in counted)
    for (machine, sensor, state), number in numbers.items():
        count_as(number, machine=machine, sensor=sensor, state=state)


def count_as(number: int, **values: Any) -> None:
    ReadingCountModel.keyed(**values).update(actions=[ReadingCountModel.readings.set(number)])


@st.composite
def asked(draw: st.DrawFn, machine: str) -> Query[Reading]:
    chosen = {"sensor": draw(st.sets(st.sampled_from(SENSORS))), "state": draw(st.sets(st.sampled_from(STATES)))}
    query = LIST.query(machine=machine, **{name: some for name, some in chosen.items() if some})
    query = query.order_by("at", descending=draw(st.booleans()))
    return query.where(at=between("20000", "60000")) if draw(st.booleans()) else query


def right(query: Query[Reading], stored: Sequence[Reading]) -> list[str]:
    return sorted((each.at for each in stored if query.matches(each)), reverse=query.asked.descending)


def times(found: Iterable[Reading]) -> list[str]:
    return [each.at for each in found]


@pytest.mark.usefixtures("readings")
@settings(max_examples=12)
@given(asked("m"), st.sampled_from([7, 40]))
def test_every_question_is_answered_as_by_plain_python(query: Query[Reading], size: int) -> None:
    pages = every_page(partial(query.page, size), [*query])
    wanted = right(query, READINGS)
    assert times(rows_of(pages)) == times(query) == wanted
    assert {page.total for page in pages} == {None if "at" in query.asked.conditions else len(wanted)}
    noted = [*query.showing("note")]
    assert (times(noted), {each.note for each in noted}) == (wanted, {f"of {int(at)}" for at in wanted})


wrong_counts = st.dictionaries(
    st.tuples(st.sampled_from(SENSORS), st.sampled_from(STATES)), st.sampled_from((-1, 0, 3, 2_000))
)


@pytest.mark.usefixtures("readings")
@settings(max_examples=12)
@given(asked("miscounted"), wrong_counts)
def test_wrong_counts_hide_no_row(query: Query[Reading], wrong: dict[tuple[str, int], int]) -> None:
    for (sensor, state), number in wrong.items():
        count_as(number, machine="miscounted", sensor=sensor, state=state)
    pages = every_page(partial(query.page, 7), [*query], counted=False)
    assert times(rows_of(pages)) == times(query) == times(query.showing("note")) == right(query, MISCOUNTED)


@pytest.mark.usefixtures("readings")
def test_what_drops_little_is_one_partition_and_what_drops_much_is_merged_from_exact_ones() -> None:
    for states, index, requests in (({4}, "by-sensor-state", 3), ({1, 2, 3}, "by-machine", 1)):
        query = LIST.query(machine="m", sensor={*SENSORS}, state=states).order_by("-at")
        page = query.page(5)
        assert (query.listing(5).index, page.cost.requests) == (index, 1 + requests), "one reads the counts"
        assert page.facets["state"] == Counter(each.state for each in READINGS)
        assert all(f"index {name}" in page.explain() for name in ("by-machine", "by-sensor", "by-sensor-state"))


@pytest.mark.usefixtures("readings")
def test_counts_are_read_where_they_tell_something() -> None:
    for query, facets in (
        (LIST.query(machine="m"), {*STATES}),
        (LIST.query(machine="m", state=1, at=between("2", "3")), {*STATES}),
        (LIST.query(machine="m", at=between("2", "3")), set()),
        (LIST.query(machine={"m", "late"}), set()),
        (LIST.query(machine="m").only("by-machine"), set()),
    ):
        assert query.order_by("at").page().facets["state"].keys() == facets


@pytest.mark.usefixtures("readings")
def test_a_page_whose_newest_items_are_dropped_costs_little_more_than_partitions_that_drop_nothing() -> None:
    query = LIST.query(machine="late", sensor={*SENSORS}, state={2, 3, 4}).order_by("-at")
    newest = query.where(at=between("01500", "99999"))
    pages = every_page(partial(newest.page, 25), [*newest])
    assert times(rows_of(pages)) == right(newest, LATE)
    with ledger.recording() as calls:
        query.page(25)
    assert calls.read_units <= 7, "partitions that drop nothing take 5 and a half"  # noqa: PLR2004


@pytest.mark.usefixtures("readings")
def test_a_field_that_lists_lack_comes_from_an_index_that_has_it_or_of_few_rows_by_key() -> None:
    few = {"sensor": "heat", "state": 4}
    for chosen, operations in (({"state": {1, 2}}, {"Query"}), (few, {"Query", "BatchGetItem"})):
        query = LIST.query(machine="m", **chosen).order_by("at").showing("note")
        with ledger.recording() as calls:
            assert all(each.note for each in query)
        assert {call.operation for call in calls.calls} == operations


@pytest.mark.usefixtures("readings")
@pytest.mark.parametrize("sort", ["note", "at"])
def test_a_condition_and_a_sort_of_a_field_that_an_index_has_beside_what_lists_show(sort: str) -> None:
    query = LIST.query(machine="m", state={1, 2}).where(note=between("of 3", "of 7")).order_by(sort, "at")
    wanted = [each for each in READINGS if each.state <= 2 and "of 3" <= each.note <= "of 7"]
    assert times(query) == times(sorted(wanted, key=lambda each: (getattr(each, sort), each.at)))


@pytest.mark.usefixtures("readings")
def test_an_owner_that_no_key_can_have_has_no_rows_and_no_counts() -> None:
    nobodys = LIST.query(machine="", state=1)
    assert not [*nobodys.order_by("at"), *nobodys.page().rows]
