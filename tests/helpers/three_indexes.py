"""The example of docs/reading.md: a hotel of 810 rooms in three indexes, whose partition is the hotel."""

from dynamodb_lists.planning.counted_ways import Prices
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.sources import Known, Question, Source, SourceKey
from dynamodb_lists.planning.ways import ways
from dynamodb_lists.schema.templates import Template

TYPES = {"hotel": str, "type": str, "view": str, "rate": int, "number": str}
SORT_KEYS = {"by-type": "{type}#{view}#{number}", "by-view": "{view}#{number}", "by-rate": "{rate:4}#{number}"}
GARDEN, SEA = {"double": 120, "family": 300, "suite": 50}, {"double": 90, "family": 140, "suite": 110}
COUNTS = FacetCounts(
    ("type", "view"), {(kind, view): n for view, some in (("garden", GARDEN), ("sea", SEA)) for kind, n in some.items()}
)


def key(name: str, text: str) -> SourceKey:
    """Return a key of an index with this template."""
    return SourceKey(name, Template(text, TYPES))


def prices(sort: str, **values: set[str]) -> None:
    """Print each way to read a page of 25 rooms with these values in this order, the cheapest first, with its price."""
    indexes = [Source(name, key("pk", "{hotel}"), key("sk", text)) for name, text in SORT_KEYS.items()]
    asked = {name: frozenset(some) for name, some in {"hotel": {"lakeview"}, **values}.items()}
    found = ways(indexes, {name: Known(kind) for name, kind in TYPES.items()}, Question(asked, (sort,)), COUNTS)
    known = Prices(COUNTS, asked, lambda *_: 1.0, lambda index: 220, rows=26, known=("hotel",))
    for way in known.sorted(found):
        print(f"{way.units:5.2f}  {way.words}")
