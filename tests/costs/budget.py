"""The budget of pages: the table in docs/performance.md, which the tests hold, and which ``UPDATE_DOCS=1`` writes."""

import re
from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

from tests.costs.documents import FOLDER
from tests.helpers.documents import table

FILE = FOLDER / "performance.md"
BLOCK = re.compile(r"(?<=<!-- budget -->\n).*?(?=<!-- end of budget -->)", re.DOTALL)
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
        """What is above the budget, or far below it: the figure and the budget."""
        most_on_any_day = budget._replace(read_units=budget.read_units + HALF_A_UNIT)
        figures = zip(self._fields, self, budget, most_on_any_day, strict=True)
        return {name: (value, given) for name, value, given, most in figures if not MUCH_LESS * given <= value <= most}


HEADER = ("page", "kB", "renders", "requests", "read units", "waves")


def budgets() -> dict[str, Weight]:
    """The budget of each page by its name, from the document."""
    found = ROW.finditer(FILE.read_text(encoding="utf-8"))
    return {match[1]: Weight(*map(float, match[2].split(" | "))) for match in found}


def write(weights: Mapping[str, Weight]) -> None:
    """Write budgets for these weights into the document."""
    text = f"\n{table(HEADER, _rows(weights))}\n\n"
    FILE.write_text(BLOCK.sub(lambda _: text, FILE.read_text(encoding="utf-8")), encoding="utf-8")


def _rows(weights: Mapping[str, Weight]) -> Iterator[list[object]]:
    for name, weight in weights.items():
        roomy = ceil(weight.kilobytes * 10 * ROOM_TO_GROW) / 10, round(weight.renders * ROOM_TO_GROW)
        yield [name, *(f"{figure:g}" for figure in (*roomy, *weight[2:]))]
