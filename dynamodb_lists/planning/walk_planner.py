"""The planner of walks: how to read a list whose order no index of facets has, or whose filter no count knows.

There are two ways to serve such a list. Either read every item that may match and sort the rows in memory, or walk an
index that has the order and drop what does not match. The counts say that ``m`` of ``n`` items match, so a page of
``k`` rows costs ``m`` items in the first way, and about ``k * n / m`` in the second. The cheaper of the two never costs
more than ``sqrt(k * n)`` items, if the matching items are spread evenly over the index.

Where nothing counts the items of a range, read at most that many of them. If the range ends before, its rows can be
sorted in memory. Otherwise it is at least that dense, so a walk finds a page in as many items again.

Pure: counts in, decision out. docs/planner.md explains it with an example.
"""

from math import ceil, isqrt

SPARE_ITEMS = 10
"""A request for a whole range asks for so many items more than expected, so that it reaches the end of the range."""

LONGEST_LOOK = 5
"""A second look may read so many times the items of the first one, together with it."""

UNKNOWN_DENSITY = 0.5
"""The share of items that match a filter of which nothing is known."""


def look(items: int, rows: int) -> int:
    """How many items to read of a range of unknown size, in a list of ``items`` items and pages of ``rows`` rows."""
    return isqrt(items * rows) + 1


def walk_items(matching: int, items: int, rows: int) -> int:
    """How many items a walk is expected to read for a page of ``rows`` rows, if ``matching`` of all items match."""
    return min(items, ceil(rows * items / matching)) if matching else items


def second_look(matching: int, items: int, rows: int) -> int:
    """How many more items to read of that range, if ``matching`` of those in the first look match; 0 for none.

    If a walk is expected to be longer than twice the look, the rest of the range may be shorter.
    """
    first, expected = look(items, rows), walk_items(matching, items, rows)
    return min(expected, LONGEST_LOOK * first) - first if expected > 2 * first else 0
