"""Declared lists against a naive model: any filter, any sort, both directions, any page size."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import boto3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import BadCursor, Unavailable, UnknownField, at_least, at_most, between
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.declared.asked import ListQuery, Rule
from dynamodb_lists.declared.models import PACKED
from dynamodb_lists.lists import counts, reading
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.conditions import Between
from dynamodb_lists.schema.words import folded
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.trials import (
    DEAR,
    OPERATORS,
    STATES,
    TRIALS,
    Trial,
    a_trial,
    in_order,
    matching,
    new_org,
    numbers,
    some_trials,
    trials,
    walked,
    walked_back,
)

pytestmark = pytest.mark.usefixtures("tables")
Condition = tuple[Any, Callable[[Any], bool]]


@pytest.fixture(scope="module")
def stored(tables: None) -> list[Trial]:
    rows = some_trials(new_org(), 250)
    assert trials.save(rows) == 250
    return rows


def one_of(values: list[Any]) -> st.SearchStrategy[Condition]:
    """Return a value or a set of values."""
    chosen = st.sets(st.sampled_from(values), min_size=1, max_size=3)
    return chosen.map(lambda found: (found if len(found) > 1 else next(iter(found)), found.__contains__))


def ranges(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Condition]:
    """Return a range of a field, which no value is in."""

    def ranged(ends: list[Any]) -> list[Condition]:
        low, high = sorted(ends)
        return [
            (between(low, high), lambda value: value is not None and low <= value <= high),
            (at_least(low), lambda value: value is not None and value >= low),
            (at_most(high), lambda value: value is not None and value <= high),
        ]

    return st.lists(values, min_size=2, max_size=2).map(ranged).flatmap(st.sampled_from)


days = st.integers(0, 560).map(lambda n: date(2020, 1, 1) + timedelta(days=n))
DAYS = [date(2020, 1, 1) + timedelta(days=n) for n in (0, 1, 9, 90, 180)]
costs = st.integers(-50, 1000).map(Decimal)
conditions = st.fixed_dictionaries(
    {},
    optional={
        "operator": one_of(OPERATORS),
        "state": one_of(STATES),
        "phase": one_of([1, 2, 3, 10]) | ranges(st.integers(0, 12)),
        "day": ranges(days) | one_of(DAYS),
        "cost": ranges(costs),
    },
)
sorts = st.sampled_from(["day", "-day", "cost", "-cost", "phase", "-phase", "number", ""])


@settings(max_examples=examples(16))
@given(wanted=conditions, sort=sorts, size=st.sampled_from([20, 60]))
def test_every_page_of_every_list(stored: list[Trial], wanted: dict[str, Condition], sort: str, size: int) -> None:
    query = trials.query(org=stored[0].org).where(**{name: condition for name, (condition, _) in wanted.items()})
    query = query.order_by(sort) if sort else query
    expected = matching(stored, **{name: test for name, (_, test) in wanted.items()})
    pages = walked(query, size)
    rows = [row for page in pages for row in page.rows]
    assert sorted(numbers(rows)) == sorted(numbers(expected))
    if name := sort.removeprefix("-"):
        values = [getattr(row, name) for row in rows]
        assert values == [getattr(row, name) for row in in_order(expected, name, descending=sort.startswith("-"))]
    if pages[0].last:
        assert numbers(walked_back(query, size, pages[0].last)) == numbers(rows)
    assert all(page.total in {None, len(expected)} for page in pages)
    assert [len(page.rows) for page in pages[:-1]] == [size] * (len(pages) - 1)
    assert sorted(numbers(query)) == sorted(numbers(expected)), "all rows at once"


def test_equal_rows_of_a_sort_are_in_the_order_of_their_ids(stored: list[Trial]) -> None:
    for sort, descending in (("day", False), ("cost", True)):
        query = trials.query(org=stored[0].org).order_by(f"{'-' * descending}{sort}")
        rows = [row for page in walked(query, 60) for row in page.rows]
        assert numbers(rows) == numbers(in_order(stored, sort, descending=descending))


def test_facets_have_the_values_as_people_wrote_them(stored: list[Trial]) -> None:
    page = trials.query(org=stored[0].org).where(state={"Draft", ""}, phase=10).page()
    expected = matching(stored, state={"Draft", ""}.__contains__, phase=(10).__eq__)
    assert page.facets["operator"] == {
        name: len(matching(expected, operator=name.__eq__))
        for name in OPERATORS
        if matching(expected, operator=name.__eq__)
    }
    of_any_state = matching(stored, phase=(10).__eq__)
    assert page.facets["state"] == {name: len(matching(of_any_state, state=name.__eq__)) for name in STATES}
    assert set(page.facets["phase"]) == {1, 2, 3, 10}


def test_a_sparse_list_has_the_items_of_its_rule(stored: list[Trial]) -> None:
    expected = matching(stored, cost=lambda cost: cost is not None and cost >= DEAR)
    query = trials.query(org=stored[0].org).only("dear").order_by("-cost")
    assert numbers(row for page in walked(query, 7) for row in page.rows) == numbers(
        in_order(expected, "cost", descending=True)
    )
    some = query.where(state={"Draft", "Done"})
    assert numbers(some) == numbers(
        in_order(matching(expected, state={"Draft", "Done"}.__contains__), "cost", descending=True)
    )
    assert query.page(100).cost.requests == 1


def test_a_process_keeps_the_counts_that_fit(stored: list[Trial], monkeypatch: pytest.MonkeyPatch) -> None:
    others = some_trials(new_org(), 120)
    trials.save(others)
    queries = [trials.query(org=rows[0].org) for rows in (stored, others)]

    def items_read() -> list[int]:
        with ledger.recording() as calls:
            for query in queries:
                query.counts()
        return [call.items_read for call in calls.calls]

    items_read()
    assert items_read() == [1, 1], "the revision alone"
    monkeypatch.setattr(counts, "MOST_KEPT", 1)
    trials.save([replace(others[0], number="new")])
    items_read()
    assert items_read() == [2, 2], "each makes space for itself"


def test_counts_keep_the_latest_plans_that_fit(stored: list[Trial], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT_PARTS", 50)
    of_org = trials.query(org=stored[0].org)
    queries = [of_org.where(phase=phase).order_by(sort) for phase in (1, 2, 3) for sort in ("day", "cost")]
    for query in [*queries, *queries]:
        query.page(10)
    counted: Any = of_org.counts()
    plans = counted.numbers(trials.declaration.facets).plans
    assert 0 < sum(len(way.parts) for _, ways in plans.values() for way in ways) <= 50 + 24
    monkeypatch.setattr(ListReader, "_ways", None)  # nothing is planned anew
    queries[-1].page(10)
    with pytest.raises(TypeError):
        queries[-1].page(11)


@pytest.mark.parametrize("sort", ["", "number", "day", "-cost"])
def test_a_page_without_filters_is_read_with_its_counts_in_one_wave(stored: list[Trial], sort: str) -> None:
    query = trials.query(org=stored[0].org)
    query = query.order_by(sort) if sort else query
    for page in walked(query, 40)[:-1]:
        assert (page.cost.requests, page.cost.waves) == (2, 1)


def test_a_list_without_filters_whose_ranges_counts_alone_tell_goes_on(stored: list[Trial]) -> None:
    """By operator in each state: no index begins so, and a request that is sent before the counts cannot know it."""
    query = trials.query(org=stored[0].org).order_by("operator", "phase")
    assert dynamodb_local.wanted() or "ranges of by-" in query.listing().grounds.why, "it charges LSIs in another way"
    assert {*numbers(row for page in walked(query, 60) for row in page.rows)} == {*numbers(stored)}


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("emig", ["emigre"]),
        ("GROSSE vers", ["grosse", "versuche"]),
        ("oneill", ["oneill"]),
        ("zzz", ["zzz"]),
        ("!", ["!"]),
    ],
)
def test_words_are_found_by_their_beginnings(stored: list[Trial], text: str, begin: list[str]) -> None:
    query = trials.query(org=stored[0].org).search(text)
    expected = [trial for trial in stored if {*begin} <= {folded(word) for word in trial.title.split()}]
    pages = walked(query, 30)
    rows = [row for page in pages for row in page.rows]
    assert sorted(numbers(rows)) == sorted(numbers(expected))
    assert {row.number: row for row in rows} == {row.number: row for row in expected}, "whole rows"
    assert sorted(numbers(query)) == sorted(numbers(expected))
    assert pages[0].cost.waves <= 2


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda query: query.order_by("titel"),
            "Trials have no sort 'titel'; they have operator, state, phase, day, cost, number.",
        ),
        (lambda query: query.where(title="x"), "Trials have no field 'title' to filter by; they have operator, state,"),
        (lambda query: query.where(number={"1", "2"}), "Trials: give one number, or between"),
        (lambda query: query.only("cheap"), "Trials have no sparse list 'cheap'; they have dear."),
        (
            lambda query: query.search("x").only("dear"),
            "A search has the order of its words, and is in no sparse list.",
        ),
        (
            lambda query: query.order_by("day").search("x"),
            "A search has the order of its words, and is in no sparse list.",
        ),
        (lambda query: query.order_by("state", "-day"), "Trials have no sort '-day'"),
        (lambda _: trials.query(), "Trials are found by org, not by nothing."),
        (lambda _: trials.query(owner="x"), "Trials are found by org, not by owner."),
        (lambda _: trials.get(id="T-1"), "Trials are got by org= and number=."),
        (lambda _: trials.get(org="x", id="T-1", state="Draft"), "Trials are got by org= and number=."),
        (lambda _: trials.get_many([{"org": "x"}]), "Trials are got by org= and number=."),
        (lambda _: trials.get_many([{"org": "x", "number": "1", "state": "x"}]), "Trials are got by org= and number=."),
        (lambda _: trials.update(some_trials("x", 1)[0], replace, on=["stat"]), "Trial has no field stat"),
    ],
)
def test_errors_speak_of_fields(ask: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(UnknownField, match=words.replace("(", r"\(")):
        ask(trials.query(org="x"))


def test_a_cursor_is_of_one_query(stored: list[Trial]) -> None:
    query = trials.query(org=stored[0].org).order_by("day")
    cursor = query.page(10).next
    for other in (query.order_by("-day"), query.where(state="Draft"), trials.query(org="other").order_by("day")):
        with pytest.raises(BadCursor):
            other.page(10, cursor)
    with pytest.raises(BadCursor):
        query.page(11, cursor)


@pytest.mark.parametrize(("sort", "then"), [("-state", "day"), ("phase", "cost"), ("state", "phase"), ("day", "state")])
def test_rows_of_one_value_are_sorted_by_a_second_field(stored: list[Trial], sort: str, then: str) -> None:
    """By an index that has both, or in memory."""
    pages = walked(trials.query(org=stored[0].org).order_by(sort, then), 25)
    rows = [row for page in pages for row in page.rows]
    places = [tuple(trials.declaration.parts(row, (sort.removeprefix("-"), then))) for row in rows]
    assert places == sorted(places, reverse=sort.startswith("-"))
    assert sorted(numbers(rows)) == numbers(stored)


def test_the_first_rows_and_the_number_of_rows(stored: list[Trial]) -> None:
    query = trials.query(org=stored[0].org).where(state="Draft")
    found = in_order((each for each in stored if each.state == "Draft"), "day", descending=True)
    by_day = query.order_by("-day")
    assert numbers(by_day.take(2)) == numbers(found[:2])
    assert by_day.first() == by_day.take(1)[0]
    assert trials.query(org="nobody").first() is None
    with ledger.recording() as calls:
        assert query.count() == len(found)
    assert calls.requests <= 2
    dated = [each for each in found if each.day]
    assert by_day.where(day=at_least(dated[-1].day)).count() == len(dated), "nothing counts days, so all are read"


def test_a_query_and_a_page_can_be_pickled_and_a_page_is_a_line(stored: list[Trial]) -> None:
    page = trials.query(org=stored[0].org).where(state="Draft").order_by("-day").page(5)
    again = pickle.loads(pickle.dumps(page))
    assert again == page
    assert again.facets == page.facets
    assert again.query.page(5, again.next).rows == page.query.page(5, page.next).rows
    assert repr(page) == f"<QueryPage: 5 rows of {page.total}, 1–5>"


def test_an_unknown_owner_or_value_has_an_empty_page(stored: list[Trial]) -> None:
    for query in (trials.query(org="nobody"), trials.query(org=stored[0].org).where(operator="Nobody")):
        page = query.order_by("day").page()
        assert (page.rows, page.total, page.next, page.last) == ((), 0, None, None)


def test_a_page_says_what_it_cost_and_why(stored: list[Trial]) -> None:
    query = trials.query(org=stored[0].org).where(operator="Zeta").order_by("-day")
    query.page()
    page = query.page()
    assert page.cost.requests == page.cost.waves == 2
    assert page.cost.units <= 1.5
    said = page.explain()
    assert "index by-operator-day (chosen)" in said
    assert "expected" in said
    assert "measured" in said


def test_a_client_of_the_caller_is_used(stored: list[Trial]) -> None:
    """It keeps its own retries and time-outs, and its calls are counted all the same."""
    own = boto3.client(
        "dynamodb",
        endpoint_url=connection().read().endpoint_url,
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="x",
    )
    with configured(client=own):
        page = trials.query(org=stored[0].org).order_by("day").page(5)
    assert (len(page.rows), page.cost.requests) == (5, 2)


@pytest.mark.parametrize("sort", ["day", "-cost"])
def test_a_filter_with_a_sort_reads_little_more_than_its_rows(stored: list[Trial], sort: str) -> None:
    """The facet is first in an index that has the sort, so that no row is read in vain."""
    query = trials.query(org=stored[0].org).where(state={"Draft", "Done"}).order_by(sort)
    for page in walked(query, 25):
        assert page.cost.units <= 2.5


def test_two_ranges_are_read_in_one_wave_wherever_the_page_begins() -> None:
    org, states = new_org(), ["Done"] * 60 + ["Draft"] * 100 + ["Running"] * 60
    trials.save(a_trial(org, f"{number:03}", state=state) for number, state in enumerate(states))
    for page in walked(trials.query(org=org).where(state={"Done", "Running"}).order_by("state"), 40):
        assert page.cost.waves == 2  # the counts are the first


def test_a_range_is_read_alone_without_counts(stored: list[Trial]) -> None:
    """As a search of a page does, which shows no counts."""
    asked = ListQuery((stored[0].org,), {"number": Between("T-01", "T-01~")}, sort=("number",))
    with ledger.recording() as calls:
        page = read_page(trials.reader.listing(asked, {}), 25)
    assert numbers(page.rows) == [f"T-01{n}" for n in range(10)]
    assert (calls.requests, sum(call.items_read for call in calls.of("list"))) == (1, 10)


@pytest.mark.parametrize(
    ("interrupted", "times"),
    [("before the counts are read", 1), ("after the counts are read", 1), ("whenever the counts were read", 9)],
)
def test_a_page_beside_a_writer_reads_the_counts_anew_and_not_the_whole_list(
    tables: None, interrupted: str, times: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Others add rows while a page reads the head of the counts, the counts, and then the rows."""
    org = new_org()
    rows = some_trials(org, 300)
    trials.save(rows[:240])
    query = trials.query(org=org).where(operator={"Zeta", "東京"}).order_by("state")
    usual = query.page(100).cost.units
    reader = ListReader[Trial](trials.declaration, trials.models)
    read = "stored_counts" if interrupted == "before the counts are read" else "listing" if times == 1 else "_planned"
    real, others = getattr(reader, read), [rows[240 + n :: times] for n in range(times)]

    def beside_a_writer(*given: Any, **options: Any) -> Any:
        if others:
            with ThreadPoolExecutor(1) as thread:  # the page does not pay for it
                thread.submit(trials.save, others.pop()).result()
        return real(*given, **options)

    monkeypatch.setattr(reader, read, beside_a_writer)
    if read == "stored_counts":  # a page reads these if their packed copy is missing
        client().delete_item(TableName=TRIALS, Key={"pk": {"S": f"trials#{org}#counts"}, "sk": {"S": PACKED}})
    page = replace(query, reader=reader).page(100)
    assert (page.counts_differ, caplog.records) == (False, [])
    wanted = matching(rows, operator={"Zeta", "東京"}.__contains__)
    assert times > 1 or page.total == len(wanted)
    assert {*numbers(wanted)} >= {*numbers(page.rows)} >= {each.number for each in wanted if each in rows[:240]}
    assert page.cost.units < (3 if times == 1 else 4) * usual, "the counts once more, and not all rows"


def test_a_page_of_a_long_list_whose_counts_are_wrong_gives_up_and_says_so(
    tables: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its links lead to every row, and an iteration gives them all."""
    org = new_org()
    rows = some_trials(org, 600)
    trials.save(rows)
    count, partition = trials.models.count, trials.reader.declaration.counts_partition((org,))
    drafts = {key: each.number for key, each in trials.reader.stored_counts((org,)).items() if key[1] == "draft"}
    for key in drafts:
        count(partition, "#".join(key)).update([count.number.set(0)])
    count(partition, "zeta#running#011").update([count.number.add(sum(drafts.values()))])  # so the sum is right
    trials.repack((org,))
    monkeypatch.setattr(reading, "MOST_UNITS", 0.5)
    wanted, seen = numbers(matching(rows, state="Draft".__eq__, phase=(10).__eq__)), list[Any]()
    for sort in ("day", "-cost", "number"):
        query = trials.query(org=org).where(state="Draft", phase=10).order_by(sort)
        pages = walked(query, 8)
        assert sorted(numbers(row for page in pages for row in page.rows)) == sorted(wanted) == sorted(numbers(query))
        seen += pages
    most = 90 if dynamodb_local.wanted() else 7  # it charges whole items for LSIs
    assert max(page.cost.units for page in seen) < most, "the ranges once, twice, the counts, and what a page may take"
    assert any(page.counts_differ for page in seen)
    count(partition, "zeta#running#011").update([count.number.add(1)])  # now the sum is wrong, too
    trials.repack((org,))
    rare = Rule("rare", lambda row: row.number in wanted)
    pages = walked(trials.query(org=org).where(state="Draft").ruled(rare).order_by("day"), 8)
    assert sorted(numbers(row for page in pages for row in page.rows)) == sorted(wanted)
    assert any(page.counts_differ and page.stopped for page in pages)
    with pytest.raises(Unavailable, match="to be sorted so"):
        trials.query(org=org).where(state="Draft").order_by("cost", "operator").page()
