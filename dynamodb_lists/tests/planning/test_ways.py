"""Which index answers a question: each way that is found, against plain Python over random tables."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning.sources import FoundWay, Known, PartRange, Question, Source, SourceKey, entrances
from dynamodb_lists.planning.ways import too_sparse, ways
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.tests.helpers import sources as trial
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.sources import State


def is_in(part: PartRange, numeric: bool, partition: Any, sort_key: Any) -> bool:
    """Return whether a range has an entry with this key."""
    low, high = ((Decimal(end) if numeric and end is not None else end) for end in (part.low, part.high))
    return partition == part.partition and (low is None or low <= sort_key) and (high is None or sort_key <= high)


def rows_of(way: FoundWay, part: PartRange, entries: list[tuple[Any, Any, trial.Item]]) -> list[trial.Item]:
    """Return the items of a range, in the order of their sort keys."""
    assert way.source.sort is not None
    held = [entry for entry in entries if is_in(part, way.source.sort.numeric, *entry[:2])]
    return [item for _, _, item in sorted(held, key=lambda entry: entry[1])]


@settings(max_examples=examples(40))
@given(st.randoms(use_true_random=False))
def test_each_way_has_all_rows_once_in_order_and_drops_what_it_says(random: Random) -> None:
    items = [trial.an_item(random, number) for number in range(60)]
    sources = [trial.a_source(random, name) for name in ("", "one", "two", "three")]
    entries = {source.name: trial.entries(source, items) for source in sources}
    known = {item["id"] for _, _, item in entries[""]}
    for _ in range(10):
        question = trial.a_question(random, items)
        for way in ways(sources, FIELDS, question):
            found = []
            for part in way.parts:
                rows = rows_of(way, part, entries[way.source.name])
                kept = [item for item in rows if trial.matches(question, item)]
                if way.ordered:
                    ranks = [trial.rank(question, item) for item in kept]
                    assert ranks == sorted(ranks), (question, way)
                assert all(item[name] == value for item in rows for name, value in part.values.items())
                assert {*part.leads} <= {*part.values.values()}
                covered = {**question.asked}.keys() - {*way.dropped}
                partly = Question({name: question.asked[name] for name in covered})
                assert all(trial.matches(partly, item) for item in rows), (question, way)
                found += [item["id"] for item in kept]
            assert len(found) == len({*found}), (question, way)
            right = {item["id"] for item in trial.wanted(question, items)}
            assert {*found} == (right if way.source.name else right & known), (question, way)


def index(name: str, partition: str, sort: str, **options: Any) -> Source:
    """Return an index with these templates."""
    first, second = (SourceKey(f"{end}{name}", Template(text, TYPES)) for end, text in (("p", partition), ("s", sort)))
    return Source(name, first, second, **options)


class Grade(IntEnum):
    """Numbers whose texts do not sort as they do."""

    LOW = 9
    HIGH = 10


TYPES, FIELDS = {**trial.TYPES, "grade": Grade}, {**trial.FIELDS, "grade": Known(Grade)}
PLACED, DAY = {"state": frozenset([State.PLACED])}, date(2023, 1, 2)


TABLE = index("", "USER#{user}", "ORDER#{id}")


def test_an_index_that_leaves_something_out_answers_only_what_it_holds() -> None:
    open_ones = index("open", "{user}", "{at:time}", when=({"state": frozenset([State.PLACED, State.SHIPPED])},))
    asked = {"user": frozenset(["ann"])}
    for states, used in (({State.DELIVERED}, False), ({State.PLACED}, True), ({State.PLACED, State.DELIVERED}, False)):
        found = ways([TABLE, open_ones], FIELDS, Question({**asked, "state": frozenset(states)}, ("at",)))
        assert ("open" in [way.source.name for way in found]) == used
    assert [way.source.name for way in ways([TABLE, open_ones], FIELDS, Question(asked, ("at",)))] == [""]


def test_an_index_lacks_items_without_an_attribute_of_its_key() -> None:
    by_place = index("place", "{user}", "{place}")
    asked = {"user": frozenset(["ann"])}
    assert [way.source.name for way in ways([by_place], FIELDS, Question(asked, ("place",)))] == []
    assert ways([by_place], FIELDS, Question({**asked, "place": Between("1", "2")}, ("place",)))


def test_numbers_that_are_texts_are_no_order_and_no_range() -> None:
    by_n = index("n", "{user}", "{n}")
    (way,) = ways([by_n], FIELDS, Question({"user": frozenset(["ann"]), "n": Between(2, 10)}, ("n",)))
    assert not way.ordered
    assert way.dropped == ("n",)
    assert (way.parts[0].low, way.parts[0].high) == (None, None)


def number(name: str, text: str) -> Source:
    """Return an index of a user whose sort key is a number."""
    return Source(name, SourceKey("user", Template("{user}", TYPES)), SourceKey(name, Template(text, TYPES), True))


MOMENT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
OF_ANN: dict[str, Any] = {"user": frozenset(["ann"])}


def test_a_number_is_a_point_of_a_numeric_key_and_times_are_a_range_of_it() -> None:
    (way,) = ways([number("price", "{price}")], FIELDS, Question({**OF_ANN, "price": frozenset([Decimal("1.50")])}))
    assert [(part.low, part.high) for part in way.parts] == [("1.50", "1.50")]
    assert way.dropped == ()
    question = Question({**OF_ANN, "at": Between(MOMENT, None)}, ("at",))
    (way,) = ways([number("at", "{at:epoch}")], FIELDS, question)
    assert [(part.low, part.high) for part in way.parts] == [("1673778151", None)]
    assert way.ordered


def test_texts_of_an_enum_are_an_order_if_they_sort_as_its_values_do() -> None:
    (way,) = ways([index("state", "{user}", "{state}#{id}")], FIELDS, Question(OF_ANN, ("state",)))
    assert (way.ordered, len(way.parts)) == (True, 1)
    (way,) = ways([index("grade", "{user}", "{grade}#{id}")], FIELDS, Question(OF_ANN, ("grade",)))
    assert [part.leads for part in way.parts] == [(Grade.HIGH,), (Grade.LOW,)]  # "10" sorts before "9"
    (way,) = ways([index("name", "{user}", "{name}#{id}")], FIELDS, Question(OF_ANN, ("name",)))
    assert not way.ordered  # "a!#1" sorts before "a#1"


def test_the_way_that_is_expected_to_take_the_fewest_units_is_the_first() -> None:
    by_state, open_ones = index("state", "{state}", "{at:time}"), index("open", "{ok}", "{at:time}", when=(PLACED,))
    by_user = index("user", "{user}", "{at:time}")
    by_keys = index("keys", "{user}", "{at:time}", lacks=frozenset(["at"]))
    of_day, of_user_and_day = index("day", "{at:date}", "{id}"), index("user-day", "{user:upper}#{at:date}", "{id}")
    unique = {**FIELDS, "id": Known(str, unique=True)}
    state: dict[str, Any]
    state, one = {"state": frozenset([State.PLACED])}, {"id": frozenset(["7"])}
    for sources, asked, sort, first in (
        ([by_state, index("id", "{id}", "{day}")], {**state, **one, "day": Between(None, DAY)}, (), "id"),
        ([by_state, by_user], {**OF_ANN, **state}, ("at",), "user"),  # it drops two of three, not 49 of 50
        ([by_keys, by_user], OF_ANN, ("at",), "user"),
        ([by_state, open_ones], {**state, "ok": frozenset([True])}, ("at",), "open"),
        ([of_day, of_user_and_day], {**OF_ANN, "at": frozenset([MOMENT])}, (), "user-day"),  # tells neither
    ):
        assert ways(sources, unique, Question(asked, sort))[0].source.name == first, first


@pytest.mark.parametrize(("name", "text"), [("at", "DAY#{at:date}T00:00"), ("day", "DAY#{day}T00:00")])
def test_a_range_of_few_days_is_the_partition_of_each(name: str, text: str) -> None:
    days = DAY, DAY + timedelta(2)
    ends = [datetime.combine(each, time(9, 30), UTC) if name == "at" else each for each in days]
    (way,) = ways([index("day", text, "{id}")], FIELDS, Question({name: Between(*ends)}, ("id",)))
    assert [part.partition for part in way.parts] == [f"DAY#2023-01-0{each}T00:00" for each in (2, 3, 4)]
    assert (way.ordered, way.dropped) == (True, ("at",) if name == "at" else ())
    for low, high in ((ends[0], ends[0] + timedelta(31)), (ends[0], None)):
        assert ways([index("day", text, "{id}")], FIELDS, Question({name: Between(low, high)})) == []


def test_an_index_that_has_none_of_what_is_asked_is_not_named() -> None:
    by_place = index("place", "{user}", "{place}")
    for asked, named in ((OF_ANN, True), ({**OF_ANN, "place": frozenset([None])}, False)):
        assert (too_sparse([by_place], FIELDS, Question(asked)) is not None) == named


def test_what_can_be_enumerated_need_not_be_asked_for() -> None:
    by_state = index("state", "{state}", "{at:time}")
    (way,) = ways([by_state], FIELDS, Question({}, ("at",)))
    assert [part.partition for part in way.parts] == sorted(State)
    assert entrances([TABLE, by_state], FIELDS) == [("user",), ()]
