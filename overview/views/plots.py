"""Plots as numbers: where each bar stands and how long it is. ``templates/jinja2/overview/plots`` draws them as SVG.

They are drawn here and not by a library such as pygal: links in bars, dark mode by CSS variables, print and a table for
screen readers take a hundred lines, while a library's pictures bring the scripts and styles that the CSP refuses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import ceil, floor, log10
from typing import NamedTuple

HEIGHT, LEAST = 112, 2
"""The height of upright bars, and that of the smallest one that is not zero, in pixels. The template has it, too."""

Number = int | Decimal


class Piece(NamedTuple):
    """A bar, or a part of a stacked bar. ``address`` is that of the list that it counts; ``tone`` names its colour."""

    value: Number
    shown: str
    address: str
    tone: str = ""


class PlotBar(NamedTuple):
    """Pieces one after the other, under a name. ``tick`` is the label on the axis, blank for most of many bars."""

    name: str
    pieces: tuple[Piece, ...]
    tick: str = ""

    @property
    def total(self) -> Number:
        return sum((piece.value for piece in self.pieces), 0)


Drawn = tuple[Piece, str, str]
"""A piece with its start and its length: of an upright bar in pixels from above, of a lying one in per cent."""


@dataclass(frozen=True)
class Plot:
    """Bars on a scale that ends at ``top``, by default at the longest bar. ``columns`` are the headers of their table.

    ``address`` is the list that they all count. Bars are as wide as there is room, so their places are in per cent.
    """

    title: str
    bars: tuple[PlotBar, ...]
    columns: tuple[str, ...] = ()
    top: Number | None = None
    address: str = ""

    @cached_property
    def total(self) -> Number:
        return sum((bar.total for bar in self.bars), 0)

    @cached_property
    def most(self) -> float:
        return float(max((bar.total for bar in self.bars), default=0) if self.top is None else self.top)

    @property
    def ticks(self) -> list[tuple[int, str]]:
        """The round numbers of the scale of upright bars, each with the pixel where its line is."""
        scale = round_numbers(self.most)
        return [(number, f"{HEIGHT - HEIGHT * number / scale[-1]:.1f}") for number in scale]

    @property
    def upright(self) -> Iterator[tuple[PlotBar, str, str, Drawn]]:
        """Each bar of one piece with the start and the width of its place."""
        width, end = 100 / max(len(self.bars), 1), round_numbers(self.most)[-1]
        for number, bar in enumerate(self.bars):
            height = max(HEIGHT * float(bar.total) / end, LEAST) if bar.total else 0
            drawn = bar.pieces[0], f"{HEIGHT - height:.1f}", f"{height:.1f}"
            yield bar, f"{number * width:.2f}%", f"{width:.2f}%", drawn

    @property
    def lying(self) -> Iterator[tuple[PlotBar, list[Drawn]]]:
        for bar in self.bars:
            start, drawn = 0.0, list[Drawn]()
            for piece in bar.pieces:
                length = 100 * float(piece.value) / (self.most or 1)
                drawn.append((piece, f"{start:.2f}%", f"{length:.2f}%"))
                start += length
            yield bar, drawn


def round_numbers(most: float) -> list[int]:
    """Return zero and at most five round whole numbers above it. The last one is at least ``most``."""
    least = max(most / 5, 1)
    power = 10 ** floor(log10(least))
    step = next(power * nice for nice in (1, 2, 5, 10) if power * nice >= least)
    return [step * number for number in range(max(ceil(most / step), 1) + 1)]
