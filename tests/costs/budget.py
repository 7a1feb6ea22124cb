"""The budget of pages: a table in docs/requests.md. Tests compare it, and ``UPDATE_DOCS=1`` writes it."""

import re
from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from tests.helpers.documents import assert_generated, table, text_of

ROW = re.compile(r"^\| ([^|`]+) \| ([\d., |]+) \|$", re.MULTILINE)
ROOM_TO_GROW, MUCH_LESS = 1.03, 0.8
"""Bytes and renders follow the day a little. A page that needs much less than its budget gets a smaller budget."""

HALF_A_UNIT = 0.5
"""What a page reads may follow the day by so many units: the statistics of thirty days are about 4 KB."""


class Weight(NamedTuple):
    """What a page takes, once the process has served it before."""

    kilobytes: float
    renders: float
    requests: float
    read_units: float
    waves: float

    def compared(self, budget: "Weight") -> dict[str, tuple[float, float]]:
        """Return what is above the budget, or far below it: the figure and the budget."""
        most_on_any_day = budget._replace(read_units=budget.read_units + HALF_A_UNIT)
        figures = zip(self._fields, self, budget, most_on_any_day, strict=True)
        return {name: (value, given) for name, value, given, most in figures if not MUCH_LESS * given <= value <= most}


def budgets() -> dict[str, Weight]:
    """Return the budget of each page by its name, from the document."""
    return {
        row[1]: Weight(*map(float, row[2].split(" | ")))
        for row in ROW.finditer(text_of("requests.md", "What a page weighs"))
    }


def write(weights: Mapping[str, Weight]) -> None:
    """Write budgets for these weights into the document."""
    rows = [
        [name, ceil(weight.kilobytes * 10 * ROOM_TO_GROW) / 10, round(weight.renders * ROOM_TO_GROW), *weight[2:]]
        for name, weight in weights.items()
    ]
    texts = [[name, *(f"{figure:g}" for figure in figures)] for name, *figures in rows]
    assert_generated({"budget": lambda _: table(("page", "kB", "renders", "requests", "read units", "waves"), texts)})
