"""The ledger as the engineers' panel shows it: what each request of a page reads, when, and what it costs."""

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

from dynamodb_lists import Ledger

VIEW_COSTS = "portal.view_costs"
EXPLAIN = "explain"
"""The parameter that shows the panel on one page to whoever may open the page."""

OPENED = "cost-drawn"
"""The part of the panel that is drawn when it is opened. htmx asks for it by reading the page once more."""

LIST, COUNTS = "list", "counts"
READ_DOLLARS, WRITE_DOLLARS = 0.125, 0.625
"""Dollars of a million read units and of a million write units: on demand, in us-east-1, since November 2024.

(https://aws.amazon.com/dynamodb/pricing/on-demand/)
"""


@dataclass(frozen=True)
class PageCost:
    """The cost of a page. ``items_read`` are items of the list; ``counts_read`` says how many items there are.

    ``milliseconds`` is the time from the first request of the page, at ``started``, to the last answer. ``dollars`` is
    the price of a million such pages, with their sessions. Only users who open the panel see ``list``.

    Every page reads the session. The cost of this read is shown separately, and without its key, because anybody who
    has the key is logged in.
    """

    page: Ledger
    list: Ledger
    session: Ledger
    items_read: int
    counts_read: int
    items_shown: int
    started: float
    milliseconds: float
    dollars: float


def summary(ledger: Ledger, items_shown: int) -> PageCost:
    """Return the cost of the requests that were sent so far."""
    page, listed, session, items = Ledger(), Ledger(), Ledger(), Counter[str]()
    for call in ledger.calls:
        (session if call.purpose == "session" else page).add(call)
        items[call.purpose] += call.items_read
        if call.purpose == LIST:
            listed.add(call)
    started, milliseconds = min(map(attrgetter("started"), page.calls), default=0.0), 0.0
    for each in page.calls:
        milliseconds = max(milliseconds, (each.started - started) * 1000 + each.milliseconds)
    read, written = page.read_units + session.read_units, page.write_units + session.write_units
    dollars = float(read) * READ_DOLLARS + float(written) * WRITE_DOLLARS
    return PageCost(page, listed, session, items[LIST], items[COUNTS], items_shown, started, milliseconds, dollars)
