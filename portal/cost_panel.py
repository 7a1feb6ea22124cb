"""The ledger in words: what each request of a page reads, and why it is cheap."""

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

WORDS = {
    "GetItem": "Fetches one item by its whole key.",
    "Scan": "Reads the table item by item, whatever the key. What the filter drops is read and charged, too.",
    "BatchGetItem": "Fetches items by their whole keys, up to a hundred at a time.",
    "TransactWriteItems": "Writes several items. If one of them has changed meanwhile, it writes none.",
}
"""The sentence about each operation other than Query."""
LIST, COUNTS = "list", "counts"


@dataclass(frozen=True)
class CallView:
    """One request as the engineers' panel shows it. Its times are milliseconds since the first request of the page."""

    call: Call
    source: str
    key_condition: str
    words: str
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
            words, start = " ".join(_sentences(call)), (call.started - first) * 1000
            calls.append(CallView(call, source_name(call.index), shown(call.key_condition), words, start))
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


def _sentences(call: Call) -> list[str]:
    if call.operation != "Query":
        return [WORDS.get(call.operation, "Writes one item.")]
    if call.purpose == COUNTS:
        return [
            "Reads how many items each combination of filter values has.",
            "The total, the numbers on the filters and the plan of the requests below come from these.",
        ]
    edge = "from its first key up" if call.forward else "from its last key down"
    start = "on from the cursor" if call.resumed else edge
    sentences = [f"This range is read {start}. Nothing before that is read, even on a late page."]
    if call.limit:
        sentences.append(f"At most {call.limit} items.")
    return sentences
