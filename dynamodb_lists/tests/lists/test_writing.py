"""Writes of declared lists: twice, at the same time, with lost answers; and what the counts say afterwards."""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from dynamodb_lists import (
    ChangedMeanwhile,
    Conflict,
    DynamoDBError,
    List,
    NotFound,
    UnknownField,
    WrongValue,
    at_least,
    at_most,
    between,
)
from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.counts import Counts, pack, unpack
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists import writing
from dynamodb_lists.lists.counting import pack_counts
from dynamodb_lists.lists.reading import FEW_COUNTS
from dynamodb_lists.lists.writing import ListCounts
from dynamodb_lists.maintenance.lists import rules
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema.keys import compose
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.trials import Trial, matching, new_org, numbers, some_trials, trials, walked

pytestmark = pytest.mark.usefixtures("tables")
FIRST = Trial(org="", number="T-1", operator="Zeta", state="Draft", phase=1, cost=Decimal(5))


@pytest.fixture
def first() -> Trial:
    return trials.create(replace(FIRST, org=new_org()))


def faults() -> list[str]:
    """What verification finds in the table."""
    check = TableCheck(trials.models.item.Meta.table_name, rules(trials), repair=False)
    return [fault.text for fault in check.faults(lambda _: None)]


def counted(org: str) -> Counter[tuple[Any, ...]]:
    """The numbers of the counts that are not zero, by combination."""
    return Counter({key: each.number for key, each in trials.reader.stored_counts((org,)).items() if each.number})


def test_an_edit_carries_what_was_seen(first: Trial) -> None:
    second = trials.update(first, state="Done")
    assert second.revision == first.revision + 1
    assert trials.get(org=first.org, id="T-1", consistent=True) == second
    for late in (lambda: trials.update(first, state="Running"), lambda: trials.delete(first)):
        with pytest.raises(ChangedMeanwhile):
            late()
    assert counted(first.org) == {("zeta", "done", "0000000001"): 1}
    trials.delete(second)
    assert not counted(first.org)
    with pytest.raises(NotFound):
        trials.get(org=first.org, id="T-1")


def test_to_create_the_same_again_has_no_effect(first: Trial) -> None:
    assert trials.create(replace(FIRST, org=first.org)) == first
    with pytest.raises(Conflict, match="There is already a trial T-1. Choose another number."):
        trials.create(replace(FIRST, org=first.org, phase=2))
    assert counted(first.org).total() == 1


def test_the_key_of_an_item_stays(first: Trial) -> None:
    for name in ("number", "org", "revision", "nothing"):
        with pytest.raises(UnknownField, match=f"Trials have no field '{name}' that can be changed."):
            trials.update(first, **{name: "x"})


def test_a_file_can_be_saved_again() -> None:
    rows = some_trials(new_org(), 60)
    assert (trials.save(rows), trials.save(rows)) == (60, 0)
    changed = [replace(row, title="New") for row in rows[:7]]
    assert trials.save([*changed, *rows[7:]]) == 7
    assert trials.get(org=rows[0].org, id=rows[0].number).title == "New"
    assert counted(rows[0].org).total() == 60


def test_of_many_editors_of_one_item_each_change_is_seen_or_refused(first: Trial) -> None:
    """Ten editors have read the same item. One of them is first."""

    def edit(n: int) -> bool:
        try:
            trials.update(first, title=f"by {n}")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(10) as pool:
        assert sum(pool.map(edit, range(10))) == 1
    assert trials.get(org=first.org, id="T-1", consistent=True).revision == first.revision + 1


@pytest.fixture
def lost_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """DynamoDB gets each request, and every fourth answer to a write is lost on its way."""
    session: Any = client()._endpoint.http_session  # type: ignore[attr-defined]
    usual, sent = session.send, count(1)

    def send(request: Any) -> Any:
        answer = usual(request)
        if b"TransactItems" in (request.body or b"") and next(sent) % 4 == 0:
            raise ReadTimeoutError(endpoint_url=request.url)
        return answer

    monkeypatch.setattr(session, "send", send)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("lost_answers")
@pytest.mark.parametrize("seed", range(3))
def test_many_writers_and_lost_answers_leave_nothing_out_of_step(seed: int) -> None:
    """Each writer creates, edits and deletes what others do, too. Rows, counts and copies agree at the end."""
    org = new_org()
    trials.save(some_trials(org, 90, seed))  # so many combinations that the counts are packed

    def work(number: int) -> int:
        drawn, done = random.Random(seed * 10 + number), 0
        for step in range(25):
            name = f"T-{drawn.randrange(30):03}"
            try:
                seen = trials.get(org=org, id=name, consistent=True)
                if drawn.random() < 0.3:
                    trials.delete(seen)
                else:
                    trials.update(seen, state=drawn.choice(["Draft", "Done", ""]), title=f"{number} {step}")
            except NotFound:
                try:
                    trials.create(Trial(org=org, number=name, operator="Zeta", state="New", phase=number))
                except DynamoDBError:
                    continue
            except DynamoDBError:
                continue
            done += 1
        return done

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(work, range(6))) > 60
    rows = list(trials.query(org=org))
    assert Counter(map(trials.declaration.combination, rows)) == counted(org)
    assert len({row.number for row in rows}) == len(rows)
    if dynamodb_local.wanted():  # it shows half of a transaction; if its writer lost the answer, the copy stays wrong
        check = TableCheck(trials.models.item.Meta.table_name, rules(trials), repair=True)
        assert all(fault.repaired and "packed counts" in fault.text for fault in check.faults(lambda _: None))
    assert faults() == []
    trials.update(trials.get(org=org, id=rows[0].number, consistent=True), state="Last")  # packs once more
    heads = trials.reader.heads((org,), HEAD, PACKED, consistent=True)
    assert heads[PACKED]["counts_revision"] == heads[HEAD]["counts_revision"]
    packed = {key: each.number for key, each in unpack(heads[PACKED]["packed"], 3).items() if each.number}
    assert packed == counted(org)


def test_few_counts_are_not_packed_and_many_are() -> None:
    few, many = some_trials(new_org(), 5), some_trials(new_org(), 400)
    trials.save(few)
    trials.save(many)
    assert PACKED not in trials.reader.heads((few[0].org,), PACKED)
    copy = trials.reader.heads((many[0].org,), PACKED)[PACKED]
    stored = trials.reader.stored_counts((many[0].org,))
    assert len(stored) > FEW_COUNTS
    assert unpack(copy["packed"], 3) == stored
    assert unpack(pack(stored), 3) == stored
    page = trials.query(org=many[0].org).where(state="Draft").page()
    assert (page.cost.requests, page.total) == (2, sum(trial.state == "Draft" for trial in many))


def test_what_is_out_of_step_is_found_and_repaired(first: Trial) -> None:
    declaration, models = trials.declaration, trials.models
    partition = declaration.counts_partition((first.org,))
    wrong = models.count(partition, "zeta#draft#0000000001", number=7)
    wrong.save()
    assert faults() == [f"the count of trials {first.org} zeta draft 0000000001 is 7; the number of trials is 1"]
    check = TableCheck(models.item.Meta.table_name, rules(trials), repair=True)
    assert [fault.repaired for fault in check.faults(lambda _: None)] == [True]
    assert faults() == []


def test_counts_that_are_wrong_hide_no_row_and_are_repaired() -> None:
    """Of a few rows and of many: one count is lost, and the copy is outdated."""
    for size in (5, 400):
        rows = some_trials(new_org(), size)
        trials.save(rows)
        owner, models = (rows[0].org,), trials.models
        partition = trials.declaration.counts_partition(owner)
        models.count(partition, compose(*trials.declaration.combination(rows[0]))).delete()
        models.head(partition, HEAD).update([models.head.counts_revision.add(1)])
        wanted = matching(rows, operator=rows[0].operator.__eq__, state=rows[0].state.__eq__)
        query = trials.query(org=rows[0].org).where(operator=rows[0].operator, state=rows[0].state)
        for asked in (query, query.order_by("-day"), query.order_by("cost")):
            assert sorted(numbers(row for page in walked(asked, 3) for row in page.rows)) == sorted(numbers(wanted))
        check = TableCheck(models.item.Meta.table_name, rules(trials), repair=True)
        assert [fault.repaired for fault in check.faults(lambda _: None)] == [True]
        page = query.page()
        assert page.total == len(wanted)
        assert page.cost.units <= 3 or dynamodb_local.wanted(), "it charges whole items for reads of LSIs"
    assert faults() == []


def test_a_copy_never_holds_a_change_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """One writer reads the counts after another one has written, who packs after the first one."""
    rows, late, usual = some_trials(new_org(), 400), list[Any](), ListCounts.counts
    trials.save(rows)

    def written_meanwhile(store: ListCounts) -> Counts:
        monkeypatch.setattr(ListCounts, "counts", usual)
        with monkeypatch.context() as patch:
            patch.setattr(writing, "pack_counts", lambda *call: late.append(call))
            trials.create(replace(FIRST, org=rows[0].org, number="late"))
        return usual(store)

    monkeypatch.setattr(ListCounts, "counts", written_meanwhile)
    trials.repack((rows[0].org,))
    (call,) = late
    pack_counts(*call)
    assert faults() == []


def test_values_are_those_that_are_stored(first: Trial) -> None:
    """A whole number may stand for a decimal, as it does in Python, in an item and in a condition."""
    zero = trials.create(replace(FIRST, org=first.org, number="zero", cost=0))  # type: ignore[arg-type]
    many = trials.create(replace(FIRST, org=first.org, number="many", cost=Decimal("1000.5")))
    assert trials.get(org=first.org, id="zero") == zero
    query = trials.query(org=first.org).order_by("cost")
    for condition, found in ((0, [zero]), (between(0, 5), [zero, first]), (at_least(6), [many]), (at_most(4), [zero])):
        assert query.where(cost=condition).page().rows == tuple(found), condition
    assert query.order_by("-id").page().rows == (zero, many, first)
    assert query.where(id="zero").page().rows == (zero,)
    with pytest.raises(WrongValue, match="has half a character"):
        trials.update(zero, title="\ud800")
    with pytest.raises(NotFound, match=r"There is no trial nowhere\."):
        trials.get(org=first.org, id="nowhere")
    for wrong in (Decimal("NaN"), Decimal("Infinity")):
        with pytest.raises(WrongValue, match="cost must be a number"):
            trials.update(zero, cost=wrong)
        with pytest.raises(WrongValue, match="cost must be a number"):
            query.where(cost=at_most(wrong))


def test_words_follow_their_item(first: Trial) -> None:
    query = trials.query(org=first.org)
    second = trials.update(first, title="Blue moon")
    assert numbers(query.search("moon blu").page().rows) == ["T-1"]
    third = trials.update(second, title="Red moon", operator="Other")
    assert [numbers(query.search(text).page().rows) for text in ("blue", "moo", "r")] == [[], ["T-1"], ["T-1"]]
    wrong = trials.models.word(f"trials#{first.org}#words#x", "xyz#T-1", words=" xyz")
    wrong.save()
    assert faults() == [f"the word item trials#{first.org}#words#x xyz#T-1 of trials is surplus"]
    check = TableCheck(trials.models.item.Meta.table_name, rules(trials), repair=True)
    assert [fault.repaired for fault in check.faults(lambda _: None)] == [True]
    trials.delete(third)
    assert query.search("moon").page().rows == ()
    assert faults() == []


def test_writes_of_a_caller_share_the_transaction() -> None:
    """Such as a history: if it is refused, nothing is written."""
    told: list[Any] = []
    audited: List[Trial] = trials.with_writes(lambda change: told.append(change) or [])  # type: ignore[func-returns-value]
    created = audited.create(replace(FIRST, org=new_org()))
    audited.delete(audited.update(created, title="x"))
    assert [(change.before is None, change.after is None) for change in told] == [
        (True, False),
        (False, False),
        (False, True),
    ]
