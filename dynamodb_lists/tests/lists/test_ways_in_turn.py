"""Ways that are read in turn: whatever is expected of them, they take little more than the best one alone."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.lists.planned import FIRST_UNITS, FURTHER, in_turn
from dynamodb_lists.planning.request_cost import Charge
from dynamodb_lists.reading.explaining import Explained, Explanation
from dynamodb_lists.reading.listing import Candidate
from dynamodb_lists.tests.helpers.examples import examples

REQUEST = 0.5


@dataclass
class Trial:
    """A way that takes some units, and an expected number of units; both are equal if the way is ``known``."""

    units_needed: float
    expected: float
    known: bool = False
    spent: list[float] = field(default_factory=list)

    @property
    def units(self) -> float:
        return sum(self.spent)

    @property
    def left(self) -> float:
        more = self.expected - self.units
        return more if more > 0 else max(self.units, REQUEST)

    @property
    def least(self) -> float:
        return self.left if self.known else REQUEST

    @property
    def next(self) -> float:
        return max(self.left, self.least)

    @property
    def reach(self) -> float:
        return self.units + self.least

    def read(self, most: float) -> bool:
        while self.units < min(most, self.units_needed):
            self.spent.append(REQUEST)
        return self.units >= self.units_needed


def taken(ways: list[Any], most_units: float = 1e6) -> float:
    """Return the units of all ways, until one of them has the page."""
    for turn, (way, most) in enumerate(in_turn(ways, most_units)):
        assert turn < 60, "each turn reads more"
        if way.read(most):
            break
    return float(sum(way.units for way in ways))


halves = st.integers(1, 400).map(lambda number: number / 2)
guessed = st.builds(Trial, halves, st.one_of(halves, st.just(0.5), st.just(100_000.0)))
counted = halves.map(lambda units: Trial(units, units, known=True))


@settings(max_examples=examples(500))
@given(guessed, st.one_of(guessed, counted))
def test_two_ways_take_at_most_so_many_times_what_the_better_one_takes(one: Trial, other: Trial) -> None:
    best = min(one.units_needed, other.units_needed)
    assert taken([one, other]) <= (1 + FURTHER) * best + FIRST_UNITS + REQUEST <= 2.5 * best + 4


@settings(max_examples=examples(500))
@given(guessed, guessed, st.one_of(guessed, counted))
def test_of_three_ways_each_is_compared_with_each_other(one: Trial, two: Trial, three: Trial) -> None:
    best = min(each.units_needed for each in (one, two, three))
    assert taken([one, two, three]) <= (1 + 2 * FURTHER) * best + 2 * FIRST_UNITS + 2 * REQUEST


@given(guessed, guessed, halves)
def test_no_way_takes_more_than_a_page_may(one: Trial, two: Trial, most: float) -> None:
    taken([one, two], most)
    assert max(one.units, two.units) <= most + REQUEST


def test_an_explanation_says_if_a_dearer_way_had_the_page_first() -> None:
    def way(name: str, units: float, *, chosen: bool = False) -> Explained:
        return Explained(Candidate(name, "", Charge(units, 1), lambda: None, chosen))

    won, other = way("index a", 4, chosen=True), way("index b", 2)
    assert Explanation([won, other]).reason.startswith("The ways were read in turn, and it had the page first.")
    assert Explanation([other, won]).reason.startswith("No other way is expected to cost less.")
