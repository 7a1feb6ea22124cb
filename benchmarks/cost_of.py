"""``python -m benchmarks.cost_of``: what a group of hotels costs a month on AWS, by table and by what happens there.

A model over the measured costs of docs/costs.json. Not counted are data transfer, backups, alarms, the machines of the
portal and retries. Pages are those of a hotel of 200 rooms, and of processes that have cached nothing.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

COSTS = Path(__file__).resolve().parent.parent / "docs" / "costs.json"
PRICES = {"read-price": 0.125, "write-price": 0.625, "storage-price": 0.25}
"""Dollars in us-east-1, on demand, since November 2024: a million units of reads and of writes, a GB-month of data."""

GROUP = {
    "hotels": (50, "hotels"),
    "rooms": (200, "rooms of a hotel"),
    "staff": (20, "members of staff at work in a hotel each day; each logs in once"),
    "pages": (300, "pages that a member of staff opens a day"),
    "taps": (2, "changes of a room's status a day"),
    "orders": (60, "orders of a hotel a day, each of three items, with three steps"),
    "guests": (20, "new guests of a hotel a day"),
    "reviews": (10, "reviews of a hotel a day, of which it answers every second"),
    "years": (3, "years for which orders, guests, reviews and the history are kept"),
}
EVENTS: dict[str, dict[str, float]] = {
    "pages": {"page-rooms": 0.3, "page-rooms-filtered": 0.2, "page-room": 0.2, "page-attention": 0.1}
    | dict.fromkeys(("page-unfinished", "page-order", "page-guest-orders", "page-reviews"), 0.05),
    "taps": {"tap": 0.5, "tap-back": 0.5},
    "orders": dict.fromkeys(("order-place-3", "order-step", "order-ship", "order-last"), 1),
    "guests": {"guest-add": 1},
    "reviews": {"review-add": 1, "review-reply": 0.5},
    "logins": {"login": 1},
}
"""What happens, and how often each measured pattern takes part in it. The mix of pages is a guess."""

DAYS, MILLION, GB = 30, 1e6, 1e9
SHORT_LIVED = "sessions"
"""The table whose items DynamoDB deletes after a day."""

RATIOS = (0.3, 1, 3, 10, 30, 100)
Costs = Mapping[str, Any]


def a_day(group: Mapping[str, float]) -> dict[str, float]:
    """How often each event happens a day."""
    by = {"pages": group["staff"] * group["pages"], "taps": group["rooms"] * group["taps"], "logins": group["staff"]}
    return {event: group["hotels"] * (by[event] if event in by else group[event]) for event in EVENTS}


def bill(costs: Costs, group: Mapping[str, float], prices: Mapping[str, float] = PRICES) -> Iterator[list[object]]:
    """Rows with dollars a month: each table with its reads, writes and stored data, each event, and their sum."""
    parts = defaultdict[tuple[str, str], float](float)
    events, stored = defaultdict[str, float](float), defaultdict[str, float](float)
    for event, times in a_day(group).items():
        for name, share in EVENTS[event].items():
            cost, often = costs["patterns"][name], times * share
            for kind, price in (("read", "read-price"), ("written", "write-price")):
                for place, units in cost[kind].items():
                    dollars = often * DAYS * units / MILLION * prices[price]
                    parts[place.split()[0], kind] += dollars
                    events[event] += dollars
            for table, grown in cost["stored"].items():
                stored[table] += often * grown * (1 if table == SHORT_LIVED else 365 * group["years"])
    for table, grown in costs["patterns"]["import-room"]["stored"].items():
        stored[table] += group["hotels"] * group["rooms"] * grown
    for table, size in stored.items():
        parts[table, "stored"] = size / GB * prices["storage-price"]
    kinds = ("read", "written", "stored")
    for table in sorted({table for table, _ in parts}):
        amounts = [parts[table, kind] for kind in kinds]
        yield [f"`{table}`", *map(money, amounts), f"{stored[table] / GB:,.2f}", money(sum(amounts))]
    sums = [sum(dollars for (_, part), dollars in parts.items() if part == kind) for kind in kinds]
    yield ["**sum**", *map(money, sums), f"{sum(stored.values()) / GB:,.2f}", money(sum(sums))]
    for event, dollars in events.items():
        yield [f"{a_day(group)[event]:,.0f} {event} a day", "", "", "", "", money(dollars)]


BILL_HEADER = ("dollars a month", "reads", "writes", "stored", "GB", "sum")


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


BREAK_EVEN_HEADER = ("rooms / list pages a write", *RATIOS)


def money(dollars: float) -> str:
    return f"{dollars:,.2f}"


def table(header: Sequence[object], rows: Iterator[Sequence[object]], texts: Sequence[str] = ()) -> str:
    """A table in Markdown. All but the first column and ``texts`` are figures, which stand on the right."""
    lines = [header, ["---:" if number and title not in texts else "---" for number, title in enumerate(header)], *rows]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)


def main() -> None:
    """Print what a group costs, and from which size on local indexes pay."""
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser("python -m benchmarks.cost_of", description=__doc__, formatter_class=formatter)
    for name, (default, text) in GROUP.items():
        parser.add_argument(f"--{name}", type=float, default=default, metavar="N", help=text)
    for name, price in PRICES.items():
        text = "dollars in us-east-1, on demand, since November 2024; of a million units, or of a GB-month"
        parser.add_argument(f"--{name}", type=float, default=price, metavar="USD", help=text)
    options = {name.replace("_", "-"): value for name, value in vars(parser.parse_args()).items()}
    costs = json.loads(COSTS.read_text(encoding="utf-8"))
    print(table(BILL_HEADER, bill(costs, options, options)))
    print("\nDollars of a million writes of a room's status, with local indexes / without, and so many pages each:\n")
    print(table(BREAK_EVEN_HEADER, break_even(costs, options)))


if __name__ == "__main__":
    main()
