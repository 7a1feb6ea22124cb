"""Ways where counts say how many items there are: what each holds, and which is expected to be the cheapest."""

from collections.abc import Mapping
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.planning.counted_ways import Prices
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import FoundWay, Known, Question, Source, SourceKey
from dynamodb_lists.planning.ways import ways
from dynamodb_lists.schema.templates import Template

TYPES: dict[str, type] = {"owner": str, "language": str, "rating": int, "at": str}
FIELDS = {name: Known(kind) for name, kind in TYPES.items()}
LANGUAGES, RATINGS = ("de", "en", "fr", "zh-cn"), (1, 2, 3, 4, 5)
AT = SourceKey("at", Template("{at}", TYPES))
SOURCES = [
    Source(name, SourceKey(name, Template(text, TYPES)), AT)
    for name, text in (
        ("by-owner", "{owner}"),
        ("by-language", "{owner}#{language}"),
        ("by-rating", "{owner}#{rating}"),
        ("by-language-rating", "{owner}#{language}#{rating}"),
    )
]
Asked = Mapping[str, set[Any]]


def planned(counts: Mapping[tuple[str, int], int], asked: Asked, rows: int = 26) -> list[FoundWay]:
    conditions = {"owner": frozenset({"o"}), **{name: frozenset(some) for name, some in asked.items() if some}}
    found = ways(SOURCES, FIELDS, Question(conditions, ("at",)))
    numbers = FacetCounts[Any](("language", "rating"), counts)
    return Prices(numbers, conditions, lambda *_: 1.0, lambda _: 500, rows, passed=None, known={"owner"}).sorted(found)


some_counts = st.dictionaries(
    st.tuples(st.sampled_from(LANGUAGES), st.sampled_from(RATINGS)), st.integers(-3, 5) | st.integers(0, 400)
)
questions = st.fixed_dictionaries(
    {"language": st.sets(st.sampled_from(LANGUAGES)), "rating": st.sets(st.sampled_from(RATINGS))}
)


@given(some_counts, questions, st.sampled_from([1, 11, 26, 101]))
def test_each_part_has_the_items_of_its_combinations_and_a_way_at_least_what_is_shown(
    counts: dict[tuple[str, int], int], asked: Asked, rows: int
) -> None:
    found = planned(counts, asked, rows)
    right = {pair: max(number, 0) for pair, number in counts.items()}
    kept = {
        pair: number
        for pair, number in right.items()
        if all(not some or value in some for some, value in zip(asked.values(), pair, strict=True))
    }
    assert [way.rank for way in found] == sorted(way.rank for way in found)
    for way in found:
        for part in way.parts:
            known = [(0, part.values.get("language")), (1, part.values.get("rating"))]
            held = (n for pair, n in right.items() if all(value in (None, pair[at]) for at, value in known))
            assert part.items == sum(held)
        items, wanted = sum(part.items for part in way.parts), sum(kept.values())
        assert way.kept == (wanted / items if way.dropped and wanted else way.kept)
        assert way.units >= max(len(way.parts), min(rows, wanted) * 500 // 4096) / 2


BEGUN = Source(
    "begun", SourceKey("pk", Template("{owner}", TYPES)), SourceKey("sk", Template("{language}#{at}", TYPES))
)


@given(
    st.dictionaries(st.sampled_from(LANGUAGES), st.integers(0, 400)), st.sets(st.sampled_from(LANGUAGES), min_size=1)
)
def test_ranges_that_are_joined_hold_all_that_is_asked_for_also_what_nothing_counts(
    counts: dict[str, int], asked: set[str]
) -> None:
    """Sort by a field that is in no key: rows are sorted in memory, so that neighbouring ranges may become one."""
    conditions = {"owner": frozenset({"o"}), "language": frozenset(asked)}
    found = ways([BEGUN], FIELDS, Question(conditions, ("rating",)))
    numbers = FacetCounts[Any](("language",), {(language,): number for language, number in counts.items()})
    (way,) = Prices(numbers, conditions, lambda *_: 1.0, lambda _: 500, 26, known={"owner"}).sorted(found)
    for language in LANGUAGES:
        inside = any((part.low or "") <= f"{language}#2026" <= (part.high or "~") for part in way.parts)
        assert inside or language not in asked
    held = sum(counts.get(language, 0) for language in asked)
    assert held <= way.items <= sum(counts.values())


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        ({}, "by-owner"),
        ({"language": {"en"}}, "by-language"),
        ({"rating": {1}}, "by-rating"),
        ({"rating": {1, 2}}, "by-rating"),
        ({"language": {"en"}, "rating": {1}}, "by-language-rating"),
        ({"language": {"en"}, "rating": {2, 3, 4, 5}}, "by-language"),
        ({"rating": {2, 3, 4, 5}}, "by-owner"),
        ({"language": {"de", "en", "fr"}, "rating": {1}}, "by-rating"),
    ],
)
def test_items_are_dropped_where_they_are_few(asked: Asked, index: str) -> None:
    counts = {(language, rating): 10 if rating == 1 else 100 for language in LANGUAGES for rating in RATINGS}
    assert planned(counts, asked)[0].source.name == index


def kept(order: str) -> Source:
    """Return an index of an owner's items in an order of facets."""
    types = dict.fromkeys(["owner", "number", *order.split()], str)
    text = "#".join(f"{{{name}}}" for name in (*order.split(), "number"))
    return Source(order, SourceKey("pk", Template("{owner}", types)), SourceKey("sk", Template(text, types)))


@pytest.mark.parametrize(("of_rare", "most"), [(1, 5), (3, 2.5), (20, 2)])
@pytest.mark.parametrize("sort", list(permutations(("view", "size", "type"), 2)))
def test_several_values_of_one_facet_are_merged_whatever_facets_sort(
    sort: tuple[str, ...], of_rare: int, most: float
) -> None:
    """Ask for four of six types while most items are of the other two types; then the same for views and sizes."""
    facets = ("view", "size", "type")
    orders = ("size view type", "view size type", "type size view", "view type size")
    rnd, other = Random(1), next(name for name in facets if name not in sort)
    usual = {value: 40 if value in "ef" else of_rare for value in "abcdef"}
    numbers = {values: rnd.randint(0, 2 * usual[values[facets.index(other)]]) for values in product("abcdef", repeat=3)}
    asked = {"owner": frozenset({"h"}), other: frozenset("abcd")}
    fields = {name: Known(str) for name in ("owner", "number", *facets)}
    counts = FacetCounts[Any](facets, numbers)
    found = ways([*map(kept, orders)], fields, Question(asked, sort), counts)
    best = Prices(counts, asked, lambda *_: 1.0, lambda _: 225, 26, known={"owner"}).sorted(found)[0]
    assert best.units <= most


def test_ranges_whose_rows_may_have_any_order_are_read_in_turn() -> None:
    """All rows have the view that is asked for, and nothing else sorts them: the first range fills the page."""
    facets = ("view", "type")
    asked = {"owner": frozenset({"h"}), "view": frozenset("s"), "type": frozenset("abc")}
    counts = FacetCounts[Any](facets, {("s", kind): 60 for kind in "abcdef"})
    fields = {name: Known(str) for name in ("owner", "number", *facets)}
    found = ways([kept("view type")], fields, Question(asked, ("view",)), counts)
    best = Prices(counts, asked, lambda *_: 1.0, lambda _: 200, 20, known={"owner"}).sorted(found)[0]
    assert len(best.parts) == 3  # noqa: PLR2004
    assert best.units == pytest.approx(0.55)


@pytest.mark.parametrize(("passed", "requests"), [(0, 3), (25, 3), (58, 6), (60, 3)])
def test_a_later_page_asks_each_range_that_is_merged_and_none_that_is_passed(passed: int, requests: int) -> None:
    """Ranges of three types are merged by number; those of the first view have 60 rows, and are followed by others."""
    facets = ("view", "type")
    asked = {"owner": frozenset({"h"}), "view": frozenset("st"), "type": frozenset("abc")}
    counts = FacetCounts[Any](facets, {(view, kind): 20 if view == "s" else 1 for view in "st" for kind in "abc"})
    fields = {name: Known(str) for name in ("owner", "number", *facets)}
    found = ways([kept("view type")], fields, Question(asked, ("view", "number")), counts)
    (way,) = (each for each in found if each.ordered and len(each.parts) == 6)  # noqa: PLR2004
    priced = Prices(counts, asked, lambda *_: 1.0, lambda _: 200, 3, passed=passed, known={"owner"}).priced(way)
    assert priced.requests == requests


def test_the_first_page_of_a_walk_reads_what_is_dropped_before_its_first_row() -> None:
    types: dict[str, type] = {"owner": str, "rating": int, "language": str}
    sort = SourceKey("sk", Template("{rating:1}#{language}", types))
    asked = {"owner": frozenset({"h"}), "language": frozenset({"zh-cn"})}
    counts = FacetCounts[Any](("rating", "language"), {(n, text): 10 for n in RATINGS for text in ("de", "zh-cn")})
    source = Source("walk", SourceKey("pk", Template("{owner}", types)), sort)
    (walk,) = ways([source], FIELDS, Question(asked, ("rating",)))
    priced = Prices(counts, asked, lambda *_: 1.0, lambda _: 200, 3, known={"owner"}).priced(walk)
    assert priced.kept == pytest.approx(3 / 13)
