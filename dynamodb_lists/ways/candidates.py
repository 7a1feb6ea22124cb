"""The ways to read a page of a declared list that the planner compared, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isinf
from typing import Any, Protocol

from dynamodb_lists.declared.asked import ListQuery, Wanted
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.planning.request_cost import Charge
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.listing import Candidate, Listing
from dynamodb_lists.ways.list_planner import ListPlanner, Narrow, Way, WayKind
from dynamodb_lists.ways.uncounted import Sources, Uncounted

KEPT_ORDER = "all pages of a list keep the order of the index with the cheapest first page"
UNKNOWN = "no sample of the items is stored, so nothing tells how many are in it"
FOUND = "This range was read to its end, so every item of the list is known."
DIFFER = "The counts and the items differ, so no plan can rely on the counts."
SENT_AHEAD = "Without a filter, this request needs no plan. It goes out together with the one for the counts."


@dataclass(frozen=True)
class ChosenWay:
    """The kind of what was chosen and the source that it reads, and the way, if it is one of the planner."""

    kind: WayKind
    index: str
    way: Way | None = None


class Compared(Protocol):
    """What is compared for a page: a list with the ways that have its order, and one that was chosen."""

    declaration: Declaration
    query: ListQuery
    wanted: Wanted
    planner: ListPlanner
    order: Way
    orders: list[Way]
    chosen: ChosenWay
    uncounted: Uncounted[Any]
    sources: Sources[Any]

    @property
    def page_cost(self) -> Charge: ...
    def again(self, way: Way) -> Listing[Any]: ...
    def of_few(self, narrow: Narrow, units: float) -> Listing[Any] | None: ...
    def without_counts(self) -> Listing[Any]: ...
    def empty(self) -> Listing[Any]: ...


def candidates(planned: Compared) -> list[Candidate]:
    """Every way to read this page, the chosen one first and then the cheapest. It sends no request."""
    found = [*_nothing(planned), *_in_order(planned), *_in_memory(planned), *_looked(planned)]
    return sorted(found, key=lambda way: (not way.chosen, way.cost.weight))


def _nothing(planned: Compared) -> Iterator[Candidate]:
    """No request, if no item can be in the list."""
    if planned.chosen.kind is WayKind.NOTHING:
        words = "The filters contradict each other, or the counts know no such item."
        yield Candidate("no request", words, Charge(), planned.empty, True, words)


def _in_order(planned: Compared) -> Iterator[Candidate]:
    """The ways that have the order of the list: a page is read from the cursor on."""
    for way in planned.orders:
        if way.kind is WayKind.IN_MEMORY or isinf(way.cost.weight):
            continue
        own = way.index == planned.order.index
        chosen = own and planned.chosen.kind is way.kind
        ahead = SENT_AHEAD if chosen and planned.wanted.everything else ""
        cost = planned.page_cost if own else way.cost
        why = ahead if own else KEPT_ORDER
        yield Candidate(
            _source(planned, way.index), _words(planned, way), cost, partial(planned.again, way), chosen, why
        )


def _in_memory(planned: Compared) -> Iterator[Candidate]:
    """Every index: all items that may match are read, and sorted in memory."""
    for way in [] if planned.order.order.when else planned.planner.in_memory():
        chosen = planned.chosen.kind is WayKind.IN_MEMORY and planned.chosen.way == way
        ranges, name = counted(len(way.plan.groups), "range"), planned.declaration.name
        words = f"Reads all {way.items:,} {name} that may match, from {ranges}, and sorts them."
        if way.items == planned.planner.counts.total and not way.narrowed:
            words = f"Reads all {way.items:,} {name}, and sorts those that match."
        yield Candidate(_source(planned, way.index), words, way.cost, partial(planned.again, way), chosen)
    if planned.chosen.kind is WayKind.WITHOUT_COUNTS:
        words = "The counts and the items differ, so this reads all items and sorts those that match."
        cost = planned.planner.all().cost
        yield Candidate(source_name(planned.chosen.index), words, cost, planned.without_counts, True, DIFFER)


def _looked(planned: Compared) -> Iterator[Candidate]:
    """The ranges of which nothing counts the items, and which hold every item of the list."""
    for narrow in planned.sources:
        chosen, length = planned.chosen == ChosenWay(WayKind.LOOKED, narrow.source), planned.uncounted.length(narrow)
        ranges, about = (
            counted(len(narrow.spans), "range"),
            "" if length is None else f", about {counted(round(length), 'item')}",
        )
        words = f"Reads {ranges}{about}, if that is short, and sorts what matches."
        why = FOUND if chosen else UNKNOWN if length is None else ""
        way, cost = partial(planned.of_few, narrow, planned.planner.all().cost.units), planned.sources.cost(narrow)
        yield Candidate(_source(planned, narrow.source), words, cost, way, chosen, why)


def _source(planned: Compared, source: str) -> str:
    return source_name(planned.declaration.read_at(planned.query.owner, source)[1])


def _words(planned: Compared, way: Way) -> str:
    ranges, order = counted(len(way.plan.groups), "range"), ", ".join(planned.declaration.sorted_by(way.order))
    if way.kind is WayKind.MERGED:
        return f"Reads one page from {ranges}, merged by {planned.wanted.sort[0]}."
    if way.density < 1:
        drops = f"drops those that do not match. About {way.density:.0%} should"
        return f"Walks the {planned.declaration.name} in the order of the list ({order}), and {drops}."
    return f"Reads one page in the order of the list ({order}), from {ranges}."
