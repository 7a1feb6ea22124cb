"""Jobs of a workshop: what pages have read tells how many jobs a range has, and which way to them is the shortest."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from dynamodb_lists import List, Record, between
from dynamodb_lists.connection import ledger
from dynamodb_lists.planned.uncounted import FEWEST, MOST_ITEMS, Sample
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.tests.helpers import dynamodb_local

ROWS, JOB_BYTES = 25, 90


@dataclass(frozen=True, kw_only=True)
class Job(Record):
    number: str
    kind: str
    hours: int
    begins: date


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


JOBS = some_jobs(600)
jobs = List(Job, id="number", facets="kind", orders=("hours", "begins", "kind"))


@pytest.fixture(scope="module")
def stored(endpoint: str) -> List[Any]:
    jobs.create_table()
    jobs.save(JOBS)
    return jobs


def walk(wanted: Callable[[Job], bool], sort: str, *, descending: bool) -> int:
    """How many items a walk in an order reads for a page and one row more."""
    ordered = sorted(JOBS, key=lambda job: (getattr(job, sort), job.number), reverse=descending)
    found = [place for place, job in enumerate(ordered, 1) if wanted(job)]
    return found[ROWS] if len(found) > ROWS else len(JOBS)


def test_ranges_in_any_order_read_little_more_than_who_knows_all(stored: List[Any]) -> None:
    """Beside the shorter of two ways: a walk in the order of the list, and all of the range."""
    jobs.reader.samples.clear()
    for sort in ("hours", "-begins", "number", "kind"):
        jobs.query().order_by(sort).page(50)
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
        assert calls.waves <= 4  # noqa: PLR2004 (the counts, a range that is too long, a walk and its rest)
        read += sum(float(call.units) for call in calls.calls if call.purpose == "list")
        best += query_cost([min(walk(wanted, "hours", descending=descending), len(right))], JOB_BYTES).units
    assert read <= 1.6 * best or dynamodb_local.wanted(), "it charges whole items for reads of LSIs"


def test_a_fresh_process_walks_first_and_learns(stored: List[Any]) -> None:
    """Of the longest jobs none is a chain, which the walk finds out. So the rest is what the counts say of chains."""
    jobs.reader.samples.clear()
    query = jobs.query().where(begins=between(date(2026, 3, 1), date(2026, 3, 3))).order_by("-hours")
    costs = []
    for _ in range(2):
        with ledger.recording() as calls:
            rows = query.page(ROWS).rows
        assert len(rows) == sum(date(2026, 3, 1) <= job.begins <= date(2026, 3, 3) for job in JOBS)
        costs.append(calls.items_read("list"))
    if not dynamodb_local.wanted():  # it charges whole items for reads of LSIs, so that reading all is cheaper
        assert costs[0] > costs[1] == len(rows), "the second time, the range alone is read"
        assert costs[0] < len(JOBS) / 2


def test_a_sample_is_of_the_last_items_and_says_nothing_of_few() -> None:
    sample = Sample[int]()
    sample.add(range(FEWEST - 1))
    assert sample.share(lambda _: True, lambda _: True) is None
    sample.add([FEWEST])
    assert sample.share(lambda number: number < 5, lambda _: True) == pytest.approx(6 / 17)  # noqa: PLR2004
    assert sample.share(lambda number: number < 5, lambda number: number > 5) is None  # noqa: PLR2004
    sample.add(range(1000, 1000 + MOST_ITEMS))
    assert sample.share(lambda number: number < 1000, lambda _: True) == pytest.approx(1 / (MOST_ITEMS + 2))  # noqa: PLR2004
