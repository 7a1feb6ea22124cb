"""What the lists in Python share: they read questions from standard input, and write answers to standard output.

``contender.mjs`` is the same for Node.js.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from compared.questions import Room

FACETS = ("view", "size", "type")

Question = dict[str, Any]
"""A :class:`~compared.questions.Question` as JSON."""


class Contender(Protocol):
    """A list of rooms. Its pages are whatever ``page`` returns; their attribute ``numbers`` has the room numbers."""

    def fill(self, rooms: list[Room]) -> None:
        """Create the table and store the rooms."""

    def page(self, question: Question, turn: str, seen: Any) -> Any:
        """The ``first`` or ``last`` page, or the one that is ``next`` or ``previous`` to the page ``seen``."""

    def facets(self, question: Question) -> dict[str, Any]:
        """The ``total`` of a selection, and for each facet the rooms of each value under the other filters."""

    def edit(self, room: Room) -> None:
        """Store a room that has changed."""


class Meter:
    """Counts what DynamoDB charges for the calls of a client of botocore."""

    def __init__(self) -> None:
        self.read = Counter[str]()

    def watch(self, events: Any) -> None:
        """Listen to the calls of a client; ``events`` is its ``meta.events``."""
        events.register("before-parameter-build.dynamodb", self.ask)
        events.register("after-call.dynamodb", self.note)

    def ask(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        if "ReturnConsumedCapacity" in model.input_shape.members:
            params["ReturnConsumedCapacity"] = "TOTAL"

    def note(self, parsed: dict[str, Any], model: Any, **_: Any) -> None:
        """Add a call. A call that is not a read is a write."""
        consumed = parsed.get("ConsumedCapacity") or []
        units = sum(part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed]))
        reads = model.name in {"BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"}
        found = sum(map(len, parsed.get("Responses", {}).values())) if "Responses" in parsed else "Item" in parsed
        self.read.update(requests=1, items=int(parsed.get("ScannedCount", found)))
        self.read["read_units" if reads else "write_units"] += units


def counted(rooms: list[Room], question: Question) -> dict[str, Any]:
    """The ``facets`` of a selection, counted in memory from the facets of all rooms."""
    found: dict[str, Any] = {}
    for facet in ("", *FACETS):
        others = [(name, values) for name, values in question["values"].items() if name != facet]
        matching = [room for room in rooms if all(room[name] in values for name, values in others)]
        found[facet] = Counter(str(room[facet]) for room in matching) if facet else len(matching)
    return {"total": found.pop(""), **found}


def run(contender: Contender, used: Callable[[], Counter[str]]) -> None:
    """Answer all questions. ``used`` returns the counter of what the calls cost, which this function clears."""
    asked = json.load(sys.stdin)
    contender.fill(asked["rooms"])
    answers = {}
    for question in asked["questions"]:
        rows: Any = None
        if question["ask"] == "page":
            seen = None
            for turn in question["turns"]:
                used().clear()
                seen = contender.page(question, turn, seen)
            rows = seen.numbers if seen else []
        elif question["ask"] == "facets":
            used().clear()
            rows = contender.facets(question)
        else:
            used().clear()
            contender.edit(asked["edited"])
        answers[question["name"]] = {**used(), "rows": rows}
    json.dump(answers, sys.stdout)
