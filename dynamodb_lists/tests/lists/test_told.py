"""Lists over tables that exist: the way that a page is read, and what it says if there is none."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum, StrEnum
from functools import partial
from typing import Any

import pytest

from dynamodb_lists import Index, List, NoBoundedWay, Query, Record, Table, between
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import Unreadable
from dynamodb_lists.declared.told import vars_of


class Stage(StrEnum):
    NEW = "NEW"
    DONE = "DONE"


class Shift(Enum):
    """An enum that is no text, so that its members themselves have no order."""

    LATE = "late"
    EARLY = "early"


@dataclass(frozen=True, kw_only=True)
class Job(Record):
    team: str
    number: int
    stage: Stage
    day: date
    shift: Shift
    urgent: str | None = None


TABLE = Table(
    "told-jobs",
    key=("PK", "SK"),
    indexes={
        "of-stage": ("stage_key", "day"),
        "of-shift": ("shift", "day"),
        "urgent": Index("urgent", "SK", when=[{"stage": {Stage.NEW}}]),
    },
)
ENTERED = Table("told-jobs", key=TABLE.key, indexes={"urgent": TABLE.indexes["urgent"]})
KEY = ("TEAM#{team}", "JOB#{number:4}")
JOBS = List(Job, id="number", table=TABLE, key=KEY, keys={"stage_key": "{stage}"}, name="told_jobs")
FEW_WAYS = List(Job, id="number", table=ENTERED, key=KEY, name="told_jobs_of_teams")


@pytest.fixture(autouse=True)
def jobs(endpoint: str) -> Iterator[list[Job]]:
    """The jobs of a team, on ten days, and of another one."""
    names = ("PK", "SK", "stage_key", "shift", "day", "urgent")
    indexes: Any = [
        {"IndexName": name, "KeySchema": _key(index.partition, index.sort), "Projection": {"ProjectionType": "ALL"}}
        for name, index in TABLE.indexes.items()
    ]
    client().create_table(
        TableName=TABLE.name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=_key("PK", "SK"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        GlobalSecondaryIndexes=indexes,
    )
    yield [_put(number) for number in range(40)]
    client().delete_table(TableName=TABLE.name)


def _key(*names: str) -> list[Any]:
    kinds = zip(names, ("HASH", "RANGE"), strict=False)
    return [{"AttributeName": name, "KeyType": kind} for name, kind in kinds]


def _put(number: int, **others: Any) -> Job:
    day = date(2024, 1, 1) + timedelta(days=number * 7 % 10)
    job = Job(
        team="abc"[number % 2], number=number, stage=[*Stage][number // 2 % 2], day=day, shift=[*Shift][number // 4 % 2]
    )
    texts = {
        "PK": f"TEAM#{job.team}",
        "SK": f"JOB#{number:04}",
        "stage_key": job.stage,
        "day": str(day),
        "shift": job.shift.value,
        **others,
    }
    item = {"number": {"N": str(number)}, **{name: {"S": text} for name, text in texts.items()}}
    client().put_item(TableName=TABLE.name, Item={**item, "team": {"S": job.team}, "stage": {"S": job.stage}})
    return job


def test_a_sort_in_memory_goes_on_in_another_index_and_ends(jobs: list[Job]) -> None:
    """A partition that has grown is read in another way, also from a position in the first one."""
    query = JOBS.query(team="a", number=between(0, 99), stage=Stage.NEW).order_by("day")
    first = query.page(4)
    assert "table (chosen): 1 range of the table, drops by stage, sorted in memory." in first.explain()
    assert len(query.page(4, first.next).rows) == 4
    jobs += [_put(number, text="x" * 350_000) for number in range(40, 48, 4)]
    days = sorted(job.day for job in jobs if (job.team, job.stage) == ("a", Stage.NEW))
    assert [job.day for job in query.page(4).rows] == days[:4]
    beyond = sorted((job.day, job.number) for job in jobs if (job.team, job.stage) == ("a", Stage.NEW))
    place = beyond.index((first.rows[-1].day, first.rows[-1].number)) + 1
    assert [(job.day, job.number) for job in query.page(4, first.next).rows] == beyond[place : place + 4]
    jobs += [_put(number, text="x" * 350_000) for number in range(48, 72, 4)]
    with pytest.raises(NoBoundedWay, match="takes more than 128 read units") as caught:
        JOBS.query(team="a").order_by("urgent").page()
    assert caught.value.unsorted


def test_no_way_names_the_entrances_and_the_index_that_is_missing() -> None:
    with pytest.raises(NoBoundedWay) as caught:
        FEW_WAYS.query(day=between(date(2024, 1, 2), None), number=7).order_by("team").page()
    said = str(caught.value)
    assert "are read by team or urgent" in said
    assert "partition key number and the sort key team" in said
    with pytest.raises(NoBoundedWay, match="urgent has only those with stage NEW"):
        FEW_WAYS.query(urgent="ann").page()
    assert not FEW_WAYS.query(urgent="ann", stage=Stage.NEW).page().rows


def test_what_no_key_can_hold_is_asked_for_without_an_error(jobs: list[Job]) -> None:
    for condition, numbers in ((between(-5, 6), [0, 2, 4, 6]), (between(38, 10**5), [38]), (-5, []), ({-5, 2}, [2])):
        assert [job.number for job in JOBS.query(team="a", number=condition).page().rows] == numbers


@pytest.mark.parametrize("descending", [False, True])
def test_an_enum_that_is_no_text_sorts_by_its_values(jobs: list[Job], descending: bool) -> None:
    """Sort in both ways of reading: partitions that are read one after the other, and rows that are sorted in
    memory.
    """
    for query, wanted in (
        (JOBS.query(shift={*Shift}), jobs),
        (JOBS.query(team="a"), [job for job in jobs if job.team == "a"]),
        (JOBS.query(stage={*Stage}), jobs),
    ):
        rows = [row for page in walked(query.order_by("shift", "day", descending=descending)) for row in page]
        assert len(rows) == len(wanted)
        ranks = [(row.shift.value, row.day) for row in rows]
        assert ranks == sorted(ranks, reverse=descending)


def walked(query: Query[Job]) -> Iterator[Sequence[Job]]:
    page = query.page(7)
    yield page.rows
    while page.next:
        page = query.page(7, page.next)
        yield page.rows


PARTS = Table("told-parts", key="id", indexes={"by-maker": Index("maker", "id", shows=[])})


@dataclass(frozen=True, kw_only=True)
class Part(Record):
    id: str
    maker: str
    color: str


PART_LIST = List(Part, id="id", table=PARTS, key="{id}", name="told_parts")


@contextmanager
def filled(table: Table, items: Sequence[dict[str, str]], projection: str) -> Iterator[None]:
    """A table of texts with its only index."""
    ((name, index),) = table.indexes.items()
    of_index: Any = {"IndexName": name, "KeySchema": _key(*index.key), "Projection": {"ProjectionType": projection}}
    client().create_table(
        TableName=table.name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=_key(*table.key),
        AttributeDefinitions=[{"AttributeName": each, "AttributeType": "S"} for each in {*table.key, *index.key}],
        GlobalSecondaryIndexes=[of_index],
    )
    try:
        for at in range(0, len(items), 25):
            typed = [{name: {"S": text} for name, text in item.items()} for item in items[at : at + 25]]
            client().batch_write_item(RequestItems={table.name: [{"PutRequest": {"Item": item}} for item in typed]})
        yield
    finally:
        client().delete_table(TableName=table.name)


def test_what_an_index_lacks_is_dropped_in_few_waves_and_within_the_limit() -> None:
    """The index has keys alone, so each item is read before it is known to be dropped."""
    colors = ["red" if number % 40 == 39 else "blue" for number in range(500)]
    parts = [{"id": f"{number:03}", "maker": "m", "color": color} for number, color in enumerate(colors)]
    with filled(PARTS, parts, "KEYS_ONLY"):
        page = (query := PART_LIST.query(maker="m").where(color="red")).page(20)
        assert [part.id for part in page.rows] == ["039", "079", "119", "159", "199", "239"]
        assert page.stopped
        looks = 20  # for a row on the next page
        assert page.cost.units < 128 + 2 + looks
        assert page.cost.waves < 20
        assert [part.id for part in query.page(20, page.next).rows] == ["279", "319", "359", "399", "439", "479"]


@dataclass(frozen=True, kw_only=True)
class Visit(Record):
    patient: str
    number: int
    doctor: str | None = None
    day: date | None = None


VISITS = Table("visits", key=("patient", "sk"), indexes={"of-doctor": Index("doctor", "sk", shows=())})
VISIT_LIST = List(
    Visit, id="number", table=VISITS, key=("{patient}", "V#{number:3}"), marks={"kind": "visit"}, name="told_visits"
)


def test_an_index_without_the_mark_of_a_list_gives_its_rows_by_their_keys() -> None:
    items = [
        {"patient": "p", "sk": f"V#{number:03}", "doctor": "d", "kind": kind}
        for number, kind in enumerate(("visit", "bill", "visit"))
    ]
    with filled(VISITS, items, "KEYS_ONLY"):
        of_doctor = VISIT_LIST.query(doctor="d")
        for query in (of_doctor, of_doctor.only("of-doctor")):
            page = query.page(5)
            assert [visit.number for visit in page.rows] == [0, 2]
            assert [each.item["kind"]["S"] for each in page.misfits] == ["bill"]


def test_a_loop_does_not_pass_over_an_item_of_the_list_that_cannot_be_read() -> None:
    days = {"V#001": "2026-01-01", "V#002": "soon"}
    items = [{"patient": "p", "sk": number, "kind": "visit", "day": day} for number, day in days.items()]
    with filled(VISITS, items, "KEYS_ONLY"):
        query = VISIT_LIST.query(patient="p")
        assert [each.item["sk"]["S"] for each in query.page(5).misfits] == ["V#002"]
        reads: list[Callable[[], Any]] = [
            partial(list, query),
            partial(VISIT_LIST.get, patient="p", number=2),
            partial(VISIT_LIST.get_many, [{"patient": "p", "number": 2}]),
        ]
        for read in reads:
            with pytest.raises(Unreadable, match="V#002"):
                read()


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    case: str
    number: str
    agent: str
    state: str


NOTES = Table("notes-of-cases", key=("case", "number"), indexes={"by-agent": ("agent", "number")})
NOTE_LIST = List(Note, id="number", table=NOTES, key=("{case}", "{number}"), name="notes_of_cases")


def test_a_page_costs_little_more_than_the_better_of_two_ways() -> None:
    """Nothing tells whether a case or an agent has more notes, so the list reads both by turns until one of them
    ends.
    """
    notes = [
        Note(
            case="short" if n % 90 == 1 else "long",
            number=f"{n:03}",
            agent="bob" if n % 80 == 2 else "ann",
            state="ab"[n % 2],
        )
        for n in range(800)
    ]
    items = [{**{name: str(value) for name, value in vars_of(note).items()}, "text": "x" * 200} for note in notes]
    with filled(NOTES, items, "ALL"):
        for case, agent in (("long", "bob"), ("short", "ann")):
            for sort in ("number", "-number", "state"):
                query = NOTE_LIST.query(case=case, agent=agent).order_by(sort)
                wanted = sorted(filter(query.matches, notes), key=lambda note: note.number, reverse=sort == "-number")
                wanted.sort(key=lambda note: note.state if sort == "state" else "")
                page = query.page(5)
                assert [*page.rows, *query.page(5, page.next).rows] == wanted
                assert page.cost.units <= 6, (case, sort)  # one way takes a unit, and the other one 30
