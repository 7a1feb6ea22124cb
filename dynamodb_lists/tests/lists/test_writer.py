"""The writer against a dict: any changes, with stale editors, others in between, lost answers and shared counters."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import ChangedMeanwhile, Conflict, List, Record, Unavailable, UnknownField
from dynamodb_lists.connection import ledger
from dynamodb_lists.lists.list import lists_by_name
from dynamodb_lists.reading.items import get_item
from dynamodb_lists.schema.attributes import IntegerAttribute
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import create_table, register, table_name
from dynamodb_lists.tests.trials import new_org
from dynamodb_lists.writing import changes as writing
from dynamodb_lists.writing.changes import ALL, Change, Seen
from dynamodb_lists.writing.transactions import Update, Write, commit

pytestmark = pytest.mark.usefixtures("job_tables")
NAMES, STATES = [*"abcd"], ["new", "begun", "over"]
WORDS = ["urgent", "later", "theirs"]
ON: list[Seen] = [ALL, ("state",), ("note",), ("state", "note"), ()]


@dataclass(frozen=True, kw_only=True)
class Job(Record):
    """A job of a team, which takes some hours."""

    team: str
    name: str
    state: str
    hours: int = 0
    note: str = ""
    blame: str = ""


JOBS = List(Job, owner="team", id="name", facets="state", words="note", kind="task", name="chores")


@register
class TeamItem(ItemModel):
    """What the jobs of a team take together; and who has changed them."""

    class Meta:
        table_name = table_name("teams")

    kind = "team"
    team = UnicodeAttribute(hash_key=True)
    hours = IntegerAttribute(default=0)
    jobs = IntegerAttribute(default=0)
    changed_by = UnicodeAttribute(null=True)
    closed = UnicodeAttribute(null=True)


def hours_of(changes: Sequence[Change[Job]], by: Any) -> Iterator[Write]:
    """Yield an update for each change, so that those of a transaction are added up."""
    for change in changes:
        hours = sum(sign * each.hours for sign, each in ((-1, change.before), (1, change.after)) if each)
        actions = [TeamItem.hours.add(hours), TeamItem.changed_by.set(str(by))]
        yield Update(TeamItem(change.entity.team), actions=actions)


def jobs_of(changes: Sequence[Change[Job]], by: Any) -> list[Write]:
    """Return one update for all, of the item that :func:`hours_of` updates, too. No job of a closed team changes."""
    added = sum((change.after is not None) - (change.before is not None) for change in changes)
    (team,) = {change.entity.team for change in changes}
    return [Update(TeamItem(team), TeamItem.closed.does_not_exist(), [TeamItem.jobs.add(added)])]


@pytest.fixture(scope="module")
def job_tables(endpoint: str) -> None:
    JOBS.create_table()
    create_table(TeamItem.Meta.table_name)


@contextmanager
def trouble(others: Callable[[], None] | None, at: int, *, lost: bool) -> Iterator[None]:
    """Let ``others`` write right before a transaction, the first or the second one, or lose the answers."""
    number = count()

    def made(writes: Sequence[Write]) -> None:
        if next(number) == at and others:
            with patch.object(writing, "commit", commit):
                others()
        commit(writes)
        if lost:
            raise Unavailable("The answer was lost.")

    with patch.object(writing, "commit", made):
        yield


@dataclass
class Team:
    """A team's jobs, in the table and in a dict. ``seen`` has all versions that there were."""

    jobs: List[Job]
    name: str = field(default_factory=new_org)
    stored: dict[str, Job] = field(default_factory=dict)
    seen: list[Job] = field(default_factory=list)

    def keep(self, job: Job) -> Job:
        """Let the dict have a job."""
        self.stored[job.name] = job
        self.seen.append(job)
        return job

    def others(self, name: str, values: Mapping[str, Any]) -> None:
        """What others do with a job: change it or, without values, delete it."""
        if (job := self.stored.get(name)) and values:
            self.keep(self.jobs.update(job, values))
        elif job:
            self.jobs.delete(self.stored.pop(name))

    def update(self, seen: Job, on: Seen, values: Mapping[str, Any]) -> Job | None:
        """Change a job of the dict; ``None`` if it must be refused."""
        stored, wanted = self.stored.get(seen.name), replace(seen, **values)
        there = self.stored.get(wanted.name) if wanted.name != seen.name else None
        if there:  # another job, or the same, if the answer was lost
            return there if there == wanted and there.revision == seen.revision + 1 else None
        if stored is None:
            return None
        if stored.revision != seen.revision:
            if stored.revision == seen.revision + 1 and stored == wanted:
                return stored
            if on is ALL or (made := replace(stored, **values)) == stored:
                return None if on is ALL else stored
            if any(getattr(stored, name) != getattr(seen, name) for name in on):
                return None
            wanted = made
        del self.stored[seen.name]
        return self.keep(replace(wanted, revision=stored.revision + 1))

    def check(self) -> None:
        """Compare items, counts and the shared counters with the dict."""
        items = {job.name: (job, job.revision) for job in self.jobs.query(team=self.name).all()}
        assert items == {name: (job, job.revision) for name, job in self.stored.items()}
        counts = self.jobs.reader.stored_counts((self.name,), consistent=True)
        counted = {key[0]: each.number for key, each in counts.items() if each.number}
        assert counted == Counter(job.state for job in self.stored.values())
        shared = get_item(TeamItem, self.name, consistent=True)
        assert (shared["jobs"], shared["hours"]) == (len(items), sum(job.hours for job in self.stored.values()))
        words = (hit.name for word in WORDS for hit in self.jobs.query(team=self.name).search(word).all())
        assert sorted(words) == sorted(job.name for job in self.stored.values() if job.note)


@pytest.mark.parametrize("seed", range(4))
def test_any_changes_do_what_a_dict_does(seed: int) -> None:
    drawn, told = random.Random(seed), list[Any]()
    team = Team(JOBS.with_writes(hours_of).with_writes(jobs_of).after_writes(lambda changes, by: told.append(by)))
    for number in range(60):
        name, on, lost = drawn.choice(NAMES), drawn.choice(ON), drawn.random() < 0.3
        jobs, last = team.jobs.by(f"editor {number}"), len(told)
        theirs: Mapping[str, Any] = drawn.choice([{}, {"hours": 90}, {"state": "over"}, {"note": "theirs"}])
        others = partial(team.others, name, theirs) if drawn.random() < 0.4 and not lost else None
        disturbed = partial(trouble, others, drawn.randrange(2), lost=lost)
        if name not in team.stored and drawn.random() < 0.8 or not team.seen:
            job = Job(team=team.name, name=name, state=drawn.choice(STATES), hours=drawn.randrange(9))
            with disturbed(), suppress(Unavailable):
                jobs.create(job)
            team.keep(jobs.create(job))  # to add the same again has no effect
        elif name in team.stored and drawn.random() < 0.1:
            jobs.delete(team.stored.pop(name))
        else:
            seen = drawn.choice([*team.stored.values(), *team.seen[-6:]])
            values: dict[str, Any] = {**drawn.choice([{"state": drawn.choice(STATES)}, {"note": drawn.choice(WORDS)}])}
            values |= {"name": drawn.choice(NAMES)} if drawn.random() < 0.2 else {"hours": number}
            found, refused = None, False
            try:
                with disturbed():
                    found = jobs.update(seen, on=on, **values)
            except Unavailable:
                pass
            except Conflict:
                refused = True
            expected = team.update(seen, on, values)
            assert refused == (expected is None)
            if lost and not refused and not (on and "name" in values):  # the same change again has no effect
                found = jobs.update(seen, on=on, **values)
            assert found is None or (found, found.revision) == (expected, expected and expected.revision)
        assert {*told[last:]} <= {f"editor {number}", None}
        team.check()


def test_four_entities_with_one_counter_are_one_transaction() -> None:
    calls = list[int]()
    team = Team(JOBS.with_writes(hours_of, jobs_of).after_writes(lambda changes, by: calls.append(len(changes))))
    rows = [Job(team=team.name, name=name, state="new", hours=5) for name in NAMES]
    assert team.jobs.save(rows) == 4
    assert calls == [4]
    team.stored = {job.name: job for job in team.jobs.query(team=team.name).all()}
    assert {*team.stored} == {*NAMES}
    team.check()
    commit([Update(TeamItem(team.name), actions=[TeamItem.closed.set("yes")])])
    for refused in (
        lambda: team.jobs.update(team.stored["a"], on=(), hours=9),
        lambda: team.jobs.delete(team.stored["b"]),
    ):
        with pytest.raises(ChangedMeanwhile):  # the condition of a function holds for all
            refused()
    team.check()


def test_what_belongs_to_nothing_is_not_added() -> None:
    def of_team(changes: Sequence[Change[Job]], by: Any) -> list[Write]:
        return [Update(TeamItem(changes[0].entity.team), TeamItem.team.exists(), [TeamItem.jobs.add(1)])]

    team = Team(JOBS.with_writes(of_team))
    new = Job(team=team.name, name="a", state="new")
    with pytest.raises(Conflict, match="What this task belongs to does not exist"):
        team.jobs.create(new)
    commit([Update(TeamItem(team.name), actions=[TeamItem.jobs.add(0)])])
    assert team.jobs.create(new) == new
    with pytest.raises(Conflict, match="There is already a task a"):
        team.jobs.create(replace(new, hours=1))


def test_what_is_done_and_what_moved_on_is_told_by_the_stored_entity() -> None:
    team = Team(JOBS)
    seen = JOBS.create(Job(team=team.name, name="a", state="new"))
    begun = JOBS.update(seen, state="begun", hours=3)
    again = JOBS.update(seen, on=("state",), done=lambda job: job.state == "begun", state="begun", hours=4)
    assert (again, again.revision) == (begun, begun.revision)
    for read, on in (seen, ("state",)), (begun, {"state": "new"}):
        with pytest.raises(ChangedMeanwhile) as error:
            JOBS.update(read, on=on, state="over")
        assert error.value.stored == begun
    assert JOBS.update(begun, on={"state": "begun"}, state="over").hours == 3


def test_a_field_is_redacted_whatever_the_revision() -> None:
    team = Team(JOBS.with_writes(hours_of))
    seen = JOBS.create(Job(team=team.name, name="a", state="new", blame="Ada"))
    changed = JOBS.update(seen, state="over")
    for _ in range(2):
        assert team.jobs.redact([seen, replace(seen, name="gone")], blame="") == 1
        stored = JOBS.get(team=team.name, id="a", consistent=True)
        assert (stored, stored.revision) == (replace(changed, blame=""), changed.revision)
    assert team.jobs.redact([changed], blame=lambda job: job.state) == 1
    assert JOBS.get(team=team.name, id="a", consistent=True).blame == "over"
    for name in ("note", "state", "name", "team", "revision"):
        with pytest.raises(UnknownField, match=name):
            JOBS.redact([seen], **{name: ""})


def test_what_follows_a_write_is_done_once_it_is_known_to_be_made() -> None:
    told = list[tuple[Job | None, Job | None]]()
    team = Team(JOBS.after_writes(lambda changes, by: told.extend((each.before, each.after) for each in changes)))
    new = Job(team=team.name, name="a", state="new")
    with trouble(None, 0, lost=True), suppress(Unavailable):
        team.jobs.create(new)
    assert told == [], "nobody knows whether it is made"
    seen = team.jobs.create(new)
    assert told == [(None, seen)]
    for changes in ({"state": "begun"}, {"name": "b"}):
        told.clear()
        with trouble(None, 0, lost=True), suppress(Unavailable):
            team.jobs.update(seen, changes)
        assert told == []
        after = team.jobs.update(seen, changes)
        assert told == [(seen, after)]
        seen = after
    told.clear()
    with pytest.raises(ChangedMeanwhile):
        team.jobs.update(replace(seen, revision=1), state="over")
    assert told == []


def test_what_one_actor_adds_to_a_list_is_that_actors_alone() -> None:
    """A list with further writes replaces the list of the same name, except for a list of one actor."""
    named = lists_by_name[JOBS.declaration.name]
    assert JOBS.by("ada").with_writes(hours_of).after_writes(print) not in {JOBS, named}
    assert lists_by_name[JOBS.declaration.name] is named
    counted = named.with_writes(hours_of)
    assert lists_by_name[JOBS.declaration.name] is counted


def test_a_transaction_without_writes_sends_nothing() -> None:
    with ledger.recording() as calls:
        commit([])
    assert not calls.calls
