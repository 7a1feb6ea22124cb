"""The storm's judge finds each kind of fault. A judge that cannot fail proves nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from rooms.commands import create_room
from rooms.lists import ROOMS
from tests.helpers.faults import settle_in
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.storm import checks
from tests.storm.journal import Change, Journal, Outcome, Thing, Values
from tests.storm.judge import Verdict, judge
from tests.storm.stored import Entry, StoredThings

ROOM, OTHER = ("room", "abc", "101"), ("room", "abc", "102")
CREATED, RATE_9 = Entry("created"), Entry("changed", {"rate": ("8", "9")})
ACKNOWLEDGED, REFUSED, UNKNOWN = Outcome
LOST, DOUBLED, BROKEN = Verdict


@dataclass
class FakeStored(StoredThings):
    """What is stored, as a test says: a room whose rate was changed from 8 to 9."""

    rate: str = "9"
    history: Sequence[Entry] = (CREATED, RATE_9)
    listed: Sequence[Thing] = (ROOM,)

    def values(self, thing: Thing) -> Values | None:
        return {"rate": self.rate} if thing in self.listed else None

    def entries(self, thing: Thing) -> Sequence[Entry]:
        return self.history

    def population(self) -> Counter[Thing]:
        return Counter(self.listed)


@dataclass
class Sent:
    """A write that sets the rate of the room."""

    outcome: Outcome
    times: int = 1
    shared: bool = False
    rate: str = "9"


Found = list[tuple[Verdict, str]]
CASES: dict[str, tuple[list[Sent], FakeStored, Found]] = {
    "acknowledged, and there once": ([Sent(ACKNOWLEDGED, 3)], FakeStored(), []),
    "lost, by its values and by its entry": (
        [Sent(ACKNOWLEDGED), Sent(ACKNOWLEDGED, rate="10")],
        FakeStored(),
        [(LOST, "edit"), (LOST, "edit")],
    ),
    "lost with the thing": ([Sent(ACKNOWLEDGED)], FakeStored(listed=()), [(LOST, "edit"), (LOST, "edit")]),
    "refused, but there": ([Sent(REFUSED)], FakeStored(), [(LOST, "add"), (BROKEN, "edit")]),
    "unknown, and there": ([Sent(UNKNOWN)], FakeStored(), []),
    "unknown, and not there": ([Sent(UNKNOWN)], FakeStored("8", [CREATED]), []),
    "there, and refused when it is sent again": ([Sent(REFUSED, 2)], FakeStored(), [(BROKEN, "edit")]),
    "refused because somebody else was first": ([Sent(REFUSED, 2, shared=True)], FakeStored(), []),
    "twice in the history": ([Sent(ACKNOWLEDGED)], FakeStored("9", [CREATED, RATE_9, RATE_9]), [(DOUBLED, "edit")]),
    "twice in a list": ([Sent(ACKNOWLEDGED)], FakeStored(listed=[ROOM, ROOM]), [(DOUBLED, "")]),
    "an entry and a thing of nobody": ([], FakeStored("8", listed=[ROOM, OTHER]), [(BROKEN, ""), (BROKEN, "")]),
    "a change that did not see the one before it": (
        [Sent(ACKNOWLEDGED, shared=True), Sent(ACKNOWLEDGED, shared=True, rate="7")],
        FakeStored("7", [CREATED, RATE_9, Entry("changed", {"rate": ("8", "7")})]),
        [(BROKEN, "")],
    ),
}
"""How the rate was changed of a room that was added with 8, what is stored, and what the judge finds."""


def add(journal: Journal, **values: str) -> None:
    journal.begin("add", "anna", [Change(ROOM, "created", values)]).outcome = ACKNOWLEDGED


def found(journal: Journal, stored: StoredThings, before: Counter[Thing]) -> Found:
    """Return what the judge finds: the verdicts, and the kinds of the writes."""
    return [
        (finding.verdict, finding.write.kind if finding.write else "") for finding in judge(journal, stored, before)
    ]


@pytest.mark.parametrize("name", CASES)
def test_the_judge_finds_what_became_of_writes(name: str) -> None:
    writes, stored, verdicts = CASES[name]
    journal = Journal()
    shared = any(each.shared for each in writes)
    add(journal, **({} if shared else {"rate": "8"}))
    for each in writes:
        change = Change(ROOM, "changed", {"rate": each.rate}, "rate")
        write = journal.begin("edit", "anna", [change], shared=each.shared)
        write.outcome, write.answers = each.outcome, [""] * each.times
    assert found(journal, stored, Counter()) == verdicts


@pytest.mark.django_db
def test_a_room_that_disappears_from_the_table_is_found(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the real tables: the judge reads what is stored, not what it expects."""
    settle_in(monkeypatch, 0)
    make_hotel()
    journal, before = Journal(), StoredThings().population()
    add(journal, rate="120.5")
    created = create_room(make_room("101"), "anna")
    assert found(journal, StoredThings(), before) == []
    ROOMS.model.connection().delete_item(*ROOMS.model.place_of(hotel_id=ABC, number=created.number))
    assert {(LOST, "add")} == set(found(journal, StoredThings(), before))
    assert checks.faults_by("verify_data")
