"""What ways to read a list are expected to cost where counts say how many items there are of each combination. Pure.

A coarse partition takes one request, but what is not wanted is dropped after the read. Fine partitions hold only wanted
items, but there is one for each value. The counts say how many items each part holds, and how many of them are wanted.
docs/planner.md has an example.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import prod, sqrt
from operator import attrgetter
from typing import Any

from dynamodb_lists.planning.request_cost import REQUEST_WEIGHT, SPARE_DEVIATIONS, query_cost
from dynamodb_lists.planning.selection import FacetCounts, Selection
from dynamodb_lists.planning.sources import Asked, FoundWay, Known, PartRange, share_of
from dynamodb_lists.schema.conditions import holds

SECOND_REQUESTS = 0.3
"""The share of parts (the first not counted) that need a second request. Fitted to random lists."""


def selected(counts: FacetCounts[Any], asked: Asked) -> Selection:
    """The values of facets that meet what is asked."""
    known = dict(zip(counts.facets, counts.facet_values, strict=True))
    return Selection(
        {name: frozenset(each for each in known[name] if holds(asked[name], each)) for name in known if name in asked}
    )


def by_counts(
    found: Iterable[FoundWay],
    counts: FacetCounts[Any],
    fields: Mapping[str, Known],
    asked: Asked,
    rows: float,
    item_bytes: float,
) -> list[FoundWay]:
    """The ways with what they are expected to cost for so many rows, the best first."""
    total = sum(max(counts[each], 0) for each in counts.allowed(selected(counts, asked)))

    def estimated(way: FoundWay) -> FoundWay:
        parts = tuple(replace(part, items=_held(part, counts)) for part in way.parts)
        items = sum(part.items for part in parts)
        uncounted = prod(share_of(fields[name], asked[name]) for name in way.dropped if name not in counts.facets)
        kept = min(max(total, 1) / max(items, 1), 1.0) * uncounted if way.dropped else 1.0
        way = replace(way, parts=parts, kept=kept, counted=True)
        return replace(way, units=_units(way, items, total, rows, item_bytes))

    return sorted(map(estimated, found), key=attrgetter("rank"))


def _held(part: PartRange, counts: FacetCounts[Any]) -> float:
    """How many items a part has. One that has none by the counts is read all the same: they may be wrong."""
    places = [(place, part.values[name]) for place, name in enumerate(counts.facets) if name in part.values]
    return float(sum(max(n, 0) for each, n in counts.items() if all(each[place] == value for place, value in places)))


def _units(way: FoundWay, items: float, total: float, rows: float, item_bytes: float) -> float:
    """The read units that so many rows are expected to take, with a little for each request.

    A shorter list is read to its end. Otherwise the page reads the share of the parts that holds so many rows, and some
    that are not shown.
    """
    whole = rows > total or not way.ordered
    read = items if whole else min(rows / way.kept, items)
    means = [read * part.items / max(items, 1) for part in way.parts]
    spare = 0 if whole or len(way.parts) == 1 else SPARE_DEVIATIONS
    again = 0 if whole else SECOND_REQUESTS * (len(way.parts) - (way.kept == 1))
    asked = [min(part.items, mean + spare * sqrt(mean / way.kept)) for part, mean in zip(way.parts, means, strict=True)]
    cost = query_cost(asked, item_bytes)
    return cost.weight + again * (0.5 + REQUEST_WEIGHT) + way.by_keys * min(rows, total) / 2
