"""The planner of walks: how to read a list whose order no index of facets has, or whose filter no count knows.

There are two ways to serve such a list. Either read every item that may match and sort the rows in memory, or walk an
index that has the order and drop what does not match. The counts say that ``m`` of ``n`` items match, so a page of
``k`` rows costs ``m`` items in the first way, and about ``k * n / m`` in the second. The cheaper of the two never costs
more than ``sqrt(k * n)`` items, if the matching items are spread evenly over the index.

A walk is patient as long as the rest of it is expected to cost less than the other way: what is expected at first, and
what it has found since, say how long the rest is.

Pure. docs/planner.md explains it with an example.
"""

SPARE_ITEMS = 10
"""A request for a whole range asks for so many items more than expected, so that it reaches the end of the range."""

UNKNOWN_DENSITY = 0.5
"""The share of items that match filters of which nothing is known."""

EXPECTED_ROWS = 2
"""What is expected of a walk counts as much as so many rows that were found."""


def density(rows: int, read: int, expected: float) -> float:
    """The share of the items that are rows, if a walk has found so many of those that it has read."""
    return (rows + EXPECTED_ROWS) / (read + EXPECTED_ROWS / expected)
