"""A list that tests share: the trials of an organisation, with blanks, many spellings, days, amounts and a log."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import KeptOrder, List, NotConfigured, Query, QueryPage, Record, configure
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import register, table_name
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import Put, Write

try:
    connection().read()
except NotConfigured:  # a list names its table when it is declared
    configure(secret="of the tests")


@dataclass(frozen=True, kw_only=True)
class Trial(Record):
    """A trial. A blank state and a missing day or cost are values, too."""

    org: str
    number: str
    operator: str
    state: str
    phase: int
    title: str = ""
    day: date | None = None
    cost: Decimal | None = None


def list_of_trials(name: str, kind: str) -> List[Trial]:
    """Return a list of trials in a table of its own."""
    return List(
        Trial,
        owner="org",
        id="number",
        facets=("operator", "state", "phase"),
        sorts=("day", "cost"),
        words="title",
        sparse={"dear": KeptOrder("cost", when=lambda trial: (trial.cost or 0) >= DEAR)},
        name=name,
        kind=kind,
    )


trials = list_of_trials("trials", "trial")


@register
class LogItem(ItemModel):
    """What was done with a trial, in a table of its own."""

    class Meta:
        table_name = table_name("trial-log")

    kind = "trial-log"
    org = UnicodeAttribute(hash_key=True)
    number = UnicodeAttribute(range_key=True)


def log_of(changes: Sequence[Change[Trial]], by: Any) -> list[Write]:
    """The writes of the log for changes of trials."""
    return [Put(LogItem(change.entity.org, change.entity.number)) for change in changes]


logged = trials.with_writes(log_of)
TRIALS, LOG = trials.models.item.Meta.table_name, LogItem.Meta.table_name
DEAR = 900
OPERATORS = ["O'Brien's best parts", "Ärzte ohne Grenzen", "north & south", "Zeta", "zeta 2", "東京"]
TITLES = ["Große Versuche", "Émigré papers", "Trial", "Versuch O'Neill"]
STATES = ["Draft", "On hold", "Running", "Done", ""]
_orgs = count(1)


def a_trial(org: str, number: str = "T-1", **others: Any) -> Trial:
    """Return a trial with this key; its other fields do not matter."""
    return Trial(**{"org": org, "number": number, "operator": "Zeta", "state": "Draft", "phase": 1, **others})


def new_org() -> str:
    """Return the name of an organisation that no other test has."""
    return f"org-{next(_orgs)}"


def some_trials(org: str, number: int, seed: int = 1) -> list[Trial]:
    """Return ``number`` trials, some of which share all values but the number."""
    drawn = random.Random(seed)
    days = [None, *(date(2020, 1, 1) + timedelta(days=9 * n) for n in range(60))]
    costs = [None, Decimal("-3.5"), Decimal(0), *map(Decimal, range(100, 1000, 50)), Decimal("1.25")]
    return [
        Trial(
            org=org,
            number=f"T-{n:03}",
            operator=OPERATORS[min(drawn.randrange(6), drawn.randrange(6))],
            state=drawn.choice(STATES),
            phase=drawn.choice([1, 2, 3, 10]),
            title=f"{TITLES[n % 4]} {n}",
            day=drawn.choice(days),
            cost=drawn.choice(costs),
        )
        for n in range(number)
    ]


def numbers(rows: Iterable[Trial]) -> list[str]:
    """Return the numbers of trials."""
    return [trial.number for trial in rows]


def in_order(rows: Iterable[Trial], sort: str, *, descending: bool) -> list[Trial]:
    """Trials sorted by a day, a cost or a phase, and then by number. No value comes first."""

    def key(trial: Trial) -> Any:
        value = getattr(trial, sort)
        return value is not None, 0 if value is None else value, trial.number

    return sorted(rows, key=key, reverse=descending)


def walked(query: Query[Trial], size: int) -> list[QueryPage[Trial]]:
    """Return all pages of a query, by their links."""
    pages = [query.page(size)]
    while pages[-1].next:
        pages.append(query.page(size, pages[-1].next))
        assert len(pages) < 1000, "the pages do not end"
    return pages


def walked_back(query: Query[Trial], size: int, last: str | None) -> list[Trial]:
    """Return the rows of all pages from the last one back."""
    rows, cursor = list[Trial](), last
    for _ in range(1000):
        if cursor is None:
            return rows
        page = query.page(size, cursor)
        rows, cursor = [*page.rows, *rows], page.previous
    raise AssertionError("the pages do not end")


def matching(rows: Sequence[Trial], **tests: Callable[[Any], bool]) -> list[Trial]:
    """Return the trials whose fields pass these tests."""
    return [trial for trial in rows if all(test(getattr(trial, name)) for name, test in tests.items())]
