"""Explain a page of a list: every way to read it, what each one is expected to cost, and what it costs in fact.

Each way is really run for the page, within a limit of read units. docs/reading.md shows an example.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.planning.request_cost import Charge
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.listing import Candidate, Listing
from dynamodb_lists.reading.pages import Page, read_page

MOST_UNITS = 100
"""The read units that the ways to read one page may take together. One that would take more is not run."""

MOST_CALLS = 6
"""How many requests of a way are shown as text. JSON has all of them."""


@dataclass(frozen=True)
class Explained:
    """A way to read a page, with its calls if it was run, and with the page if the way can serve it."""

    candidate: Candidate
    measured: Ledger | None = None
    page: Page[Any] | None = None

    @property
    def outcome(self) -> str:
        """The result of the way, as a text."""
        if self.measured is None:
            return f"not run: about {self.candidate.cost.units:.1f} units"
        cost = charge_words(Charge(float(self.measured.read_units), self.measured.requests))
        items = sum(call.items_read for call in self.measured.calls)
        return f"{cost}, {items:,} items read{'' if self.page else '; it cannot serve this page'}"


@dataclass(frozen=True)
class Explanation:
    """The ways to read a page, the chosen one first."""

    ways: Sequence[Explained]

    @property
    def reason(self) -> str:
        """Why the chosen way was chosen, as a text."""
        chosen, *others = (way.candidate for way in self.ways)
        if not others:
            return f"It is the only way. {chosen.words}"
        following = f"the {others[0].name}, {charge_words(others[0].cost)}"
        if others[0].cost.weight < chosen.cost.weight:
            return f"The ways were read in turn, and it had the page first. Less was expected of {following}."
        return f"No other way is expected to cost less. The next one is {following}."

    def text(self, address: str) -> str:
        """Return the explanation as a text for people."""
        lines = [address, ""]
        for way in self.ways:
            plan, calls = way.candidate, way.measured.calls if way.measured else []
            lines.append(f"{plan.name}{' (chosen)' if plan.chosen else ''}: {plan.words}")
            lines += [f"  expected  {charge_words(plan.cost)}", f"  measured  {way.outcome}"]
            lines += [f"    {call.operation} {call.key_condition}" for call in calls[:MOST_CALLS]]
            more = len(calls) - MOST_CALLS
            lines += [f"    and {counted(more, 'more request')}", ""] if more > 0 else [""]
        return "\n".join([*lines, f"Why {self.ways[0].candidate.name}: {self.reason}", ""])

    def data(self, address: str) -> dict[str, Any]:
        """Return the explanation for programs, as JSON takes it."""
        chosen = self.ways[0].candidate.name
        return {"address": address, "chosen": chosen, "why": self.reason, "plans": [*map(_plan, self.ways)]}


def explain(listing: Listing[Any], size: int, cursor: str = "", most_units: float = MOST_UNITS) -> Explanation:
    """Run every way to read the page of ``size`` rows at a cursor, and return what each was expected to cost and what
    it costs.

    All ways together cost at most ``most_units`` read units; the chosen way is run in any case, unless that is 0.
    """
    left, found = most_units, []
    name, cost = source_name(listing.index), listing.expected(size + 1)
    only = Candidate(name, listing.grounds.why, cost, lambda: listing, chosen=True)  # of a list that needs no plan
    for candidate in listing.grounds.candidates() or [only]:
        runs = most_units > 0 and (candidate.chosen or candidate.cost.units <= left)
        way = _run(candidate, size, cursor) if runs else Explained(candidate)
        left -= float(way.measured.read_units) if way.measured else 0
        found.append(way)
    return Explanation(found)


def charge_words(cost: Charge) -> str:
    """Return a number of requests and of read units as a text."""
    return f"{counted(cost.requests, 'request')}, {cost.units:.1f} units"


def _run(candidate: Candidate, size: int, cursor: str) -> Explained:
    page, refused = None, [] if candidate.chosen else [BadCursor]  # of the chosen one, which another may not follow
    with ledger.recording() as measured, ledger.purpose("list"), suppress(*refused):
        if (listing := candidate.listing()) is not None:
            page = read_page(listing, size, cursor)
    measured.calls.sort(key=attrgetter("wave", "key_condition"))  # calls of a wave end in any order
    return Explained(candidate, measured, page)


def _plan(way: Explained) -> dict[str, Any]:
    plan, measured, shown = way.candidate, way.measured, []
    calls = measured.calls if measured else []
    names = ("operation", "table", "index", "filter", "limit", "forward", "items_read", "items_returned")
    for call in calls:
        wave = call.wave - calls[0].wave + 1  # whatever the request has read before
        own = {"wave": wave, "key_condition": call.key_condition, "units": float(call.units)}
        shown.append({name: getattr(call, name) for name in names} | own)
    return {
        "plan": plan.name,
        "words": plan.words,
        "chosen": plan.chosen,
        "expected": {"requests": plan.cost.requests, "units": plan.cost.units},
        "measured": measured
        and {
            "requests": measured.requests,
            "waves": measured.waves,
            "units": float(measured.read_units),
            "serves": way.page is not None,
            "calls": shown,
        },
    }
