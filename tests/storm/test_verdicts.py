"""The storm's judge finds what it is there to find. A judge that cannot fail proves nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from rooms import keys
from rooms.commands import create_room
from rooms.models import RoomModel
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


def test_what_was_acknowledged_and_is_there_once_is_in_order(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.ACKNOWLEDGED, unanswered=2)
    assert found(journal, stored) == []


def test_a_lost_write_is_found_by_its_values_and_by_its_entry(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.ACKNOWLEDGED)
    lost = write(journal, Outcome.ACKNOWLEDGED, rate="10")
    judgement = judge(journal, stored, Counter())
    assert [(finding.verdict, finding.write) for finding in judgement.findings] == [(Verdict.LOST, lost)] * 2
    assert judgement.writes(Verdict.LOST, "room edit") == 1


def test_a_doubled_write_is_found(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.ACKNOWLEDGED)
    stored.histories[ROOM].append(RATE_9)
    stored.listed[ROOM] += 1
    assert found(journal, stored) == [(Verdict.DOUBLED, "room edit"), (Verdict.DOUBLED, "room edit")]


def test_a_refused_write_must_not_be_there(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.REFUSED)
    assert (Verdict.BROKEN, "room edit") in found(journal, stored)


@pytest.mark.parametrize("there", [True, False])
def test_a_write_of_which_nobody_knows_may_be_there_or_not(there: bool, journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.UNKNOWN, unanswered=1)
    if not there:
        stored.things[ROOM] = {"rate": "8"}
        stored.histories[ROOM].remove(RATE_9)
    assert found(journal, stored) == []


def test_a_write_that_is_there_must_not_be_refused_when_it_is_sent_again(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.REFUSED, unanswered=1)
    assert found(journal, stored) == [(Verdict.BROKEN, "room edit")]


def test_unless_somebody_else_changed_the_thing_first(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.REFUSED, unanswered=1, shared=True)
    assert found(journal, stored) == []


def test_changes_of_a_shared_thing_must_form_a_chain(journal: Journal, stored: FakeStored) -> None:
    add(journal)
    write(journal, Outcome.ACKNOWLEDGED, shared=True, rate="10")
    write(journal, Outcome.ACKNOWLEDGED, shared=True)
    stored.histories[ROOM].append(Entry("changed", {"rate": ("8", "10")}))
    assert found(journal, stored) == [(Verdict.BROKEN, "")]


def test_what_nobody_added_and_what_is_gone_is_found(journal: Journal, stored: FakeStored) -> None:
    before: Counter[Thing] = Counter([("room", "abc", "gone")])
    verdicts = [finding.verdict for finding in judge(journal, stored, before).findings]
    assert verdicts == [Verdict.BROKEN, Verdict.LOST]


def test_entries_of_an_erased_guest_have_no_values(journal: Journal) -> None:
    guest: Thing = ("guest", "alex")
    edit = journal.begin("guest edit", "anna", [Mark(guest, "changed", "name", "Alex")], {guest: {"name": "Alex"}})
    erase = journal.begin("guest erase", "anna", [Mark(guest, "erased")], {guest: {"name": ""}})
    for each in (edit, erase):
        journal.settle(each, Outcome.ACKNOWLEDGED)
    blank = [Entry("changed", {"name": ("", "")}), Entry("erased")]
    assert found(journal, FakeStored({guest: {"name": ""}}, {guest: blank})) == []


@pytest.mark.django_db
def test_a_room_that_disappears_from_the_table_is_found(empty_tables: None, journal: Journal) -> None:
    """With the real tables: the judge reads what is stored, not what it expects."""
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
