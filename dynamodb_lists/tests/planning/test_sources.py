"""Which index answers a question: each way that is found, against plain Python over random tables."""

from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning.conditions import Between
from dynamodb_lists.planning.sources import FoundWay, PartRange, Question, Source, SourceKey, entrances, ways
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.tests.helpers import sources as trial
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.sources import FIELDS, TYPES, State


def is_in(part: PartRange, numeric: bool, partition: Any, sort_key: Any) -> bool:
    """Whether a range has an entry with this key."""
    low, high = ((Decimal(end) if numeric and end is not None else end) for end in (part.low, part.high))
    return partition == part.partition and (low is None or low <= sort_key) and (high is None or sort_key <= high)


def rows_of(way: FoundWay, part: PartRange, entries: list[tuple[Any, Any, trial.Item]]) -> list[trial.Item]:
    """The items of a range, in the order of their sort keys."""
    assert way.source.sort is not None
    held = [entry for entry in entries if is_in(part, way.source.sort.numeric, *entry[:2])]
    return [item for _, _, item in sorted(held, key=lambda entry: entry[1])]


@settings(max_examples=examples(60))
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
                assert all(
                    item[name] == lead for item in rows for name, lead in zip(question.sort, part.leads, strict=False)
                )
                covered = {**question.asked}.keys() - {*way.dropped}
                partly = Question({name: question.asked[name] for name in covered})
                assert all(trial.matches(partly, item) for item in rows), (question, way)
                found += [item["id"] for item in kept]
            assert len(found) == len({*found}), (question, way)
            right = {item["id"] for item in trial.wanted(question, items)}
            assert {*found} == (right if way.source.name else right & known), (question, way)


def index(name: str, partition: str, sort: str, **options: Any) -> Source:
    """An index with these templates."""
    first, second = (SourceKey(f"{end}{name}", Template(text, TYPES)) for end, text in (("p", partition), ("s", sort)))
    return Source(name, first, second, **options)


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


def test_what_can_be_enumerated_need_not_be_asked_for() -> None:
    by_state = index("state", "{state}", "{at:time}")
    (way,) = ways([by_state], FIELDS, Question({}, ("at",)))
    assert [part.partition for part in way.parts] == sorted(State)
    assert entrances([TABLE, by_state], FIELDS) == [("user",), ()]
