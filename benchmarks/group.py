"""``python -m benchmarks.group``: the busiest second of a group of 10,000 hotels, against the limits of DynamoDB.

Each action runs on the embedded engine, once in each of a few hotels. The units that it took of each key are then
multiplied by how often the group does it. So nothing depends on the speed of this machine.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Mapping

from django.core.cache import cache
from tqdm import tqdm

from benchmarks import common
from benchmarks.charged import A_SECOND, TRANSACTIONS, Use, recorded
from benchmarks.group_actions import ACTIONS, OWN, filled
from tests.helpers.contents import forget_counts

HOTELS, DAY = 10_000, 86_400
PEAK = 10
"""How many times the mean of a day its busiest second has."""

OF_TABLE = 40_000.0
"""The units of either kind that a table takes a second with its indexes."""

SHOWN, LEAST = 6, 0.01
"""The most rows of a table, and the least part of a limit that is shown."""

SHORT = re.compile(r"#[A-Z]{3}\b|#?\d+|#[^#]{1,3}$")
"""What differs between keys of one form: currencies, shards, days and initials."""

ALL = "all keys"
HEADER = ("of", "what", "a second", "limit", "used", "load may grow")
Uses = Mapping[Use, float]


def main() -> None:
    """Record each action, print how much of each limit is used, and fail if a limit is passed."""
    options = common.options("Add up the group's busiest second.", hotels=(64, 1), shards=(64, 8))
    with common.fresh_tables():
        uses = used(options.hotels, options.shards)
    for name, group in grouped(uses).items():
        rows = [_row(use, amount, amount / limit(use)) for use, amount in group.items()]
        common.print_table((name, *HEADER), rows)
    common.finish(options)
    over = sorted(f"{use.key} of {use.place}" for use, amount in uses.items() if amount > limit(use))
    if over and options.hotels >= options.shards:  # fewer do not use all shards alike
        sys.exit(f"More than DynamoDB gives: {', '.join(over)}.")


def used(hotels: int, shards: int) -> Uses:
    """Return what the busiest second takes of each key, table and item; for things of each hotel, the mean of a hotel.

    Each action runs in each hotel. The process has read the items of the group, and none of the hotel.
    """
    first, *places = tqdm(filled(hotels + 1, shards), "Filling", hotels + 1, disable=None)
    found = defaultdict[Use, float](float)
    for prepare, a_day in tqdm(ACTIONS, "Recording", disable=None):
        cache.clear()
        forget_counts()
        prepare(first)()
        for place in places:
            call = prepare(place)
            with recorded() as uses:
                call()
            for use, amount in uses.items():
                a_second = amount * a_day / DAY * PEAK / hotels
                key, own = OWN.subn("{hotel}", use.key)
                found[use._replace(key=key)] += a_second / (HOTELS if own else 1)
                if use.what != TRANSACTIONS:
                    found[Use(use.what, use.place.partition(" ")[0], ALL)] += a_second
    return found


def limit(use: Use) -> float:
    """Return what the key, table or item takes a second."""
    return OF_TABLE if use.key == ALL else A_SECOND[use.what]


def grouped(uses: Uses) -> dict[str, Uses]:
    """Return the uses of keys, tables and items, the fullest first, one of each form."""
    found: dict[str, dict[tuple[str, ...], Use]] = {"key": {}, "table": {}, "item": {}}
    for use in sorted(uses, key=lambda use: -uses[use] / limit(use)):
        forms = found["item" if use.what == TRANSACTIONS else "table" if use.key == ALL else "key"]
        if not forms or uses[use] / limit(use) >= LEAST:
            forms.setdefault((use.what, use.place, SHORT.sub("", use.key)), use)
    return {name: {use: uses[use] for use in [*forms.values()][:SHOWN]} for name, forms in found.items()}


def _row(use: Use, amount: float, share: float) -> tuple[str, ...]:
    figures = (f"{amount:,.1f}", f"{limit(use):,.0f}", f"{share:.1%}", f"{1 / share:,.2f} x")
    return use.key, use.place, use.what, *figures


if __name__ == "__main__":
    main()
