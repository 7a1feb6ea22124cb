"""The ledger as the engineers' panel shows it: what each request of a page reads, when, and what it costs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from dynamodb_lists.connection.ledger import Call, Ledger
from dynamodb_lists.planning.request_cost import READ_DOLLARS, WRITE_DOLLARS
from dynamodb_lists.planning.wording import source_name
from dynamodb_lists.reading.explaining import shown

VIEW_COSTS = "portal.view_costs"
EXPLAIN = "explain"
"""The parameter that shows the panel on one page to whoever may open the page."""

OPENED = "cost-drawn"
"""The part of the panel that is drawn when it is opened. htmx asks for it by reading the page once more."""

LIST, COUNTS = "list", "counts"


@dataclass(frozen=True)
class CallView:
    """One request as the engineers' panel shows it. Its times are milliseconds since the first request of the page."""

    call: Call
    source: str
    key_condition: str
    start: float

    @property
    def end(self) -> float:
        return self.start + self.call.milliseconds


@dataclass(frozen=True)
class PageCost:
    """The cost of a page. ``items_read`` are those of the list, and ``counts_read`` say how many items there are.

    Only who opens the panel sees ``list`` and ``calls``.

    Every page reads the session. Its cost is shown separately, and without its key: anybody who has it is logged in.
    """

    page: Ledger
    session: Ledger
    items_read: int
    counts_read: int
    items_shown: int

    @cached_property
    def list(self) -> Ledger:
        """The part of the page that the candidates are about: without the counts."""
        listed = Ledger()
        for call in self.page.of(LIST):
            listed.add(call)
        return listed

    @cached_property
    def calls(self) -> Sequence[CallView]:
        """The requests by wave."""
        calls, first = [], min(map(attrgetter("started"), self.page.calls), default=0.0)
        for call in sorted(self.page.calls, key=attrgetter("wave", "started")):
            start = (call.started - first) * 1000
            calls.append(CallView(call, source_name(call.index), shown(call.key_condition), start))
        return calls

    @property
    def milliseconds(self) -> float:
        """The time from the first request of the page until the last answer."""
        starts, ends = [], []
        for call in self.page.calls:
            starts.append(call.started)
            ends.append(call.started + call.milliseconds / 1000)
        return (max(ends) - min(starts)) * 1000 if starts else 0.0

    @property
    def dollars(self) -> float:
        """The price of a million such pages, with their sessions."""
        read = self.page.read_units + self.session.read_units
        return float(read) * READ_DOLLARS + float(self.page.write_units + self.session.write_units) * WRITE_DOLLARS


def summary(ledger: Ledger, items_shown: int) -> PageCost:
    """The cost of the requests so far."""
    page, session, items = Ledger(), Ledger(), Counter[str]()
    for call in ledger.calls:
        (session if call.purpose == "session" else page).add(call)
        items[call.purpose] += call.items_read
    return PageCost(page, session, items[LIST], items[COUNTS], items_shown)
