"""Pages of what is merged from parts of an index whose keys tie, in an order that nobody knows."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.planning.sources import PartRange, Question, Source, SourceKey, ways
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.reading.sources import SourceListing, SourceTable, sorted_rows
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.tests.helpers import sources as trial
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow, rows_of
from dynamodb_lists.tests.helpers.sources import FIELDS, TYPES

KEY = tuple(SourceKey(name, Template(f"{{{field}}}", TYPES)) for name, field in (("tp", "user"), ("ts", "id")))


class ShuffledTable(SourceTable):
    """A table in memory whose entries with equal keys are in any order, but always in the same, as an engine's may be.

    DynamoDB promises nothing more, and the engines of development happen to sort ties by the table's key.
    """

    def __init__(self, items: Sequence[trial.Item], random: Random) -> None:
        super().__init__("memory", KEY)
        object.__setattr__(self, "items", [*items])
        places = random.sample(range(len(items)), len(items))
        object.__setattr__(self, "order", {item["id"]: place for item, place in zip(items, places, strict=True)})

    def query(
        self, source: Source, part: PartRange, *, after: Mapping[str, Any] | None, ascending: bool, limit: int
    ) -> dict[str, Any]:
        """The answer to a Query."""
        assert source.sort is not None
        held = [
            (sort_key, self.order[item["id"]], item)  # type: ignore[attr-defined]
            for partition, sort_key, item in trial.entries(source, self.items)  # type: ignore[attr-defined]
            if partition == part.partition and _is_in(part, source.sort.numeric, sort_key)
        ]
        held.sort(key=lambda entry: entry[:2], reverse=not ascending)
        if after is not None:
            start = _place(source, after), self.order[after["ts"]["S"]]  # type: ignore[attr-defined]
            held = [entry for entry in held if (entry[:2] > start) == ascending and entry[:2] != start]
        found = [self._entry(source, part, sort_key, item) for sort_key, _, item in held[:limit]]
        ended = len(held) <= limit
        return {
            "Items": found,
            **({} if ended else {"LastEvaluatedKey": found[-1]}),
            "ConsumedCapacity": {"CapacityUnits": 0.5},
        }

    def _entry(self, source: Source, part: PartRange, sort_key: Any, item: trial.Item) -> dict[str, Any]:
        assert source.sort is not None
        own = {each.name: each.wire(trial.key_of(each, item)) for each in KEY}
        keys = {source.partition.name: {"S": part.partition}, source.sort.name: source.sort.wire(str(sort_key))}
        return {**own, **keys}


def _is_in(part: PartRange, numeric: bool, sort_key: Any) -> bool:
    low, high = ((Decimal(end) if numeric and end is not None else end) for end in (part.low, part.high))
    return (low is None or low <= sort_key) and (high is None or sort_key <= high)


def _place(source: Source, after: Mapping[str, Any]) -> Any:
    assert source.sort is not None
    (text,) = after[source.sort.name].values()
    return Decimal(text) if source.sort.numeric else text


def listing_of(random: Random) -> tuple[Listing[Any], Question, list[trial.Item]] | None:
    """A list as a random index has it, its question, and the items that it should have."""
    items = [trial.an_item(random, number) for number in range(50)]
    sources = [trial.a_source(random, name) for name in ("one", "two", "three")]
    question = trial.a_question(random, items)
    found = ways(sources, FIELDS, question)
    if not found:
        return None
    by_id = {item["id"]: item for item in items}

    def build(entry: Mapping[str, Any]) -> Any:
        item = by_id[entry["ts"]["S"]]
        return Row(item) if trial.matches(question, item) else None

    way = random.choice(found)
    table = ShuffledTable(items, random)
    listing: Any = SourceListing(name="trials", descending=question.descending, table=table, way=way, build=build)
    if not way.ordered:
        listing = sorted_rows(listing, question.sort, 1e6)
    return listing, question, trial.wanted(question, items)


class Row(dict[str, Any]):
    """An item whose values are attributes, as those of an entity."""

    __getattr__ = dict.__getitem__


@settings(max_examples=examples(60))
@given(st.randoms(use_true_random=False), st.sampled_from([1, 3, 7]))
def test_every_row_is_on_one_page_forwards_and_backwards(random: Random, size: int) -> None:
    found = listing_of(random)
    if found is None:
        return
    listing, question, wanted = found

    def read(cursor: str) -> Any:
        return read_page(listing, size, cursor)

    pages = [*follow(read(""), NEXT, read)]
    rows = rows_of(pages)
    assert sorted(row["id"] for row in rows) == sorted(item["id"] for item in wanted)
    ranks = [trial.rank(question, row) for row in rows]
    assert ranks == sorted(ranks, reverse=question.descending)
    backwards = [*follow(pages[-1], PREVIOUS, read)]
    assert rows_of(backwards[::-1]) == rows
    assert [*listing.stream()] == rows


def test_a_cursor_of_another_part_is_refused() -> None:
    """A release with other keys has signed it."""
    source = Source("one", SourceKey("p", Template("{user}", TYPES)), SourceKey("s", Template("{id}", TYPES)))
    (way,) = ways([source], FIELDS, Question({"user": frozenset(["ann"])}, ("id",)))
    table = ShuffledTable([], Random(1))
    listing = SourceListing[Any](name="trials", table=table, way=way, build=dict)
    with pytest.raises(BadCursor):
        listing.take(1, Cursor(Position("1", ("bob", "bob", "1"))), backward=False)
