"""The costs in docs/requests.md, written from docs/costs.json, and the figures in sentences of other documents."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tests.helpers.documents import ROOT, table

FILE = ROOT / "docs" / "costs.json"
READ = re.compile(
    r"^(?P<before>(?P<begin>\| `(?P<name>[\w-]+)` \| [^|]+ \| )(?P<request>[^|]+) \| )(?P<cost>[\d./-]+) \|$",
    re.MULTILINE,
)
"""A row of a read: the name of the pattern, what it reads, its first request, and its cost."""
WRITE_HEADER = ("what", "write units / of them in indexes")

Cost = Mapping[str, Any]


def documented() -> Mapping[str, Cost]:
    """Return the cost of each pattern by name, as the file has it."""
    costs: Mapping[str, Cost] = json.loads(FILE.read_text(encoding="utf-8"))
    return costs


def units(cost: Cost, kind: str, part: str = "") -> float:
    """Return the units of a kind, ``read`` or ``written``, of all places, or of those with this part in their name."""
    return round(float(sum(used for place, used in cost[kind].items() if part in place)), 2)


def shown(_: str) -> str:
    """The table of the writes: a row for each kind of thing, the first part of their names."""
    rows: dict[str, list[str]] = {}
    for name, cost in documented().items():
        if cost["written"]:
            figures = "/".join(_texts(units(cost, "written", part) for part in ("", " ")))
            rows.setdefault(name.partition("-")[0], []).append(f"{cost['title']}: {figures}")
    return table(WRITE_HEADER, ([name, "; ".join(writes)] for name, writes in rows.items()), WRITE_HEADER)


def price(name: str) -> str:
    """Return what a read costs: its requests, read units and waves."""
    cost = documented()[name]
    return "/".join(_texts((cost["requests"], units(cost, "read"), cost["waves"])))


def _texts(figures: Iterable[float]) -> list[str]:
    return [f"{figure:g}" for figure in figures]
