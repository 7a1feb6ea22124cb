"""``python -m benchmarks.cost_of``: what a group of hotels costs a month on AWS, by table and by what happens there.

A model over the measured costs of docs/costs.json. Not counted are data transfer, backups, alarms, the machines of the
portal and retries. Pages are those of a hotel of 200 rooms, and of processes that have cached nothing.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.dollars import BREAK_EVEN_HEADER, MILLION, PRICES, Costs, break_even, money, table

COSTS = Path(__file__).resolve().parent.parent / "docs" / "costs.json"
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

DAYS, GB = 30, 1e9
SHORT_LIVED = "sessions"
"""The table whose items DynamoDB deletes after a day."""


def a_day(group: Mapping[str, float]) -> dict[str, float]:
    """How often each event happens a day."""
    by = {"pages": group["staff"] * group["pages"], "taps": group["rooms"] * group["taps"], "logins": group["staff"]}
    return {event: group["hotels"] * (by[event] if event in by else group[event]) for event in EVENTS}


def bill(costs: Costs, group: Mapping[str, float], prices: Mapping[str, float] = PRICES) -> Iterator[list[object]]:
    """Rows with dollars a month: each table with its reads, writes and stored data, their sum, and each event."""
    parts, events = _spent(costs, group, prices)
    size = _stored(costs, group)
    parts |= {(name, "stored"): grown / GB * prices["storage-price"] for name, grown in size.items()}
    kinds = ("read", "written", "stored")
    for name in sorted({name for name, _ in parts}):
        amounts = [parts[name, kind] for kind in kinds]
        yield [f"`{name}`", *map(money, amounts), money(size[name] / GB), money(sum(amounts))]
    sums = [sum(dollars for (_, part), dollars in parts.items() if part == kind) for kind in kinds]
    yield ["**sum**", *map(money, sums), money(sum(size.values()) / GB), money(sum(sums))]
    for event, dollars in events.items():
        yield [f"{a_day(group)[event]:,.0f} {event} a day", "", "", "", "", money(dollars)]


Parts = defaultdict[tuple[str, str], float]


def _spent(
    costs: Costs, group: Mapping[str, float], prices: Mapping[str, float]
) -> tuple[Parts, defaultdict[str, float]]:
    """The dollars of a month's requests, by table and kind, and by event."""
    parts, events = Parts(float), defaultdict[str, float](float)
    for event, times in a_day(group).items():
        for name, share in EVENTS[event].items():
            for kind, price in (("read", "read-price"), ("written", "write-price")):
                for place, units in costs["patterns"][name][kind].items():
                    dollars = times * share * DAYS * units / MILLION * prices[price]
                    parts[place.split()[0], kind] += dollars
                    events[event] += dollars
    return parts, events


def _stored(costs: Costs, group: Mapping[str, float]) -> defaultdict[str, float]:
    """The bytes that each table holds after the years."""
    size = defaultdict[str, float](float)
    for event, times in a_day(group).items():
        for pattern, share in EVENTS[event].items():
            for name, grown in costs["patterns"][pattern]["stored"].items():
                size[name] += times * share * grown * (1 if name == SHORT_LIVED else 365 * group["years"])
    for name, grown in costs["patterns"]["import-room"]["stored"].items():
        size[name] += group["hotels"] * group["rooms"] * grown
    return size


BILL_HEADER = ("dollars a month", "reads", "writes", "stored", "GB", "sum")


def not_negative(text: str) -> float:
    """A number of the command line. Raises :class:`ValueError` for one below zero."""
    if (number := float(text)) < 0:
        raise ValueError(text)
    return number


def main() -> None:
    """Print what a group costs, and from which size on local indexes pay."""
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser("python -m benchmarks.cost_of", description=__doc__, formatter_class=formatter)
    for name, (default, text) in GROUP.items():
        parser.add_argument(f"--{name}", type=not_negative, default=default, metavar="N", help=text)
    for name, price in PRICES.items():
        text = "dollars in us-east-1, on demand, since November 2024; of a million units, or of a GB-month"
        parser.add_argument(f"--{name}", type=not_negative, default=price, metavar="USD", help=text)
    options = {name.replace("_", "-"): value for name, value in vars(parser.parse_args()).items()}
    costs = json.loads(COSTS.read_text(encoding="utf-8"))
    print(table(BILL_HEADER, bill(costs, options, options)))
    print("\nDollars of a million writes of a room's status, with local indexes / without, and so many pages each:\n")
    print(table(BREAK_EVEN_HEADER, break_even(costs, options)))


if __name__ == "__main__":
    main()
