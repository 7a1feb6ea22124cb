"""The tables and figures of the documents that are measured, or that follow from what is measured."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from tests.helpers.documents import table

FOLDER = Path(settings.BASE_DIR) / "docs"
FILE = FOLDER / "costs.json"
BLOCK = re.compile(r"(?<=<!-- costs: )([\w-]+)( -->\n).*?(?=<!-- end of costs -->)", re.DOTALL)
READ_HEADER = ("waves", "requests", "read units", "what costs this")
WRITE_HEADER = ("write", "requests", "read units", "write units", "of them in indexes")
EXPORT_HEADER = ("export", "requests", "read units")

Costs = Mapping[str, Any]


def total(cost: Costs, kind: str) -> float:
    """All units of a kind: ``read`` or ``written``."""
    return float(round(sum(cost[kind].values()), 2))


def blocks(patterns: Costs) -> dict[str, Callable[[], str]]:
    """The function that writes each block, by its name in the documents."""
    writes = [name for name in patterns if total(patterns[name], "written")]
    reads = [name for name in patterns if name not in writes and not name.startswith(("page-", "export-"))]
    exports = [name for name in patterns if name.startswith("export-")]
    return {
        "reads": partial(read_table, patterns, reads),
        "exports": lambda: table(EXPORT_HEADER, (_exported(name, patterns[name]) for name in exports)),
        "writes": partial(write_table, patterns, writes),
    }


def read_table(patterns: Costs, names: list[str]) -> str:
    """A row for each price, the lowest first, with the patterns that cost it."""
    groups: dict[tuple[int, float, float], list[str]] = {}
    for name in names:
        cost = patterns[name]
        groups.setdefault((cost["waves"], total(cost, "read"), cost["requests"]), []).append(_named(name, cost))
    rows = (
        [waves, f"{requests:g}", f"{units:g}", "; ".join(groups[waves, units, requests])]
        for waves, units, requests in sorted(groups)
    )
    return table(READ_HEADER, rows, READ_HEADER[-1:])


def write_table(patterns: Costs, names: list[str]) -> str:
    """A row for each write: its units, and those of them that are entries of indexes."""
    return table(WRITE_HEADER, (_written(name, patterns[name]) for name in names))


def _exported(name: str, cost: Costs) -> list[str]:
    return [_named(name, cost), f"{cost['requests']:g}", f"{total(cost, 'read'):g}"]


def _written(name: str, cost: Costs) -> list[str]:
    entries = sum(units for place, units in cost["written"].items() if " " in place)
    units = (total(cost, "read"), total(cost, "written"), round(entries, 2))
    return [_named(name, cost), *(f"{each:g}" for each in (cost["requests"], *units))]


def _named(name: str, cost: Costs) -> str:
    """Name and title of a pattern."""
    return f"`{name}` {cost['title']}"


def local_units(cost: Costs) -> float:
    """The units of a write in local indexes."""
    return float(sum(units for place, units in cost["written"].items() if " lsi" in place))


# --- Figures in sentences ---------------------------------------------------------------------------------

SENTENCES = {
    "access-patterns": [
        "It costs {tap.written} write units if the room begins or ends to need attention",
        "a page of 25 takes {A7.requests} requests, {A7.read} read units and {A7.waves} waves",
        "A page is one request, {A10.read} read unit",
    ],
    "costs": ["DynamoDB Local charges two: a tap would be {tap.twice} units, not {tap.written}"],
    "keys": [
        "(a guest with two names {guest-add.swapped} instead of {guest-add.written} write units)",
        "A page of 25 takes {A10g.read} units: keys, then orders",
        "An order of 1 line costs {order-place.written} units",
        "of 3 lines {order-place-3.written} and",
        "But a step of 90 lines costs {order-step.written},",
        "A tap costs {tap.written} write units: {tap.lsi} for the LSIs",
    ],
    "planner": [
        "adding a room takes {room-add.written} write units",
        "the LSIs take {tap.lsi} of {tap.written} units of a tap",
    ],
    "scaling": [
        "In an import a room costs {import-room.written} write units instead of {room-add.written}, "
        "an order {import-order.written}, a review {import-review.written}",
    ],
}
"""Sentences of the documents, with a name in the place of each figure."""


def figures(costs: Costs) -> dict[str, str]:
    """Every figure of the sentences by its name."""
    found: dict[str, str] = {}
    for name, cost in costs.items():
        found |= {f"{name}.{what}": f"{cost[what]:g}" for what in ("requests", "waves")}
        found |= {f"{name}.{kind}": f"{total(cost, kind):g}" for kind in ("read", "written")}
    tap = costs["tap"]
    guest = costs["guest-add"]["written"]
    swapped = sum(guest.values()) + guest["users-and-orders"] / 2  # one more unit for each item
    derived = {
        "guest-add.swapped": swapped,
        "tap.lsi": local_units(tap),
        "tap.twice": sum(units * (1 + (" " in place)) for place, units in tap["written"].items()),
    }
    return found | {name: f"{units:g}" for name, units in derived.items()}


# --- Writing ----------------------------------------------------------------------------------------------


def brought_up_to_date(name: str, text: str, costs: Costs) -> str:
    """A document with the measured tables and figures. Raises ``ValueError`` for a sentence that it does not have."""
    tables, known = blocks(costs), figures(costs)
    text = BLOCK.sub(lambda match: f"{match[1]}{match[2]}\n{tables[match[1]]()}\n\n", text)
    for sentence in SENTENCES.get(name, ()):
        words, names = re.split(r"{[\w.-]+}", sentence), re.findall(r"{([\w.-]+)}", sentence)
        pattern = r"([\d,.]*\d)".join(r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in words)
        match = re.search(pattern, text)
        if match is None:
            raise ValueError(f"docs/{name}.md does not say: {sentence}")
        for number, figure in reversed(list(enumerate(names, 1))):
            text = text[: match.start(number)] + known[figure] + text[match.end(number) :]
    return text
