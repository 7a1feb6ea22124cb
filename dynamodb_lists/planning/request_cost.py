"""The cost of requests. DynamoDB charges each request for at least 4 KB, so a few more items are free.

DynamoDB Developer Guide, "Read and write capacity": an eventually consistent read of up to 4 KB costs half a read unit.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import ceil

MINIMUM_BYTES = 4096
"""A Query is charged for at least so many bytes."""

SPARE_DEVIATIONS = 0.6
"""The standard deviations that a request to one of several parts adds to the average. With more, it reads more items.

0.6 was the cheapest of 0 to 1.5 in a simulation in which a request costs as much as eight items.
"""

REQUEST_WEIGHT = 0.05
"""A request's own work in the program, in read units. Of two plans of about the same units the shorter one is taken."""


@dataclass(frozen=True, slots=True)
class Charge:
    """The read units and the requests of a plan, or of a part of one."""

    units: float = 0.0
    requests: int = 0

    @property
    def weight(self) -> float:
        """The number by which plans are compared."""
        return self.units + REQUEST_WEIGHT * self.requests


def blocks(items: float, item_bytes: float) -> int:
    """Return how many blocks of 4 KB, half a read unit each, a Query of ``items`` is charged."""
    return max(1, ceil(items * item_bytes / MINIMUM_BYTES))


def query_cost(items: Iterable[float], item_bytes: float) -> Charge:
    """Return the cost of eventually consistent Queries, each of so many items."""
    charges = [*map(partial(blocks, item_bytes=item_bytes), items)]
    return Charge(sum(charges) / 2, len(charges))


def items_paid(item_bytes: float) -> int:
    """Return how many items fit into the minimum charge of a request, 4 KB."""
    return max(1, int(MINIMUM_BYTES // item_bytes))


def items_for(units: float, item_bytes: float) -> int:
    """Return how many items one eventually consistent Query reads for ``units`` read units."""
    return int(2 * units * MINIMUM_BYTES // item_bytes)
