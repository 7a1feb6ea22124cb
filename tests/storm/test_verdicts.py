"""The storm's judge finds what it is there to find. A judge that cannot fail proves nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from rooms import keys
from rooms.commands import create_room
from rooms.models import RoomModel
from tests.helpers.faults import settle_in
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.storm.journal import Journal, Mark, Outcome, Thing, Values, Write
from tests.storm.judge import checks
from tests.storm.judge.stored import StoredThings
from tests.storm.judge.verdicts import Entry, Verdict, judge

ROOM: Thing = ("room", "abc", "101")
RATE_9 = Entry("changed", {"rate": ("8", "9")})


@dataclass
class FakeStored:
    """What is stored, as a test says."""

    things: dict[Thing, Values] = field(default_factory=dict)
    histories: dict[Thing, list[Entry]] = field(default_factory=dict)
    listed: Counter[Thing] = field(default_factory=Counter)

    def values(self, thing: Thing) -> Values | None:
        return self.things.get(thing)

    def entries(self, thing: Thing) -> Sequence[Entry]:
        return self.histories.get(thing, [])

    def population(self) -> Counter[Thing]:
        return Counter([*self.things, *self.listed.elements()])


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def stored() -> FakeStored:
    """A room whose rate was changed from 8 to 9."""
    return FakeStored({ROOM: {"rate": "9", "view": "Sea"}}, {ROOM: [Entry("created"), RATE_9]})


def write(journal: Journal, outcome: Outcome, *, unanswered: int = 0, shared: bool = False, rate: str = "9") -> Write:
    """A write that sets the rate of the room."""
    marks = [Mark(ROOM, "changed", "rate", rate)]
    sent = journal.begin("room edit", "anna", marks, {ROOM: {"rate": rate}}, shared=shared)
    for _ in range(unanswered):
        journal.attempt(sent, "503", answered=False)
    journal.settle(sent, outcome)
    return sent


def add(journal: Journal) -> None:
    journal.settle(
        journal.begin("room add", "anna", [Mark(ROOM, "created")], {ROOM: {"rate": "8"}}), Outcome.ACKNOWLEDGED
    )


def found(journal: Journal, stored: FakeStored) -> list[tuple[Verdict, str]]:
    """What the judge finds: the verdicts, and the kinds of the writes."""
    judgement = judge(journal, stored, Counter())
    return [(finding.verdict, finding.write.kind if finding.write else "") for finding in judgement.findings]


ADDED, EDITED = "room add", "room edit"
SENT: dict[str, tuple[list[dict[str, Any]], list[tuple[Verdict, str]]]] = {
    "acknowledged, and there once": ([{"outcome": Outcome.ACKNOWLEDGED, "unanswered": 2}], []),
    "lost, by its values and by its entry": (
        [{"outcome": Outcome.ACKNOWLEDGED}, {"outcome": Outcome.ACKNOWLEDGED, "rate": "10"}],
        [(Verdict.LOST, EDITED)] * 2,
    ),
    "refused, but there": (
        [{"outcome": Outcome.REFUSED}],
        [(Verdict.LOST, ADDED), (Verdict.BROKEN, EDITED)],
    ),
    "unknown, and there": ([{"outcome": Outcome.UNKNOWN, "unanswered": 1}], []),
    "there, and refused when it is sent again": (
        [{"outcome": Outcome.REFUSED, "unanswered": 1}],
        [(Verdict.BROKEN, EDITED)],
    ),
    "refused because somebody else was first": ([{"outcome": Outcome.REFUSED, "unanswered": 1, "shared": True}], []),
}
"""Writes of a room whose rate was changed once, from 8 to 9, and what the judge finds."""


@pytest.mark.parametrize("name", SENT)
def test_the_judge_finds_what_became_of_writes(name: str, journal: Journal, stored: FakeStored) -> None:
    writes, verdicts = SENT[name]
    add(journal)
    for each in writes:
        write(journal, **each)
    assert found(journal, stored) == verdicts


def test_a_write_of_which_nobody_knows_may_not_be_there(journal: Journal) -> None:
    add(journal)
    write(journal, Outcome.UNKNOWN, unanswered=1)
    assert found(journal, FakeStored({ROOM: {"rate": "8"}}, {ROOM: [Entry("created")]})) == []


def test_what_is_doubled_gone_or_of_nobody_and_a_broken_chain_are_found(journal: Journal, stored: FakeStored) -> None:
    before: Counter[Thing] = Counter([("room", "abc", "gone")])
    verdicts = [finding.verdict for finding in judge(journal, stored, before).findings]
    assert verdicts == [Verdict.BROKEN, Verdict.LOST]
    add(journal)
    write(journal, Outcome.ACKNOWLEDGED)
    stored.histories[ROOM].append(RATE_9)
    stored.listed[ROOM] += 1
    assert found(journal, stored) == [(Verdict.DOUBLED, EDITED)] * 2
    stored.listed.clear()
    write(journal, Outcome.ACKNOWLEDGED, shared=True)
    assert (Verdict.BROKEN, "") in found(journal, stored), "two changes of one value"


def test_entries_of_an_erased_guest_have_no_values(journal: Journal) -> None:
    guest: Thing = ("guest", "alex")
    edit = journal.begin("guest edit", "anna", [Mark(guest, "changed", "name", "Alex")], {guest: {"name": "Alex"}})
    erase = journal.begin("guest erase", "anna", [Mark(guest, "erased")], {guest: {"name": ""}})
    for each in (edit, erase):
        journal.settle(each, Outcome.ACKNOWLEDGED)
    blank = [Entry("changed", {"name": ("", "")}), Entry("erased")]
    assert found(journal, FakeStored({guest: {"name": ""}}, {guest: blank})) == []


@pytest.mark.django_db
def test_a_room_that_disappears_from_the_table_is_found(
    empty_tables: None, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the real tables: the judge reads what is stored, not what it expects."""
    settle_in(monkeypatch, 0)
    make_hotel()
    before = StoredThings().population()
    sent = journal.begin("room add", "anna", [Mark(ROOM, "created")], {ROOM: {"rate": "120.5", "view": "Sea view"}})
    created = create_room(make_room("101"), "anna")
    journal.settle(sent, Outcome.ACKNOWLEDGED)
    assert judge(journal, StoredThings(), before).findings == []
    RoomModel.connection().delete_item(keys.rooms(ABC), created.stored_key)
    judgement = judge(journal, StoredThings(), before)
    assert judgement.findings
    assert all(finding.verdict is Verdict.LOST and finding.write is sent for finding in judgement.findings)
    assert checks.verify_data()[1]
