"""What writers do: a table of the forms that they send, and of what must be stored and noted because of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from tests.storm.browser import Browser
from tests.storm.clients import LOGIN_PAUSE_SECONDS, Client, Clock
from tests.storm.journal import Journal, Mark, Outcome, Thing, Values

Templates = Mapping[str, str | tuple[str, ...]]
"""Values of fields, or some of which one is drawn: another one than the stored one.

``{id}`` stands for the thing's id, ``{mark}`` for a text that no other write has, ``{n}`` for its number, ``{address}``
for the address of an account, and any other name for the stored value of a field.
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

    sent_to: str = ""
    """Where the form is sent, if it is not where it says."""

    when: Callable[[Values], object] = lambda _: True
    """Whether it can be done with a thing of these values."""

    ends: bool = False
    """Whether nothing more can be done with the thing."""

    refused: bool = False
    shared: bool = False
    """Whether the portal must refuse it, and whether other writers change the thing at the same time."""

    added_before: str = ""
    """What the form says if an earlier attempt has added what no other write adds."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Things of a kind: how their names begin, how a new one is added, and what is done with those that are there.

    ``new_id`` is blank if the form chooses it: it is in the field by which the form is found.
    """

    kind: tuple[str, ...]
    added: Action | None = None
    new_id: str = "{mark}"
    changes: Sequence[Action]
    ids: Sequence[str] = ()
    history: bool = True
    pause: float = 0.0


MOST_THINGS = 30
GUESTS = tuple(f"storm.guest.{number}" for number in range(3))
HOUSEKEEPING = ("clean", "dirty", "inspected")
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
TAPPED: Templates = {"housekeeping": HOUSEKEEPING}
BEFORE = {"initial-housekeeping": "{housekeeping}"}
OUT_OF_ORDER = {"service": "out-of-order", "reason": "{mark}"}
NEW_HOTEL = {"name": "Hotel {mark}", "city": "Bergen", "currency": "NOK", "time_zone": "Europe/Oslo"}
GUEST = {"name": "Guest {mark}", "email": "{id}@storm.example", "phone": "+47 {n:08d}"}
ERASED = {"name": "Erased guest", "email": "", "phone": ""}
ORDER, ITEM = "/orders/{id}/?guest={username}", urlencode({"id": "wine", "name": "Wine", "text": "Wine"})
ITEMS = {"items-0-sku": "Wine", "items-0-sku-chosen": ITEM, "items-0-quantity": "3", "items-0-unit_price": "500"}
PLACED = {"status": "PLACED", "total": "1500", "item_count": "1"}
OPINION: Templates = {"language": ("en", "de", "fr"), "rating": tuple("12345"), "title": "{mark}"}
REPLY: Templates = {"reply": "{mark}"}
ACCOUNTS = "/admin/auth/user/"
ACCOUNT = {"username": "{id}", "reach": "none", "password1": "A storm of 9 waves"}


def _step(to: str, *after: str, kind: str = "order move", ends: bool = False) -> Action:
    """A step in the life of an order, after one of these statuses."""
    step, stored = {"step": to}, {"status": to}
    possible = lambda order: order["status"] in after  # noqa: E731
    return Action(kind, ORDER, "seen", {}, step, stored, marked="status", when=possible, ends=ends)


OF_ROOMS = Subject(
    kind=("room", "seaside"),
    added=Action("room add", f"{ROOMS}add/", "number", FACTS, stored=NEW_ROOM, what="created"),
    changes=(
        Action("room edit", f"{ROOM}edit/", "number", FACTS, marked="rate"),
        Action("room edit", f"{ROOM}edit/", "number", FACTS, marked="rate"),
        Action(
            "room tap",
            f"{ROOMS}?number={{id}}",
            "list",
            TAPPED,
            BEFORE,
            marked="housekeeping",
            sent_to=f"{ROOM}status/",
        ),
        Action("room status", f"{ROOM}status/", "service", OUT_OF_ORDER, marked="reason"),
        Action("room add", f"{ROOMS}add/", "number", FACTS, marked="rate", refused=True),
        Action("room delete", f"{ROOM}delete/", "revision", what="deleted", ends=True),
    ),
)
SHARED_RATE: Templates = {"rate": "9{n:02d}.{who}"}  # not ten times the one before, which asks once more
OF_SHARED_ROOMS = Subject(
    kind=("room", "altstadt"),
    ids=("101", "102", "103"),
    changes=(
        Action(
            "shared room edit", "/hotels/altstadt/rooms/{id}/edit/", "number", SHARED_RATE, marked="rate", shared=True
        ),
    ),
)
OF_HOTELS = Subject(
    kind=("hotel",),
    added=Action("hotel add", "/hotels/add/", "hotel_id", NEW_HOTEL, {"hotel_id": "{id}"}, what="created"),
    changes=(Action("hotel edit", "/hotels/{id}/edit/", "city", {"city": "{mark}"}, marked="city"),),
)
OF_GUESTS = Subject(
    kind=("guest",),
    added=Action("guest add", "/guests/add/", "username", GUEST, {"username": "{id}"}, what="created"),
    changes=(
        Action("guest edit", "/guests/{id}/edit/", "name", {"name": "{mark}"}, marked="name"),
        Action("guest add", "/guests/add/", "username", GUEST, {"username": "{id}"}, marked="name", refused=True),
        Action("guest erase", "/guests/{id}/erase/", "revision", stored=ERASED, what="erased", ends=True),
    ),
)
OF_ORDERS = Subject(
    kind=("order",),
    new_id="",
    added=Action(
        "order place",
        "/orders/place/?hotel_id=seaside",
        "order_id",
        {"username": GUESTS},
        ITEMS,
        {"hotel_id": "seaside", **PLACED},
        what="created",
    ),
    changes=(
        _step("PROCESSING", "PLACED"),
        _step("SHIPPED", "PROCESSING"),
        _step("DELIVERED", "SHIPPED", ends=True),
        _step("CANCELLED", "PLACED", "PROCESSING", kind="order cancel", ends=True),
        Action(
            "order place",
            "/orders/place/?hotel_id=seaside",
            "order_id",
            {"username": "storm.nobody"},
            ITEMS,
            marked="username",
            refused=True,
        ),
    ),
)
OF_REVIEWS = Subject(
    kind=("review",),
    new_id="",
    added=Action(
        "review add",
        "/hotels/seaside/reviews/add/",
        "review_id",
        {**OPINION, "author": "Storm", "body": "Waves. " * 30 + "Wet."},
        stored={"reply": ""},
        what="created",
    ),
    changes=(
        Action("review edit", "/reviews/{id}/edit/", "title", OPINION, marked="title"),
        Action("review reply", "/reviews/{id}/reply/", "reply", REPLY, marked="reply"),
        Action(
            "review reply delete",
            "/reviews/{id}/reply/delete/",
            "revision",
            stored={"reply": ""},
            marked="reply",
            when=lambda review: review["reply"],
        ),
        Action("review delete", "/reviews/{id}/delete/", "revision", what="deleted", ends=True),
    ),
)
OF_ACCOUNTS = Subject(
    kind=("account",),
    added=Action(
        "account add",
        f"{ACCOUNTS}add/",
        "username",
        entered=ACCOUNT,
        stored={"username": "{id}", "name": ""},
        added_before="already exists",
    ),
    changes=(
        Action("account edit", "{address}change/", "name", {"name": "{id} {mark}"}),
        Action("account delete", "{address}delete/", "post", what="deleted", ends=True),
    ),
    history=False,
    pause=LOGIN_PAUSE_SECONDS,
)
SUBJECTS: Mapping[str, Subject] = {
    "storm-rooms-1": OF_ROOMS,
    "storm-rooms-2": OF_ROOMS,
    "storm-shared-1": OF_SHARED_ROOMS,
    "storm-shared-2": OF_SHARED_ROOMS,
    "storm-hotels": OF_HOTELS,
    "storm-guests": OF_GUESTS,
    "storm-orders-1": OF_ORDERS,
    "storm-orders-2": OF_ORDERS,
    "storm-reviews": OF_REVIEWS,
    "storm-accounts": OF_ACCOUNTS,
}
"""The users who write, and what."""


class Writer(Client):
    """Adds things of one kind, and changes and removes what it has added."""

    def __init__(self, browser: Browser, journal: Journal, clock: Clock, seed: str) -> None:
        super().__init__(browser, journal, clock, seed)
        self.subject, self.written = SUBJECTS[self.name], 0
        self.ids = [*self.subject.ids]

    def step(self) -> None:
        """Add a thing, or do something with one that is there."""
        self.written += 1
        added = self.subject.added
        if added and (not self.ids or (len(self.ids) < MOST_THINGS and self.random.random() < 1 / 3)):
            thing_id = self._make(added, self.subject.new_id.format(mark=self._mark()))
            if thing_id:
                self.ids.append(thing_id)
        else:
            thing_id = self.random.choice(self.ids)
            stored = self.journal.values(self._thing(thing_id)) or {}
            self._make(self.random.choice([each for each in self.subject.changes if each.when(stored)]), thing_id)
        self.clock.over.wait(self.subject.pause)

    def _make(self, action: Action, thing_id: str) -> str:
        """Send a form; returns the thing's id if the portal acknowledged it. Report an outcome that is not wanted."""
        known = self.journal.values(self._thing(thing_id)) or {}
        address = self._address(thing_id) if action.page.startswith("{address}") else ""
        form = self.form(action.page.format(**known, id=thing_id, address=address), action.form)
        new_id = thing_id or dict(form.fields)[action.form]
        values, entered, stored = (
            self._drawn(each, new_id, known) for each in (action.values, action.entered, action.stored)
        )
        thing, after = self._thing(new_id), None if action.what == "deleted" else {**known, **values, **stored}
        mark = Mark(thing, action.what, action.marked, {**values, **stored}.get(action.marked, ""))
        write = self.journal.begin(
            action.kind,
            self.name,
            [mark] if self.subject.history else [],
            {} if action.refused or action.shared else {thing: after},
            shared=action.shared,
        )
        if action.ends:
            self.ids.remove(thing_id)
        sent_to = action.sent_to.format(id=new_id) or form.action
        form = replace(form.filled({**values, **entered}), action=sent_to)
        self.send(write, form, added_before=action.added_before)
        wanted = Outcome.REFUSED if action.refused else Outcome.ACKNOWLEDGED
        if write.outcome is not wanted and not action.shared:
            self.journal.report(f"a {action.kind} was {write.outcome}, not {wanted}")
        return new_id if write.outcome is Outcome.ACKNOWLEDGED else ""

    def _drawn(self, templates: Templates, thing_id: str, known: Values) -> dict[str, str]:
        """The values of some fields, drawn and filled in."""
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

    def _thing(self, thing_id: str) -> Thing:
        return (*self.subject.kind, thing_id)

    def _address(self, username: str) -> str:
        """The address of an account, which has a number. The list is searched for it."""
        link = re.compile(rf"{ACCOUNTS}(\d+)/change/[^>]*>\s*{re.escape(username)}(?:\s[^<]*)?<")
        found = link.search(self.page(f"{ACCOUNTS}?q={username}").text)
        return f"{ACCOUNTS}{found[1] if found else 0}/"
