"""Prices, and from how many rooms on the five local indexes of rooms pay, in dollars."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dynamodb_lists.planning.request_cost import READ_DOLLARS, WRITE_DOLLARS

PRICES = {"read-price": READ_DOLLARS, "write-price": WRITE_DOLLARS, "storage-price": 0.25}
"""Dollars in us-east-1, on demand, since November 2024: a million units of reads and of writes, a GB-month of data."""

RECOVERY_DOLLARS = 0.20
"""Dollars in us-east-1 of a GB-month of a table and its local indexes for point-in-time recovery."""

MILLION = 1e6
RATIOS = (0.3, 1, 3, 10, 30, 100)
"""List pages for each write of a room."""

BREAK_EVEN_HEADER = ("rooms / list pages a write", *RATIOS)
Costs = Mapping[str, Any]


def local_units(cost: Costs) -> float:
    """The units of a write in local indexes."""
    return float(sum(units for place, units in cost["written"].items() if " lsi" in place))


def per_write(costs: Costs, rooms: str, ratio: float, prices: Mapping[str, float] = PRICES) -> tuple[float, float]:
    """Dollars of a million taps, each with ``ratio`` list pages: with local indexes, and without any.

    Without them, a page is one Query of the hotel's rooms, which are sorted in memory, and it needs no counts.
    """
    hotel, tap = costs["growing"][rooms], costs["patterns"]["tap"]
    page = sum(units for units, _ in hotel["pages"]) / len(hotel["pages"])
    with_keys = sum(tap["written"].values())
    written = [with_keys, with_keys - local_units(tap)]
    read = [page, hotel["whole"][0]]
    pairs = zip(written, read, strict=True)
    first, second = (w * prices["write-price"] + ratio * r * prices["read-price"] for w, r in pairs)
    return first, second


def break_even(costs: Costs, prices: Mapping[str, float] = PRICES) -> Iterator[list[object]]:
    """Rows with the dollars of both ways for each size and ratio; at the end, from how many rooms on the keys pay."""
    for rooms in costs["growing"]:
        pairs = (per_write(costs, rooms, ratio, prices) for ratio in RATIOS)
        yield [rooms, *(f"{money(first)} / {money(second)}" for first, second in pairs)]
    yield ["**the keys pay from**", *(pays_from(costs, ratio, prices) for ratio in RATIOS)]


def pays_from(costs: Costs, ratio: float, prices: Mapping[str, float] = PRICES) -> str:
    """From about how many rooms on the local indexes cost less, on a straight line between the measured sizes."""
    sizes = list(costs["growing"])
    surplus = [first - second for first, second in (per_write(costs, size, ratio, prices) for size in sizes)]
    for (small, before), (large, after) in pairwise(zip(map(int, sizes), surplus, strict=True)):
        if after <= 0:
            rooms = small + max(before, 0) / (max(before, 0) - after or 1) * (large - small)
            return f"{float(f'{rooms:.2g}'):,.0f}"
    return f"more than {int(sizes[-1]):,}"


def money(dollars: float) -> str:
    return f"{dollars:,.2f}"


def table(header: Sequence[object], rows: Iterable[Sequence[object]], texts: Sequence[str] = ()) -> str:
    """A table in Markdown. All but the first column and ``texts`` are figures, which stand on the right."""
    rule = "|".join("---:" if number and title not in texts else "---" for number, title in enumerate(header))
    first, *lines = (f"| {' | '.join(map(str, cells))} |" for cells in [header, *rows])
    return "\n".join([first, f"|{rule}|", *lines])
