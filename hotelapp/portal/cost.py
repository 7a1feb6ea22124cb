"""The ledger in words: what each request of a page asked, and why it is cheap."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from hotelapp.dynamodb.keys import HIGHEST
from hotelapp.dynamodb.ledger import Call, Ledger

WORDS = {
    "GetItem": "Fetches one item by its whole key.",
    "BatchGetItem": "Fetches items by their whole keys, as many as a hundred at once.",
    "TransactWriteItems": "Writes several items, or none of them if one is not as it was seen.",
}
"""What is said of an operation whatever it was for; there is more to say of a Query."""
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
    """A page's cost: requests and units of all that it asked; items of the list and of the counts apart.

    The session is read for any page alike, whatever it shows, so it stands apart, and in figures only: its key is what
    logs somebody in.
    """

    requests: int
    items_read: int
    counts_read: int
    items_shown: int
    read_units: Decimal
    write_units: Decimal
    milliseconds: float
    calls: list[CallView]
    session: Ledger


def summary(ledger: Ledger, shown: int, orders: Mapping[str, str]) -> Cost:
    """What the requests so far cost. ``orders`` says for each index in which order it keeps the list."""
    page = Ledger([call for call in ledger.calls if call.purpose != SESSION])
    return Cost(
        requests=page.requests,
        items_read=page.items_read(LIST),
        counts_read=page.items_read(COUNTS),
        items_shown=shown,
        read_units=page.read_units,
        write_units=page.write_units,
        milliseconds=page.milliseconds,
        calls=[_view(call, orders) for call in sorted(page.calls, key=lambda call: call.started)],
        session=Ledger(ledger.of(SESSION)),
    )


def _view(call: Call, orders: Mapping[str, str]) -> CallView:
    source = f"index {call.index}" if call.index else "base table"
    spelt = call.key_condition.replace(HIGHEST, r"\U0010ffff")  # it has no glyph
    return CallView(call, source, spelt, " ".join(_sentences(call, orders)))


def _sentences(call: Call, orders: Mapping[str, str]) -> list[str]:
    if call.operation != "Query":
        return [WORDS.get(call.operation, "Writes one item.")]
    if call.purpose == SUMMARY:
        return ["Reads what is shown beside the list, and is remembered for some seconds."]
    if call.purpose == COUNTS:
        return [
            "Reads how many items each combination of filter values has.",
            "The total, the numbers on the filters and the plan of the requests below come from these.",
        ]
    order = orders.get(call.index)
    kept = f"Items lie here in the order {order}, so this" if order else "This"
    way = "from its first key up" if call.forward else "from its last key down"
    start = "on from the cursor" if call.resumed else way
    sentences = [f"{kept} range is read {start}: nothing before it is touched, however deep the page."]
    if call.limit:
        sentences.append(f"At most {call.limit} items.")
    return sentences
