"""Facet counts: how many items there are for each combination of facet values, kept in step with the items.

Pure functions; each app stores its own counts and changes them in the transaction that changes the item.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from hotelapp.dynamodb.facets import Combination, Selection

Counts = Mapping[Combination, int]


def deltas(changes: Iterable[tuple[Combination | None, Combination | None]]) -> dict[Combination, int]:
    """What changes of items (combination before, after; ``None`` for no item) add to each count, zeros left out."""
    total: Counter[Combination] = Counter()
    for before, after in changes:
        if before is not None:
            total[before] -= 1
        if after is not None:
            total[after] += 1
    return {combination: n for combination, n in sorted(total.items()) if n}


def drill_down(counts: Counts, facets: Sequence[str], selection: Selection) -> dict[str, dict[str, int]]:
    """For each facet and value, the items with that value under the selection made in all the *other* facets.

    Values come in key order; those that would give nothing are there with 0.
    """
    found: dict[str, Counter[str]] = {facet: Counter() for facet in facets}
    for combination, n in counts.items():
        refused = [
            facet for facet, value in zip(facets, combination, strict=True) if not selection.admits(facet, value)
        ]
        for facet, value in zip(facets, combination, strict=True):
            found[facet][value] += n if _others_allow(refused, facet) else 0
    return {facet: dict(sorted(values.items())) for facet, values in found.items()}


def _others_allow(refused: Collection[str], facet: str) -> bool:
    return not refused or list(refused) == [facet]
