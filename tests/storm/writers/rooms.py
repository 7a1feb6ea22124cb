"""Writers of rooms: one room at a time, many rooms at once, and several writers of the same room."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from urllib.parse import urlencode

from tests.storm.journal import Mark, Outcome, Thing, Values
from tests.storm.pages import CSRF_FIELD, find_form
from tests.storm.writers.base import Writer

VIEWS = ("Sea view", "Garden view", "City view", "")
TYPES = ("Single", "Double", "Suite")
HOUSEKEEPING = ("clean", "dirty", "inspected")
MOST_ROOMS = 40
"""The most rooms of a writer. With more, it deletes before it adds."""


class RoomWriter(Writer):
    """Adds, edits and deletes rooms of a hotel that others write to as well, and sets their status."""

    hotel_id = "seaside"
    currency = "GBP"

    def prepare(self) -> None:
        """Begin without rooms."""
        self.numbers: list[str] = []

    def step(self) -> None:
        """Add a room, or do something with one of this writer's."""
        steps = [self.add, self.edit, self.edit, self.tap, self.tap, self.put_out_of_order, self.delete, self.add_taken]
        if not self.numbers:
            self.add()
        elif len(self.numbers) > MOST_ROOMS:
            self.delete()
        else:
            self.random.choice(steps)()

    def add(self) -> None:
        """Add a room with a number of its own."""
        number = self.mark().removeprefix("storm-").replace(" ", "-")  # at most 16 characters
        facts = self._facts(number)
        values = {**facts, "housekeeping": "clean", "service": "in-service", "reason": ""}
        mark = Mark(self._room(number), "created")
        form = self.form(f"/hotels/{self.hotel_id}/rooms/add/", "number").filled(facts)
        write = self.begin("room add", [mark], {self._room(number): values})
        if self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED):
            self.numbers.append(number)

    def add_taken(self) -> None:
        """Add a room with the number of another one. The portal must refuse it."""
        number = self.random.choice(self.numbers)
        facts = self._facts(number)
        form = self.form(f"/hotels/{self.hotel_id}/rooms/add/", "number")
        write = self.begin("room add", [Mark(self._room(number), "changed", "rate", facts["rate"])])
        self.expect(write, self.send(write, form.filled(facts)), Outcome.REFUSED)

    def edit(self) -> None:
        """Change everything but the number of a room."""
        number = self.random.choice(self.numbers)
        facts = self._facts(number)
        mark = Mark(self._room(number), "changed", "rate", facts["rate"])
        form = self.form(self._address(number, "edit/"), "number")
        write = self.begin("room edit", [mark], {self._room(number): {**self._stored(number), **facts}})
        self.expect(write, self.send(write, form.filled(facts)), Outcome.ACKNOWLEDGED)

    def tap(self) -> None:
        """Set what housekeeping knows of a room, as the buttons of the list do."""
        number = self.random.choice(self.numbers)
        stored = self._stored(number)
        status = self.random.choice([status for status in HOUSEKEEPING if status != stored["housekeeping"]])
        mark = Mark(self._room(number), "changed", "housekeeping", status)
        form = self.form(f"/hotels/{self.hotel_id}/rooms/?{urlencode({'number': number})}", "list")
        form = replace(form, action=self._address(number, "status/"))
        write = self.begin("room tap", [mark], {self._room(number): {**stored, "housekeeping": status}})
        self.expect(
            write,
            self.send(write, form.filled({"housekeeping": status, "initial-housekeeping": stored["housekeeping"]})),
            Outcome.ACKNOWLEDGED,
        )

    def put_out_of_order(self) -> None:
        """Set a room out of order, for a reason of its own."""
        number, reason = self.random.choice(self.numbers), self.mark()
        status = {"service": "out-of-order", "reason": reason}
        mark = Mark(self._room(number), "changed", "reason", reason)
        form = self.form(self._address(number, "status/"), "service")
        write = self.begin("room status", [mark], {self._room(number): {**self._stored(number), **status}})
        self.expect(write, self.send(write, form.filled(status)), Outcome.ACKNOWLEDGED)

    def delete(self) -> None:
        """Delete a room."""
        number = self.numbers.pop(self.random.randrange(len(self.numbers)))
        form = self.form(self._address(number, "delete/"), "revision")
        write = self.begin("room delete", [Mark(self._room(number), "deleted")], {self._room(number): None})
        self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED)

    def _facts(self, number: str) -> dict[str, str]:
        """What the form of a room says: a rate that no other edit has, and random facets."""
        self.written += 1
        return {
            "number": number,
            "view": self.random.choice(VIEWS),
            "size": str(self.random.randint(10, 60)),
            "type": self.random.choice(TYPES),
            "rate": f"{1000 + self.written}.5",
            "currency": self.currency,
        }

    def _room(self, number: str) -> Thing:
        return "room", self.hotel_id, number

    def _stored(self, number: str) -> Values:
        values = self.journal.values(self._room(number))
        assert values is not None, f"{number} is not in the journal"
        return values

    def _address(self, number: str, page: str) -> str:
        return f"/hotels/{self.hotel_id}/rooms/{number}/{page}"


class SharedRoomWriter(Writer):
    """Edits rooms that other writers edit at the same time. The portal lets the first one win."""

    hotel_id = "altstadt"
    things: tuple[Thing, ...] = ()
    number = 0
    """Tells the writers' rates apart."""

    def step(self) -> None:
        """Give one of the rooms a rate that no other edit has."""
        thing = self.random.choice(self.things)
        self.written += 1
        rate = f"{10_000 * (self.number + 1) + self.written}"
        form = self.form(f"/hotels/{self.hotel_id}/rooms/{thing[2]}/edit/", "number")
        write = self.begin("shared room edit", [Mark(thing, "changed", "rate", rate)], shared=True)
        self.send(write, form.filled({"rate": rate}))


class BulkWriter(Writer):
    """Changes all rooms of its own hotel at once, again and again."""

    hotel_id = "storm-bulk"
    things: tuple[Thing, ...] = ()

    def step(self) -> None:
        """Raise all rates, or set all statuses."""
        if self.random.random() < 1 / 2:
            self._change("rate", {"new-action": "rate-by", "new-rate_by": "1"})
        else:
            self._change("housekeeping", {"new-action": "status", "new-housekeeping": self.random.choice(HOUSEKEEPING)})

    def _change(self, name: str, parameters: Mapping[str, str]) -> None:
        after = {thing: self._changed(thing, name, parameters) for thing in self.things}
        stored = {thing: self.journal.values(thing) or {} for thing in self.things}
        marks = [
            Mark(thing, "changed", name, values[name])
            for thing, values in after.items()
            if values[name] != stored[thing][name]
        ]
        form = self.form(f"/hotels/{self.hotel_id}/rooms/change/?{urlencode({'all': 'on', **parameters})}", "seen")
        write = self.begin("rooms in bulk", marks, after)
        answer = self.answered(write, lambda: self.browser.post(form, write.kind))
        if self.judged(answer) is Outcome.ACKNOWLEDGED:
            self._go_on(answer.location)
        self.journal.settle(write, self.judged(answer))

    def _go_on(self, progress: str) -> None:
        """Let the change take its steps, until its page says that it is done."""
        while True:
            page = self.page(progress, "bulk progress")
            if "bulk-continue" not in page.text:
                return
            form = find_form(page.text, CSRF_FIELD, progress)
            self.browser.post(replace(form, action=progress), "bulk step")

    def _changed(self, thing: Thing, name: str, parameters: Mapping[str, str]) -> Values:
        stored = self.journal.values(thing) or {}
        value = parameters.get("new-housekeeping") or f"{(Decimal(stored['rate']) + 1).normalize():f}"
        return {**stored, name: value}
