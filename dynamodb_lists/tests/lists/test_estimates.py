"""Jobs of a workshop: a stored sample tells how many jobs a range has, and so which way to them is the shortest."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from random import Random
from typing import Any

import pytest

from dynamodb_lists import KeptOrder, List, Record, between
from dynamodb_lists.connection import ledger
from dynamodb_lists.declared.asked import ListQuery, Rule
from dynamodb_lists.declared.samples import (
    EACH,
    LONGEST_TEXT,
    MOST_BYTES,
    PLACES,
    depths,
    pack_items,
    unpack_items,
)
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.planning.sources import PartRange
from dynamodb_lists.reading import fetching
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.listing import Row
from dynamodb_lists.reading.merging import Merge, Reading
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.tests.helpers import dynamodb_local

ROWS, JOB_BYTES = 25, 110


class State(StrEnum):
    WAITING = "in-the-queue"


@dataclass(frozen=True, kw_only=True)
class Job(Record):
    number: str
    kind: str
    hours: int
    begins: date
    state: State = State.WAITING
    notes: str = ""


def some_jobs(count: int) -> list[Job]:
    """Long jobs are rare, and of one kind."""
    rnd, first = Random(5), date(2026, 1, 1)
    found = []
    for number in range(count):
        hours = int(rnd.expovariate(1 / 20))
        kind = "frame" if hours > 40 else rnd.choice(["brake", "chain", "wheel"])  # noqa: PLR2004
        found.append(
            Job(number=f"J{number:03}", kind=kind, hours=hours, begins=first + timedelta(days=rnd.randrange(360)))
        )
    return found


def is_long(job: Any) -> bool:
    return bool(job.hours > 100)  # noqa: PLR2004


JOBS = some_jobs(600)
jobs = List(
    Job,
    id="number",
    facets="kind",
    orders=("hours", "begins", "kind"),
    sparse={"long": KeptOrder("hours", when=is_long)},
)


@pytest.fixture(scope="module")
def stored(endpoint: str) -> List[Any]:
    jobs.create_table()
    jobs.save(JOBS)
    return jobs


def walk(wanted: Callable[[Job], bool], sort: str, *, descending: bool) -> int:
    """Return how many items a walk in an order reads for a page and one row more."""
    ordered = sorted(JOBS, key=lambda job: (getattr(job, sort), job.number), reverse=descending)
    found = [place for place, job in enumerate(ordered, 1) if wanted(job)]
    return found[ROWS] if len(found) > ROWS else len(JOBS)


def test_ranges_in_any_order_read_little_more_than_who_knows_all(stored: List[Any]) -> None:
    """Beside the shorter of two ways: a walk in the order of the list, and all of the range."""
    rnd, read, best = Random(8), 0.0, 0.0
    for _ in range(60):
        first, days = date(2026, 1, 1) + timedelta(days=rnd.randrange(300)), rnd.choice([2, 20, 90, 250])
        last, descending = first + timedelta(days=days), rnd.random() < 0.5  # noqa: PLR2004
        with ledger.recording() as calls:
            query = jobs.query().where(begins=between(first, last)).order_by("-hours" if descending else "hours")
            page = query.page(ROWS)

        def wanted(job: Job, first: date = first, last: date = last) -> bool:
            return first <= job.begins <= last

        right = sorted(filter(wanted, JOBS), key=lambda job: (job.hours, job.number), reverse=descending)
        assert [job.number for job in page.rows] == [job.number for job in right[:ROWS]]
        if not dynamodb_local.wanted():  # it charges whole items for reads of LSIs, so that more turns are needed
            assert calls.waves <= 4  # noqa: PLR2004 (the counts, a range that is too long, a walk and its rest)
        read += sum(float(call.units) for call in calls.calls if call.purpose == "list")
        best += query_cost([min(walk(wanted, "hours", descending=descending), len(right))], JOB_BYTES).units
    assert read <= 1.6 * best or dynamodb_local.wanted(), "it charges whole items for reads of LSIs"


def test_a_sample_tells_that_matches_come_late_in_an_order() -> None:
    frames = jobs.query().where(kind="frame").asked
    shorter = sum(job.hours <= 40 for job in JOBS) / len(JOBS)  # noqa: PLR2004

    def depth(query: Any, share: float, *counted: str, descending: bool = False) -> float:
        return depths(jobs.declaration, query, lambda: JOBS, counted)(["kind"], share, descending)

    by_hours, by_day = replace(frames, sort=("hours",)), replace(frames, sort=("begins",))
    assert depth(by_hours, 0.02) > shorter
    assert depth(by_hours, 0.5, descending=True) < 0.5 - shorter / 4 + 0.01, "a few that come early count half"
    assert depth(by_day, 0.5) == pytest.approx(0.5, abs=0.1)
    assert depth(by_hours, 0.5, "kind") == pytest.approx(0.5), "the sample may be old"
    assert depth(by_hours, 0) == 0
    assert depth(by_hours, 1) == 1
    assert depths(jobs.declaration, by_hours, list, ())(["kind"], 0.25, False) == 0.25  # noqa: FBT003, PLR2004


def test_no_request_is_sent_for_less_than_it_costs() -> None:
    asked = list[int]()

    def read(reading: Reading, _: bool) -> float:  # noqa: FBT001
        asked.append(reading.limit)
        position = Position(str(len(asked)), ("p", "p"))
        reading.rows.extend([((), Row(position, None))] * reading.limit)
        return 1.5

    merge = Merge([Reading(number=0, part=PartRange("p"), read=read)], 26, True, [], most=1.9)  # noqa: FBT003
    assert [*merge.rows()] == []
    assert len(asked) == 1
    merge.most = 2
    assert [*merge.rows()] == []
    assert len(asked) == 2, "half a unit is left"  # noqa: PLR2004


def test_a_long_walk_sends_few_requests() -> None:
    asked = list[int]()

    def read(reading: Reading, _: bool) -> float:  # noqa: FBT001
        asked.append(reading.limit)
        reading.rows.extend([((), Row(Position(str(len(asked)), ("p", "p")), None))] * reading.limit)
        reading.ended = sum(asked) >= 20_000  # noqa: PLR2004
        return reading.limit / 64

    merge = Merge([Reading(number=0, part=PartRange("p"), read=read)], 26, True, [], most=1_000)  # noqa: FBT003
    assert [*merge.rows()] == []
    assert len(asked) <= 8, "each request asks for as many items as all before it"  # noqa: PLR2004


def test_a_range_that_is_known_to_be_short_is_read_alone(stored: List[Any]) -> None:
    query = jobs.query().where(begins=between(date(2026, 3, 1), date(2026, 3, 3))).order_by("-hours")
    with ledger.recording() as calls:
        rows = query.page(ROWS).rows
    assert len(rows) == sum(date(2026, 3, 1) <= job.begins <= date(2026, 3, 3) for job in JOBS)
    if not dynamodb_local.wanted():  # it charges whole items for reads of LSIs, so that other ways are cheaper
        assert calls.waves == 2  # noqa: PLR2004 (the counts with the sample, and the range)
        assert sum(call.items_read for call in calls.of("list")) == len(rows)


def test_a_short_sparse_list_that_has_all_that_a_rule_wants_is_read_alone(stored: List[Any]) -> None:
    """The sample tells that the sparse list has few jobs. A walk in the order of days would read all jobs."""
    rule = Rule("long, and late", lambda job: is_long(job) and job.begins >= date(2026, 11, 1), "long", is_long)
    owner = jobs.declaration.owner_of(JOBS[0])
    asked = ListQuery(owner, rules=(rule,), sort=("begins",), page_size=ROWS - 1)
    with ledger.recording() as calls:
        page = read_page(jobs.reader.listing(asked, jobs.reader.counts(owner)), ROWS)
    assert [*page.rows] == sorted(filter(rule.holds, JOBS), key=lambda job: (job.begins, job.number))
    if not dynamodb_local.wanted():
        assert sum(call.items_read for call in calls.of("list")) == sum(map(is_long, JOBS)) < 10  # noqa: PLR2004


def test_a_range_that_is_longer_than_estimated_costs_little_more_than_a_walk(endpoint: str) -> None:
    """When the sample was taken, a tenth of the jobs began in December. Now all do, and a walk finds a page at once."""
    moved = List(Job, name="moved_jobs", kind="moved_job", id="number", facets="kind", orders=("hours", "begins"))
    moved.create_table()
    first, december = date(2026, 1, 1), date(2026, 12, 1)
    at_first = [replace(job, begins=first if place % 10 else december) for place, job in enumerate(JOBS)]
    moved.save(at_first)
    moved.save([replace(job, begins=december) for job in JOBS])
    with ledger.recording() as calls:
        query = moved.query().where(begins=between(december, date(2026, 12, 31))).order_by("-hours")
        rows = query.page(ROWS).rows
    assert [row.hours for row in rows] == sorted((job.hours for job in JOBS), reverse=True)[:ROWS]
    assert sum(call.items_read for call in calls.of("list")) < len(JOBS) or dynamodb_local.wanted(), (
        "not all of the range"
    )


def test_the_next_page_of_a_sorted_range_is_read_as_the_page_before(endpoint: str) -> None:
    """When the sample was taken, a tenth of the jobs began in December. The first page finds that the short half do."""
    moved = List(Job, name="later_jobs", kind="later_job", id="number", facets="kind", orders=("hours", "begins"))
    moved.create_table()
    first, december = date(2026, 1, 1), date(2026, 12, 1)
    moved.save([replace(job, begins=first if place % 10 else december) for place, job in enumerate(JOBS)])
    short = sorted(JOBS, key=lambda job: (job.hours, job.number))[: len(JOBS) // 2]
    moved.save([replace(job, begins=december if job in short else first) for job in JOBS])
    query, requests, cursor = moved.query().where(begins=between(december, date(2026, 12, 31))), [], ""
    for _ in range(2):
        with ledger.recording() as calls:
            page = query.order_by("-hours").page(ROWS, cursor)
        requests.append(len(calls.of("list")))
        cursor = page.next or ""
    assert [row.hours for row in page.rows] == [job.hours for job in short[::-1]][ROWS : 2 * ROWS]
    assert requests[0] > requests[1] == 1, "it knows what the range takes"


@pytest.mark.parametrize(("number", "read"), [(len(JOBS), ROWS + 1), (len(JOBS) // 2, 2 * (ROWS + 1))])
def test_a_rule_whose_items_something_counts_needs_no_sample(stored: List[Any], number: int, read: int) -> None:
    """It holds for all jobs. A walk asks for as many as hold 26, by the number that was read beside the counts."""
    fetching.sizes.clear()  # other tests have read items of other sizes
    rule = Rule("any", lambda job: True, numbers=lambda _: (number, 0))
    owner = jobs.declaration.owner_of(JOBS[0])
    asked = ListQuery(owner, rules=(rule,), sort=("hours",), page_size=ROWS)
    counts = jobs.reader.counts_for(asked)
    counts.sample = b""  # type: ignore[attr-defined]
    with ledger.recording() as calls:
        page = read_page(jobs.reader.listing(asked, counts), ROWS)
    assert len(page.rows) == ROWS
    assert sum(call.items_read for call in calls.calls) == pytest.approx(read, abs=2)


def test_a_rule_that_holds_for_fewer_items_than_a_page_has_is_not_looked_for_in_several_ways(stored: List[Any]) -> None:
    """Something counts these items. So all are read anyway, by one wave, and no walk is tried before."""
    rule = Rule("few", lambda job: job.number == JOBS[7].number, numbers=lambda _: (1, 0))
    asked = ListQuery(jobs.declaration.owner_of(JOBS[0]), rules=(rule,), sort=("hours",), page_size=ROWS)
    with ledger.recording() as calls:
        page = read_page(jobs.reader.listing(asked, jobs.reader.counts_for(asked)), ROWS)
    assert [*page.rows] == [JOBS[7]]
    assert sum(call.items_read for call in calls.of("list")) == len(JOBS)
    assert len({call.wave for call in calls.of("list")}) == 1


# --- Samples --------------------------------------------------------------------------------------------


def sampled() -> list[Job]:
    """Return the sample that is stored now, as a process reads it that keeps nothing."""
    return unpack_items(jobs.models.item, jobs.models.item.built, jobs.reader.counts(()).sample)


def test_a_sample_has_each_kind_as_often_as_the_list_has(stored: List[Any]) -> None:
    items = sampled()
    assert (len(items), len({item.number for item in items})) == (PLACES * EACH, PLACES * EACH)
    assert all(item in JOBS for item in items)
    for kind in ("frame", "brake", "chain", "wheel"):
        expected = PLACES * EACH * sum(job.kind == kind for job in JOBS) / len(JOBS)
        assert abs(sum(item.kind == kind for item in items) - expected) <= EACH


def test_a_sample_stays_small_whatever_the_texts_are() -> None:
    rnd = Random(3)
    rows = [replace(job, notes="".join(map(chr, rnd.choices(range(97, 123), k=5000)))) for job in JOBS[:48]]
    data = pack_items(jobs.declaration, jobs.models.item, rows)
    assert len(data) <= MOST_BYTES
    assert unpack_items(jobs.models.item, jobs.models.item.built, data) == [replace(job, notes="") for job in rows]
    rows = [replace(job, notes="".join(map(chr, rnd.choices(range(97, 123), k=LONGEST_TEXT)))) for job in JOBS]
    data = pack_items(jobs.declaration, jobs.models.item, rows)
    assert len(data) <= MOST_BYTES
    some = unpack_items(jobs.models.item, jobs.models.item.built, data)
    assert some == rows[:: len(rows) // len(some)], "fewer items, with their short texts"
