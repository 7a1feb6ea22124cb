"""Facet counts: how many items there are of each combination of facet values.

Pure functions. Each app stores its own counts, and changes them in the transaction that changes the items.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from hotelapp.dynamodb.planning.selection import CombinationT, Selection


def deltas(changes: Iterable[tuple[CombinationT | None, CombinationT | None]]) -> dict[CombinationT, int]:
    """The number to add to each count because of these changes. Counts that stay the same are left out.

    A change is an item's combination before and after; ``None`` stands for no item.
    """
    added: Counter[CombinationT] = Counter()
    for before, after in changes:
        if before is not None:
            added[before] -= 1
        if after is not None:
            added[after] += 1
    return {combination: n for combination, n in sorted(added.items()) if n}


def drill_down(
    counts: Mapping[CombinationT, int], facets: Sequence[str], selection: Selection
) -> dict[str, dict[str, int]]:
    """For each facet and value, the number of items with that value under the selection in all *other* facets.

    Values are in key order. Values without items have a count of 0.
    """
    choices: dict[str, Counter[str]] = {facet: Counter() for facet in facets}
    for combination, n in counts.items():
        refused = set()
        for facet, value in zip(facets, combination, strict=True):
            if not selection.admits(facet, value):
                refused.add(facet)
        for facet, value in zip(facets, combination, strict=True):
            choices[facet][value] += n if refused <= {facet} else 0
    return {facet: dict(sorted(values.items())) for facet, values in choices.items()}
