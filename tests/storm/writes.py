"""What writers do: a table of the forms that they send, and of what must be stored and noted because of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.storm.browser import Browser
from tests.storm.clients import Client, Clock
from tests.storm.journal import Change, Journal, Outcome, Values

Templates = Mapping[str, str | tuple[str, ...]]
"""Values of fields, or some of which one is drawn: another one than the stored one.

``{id}`` stands for the thing's id, ``{mark}`` for a text that no other write has, ``{n}`` for its number, ``{who}`` for
that of the writer, and any other name for the stored value of a field.
"""


@dataclass(frozen=True)
class Action:
    """A form to send, and what must be stored and noted because of it: the one on ``page`` with the field ``form``."""

    kind: str
    page: str
    form: str
    values: Templates = field(default_factory=dict)
    """What is entered, and stored afterwards beside what stays."""

    entered: Templates = field(default_factory=dict)
    stored: Templates = field(default_factory=dict)
    """What is entered, but stored in another way; and what is stored, but not entered."""

    what: str = "changed"
    marked: str = ""
    """What the history says: what happened, and the field that gets a value which no other write gives it."""

    when: Callable[[Values], object] = lambda _: True
    """Whether it can be done with a thing of these values."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Things of a kind: how a new thing is added, and how existing things are changed. ``shared`` has the ids of things
    that several writers change.
    """

    kind: tuple[str, ...]
    added: Action | None = None
    changes: Sequence[Action]
    shared: Sequence[str] = ()


MOST_THINGS = 30
GUESTS = tuple(f"storm.guest.{number}" for number in range(3))
ROOMS = "/hotels/seaside/rooms/"
ROOM = f"{ROOMS}{{id}}/"
FACTS: Templates = {
    "number": "{id}",
    "view": ("Sea view", "Garden view", "City view", ""),
    "size": ("10", "24", "35", "60"),
    "type": ("Single", "Double", "Suite"),
    "rate": "1{n:03d}.5",
    "currency": "GBP",
}
NEW_ROOM = {"housekeeping": "clean", "service": "in-service", "reason": ""}
STATUS: Templates = {"housekeeping": ("clean", "dirty", "inspected"), "service": "out-of-order", "reason": "{mark}"}
SHARED_ROOM = "/hotels/altstadt/rooms/{id}/edit/"
SHARED_RATE: Templates = {"rate": "9{n:02d}.{who}"}  # not ten times the one before, which asks once more
ORDER, ITEM = "/orders/{id}/?guest={username}", urlencode({"id": "wine", "name": "Wine", "text": "Wine"})
PLACE = "/orders/place/?hotel_id=seaside"
ITEMS = {"items-0-sku": "Wine", "items-0-sku-chosen": ITEM, "items-0-quantity": "3", "items-0-unit_price": "500"}
PLACED = {"hotel_id": "seaside", "status": "PLACED", "total": "1500", "item_count": "1"}
OPINION: Templates = {"language": ("en", "de", "fr"), "rating": tuple("12345"), "title": "{mark}"}
REVIEW: Templates = {**OPINION, "author": "Storm", "body": "Waves. " * 30 + "Wet."}


def _step(to: str, *after: str) -> Action:
    """Return a step in the life of an order, after one of these statuses."""
    possible = lambda order: order["status"] in after  # noqa: E731
    return Action("order step", ORDER, "seen", {}, {"step": to}, {"status": to}, marked="status", when=possible)


OF_ROOMS = Subject(
    kind=("room", "seaside"),
    added=Action("room add", f"{ROOMS}add/", "number", FACTS, stored=NEW_ROOM, what="created"),
    changes=(
        Action("room edit", f"{ROOM}edit/", "number", FACTS, marked="rate"),
        Action("room status", f"{ROOM}status/", "service", STATUS, marked="reason"),
        Action("room delete", f"{ROOM}delete/", "revision", what="deleted"),
    ),
)
OF_SHARED_ROOMS = Subject(
    kind=("room", "altstadt"),
    shared=("101", "102", "103"),
    changes=(Action("shared room edit", SHARED_ROOM, "number", SHARED_RATE, marked="rate"),),
)
OF_ORDERS = Subject(
    kind=("order",),
    added=Action("order place", PLACE, "order_id", {"username": GUESTS}, ITEMS, PLACED, what="created"),
    changes=(
        _step("PROCESSING", "PLACED"),
        _step("SHIPPED", "PROCESSING"),
        _step("DELIVERED", "SHIPPED"),
        _step("CANCELLED", "PLACED", "PROCESSING"),
    ),
)
OF_REVIEWS = Subject(
    kind=("review",),
    added=Action("review add", "/hotels/seaside/reviews/add/", "review_id", REVIEW, what="created"),
    changes=(
        Action("review edit", "/reviews/{id}/edit/", "title", OPINION, marked="title"),
        Action("review reply", "/reviews/{id}/reply/", "reply", {"reply": "{mark}"}, marked="reply"),
        Action("review delete", "/reviews/{id}/delete/", "revision", what="deleted"),
    ),
)
SUBJECTS: Mapping[str, Subject] = {
    "storm-rooms-1": OF_ROOMS,
    "storm-rooms-2": OF_ROOMS,
    "storm-shared-1": OF_SHARED_ROOMS,
    "storm-shared-2": OF_SHARED_ROOMS,
    "storm-orders-1": OF_ORDERS,
    "storm-orders-2": OF_ORDERS,
    "storm-reviews": OF_REVIEWS,
}
"""The users who write, and what."""


class Writer(Client):
    """Adds things of one kind, and changes and removes what it has added."""

    def __init__(self, browser: Browser, journal: Journal, clock: Clock, seed: str) -> None:
        super().__init__(browser, journal, clock, seed)
        self.subject, self.written = SUBJECTS[self.name], 0
        self.things: dict[str, Values] = {thing_id: {} for thing_id in self.subject.shared}

    def step(self) -> None:
        """Add a thing, or do something with one that is there."""
        self.written += 1
        added = self.subject.added
        if added and (not self.things or (len(self.things) < MOST_THINGS and self.random.random() < 1 / 3)):
            self._do(added, "", {})
            return
        thing_id, known = self.random.choice([*self.things.items()])
        if actions := [each for each in self.subject.changes if each.when(known)]:
            self._do(self.random.choice(actions), thing_id, known)
        else:
            del self.things[thing_id]

    def _do(self, action: Action, thing_id: str, known: Values) -> None:
        """Send a form, and keep what is stored now. A new thing has the id that the form proposes, or a new one."""
        form = self.form(action.page.format(**known, id=thing_id), action.form)
        thing_id = thing_id or form.fields[action.form] or self._mark()
        values, entered, stored = (
            self._drawn(each, thing_id, known) for each in (action.values, action.entered, action.stored)
        )
        after = None if action.what == "deleted" else {**known, **values, **stored}
        change = Change((*self.subject.kind, thing_id), action.what, after, action.marked)
        write = self.journal.begin(action.kind, self.name, [change], shared=bool(self.subject.shared))
        outcome, _ = self.send(write, form.filled({**values, **entered}))
        self.settle(write, outcome)
        if outcome is Outcome.ACKNOWLEDGED:
            self.things[thing_id] = after or {}
        if outcome is Outcome.ACKNOWLEDGED and after is None:
            del self.things[thing_id]

    def _drawn(self, templates: Templates, thing_id: str, known: Values) -> dict[str, str]:
        """Return the values of some fields, drawn and filled in."""
        names = {**known, "id": thing_id, "mark": self._mark(), "n": self.written, "who": self.name[-1]}
        drawn: dict[str, str] = {}
        for name, template in templates.items():
            choices = (
                [template] if isinstance(template, str) else [each for each in template if each != known.get(name)]
            )
            drawn[name] = self.random.choice(choices).format(**names)
        return drawn

    def _mark(self) -> str:
        """A text that no other write of the storm has. It may be the number of a room, of at most 16 characters."""
        return f"{self.name.removeprefix('storm-')}-{self.written}"
