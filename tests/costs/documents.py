"""The tables of docs/requests.md, written from docs/costs.json, and the figures in sentences of other documents."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.helpers.documents import ROOT, table

FILE = ROOT / "docs" / "costs.json"
READ_HEADER = ("waves", "requests", "read units", "what costs this")
WRITE_HEADER = ("write", "requests", "read units", "write units", "of them in indexes")

Cost = Mapping[str, Any]


def documented() -> Mapping[str, Cost]:
    """Return the cost of each pattern by name, as the file has it."""
    costs: Mapping[str, Cost] = json.loads(FILE.read_text(encoding="utf-8"))
    return costs


def units(cost: Cost, kind: str, part: str = "") -> float:
    """Return the units of a kind, ``read`` or ``written``, of all places, or of those with this part in their name."""
    return round(float(sum(used for place, used in cost[kind].items() if part in place)), 2)


def shown(name: str) -> str:
    """The table of ``reads`` or ``writes``."""
    kinds: dict[str, dict[str, Cost]] = {"reads": {}, "writes": {}}
    for pattern, cost in documented().items():
        kinds["writes" if cost["written"] else "reads"][f"`{pattern}` {cost['title']}"] = cost
    if name == "reads":
        return table(READ_HEADER, _by_price(kinds[name]), READ_HEADER[-1:])
    return table(WRITE_HEADER, ([title, *_written(cost)] for title, cost in kinds[name].items()))


def _by_price(patterns: Mapping[str, Cost]) -> Iterable[list[object]]:
    """Yield a row for each price, the lowest first, with the patterns that cost it."""
    groups: dict[tuple[float, ...], list[str]] = {}
    for title, cost in patterns.items():
        groups.setdefault((cost["waves"], units(cost, "read"), cost["requests"]), []).append(title)
    for (waves, read, requests), titles in sorted(groups.items()):
        yield [*_texts((waves, requests, read)), "; ".join(titles)]


def _written(cost: Cost) -> list[str]:
    written = (units(cost, "written", part) for part in ("", " "))
    return _texts((cost["requests"], units(cost, "read"), *written))


def _texts(figures: Iterable[float]) -> list[str]:
    return [f"{figure:g}" for figure in figures]
