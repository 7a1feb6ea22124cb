"""What a way to read a list costs, as measured and for 1 GB. Pure."""

from dataclasses import dataclass
from math import ceil

from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, READ_DOLLARS

MEGABYTE, GIGABYTE = 2**20, 2**30
PAGE_UNITS, SCAN_UNITS = (size // MINIMUM_BYTES // 2 for size in (MEGABYTE, GIGABYTE))
"""The units of an eventually consistent read of 1 MB, which is the most that a request reads; and of 1 GB."""


@dataclass(frozen=True)
class MeasuredWay:
    """A way to read a list, as it was measured. ``rows`` is ``None`` if DynamoDB refused it.

    If it ``stopped`` after as many requests as it was allowed, ``items`` is how many items there are, if that is known.
    """

    name: str
    words: str
    calls: Ledger
    milliseconds: float
    rows: int | None
    stopped: bool
    items: int | None

    @property
    def items_read(self) -> int:
        return sum(call.items_read for call in self.calls.calls)

    @property
    def items_returned(self) -> int:
        return sum(call.items_returned for call in self.calls.calls)

    @property
    def units(self) -> float:
        return float(self.calls.read_units)

    @property
    def whole_units(self) -> float:
        """The units of all items."""
        return self.units * self._times

    @property
    def whole_requests(self) -> int:
        """The requests for all items."""
        return ceil(self.calls.requests * self._times)

    @property
    def dollars(self) -> float:
        """The price of a million times the whole."""
        return self.whole_units * READ_DOLLARS

    @property
    def _times(self) -> float:
        """How many times what was read the whole is, as an estimate."""
        return max((self.items or 0) / (self.items_read or 1), 1) if self.stopped else 1
