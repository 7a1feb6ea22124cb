"""Plots as numbers: where each bar stands and how long it is. ``templates/portal/plots`` draws them as SVG.

They are drawn here and not by a library such as pygal: links in bars, dark mode by CSS variables, print and a table for
screen readers take a hundred lines, while a library's pictures bring the scripts and styles that the CSP refuses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import ceil, floor, log10

HEIGHT, LEAST = 112, 2
"""The height of upright bars, and that of the smallest one that is not zero, in pixels."""

FILLED = 0.66
"""The part of its place that an upright bar takes up."""

Number = int | Decimal


@dataclass(frozen=True, slots=True)
class Piece:
    """A bar, or one part of a stacked bar. ``address`` is the list that it counts, and ``tone`` names its colour."""

    value: Number
    shown: str
    address: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """Pieces one after the other, under a name. ``tick`` is the label on the axis, blank for most of many bars."""

    name: str
    pieces: Sequence[Piece]
    tick: str = ""

    @property
    def total(self) -> Number:
        """The length of the whole bar."""
        return sum((piece.value for piece in self.pieces), 0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A piece with its start and its length: of upright bars in pixels from above, of lying ones in per cent."""

    piece: Piece
    start: str
    length: str


@dataclass(frozen=True)
class Plot:
    """Bars on one scale. ``columns`` are the headers of their table: that of the names, and one for each piece.

    The scale ends at ``top``, by default at what the longest bar needs. Upright bars are as wide as there is room: so
    their places are in per cent, and letters keep their size.
    """

    title: str
    bars: Sequence[Bar]
    columns: Sequence[str] = ()
    top: Number | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(bar.total for bar in self.bars)

    @property
    def total(self) -> Number:
        """The sum of all bars."""
        return sum((bar.total for bar in self.bars), 0)

    @property
    def height(self) -> int:
        """The height of the bars."""
        return HEIGHT

    @cached_property
    def ticks(self) -> list[tuple[int, str]]:
        """The round numbers of the scale, each with the pixel where its line is."""
        scale = round_numbers(self._most)
        return [(number, f"{HEIGHT - HEIGHT * number / scale[-1]:.1f}") for number in scale]

    @property
    def upright(self) -> Iterator[tuple[Bar, str, str, list[Drawn]]]:
        """Each bar with the start and the width of its place, and its pieces from below."""
        place = 100 / max(len(self.bars), 1)
        for number, bar in enumerate(self.bars):
            yield bar, _percent(number * place), _percent(place), self._upright(bar)

    @property
    def lying(self) -> Iterator[tuple[Bar, list[Drawn]]]:
        """Each bar with its pieces from left to right. The longest bar is as long as there is room."""
        for bar in self.bars:
            start, drawn = 0.0, []
            for piece in bar.pieces:
                length = 100 * float(piece.value) / float(self._most or 1)
                drawn.append(Drawn(piece, _percent(start), _percent(length)))
                start += length
            yield bar, drawn

    @property
    def _most(self) -> Number:
        return max((bar.total for bar in self.bars), default=0) if self.top is None else self.top

    def _upright(self, bar: Bar) -> list[Drawn]:
        end, drawn = float(HEIGHT), []
        for piece in bar.pieces:
            if piece.value:
                length = max(HEIGHT * float(piece.value) / self.ticks[-1][0], LEAST)
                end -= length
                drawn.append(Drawn(piece, f"{end:.1f}", f"{length:.1f}"))
        return drawn


def round_numbers(most: Number, steps: int = 5) -> list[int]:
    """Zero, and at most ``steps`` whole round numbers above it, the last of which is at least ``most``."""
    least = max(float(most) / steps, 1)
    power = 10 ** floor(log10(least))
    step = next(power * nice for nice in (1, 2, 5, 10) if power * nice >= least)
    return [step * number for number in range(max(ceil(float(most) / step), 1) + 1)]


def _percent(number: float) -> str:
    return f"{number:.2f}%"
