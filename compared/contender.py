"""What the lists share: the questions that each is asked, and what is counted on DynamoDB."""

from collections import Counter
from functools import partial
from typing import Any, Protocol

from compared.questions import FACETS, QUESTIONS, Question, Room, edited

Answers = dict[str, dict[str, Any]]
"""What each question cost by the question's name, and the ``rows`` that were found."""


class Contender(Protocol):
    """A list of rooms to compare. ``page`` returns its pages in a form of its own."""

    def fill(self, rooms: list[Room]) -> None:
        """Create the table and store the rooms."""

    def page(self, question: Question, turn: str, seen: Any) -> Any:
        """Return the ``first`` or ``last`` page, or the one that is ``next`` or ``previous`` to the page ``seen``."""

    def numbers(self, page: Any) -> list[str]:
        """Return the numbers of a page's rooms."""

    def facets(self, question: Question) -> dict[str, Any]:
        """Return the ``total`` of a selection, and for each facet the rooms of each value under the other filters."""

    def edit(self, room: Room) -> None:
        """Store a room that has changed."""


def answers(contender: Contender, used: Counter[str], rooms: list[Room]) -> Answers:
    """Return the answers to all questions about these rooms. ``used`` counts what the calls of the list cost."""
    contender.fill(rooms)
    found = {}
    for question in QUESTIONS:
        rows = _rows(contender, used, question, rooms)
        found[question.name] = {**used, "rows": rows}
    return found


def _rows(contender: Contender, used: Counter[str], question: Question, rooms: list[Room]) -> Any:
    """The rows that answer a question. Afterwards ``used`` has what the last page, the facets or the edit cost."""
    seen = None
    for turn in question.turns if question.ask == "page" else ():
        used.clear()
        seen = contender.page(question, turn, seen)
    if question.ask == "page":
        return contender.numbers(seen)
    used.clear()
    return contender.facets(question) if question.ask == "facets" else contender.edit(edited(rooms[0]))


def counted(rooms: list[Room], question: Question) -> dict[str, Any]:
    """Return the ``facets`` of a selection, counted in memory from the facets of all rooms."""
    found: dict[str, Any] = {}
    for facet in ("total", *FACETS):
        others = [(name, values) for name, values in question.values.items() if name != facet]
        matching = [room for room in rooms if all(room[name] in values for name, values in others)]
        found[facet] = len(matching) if facet == "total" else Counter(str(room[facet]) for room in matching)
    return found


def metered(events: Any) -> Counter[str]:
    """A counter of what DynamoDB charges for the calls of a client of botocore; ``events`` is its ``meta.events``."""
    used = Counter[str]()
    events.register("before-parameter-build.dynamodb", _ask)
    events.register("after-call.dynamodb", partial(_note, used))
    return used


def _ask(params: dict[str, Any], model: Any, **_: Any) -> None:
    if "ReturnConsumedCapacity" in model.input_shape.members:
        params["ReturnConsumedCapacity"] = "TOTAL"


def _note(used: Counter[str], parsed: dict[str, Any], model: Any, **_: Any) -> None:
    """Add a call. A call that is not a read is a write."""
    consumed = parsed.get("ConsumedCapacity") or []
    units = sum(part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed]))
    reads = model.name in {"BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"}
    found = sum(map(len, parsed.get("Responses", {}).values())) if "Responses" in parsed else "Item" in parsed
    used.update(requests=1, items=int(parsed.get("ScannedCount", found)))
    used["read_units" if reads else "write_units"] += units
