"""Writes of declared lists: twice, at the same time, with lost answers; and what the counts say afterwards."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pytest

from dynamodb_lists import (
    AddedRecord,
    ChangedMeanwhile,
    Conflict,
    List,
    NotFound,
    UnknownField,
    WrongValue,
    at_least,
    at_most,
    between,
)
from dynamodb_lists.declared.counts import pack, unpack
from dynamodb_lists.declared.models import PACKED
from dynamodb_lists.lists.counts import FEW_COUNTS
from dynamodb_lists.tests.trials import Trial, new_org, some_trials, trials

pytestmark = pytest.mark.usefixtures("tables")
FIRST = Trial(org="", number="T-1", operator="Zeta", state="Draft", phase=1, cost=Decimal(5))


@dataclass(frozen=True, kw_only=True)
class Site(AddedRecord):
    """Where trials take place."""

    code: str
    town: str = ""


SITES = List(Site, id="code")


@pytest.fixture
def first() -> Trial:
    return trials.create(replace(FIRST, org=new_org()))


def counted(org: str) -> Counter[tuple[Any, ...]]:
    """Return the numbers of the counts that are not zero, by combination."""
    return Counter({key: each.number for key, each in trials.reader.stored_counts((org,)).items() if each.number})


def test_an_edit_carries_what_was_seen(first: Trial) -> None:
    second = trials.update(first, state="Done")
    assert second.revision == first.revision + 1
    assert trials.get(org=first.org, id="T-1", consistent=True) == second
    for late in (lambda: trials.update(first, state="Running"), lambda: trials.delete(first)):
        with pytest.raises(ChangedMeanwhile):
            late()
    assert counted(first.org) == {("zeta", "done", "011"): 1}
    trials.delete(second)
    assert not counted(first.org)
    with pytest.raises(NotFound):
        trials.get(org=first.org, id="T-1")


def test_to_create_the_same_again_has_no_effect(first: Trial) -> None:
    assert trials.create(replace(FIRST, org=first.org)) == first
    with pytest.raises(Conflict, match="There is already a trial T-1. Choose another number."):
        trials.create(replace(FIRST, org=first.org, phase=2))
    assert counted(first.org).total() == 1


def test_the_owner_of_an_item_stays(first: Trial) -> None:
    for name in ("org", "revision", "nothing"):
        with pytest.raises(UnknownField, match=f"Trials have no field '{name}' that can be changed."):
            trials.update(first, {name: "x"})


def test_a_file_can_be_saved_again() -> None:
    rows = some_trials(new_org(), 60)
    assert (trials.save(rows), trials.save(rows)) == (60, 0)
    changed = [replace(row, title="New") for row in rows[:7]]
    assert trials.save([*changed, *rows[7:]]) == 7
    assert trials.get(org=rows[0].org, id=rows[0].number).title == "New"
    assert counted(rows[0].org).total() == 60


def test_of_many_editors_of_one_item_each_change_is_seen_or_refused(first: Trial) -> None:
    """Ten editors have read the same item. The first one saves; the other nine are refused."""

    def edit(n: int) -> bool:
        try:
            trials.update(first, title=f"by {n}")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(10) as pool:
        assert sum(pool.map(edit, range(10))) == 1
    assert trials.get(org=first.org, id="T-1", consistent=True).revision == first.revision + 1


def test_few_counts_are_not_packed_and_many_are() -> None:
    few, many = some_trials(new_org(), 5), some_trials(new_org(), 150)
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
    with pytest.raises(WrongValue, match="title must be a text .* half a character"):
        trials.update(zero, title="\ud800")
    with pytest.raises(NotFound, match=r"There is no such trial\."):
        trials.get(org=first.org, id="nowhere")
    for wrong in (Decimal("NaN"), Decimal("Infinity")):
        with pytest.raises(WrongValue, match=r"cost must be a number \(Decimal\)"):
            trials.update(zero, cost=wrong)
        with pytest.raises(WrongValue, match=r"cost must be a number \(Decimal\)"):
            query.where(cost=at_most(wrong))


def test_a_record_says_who_added_it_whoever_changes_it() -> None:
    SITES.create_table()
    added = SITES.by("ada").create(Site(code=new_org()))
    assert (added.added_by, added.added_at is None) == ("ada", False)
    changed = SITES.by("bob").update(added, town="Ulm")
    assert (changed.added_by, changed.added_at, changed.town) == ("ada", added.added_at, "Ulm")
    assert SITES.get(id=added.code, consistent=True) == changed
    assert not SITES.create(Site(code=new_org())).added_by, "nobody says who adds it"
