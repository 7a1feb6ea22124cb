"""``python -m benchmarks.group``: the busiest second of a group of 10,000 hotels, against the limits of DynamoDB.

Each action runs on the embedded engine, once in each of a few hotels. What it took of which key is then played as often
as 5 million rooms, a million orders, ten million taps and 60 million pages a day need, in simulated time: nothing
depends on the speed of this machine.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from tqdm import tqdm

from benchmarks import common
from benchmarks.charged import recorded
from benchmarks.group_actions import CHANGES, HOTEL_ID, Place, filled, forget, pages
from benchmarks.throttling import OWN, TRANSACTIONS, Key, Outcome, Request, limit, play

HOTELS, DAY = 10_000, 86_400
PEAK = 10
"""How many times the mean of a day its busiest second has."""

LOADS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)
PAGES_IN = 8
"""In so many hotels pages are opened: what they read of shared keys, they read in every hotel."""

SHOWN, LEAST = 12, 0.01
"""The most rows of a table, and the least part of a limit that is shown."""

SHORT = re.compile(r"#[A-Z]{3}\b|#?\d+|#[^#]{1,3}$")
"""What differs between keys of one form: currencies, shards, days and initials."""

HEADER = ("of", "what", "a second", "limit", "used", "load may grow")
PLAYED = (
    "load",
    "throttled",
    "in conflict",
    "median ms",
    "p99 ms",
    "actions failed",
    "most throttled",
    "most conflicts",
)


@dataclass(frozen=True)
class Kind:
    """An action: how often it happens in the busiest second, and its requests in each recorded hotel."""

    rate: float
    recorded: Sequence[Sequence[Request]]

    @property
    def copies(self) -> int:
        """For how many hotels each recorded one stands."""
        return HOTELS // len(self.recorded)


def main() -> None:
    """Record, play, and print what is used of each limit."""
    options = common.options("Play the group's busiest second.", hotels=(64, 1), shards=(64, 8), seconds=(3, 1))
    with common.fresh_tables():
        kinds = record(options.hotels, options.shards)
    targets = [_report_used(name, group) for name, group in grouped(used(kinds)).items()]
    loads = LOADS if options.hotels > 1 else LOADS[:1]
    _report_played({load: played(kinds, load, options.seconds) for load in tqdm(loads, "Playing", disable=None)})
    common.print_table(common.TARGETS, targets)
    common.finish(options)


def record(hotels: int, shards: int) -> list[Kind]:
    """Run each action in each hotel. The process has read what is of the group, and nothing of the hotel."""
    first, *places = tqdm(filled(hotels + 1, shards), "Filling", hotels + 1, disable=None)
    kinds = []
    for n, (prepare, a_day) in enumerate(tqdm([*CHANGES, *pages()], "Recording", disable=None)):
        forget()
        prepare(first)()
        chosen = places if n < len(CHANGES) else places[:PAGES_IN]
        kinds.append(Kind(a_day / DAY * PEAK, [_recorded(prepare(at), at) for at in chosen]))
    return kinds


def _recorded(call: Callable[[], object], at: Place) -> list[Request]:
    with recorded() as found:
        call()

    def marked(key: Key) -> Key:
        return (*key, OWN) if any(map(at.owns, key[1:])) else key

    return [
        each._replace(
            taken={marked(key): units for key, units in each.taken.items()},
            written=[*map(marked, each.written)],
        )
        for each in found
    ]


# --- What is used -----------------------------------------------------------------------------------------


def used(kinds: Sequence[Kind]) -> dict[tuple[str, Key], float]:
    """What the busiest second takes of each key, table and item; of those that each hotel has, the mean of a hotel."""
    found = defaultdict[tuple[str, Key], float](float)
    for kind in kinds:
        for request in chain.from_iterable(kind.recorded):
            amounts = {(request.what, key): units for key, units in request.taken.items()}
            amounts |= {(TRANSACTIONS, item): 1 for item in request.written}
            for (what, key), amount in amounts.items():
                found[what, key] += amount * kind.rate / len(kind.recorded) / (kind.copies if key[-1] == OWN else 1)
    return found


Uses = Mapping[tuple[str, Key], float]


def grouped(uses: Uses) -> dict[str, Uses]:
    """The uses of keys, tables and items, the fullest first, one of each form."""
    found: dict[str, dict[tuple[str, ...], tuple[tuple[str, Key], float]]] = {"key": {}, "table": {}, "item": {}}
    for (what, key), amount in sorted(uses.items(), key=lambda use: -use[1] / limit(*use[0])):
        forms = found["item" if what == TRANSACTIONS else "key" if key[1] else "table"]
        if not forms or amount / limit(what, key) >= LEAST:
            forms.setdefault((what, key[0], SHORT.sub("", shown(key))), ((what, key), amount))
    return {name: dict(list(forms.values())[:SHOWN]) for name, forms in found.items()}


def shown(key: Key) -> str:
    """A key without its table, for people."""
    return HOTEL_ID.sub("{hotel}", " / ".join(part for part in key[1:] if part not in {OWN, ""})) or "all keys"


def _report_used(name: str, uses: Uses) -> tuple[str, ...]:
    """Print what is used; returns the fullest as a target."""
    rows, shares = [], [amount / limit(*use) for use, amount in uses.items()]
    for ((what, key), amount), share in zip(uses.items(), shares, strict=True):
        figures = (f"{amount:,.1f}", f"{limit(what, key):,.0f}", f"{share:.1%}", f"{1 / share:,.2f} x")
        rows.append((shown(key), key[0], what, *figures))
    common.print_table((name, *HEADER), rows)
    return (
        f"{rows[0][2]} of {rows[0][0]}, {rows[0][1]} / limit",
        f"{shares[0]:.2f}",
        "<= 1",
        "yes" if shares[0] <= 1 else "NO",
    )


# --- What is refused --------------------------------------------------------------------------------------


def played(kinds: Sequence[Kind], load: float, seconds: int) -> Outcome:
    """So many times the load, for some seconds. Each action is in any hotel."""
    random = Random(1)
    return play(
        [
            (random.uniform(0, seconds), f"{random.randrange(kind.copies)}", random.choice(kind.recorded))
            for kind in kinds
            for _ in range(round(kind.rate * load * seconds))
        ],
        random,
    )


def _report_played(outcomes: Mapping[float, Outcome]) -> None:
    rows = []
    for load, outcome in outcomes.items():
        throttled, conflicts = Counter[Key](), Counter[Key]()
        for (what, key), times in outcome.refused.items():
            (conflicts if what == TRANSACTIONS else throttled)[key] += times
        ended = sorted(outcome.seconds)
        sent = sum(outcome.sent.values()) - outcome.sent[TRANSACTIONS]
        shares = (throttled.total() / sent, conflicts.total() / outcome.sent[TRANSACTIONS])
        times_ms = (f"{ended[len(ended) * part // 100] * 1000:,.0f}" for part in (50, 99))
        failed = outcome.failed / (outcome.failed + len(ended))
        most = (shown(found.most_common(1)[0][0][:3]) if found else "" for found in (throttled, conflicts))
        rows.append((f"{load:g} x", *(f"{share:.1%}" for share in shares), *times_ms, f"{failed:.1%}", *most))
    common.print_table(PLAYED, rows)


if __name__ == "__main__":
    main()
