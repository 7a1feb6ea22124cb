"""Pages of what is merged from parts of an index whose keys tie, in an order that nobody knows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.planning.sources import PartRange, Question, Source, SourceKey
from dynamodb_lists.planning.ways import ways
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.reading.sorting import in_memory
from dynamodb_lists.reading.sources import SourceListing, SourceTable, whole_rows
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.tests.helpers import sources as trial
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow, rows_of
from dynamodb_lists.tests.helpers.sources import FIELDS, TYPES

KEY = tuple(SourceKey(name, Template(f"{{{field}}}", TYPES)) for name, field in (("tp", "user"), ("ts", "id")))


class ShuffledTable(SourceTable):
    """A table in memory whose entries with equal keys are in any order, but always in the same, as an engine's may be.

    DynamoDB promises nothing more, and the engines of development happen to sort ties by the table's key. Some entries
    have keys of another form, as those of other lists in the same index.
    """

    entries: dict[str, list[tuple[Any, Any, int, trial.Item]]]
    reads: list[int]

    def __init__(self, sources: Sequence[Source], items: Sequence[trial.Item], random: Random) -> None:
        super().__init__("memory", KEY)
        self.__dict__.update(entries={}, reads=[])
        for source in sources:
            found = [*trial.entries(source, items)]
            for number, (partition, sort_key, item) in enumerate(found[:20]):
                if isinstance(sort_key, str) and random.random() < 0.3:
                    strange = sort_key[: random.randrange(len(sort_key) + 1)] + random.choice(["?", "#", "0"])
                    found.append((partition, strange, {**item, "id": f"strange {number}"}))
            places = random.sample(range(len(found)), len(found))
            self.entries[source.name] = [
                (*entry[:2], place, entry[2]) for entry, place in zip(found, places, strict=True)
            ]

    def query(
        self, source: Source, part: PartRange, *, after: Mapping[str, Any] | None, ascending: bool, limit: int
    ) -> dict[str, Any]:
        """Return the answer to a Query."""
        assert source.sort is not None
        held = [
            (sort_key, place, item)
            for partition, sort_key, place, item in self.entries[source.name]
            if partition == part.partition and _is_in(part, source.sort.numeric, sort_key)
        ]
        held.sort(key=lambda entry: entry[:2], reverse=not ascending)
        if after is not None:
            ids = [entry[2]["id"] for entry in held]
            held = held[ids.index(after["ts"]["S"]) + 1 :]
        self.reads.append(min(limit, len(held)))
        found = [self._entry(source, part, sort_key, item) for sort_key, _, item in held[:limit]]
        ended = len(held) <= limit
        return {
            "Items": found,
            **({} if ended else {"LastEvaluatedKey": found[-1]}),
            "ConsumedCapacity": {"CapacityUnits": 0.5},
        }

    def whole(self, items: Sequence[Any]) -> list[Any]:
        """Return the items of entries."""
        return [*items]

    def _entry(self, source: Source, part: PartRange, sort_key: Any, item: trial.Item) -> dict[str, Any]:
        assert source.sort is not None
        own = {each.name: each.wire(trial.key_of(each, item)) for each in KEY}
        keys = {source.partition.name: {"S": part.partition}, source.sort.name: source.sort.wire(str(sort_key))}
        return {**own, **keys}


def _is_in(part: PartRange, numeric: bool, sort_key: Any) -> bool:
    low, high = ((Decimal(end) if numeric and end is not None else end) for end in (part.low, part.high))
    return (low is None or low <= sort_key) and (high is None or sort_key <= high)


def listing_of(random: Random) -> tuple[Listing[Any], Question, list[trial.Item]] | None:
    """Return a list as a random index has it, its question, and the items that it should have."""
    items = [trial.an_item(random, number) for number in range(50)]
    if random.random() < 0.2:  # all under one key pair
        items = [{**items[0], "id": str(number)} for number in range(84)]
    sources = [trial.a_source(random, name) for name in ("one", "two", "three")]
    question = trial.a_question(random, items)
    found = ways(sources, FIELDS, question)
    if not found:
        return None
    by_id = {item["id"]: item for item in items}

    def build(entry: Mapping[str, Any]) -> Any:
        item = by_id.get(entry["ts"]["S"])
        return Row(item) if item and trial.matches(question, item) else None

    way = replace(random.choice(found), by_keys=random.random() < 0.5)
    table = ShuffledTable(sources, items, random)
    options: Any = {"name": "trials", "descending": question.descending, "table": table}
    listing: Any = SourceListing(way=way, build=build, most=random.choice([inf, 2.0, 0.5, 1.7, 2.7]), **options)
    if not way.ordered:
        listing = in_memory(listing, whole_rows(listing) or [], lambda row: [row[name] for name in question.sort])
    return listing, question, trial.wanted(question, items)


class Row(dict[str, Any]):
    """An item whose values are attributes, as those of an entity."""

    __getattr__ = dict.__getitem__


@settings(max_examples=examples(50))
@given(st.randoms(use_true_random=False), st.sampled_from([1, 3, 7]))
def test_every_row_is_on_one_page_forwards_and_backwards(random: Random, size: int) -> None:
    found = listing_of(random)
    if found is None:
        return
    listing, question, wanted = found

    def read(cursor: str) -> Any:
        return read_page(listing, size, cursor)

    pages = [*follow(read(""), NEXT, read, 400)]
    rows = rows_of(pages)
    assert sorted(row["id"] for row in rows) == sorted(item["id"] for item in wanted)
    ranks = [trial.rank(question, row) for row in rows]
    assert ranks == sorted(ranks, reverse=question.descending)
    backwards = [*follow(pages[-1], PREVIOUS, read, 400)]
    assert rows_of(backwards[::-1]) == rows
    assert [*listing.stream()] == rows


def test_a_page_by_keys_that_cannot_pay_for_one_more_row_has_not_ended() -> None:
    """Two entries and the request for them take 1.5 units. The 0.2 that are left pay for no further entry."""
    items = [{**trial.an_item(Random(number), number), "user": "ann", "ok": number % 5 == 4} for number in range(20)]
    source = Source("one", SourceKey("p", Template("{user}", TYPES)), SourceKey("s", Template("{id}", TYPES)))
    question = Question({"user": frozenset(["ann"]), "ok": frozenset([True])}, ("id",))
    (way,) = ways([source], FIELDS, question)
    by_id = {item["id"]: Row(item) for item in items if item["ok"]}
    listing: Any = SourceListing(
        name="trials",
        way=replace(way, by_keys=True),
        build=lambda entry: by_id.get(entry["ts"]["S"]),
        most=1.7,
        table=ShuffledTable([source], items, Random(1)),
    )
    pages = follow(read_page(listing, 1, ""), NEXT, lambda cursor: read_page(listing, 1, cursor), 40)
    assert {row["id"] for row in rows_of([*pages])} >= {*by_id}


@pytest.mark.parametrize("sort", [("ok", "state"), ("ok", "at", "state"), ("at", "ok", "state", "id"), ("state", "at")])
@pytest.mark.parametrize("descending", [False, True])
def test_a_field_of_the_partition_sorts_the_rows_wherever_it_stands_in_the_sort(
    sort: tuple[str, ...], descending: bool
) -> None:
    """The parts are in the order of users, then of states. The field ``ok`` has one value, so it sorts nothing."""
    items = [trial.an_item(Random(number), number) for number in range(120)]
    source = Source(
        "one", SourceKey("p", Template("{user}#{state}", TYPES)), SourceKey("s", Template("{at:time}#{id}", TYPES))
    )
    question = Question({"user": frozenset(["ann", "bob"]), "ok": frozenset([True])}, sort, descending)
    (way,) = ways([source], FIELDS, question)
    by_id = {item["id"]: Row(item) for item in items if trial.matches(question, item)}

    def build(entry: Mapping[str, Any]) -> Any:
        return by_id.get(entry["ts"]["S"])

    table = ShuffledTable([source], items, Random(1))
    listing: Any = SourceListing(name="trials", descending=descending, way=way, build=build, table=table)
    if not way.ordered:
        listing = in_memory(listing, whole_rows(listing) or [], lambda row: [row[name] for name in sort])
    assert way.ordered == (sort[-1] != "id")
    pages = [*follow(read_page(listing, 7, ""), NEXT, lambda cursor: read_page(listing, 7, cursor), 400)]
    ranks = [trial.rank(question, row) for row in rows_of(pages)]
    assert ranks == sorted(ranks, reverse=descending)
    assert len(ranks) == len(by_id)


def test_a_filter_asks_for_as_many_items_as_its_rows_are_expected_to_take() -> None:
    """With half of the items dropped, a page takes two requests; the last of one row that is missing is short."""
    items = [{**trial.an_item(Random(1), number), "user": "ann", "ok": number % 2 == 0} for number in range(400)]
    source = Source("one", SourceKey("p", Template("{user}", TYPES)), SourceKey("s", Template("{id}", TYPES)))
    question = Question({"user": frozenset(["ann"]), "ok": frozenset([True])})
    (way,) = ways([source], FIELDS, question)
    table = ShuffledTable([source], items, Random(1))
    kept = {item["id"] for item in items if item["ok"]}
    listing = SourceListing[Any](
        name="trials", table=table, way=way, build=lambda entry: entry["ts"]["S"] if entry["ts"]["S"] in kept else None
    )
    assert len(listing.take(26, None, backward=False)) == 26
    assert len(table.reads) <= 2
    assert sum(table.reads) <= 75


def test_a_sort_in_memory_that_takes_too_much_is_left_early() -> None:
    items = [{**trial.an_item(Random(number), number), "state": [*trial.State][number % 3]} for number in range(900)]
    source = Source("one", SourceKey("p", Template("{state}", TYPES)), SourceKey("s", Template("{id}", TYPES)))
    (way,) = ways([source], FIELDS, Question(sort=("day",)))
    table = ShuffledTable([source], items, Random(1))
    listing = SourceListing[Any](name="trials", table=table, way=way, build=dict)
    assert whole_rows(listing, most=0.4) is None
    assert sum(table.reads) <= 600


def test_parts_may_begin_with_keys_of_another_form() -> None:
    """Rows that are read by their keys are in the list whatever the key of their entry is."""
    items = [{**trial.an_item(Random(1), number), "state": [*trial.State][number % 3]} for number in range(6)]
    lacks = frozenset(["name"])
    source = Source(
        "one", SourceKey("p", Template("{state}", TYPES)), SourceKey("s", Template("{day}", TYPES)), (), lacks
    )
    (way,) = ways([source], FIELDS, Question(sort=("day",), shown=lacks))
    table = ShuffledTable([source], [], Random(1))
    table.entries["one"] = [(str(item["state"]), "2023-0?", number, item) for number, item in enumerate(items)]
    for descending in (False, True):
        listing = SourceListing[Any](name="trials", table=table, way=way, build=dict, descending=descending)
        rows = listing.take(9, None, backward=False)
        assert sorted(row.value["ts"]["S"] for row in rows) == sorted(item["id"] for item in items)


def test_a_cursor_of_another_part_is_refused() -> None:
    """A release with other keys has signed the cursor."""
    source = Source("one", SourceKey("p", Template("{user}", TYPES)), SourceKey("s", Template("{id}", TYPES)))
    (way,) = ways([source], FIELDS, Question({"user": frozenset(["ann"])}, ("id",)))
    table = ShuffledTable([source], [], Random(1))
    listing = SourceListing[Any](name="trials", table=table, way=way, build=dict)
    with pytest.raises(BadCursor):
        listing.take(1, Cursor(Position("1", ("bob", "bob", "1"))), backward=False)
