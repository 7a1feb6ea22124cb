"""The pager on an engine: a walk keeps its order and loses no row, whatever happens to the rows meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pytest

from dynamodb_lists import Cursor, Position, Query, QueryPage, Row, SortedRows, read_page
from dynamodb_lists.connection import ledger
from dynamodb_lists.reading import sources
from dynamodb_lists.reading.listing import CountsDiffer
from dynamodb_lists.tests.helpers.paging import NEXT, follow
from dynamodb_lists.tests.trials import STATES, Trial, a_trial, new_org, numbers, trials

pytestmark = pytest.mark.usefixtures("tables")
Trials = Query[Trial]


@pytest.fixture(autouse=True, scope="module")
def _usual_sizes() -> Iterator[None]:
    """Nothing is learned about the size of items, so that each engine is asked for as many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "learn_size", lambda *_, **__: None)
        yield


@pytest.fixture
def sixty() -> Trials:
    """Sixty trials of one kind: 100 to 159."""
    return stored(*range(100, 160))


def stored(*chosen: int) -> Trials:
    """Return the query of a new organisation that has trials of these numbers."""
    org = new_org()
    trials.save(a_trial(org, str(number)) for number in chosen)
    return trials.query(org=org)


def delete(query: Trials, *gone: int | str) -> None:
    """Delete trials of the organisation."""
    (org,) = query.asked.owner
    for number in gone:
        trials.delete(trials.get(org=org, number=str(number)))


def create(query: Trials, number: str) -> None:
    """Add a trial to the organisation."""
    trials.create(a_trial(query.asked.owner[0], number))


def shown(page: QueryPage[Trial]) -> list[int]:
    return [int(trial.number) for trial in page.rows]


def ranks(page: QueryPage[Trial]) -> tuple[int | None, int, int | None]:
    return page.rank, len(page.rows), page.total


@dataclass(frozen=True, kw_only=True)
class Differing(SortedRows[str]):
    """A list whose counts differ from its rows, and have changed meanwhile."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[str]]:
        raise CountsDiffer(SortedRows(name=self.name, rows=[Row(Position("a"), "a")], revision=2))


def test_a_first_page_that_is_read_without_its_counts_is_not_outdated() -> None:
    page = read_page(Differing(name="letters", rows=[], revision=1), 5)
    assert (page.rows, page.rank, page.outdated) == (("a",), 0, False)


def test_deleting_the_rows_at_both_edges_loses_nothing(sixty: Trials) -> None:
    first = sixty.page(25)
    delete(sixty, 124, 125)
    second = sixty.page(25, first.next)
    assert shown(second)[0] == 126
    third = sixty.page(25, second.next)
    assert shown(third) == [*range(151, 160)]
    assert ranks(third) == (49, 9, 58)


def test_a_page_before_that_has_become_short_is_filled_from_the_start(sixty: Trials) -> None:
    second = sixty.page(25, sixty.page(25).next)
    delete(sixty, *range(100, 110))
    again = sixty.page(25, second.previous)
    assert shown(again) == [*range(110, 135)]
    assert ranks(again) == (0, 25, 50)


@pytest.mark.parametrize("gone", [100, 160])
def test_the_page_before_knows_whether_a_row_is_left_after_it(sixty: Trials, gone: int) -> None:
    """The last page has one of 61 rows. Delete that row, or an earlier one, and go back to the page before."""
    create(sixty, "160")
    last = sixty.page(20, sixty.page(20).last)
    assert shown(last) == [160]
    delete(sixty, gone)
    with ledger.recording() as calls:
        before = sixty.page(20, last.previous)
    assert shown(before) == [*range(140, 160)]
    assert ranks(before) == (39 if gone == 100 else 40, 20, 60)
    assert (shown(sixty.page(20, before.next)) == [160]) if gone == 100 else before.next is None
    assert sum(call.items_read for call in calls.of("list")) == 21 + (gone == 100)


def test_a_walk_stays_in_its_index_although_the_counts_now_favour_another() -> None:
    """Otherwise the order would change for the reader, and the cursor's position would have no meaning."""
    org = new_org()
    states = "Draft", "Done"
    trials.save(a_trial(org, f"T-{n:03}", operator="Zeta", state=states[n % 2], phase=n) for n in range(90))
    query = trials.query(org=org).where(operator="Zeta", state={*states}).order_by("phase")
    first, index = indexed(query, None)
    trials.save(a_trial(org, f"X-{n:03}", operator="Zeta", state="Draft", phase=0) for n in range(40))
    assert indexed(query, None)[1] != index, "a new reader is better off elsewhere"
    second, again = indexed(query, first.next)
    assert again == index
    assert not {*numbers(first.rows)} & {*numbers(second.rows)}


def indexed(query: Trials, cursor: str | None) -> tuple[QueryPage[Trial], str]:
    """Return a page, and the one index that it was read from."""
    with ledger.recording() as calls:
        page = query.page(10, cursor)
    (index,) = {call.index for call in calls.of("list")}
    return page, index


@pytest.mark.parametrize("sort", ["operator", "-state", "phase"])
def test_no_request_has_an_empty_text_as_a_key(sixty: Trials, sort: str) -> None:
    """DynamoDB refuses one in a condition on a key of an index. The embedded engine does not."""
    with ledger.recording() as calls:
        query = sixty.order_by(sort)
        pages = follow(query.page(25), NEXT, partial(query.page, 25))
        assert sum(len(page.rows) for page in pages) == 60
    assert all({"S": ""} not in call.request["ExpressionAttributeValues"].values() for call in calls.calls)


# --- Counts that are wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", ["", "-day", "operator", "cost"])
def test_a_combination_with_more_or_fewer_rows_than_counted_is_noticed(
    sort: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One combination has lost rows to another one, so that the sum is still right. Each way of reading notices it."""
    org = new_org()
    trials.save(a_trial(org, f"{n}", state=STATES[n % 3], phase=1 + n % 2) for n in range(53))
    count, partition = trials.models.count, trials.reader.declaration.counts_partition((org,))
    for state, change in (("draft", -9), ("running", 9)):
        count(partition, f"zeta#{state}#011").update([count.number.add(change)])
    for conditions, rows in (({"state": "Draft"}, 18), ({"state": "Draft", "phase": 1}, 9), ({"state": "Running"}, 17)):
        query = trials.query(org=org).where(**conditions)
        page = (query.order_by(sort) if sort else query).page(50)
        assert {trial.state for trial in page.rows} == {conditions["state"]}
        assert len(page.rows) == page.total == rows
        assert "Run verify_data" in caplog.text
        caplog.clear()
