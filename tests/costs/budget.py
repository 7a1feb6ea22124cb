"""The budget of pages, in pages.json beside this module. A test compares it, and ``UPDATE_DOCS=1`` writes it."""

import json
from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from tests.helpers.documents import ROOT

FILE = ROOT / "tests" / "costs" / "pages.json"
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
    """Return the budget of each page by its name, from the file."""
    pages: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Weight(**figures) for name, figures in pages.items()}


def write(weights: Mapping[str, Weight]) -> None:
    """Write budgets for these weights into the file, a page a line."""
    lines = []
    for name, weight in weights.items():
        room = {
            "kilobytes": ceil(weight.kilobytes * 10 * ROOM_TO_GROW) / 10,
            "renders": round(weight.renders * ROOM_TO_GROW),
        }
        lines.append(f"{json.dumps(name)}: {json.dumps(weight._replace(**room)._asdict())}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
