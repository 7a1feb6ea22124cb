"""The planner of partitions: its plans have exactly the wanted items, and it chooses the cheapest of them."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.planning import partition_planner as partitions
from dynamodb_lists.planning.partition_planner import REQUEST_ITEMS, PartitionIndex, PartitionPlan
from dynamodb_lists.planning.selection import Combination, CombinationT, Selection

LANGUAGE, RATING = FACETS = ("language", "rating")
BY_OWNER = PartitionIndex("by-owner", ())
BY_LANGUAGE = PartitionIndex("by-language", (LANGUAGE,))
BY_RATING = PartitionIndex("by-rating", (RATING,))
BY_LANGUAGE_RATING = PartitionIndex("by-language-rating", FACETS)
INDEXES = (BY_OWNER, BY_LANGUAGE, BY_RATING, BY_LANGUAGE_RATING)
LANGUAGES = ("de", "en", "fr", "zh-cn")
RATINGS = ("1", "2", "3", "4", "5")
ANYTHING = Selection()


def select(*, language: Iterable[str] = (), rating: Iterable[int] = ()) -> Selection:
    """The selection of these languages and ratings. Without values, a facet allows all."""
    values = {LANGUAGE: frozenset(language), RATING: frozenset(map(str, rating))}
    return Selection({facet: allowed for facet, allowed in values.items() if allowed})


@st.composite
def known_counts(draw: st.DrawFn) -> dict[Combination, int]:
    """Counts, small or large. Some are 0, like those of deleted items; one below 0 is wrong, and stands for none."""
    combinations = st.tuples(st.sampled_from(LANGUAGES), st.sampled_from("12345"))
    return draw(st.dictionaries(combinations, st.integers(-3, 5) | st.integers(0, 400)))


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    """Any languages and ratings, including unused ones."""
    return select(
        language=draw(st.sets(st.sampled_from(LANGUAGES))), rating=map(int, draw(st.sets(st.sampled_from(RATINGS))))
    )


def plans(counts: Mapping[CombinationT, int], selection: Selection) -> list[PartitionPlan]:
    return partitions.plans(counts, FACETS, INDEXES, selection)


def planned(counts: Mapping[CombinationT, int], selection: Selection, count: int = 26) -> PartitionPlan:
    return partitions.cheapest(plans(counts, selection), count)


@given(known_counts(), selections())
def test_every_plan_covers_exactly_the_selection(counts: dict[Combination, int], selection: Selection) -> None:
    found = plans(counts, selection)
    counts = {facets: max(n, 0) for facets, n in counts.items()}
    wanted = {facets: n for facets, n in counts.items() if n and selection.allows(FACETS, facets)}
    for plan in found:
        numbers = [FACETS.index(facet) for facet in plan.index.facets]
        read = Counter[Combination]()
        assert plan.items.keys() == plan.wanted.keys()
        for values, items in plan.items.items():
            inside = {f: n for f, n in counts.items() if tuple(f[number] for number in numbers) == values}
            assert items == sum(inside.values())
            assert plan.wanted[values] == sum(n for facets, n in inside.items() if facets in wanted) > 0
            read.update(facets for facets in inside if facets in wanted)
        assert read == Counter(wanted.keys()), "each kind that is wanted lies in one part, and in one alone"
        assert plan.total == sum(wanted.values())


@given(known_counts(), selections(), st.sampled_from([1, 11, 26, 101]))
def test_the_plan_is_the_one_that_is_expected_to_be_cheapest(
    counts: dict[Combination, int], selection: Selection, count: int
) -> None:
    chosen = planned(counts, selection, count)
    assert chosen.cost(count) < min(plan.cost(count) for plan in plans(counts, selection)) + 1
    for plan in plans(counts, selection):
        if plan.total:
            assert plan.cost(count) >= min(count, plan.total) + REQUEST_ITEMS * len(plan.wanted)


@given(known_counts(), selections())
def test_the_exact_plan_throws_nothing_away_and_is_the_cheapest_that_does(
    counts: dict[Combination, int], selection: Selection
) -> None:
    exact = partitions.cheapest((plan for plan in plans(counts, selection) if not plan.filters), 26)
    assert not exact.filters
    assert exact.total == planned(counts, selection).total
    assert exact.cost(26) <= min(math.ceil(plan.cost(26)) for plan in plans(counts, selection) if not plan.filters)


@pytest.mark.parametrize(
    ("selection", "index"),
    [
        (ANYTHING, BY_OWNER),
        (select(language=["en"]), BY_LANGUAGE),
        (select(rating=[1]), BY_RATING),
        (select(rating=[1, 2]), BY_RATING),
        (select(language=["en"], rating=[1]), BY_LANGUAGE_RATING),
        (select(language=["en"], rating=[2, 3, 4, 5]), BY_LANGUAGE),
        (select(rating=[2, 3, 4, 5]), BY_OWNER),
        (select(language=["de", "en", "fr"], rating=[1]), BY_RATING),
    ],
    ids=lambda value: value.text if isinstance(value, Selection) else None,
)
def test_a_filter_is_used_when_little_is_thrown_away(selection: Selection, index: PartitionIndex) -> None:
    counts: dict[Combination, int] = {(language, str(rating)): 100 for language in LANGUAGES for rating in RATINGS}
    assert planned(counts, selection).index == index
