"""The geometry of plots: round scales, and bars that are as long as their numbers say."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from overview.views.plots import HEIGHT, LEAST, Piece, Plot, PlotBar, round_numbers


def plot_of(*numbers: int | Decimal, top: int | None = None) -> Plot:
    return Plot("Numbers", tuple(PlotBar(str(each), (Piece(each, str(each), "/"),)) for each in numbers), top=top)


@given(st.floats(0, 1e12))
def test_a_scale_has_few_numbers_and_room_for_the_longest_bar(most: float) -> None:
    numbers = round_numbers(most)
    assert numbers[-1] >= most
    assert 2 <= len(numbers) <= 6
    assert len({second - first for first, second in zip(numbers, numbers[1:], strict=False)}) == 1


def test_upright_bars_stand_side_by_side_on_the_ground() -> None:
    bars = list(plot_of(0, 1, 500, Decimal("1000.00")).upright)
    assert [(x, width) for _, x, width, _ in bars] == [(f"{place}.00%", "25.00%") for place in (0, 25, 50, 75)]
    heights = [float(height) for _, _, _, (_, _, height) in bars]
    assert heights == [0, LEAST, HEIGHT / 2, HEIGHT]
    assert all(float(y) + float(height) == HEIGHT for _, _, _, (_, y, height) in bars)


def test_lying_bars_are_shares_of_the_scale() -> None:
    (_, (drawn,)), (_, (longest,)) = plot_of(5, 20).lying
    assert (drawn[1], drawn[2], longest[2]) == ("0.00%", "25.00%", "100.00%")
    (_, (share,)) = next(plot_of(5, top=50).lying)
    assert share[2] == "10.00%"
    stacked = Plot("Two", (PlotBar("a", (Piece(1, "1", "/"), Piece(3, "3", "/"))),))
    ((_, pieces),) = stacked.lying
    assert [(start, length) for _, start, length in pieces] == [("0.00%", "25.00%"), ("25.00%", "75.00%")]
