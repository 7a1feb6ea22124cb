"""The ledger in words: what each request of a page reads, and why it is cheap."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter

from hotelapp.dynamodb.connection.ledger import Call, Ledger
from hotelapp.dynamodb.schema.keys import HIGHEST

WORDS = {
    "GetItem": "Fetches one item by its whole key.",
    "BatchGetItem": "Fetches items by their whole keys, up to a hundred at a time.",
    "TransactWriteItems": "Writes several items. If one of them has changed meanwhile, it writes none.",
}
"""The sentence about each operation other than Query."""
LIST, COUNTS, SUMMARY, SESSION = "list", "counts", "summary", "session"


@dataclass(frozen=True)
class CallView:
    """One request as the cost panel shows it."""

    call: Call
    source: str
    key_condition: str
    words: str


@dataclass(frozen=True)
class Cost:
    """The cost of a page. The items of the list and of the counts are separate numbers; units are capacity units.

    Every page reads the session. Its cost is shown separately, and without its key, because anybody who has the key is
    logged in.
    """

    requests: int
    waves: int
    items_read: int
    counts_read: int
    items_shown: int
    read_units: Decimal
    write_units: Decimal
    milliseconds: float
    calls: list[CallView]
    session: Ledger


def summary(ledger: Ledger, shown: int, orders: Mapping[str, str]) -> Cost:
    """The cost of the requests so far. ``orders`` says for each index how it is sorted."""
    page, session = Ledger(), Ledger()
    for call in ledger.calls:
        (session if call.purpose == SESSION else page).add(call)
    calls = []
    for call in sorted(page.calls, key=attrgetter("started")):
        source = f"index {call.index}" if call.index else "base table"
        condition = call.key_condition.replace(HIGHEST, r"\U0010ffff")  # it has no glyph
        calls.append(CallView(call, source, condition, " ".join(_sentences(call, orders))))
    return Cost(
        requests=page.requests,
        waves=page.waves,
        items_read=page.items_read(LIST),
        counts_read=page.items_read(COUNTS),
        items_shown=shown,
        read_units=page.read_units,
        write_units=page.write_units,
        milliseconds=page.milliseconds,
        calls=calls,
        session=session,
    )


def _sentences(call: Call, orders: Mapping[str, str]) -> list[str]:
    if call.operation != "Query":
        return [WORDS.get(call.operation, "Writes one item.")]
    if call.purpose == SUMMARY:
        return ["Reads the summary beside the list. The server caches it for some seconds."]
    if call.purpose == COUNTS:
        return [
            "Reads how many items each combination of filter values has.",
            "The total, the numbers on the filters and the plan of the requests below come from these.",
        ]
    order = orders.get(call.index)
    subject = f"Items are sorted by {order} here. This" if order else "This"
    edge = "from its first key up" if call.forward else "from its last key down"
    start = "on from the cursor" if call.resumed else edge
    sentences = [f"{subject} range is read {start}. Nothing before that is read, even on a late page."]
    if call.limit:
        sentences.append(f"At most {call.limit} items.")
    return sentences
