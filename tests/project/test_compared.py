"""docs/compared.md has every question, and says what this project and Django's ORM cost; they return the same rows.

``make compared CHECK=1`` checks the other lists, too.
"""

import pytest

from compared import tables
from compared.__main__ import SIZES, measured
from compared.questions import QUESTIONS
from dynamodb_lists.tests.helpers import dynamodb_local

OWN, DJANGO = "this project", "Django, SQLite"


def cells(table: str) -> list[tuple[str, str, str]]:
    """Of each row the title, and the cells of this project and of Django's ORM: the first one and the last one."""
    rows = (line.split("|") for line in table.splitlines())
    return [(row[1], row[2], row[-2]) for row in rows]


@pytest.mark.skipif(dynamodb_local.wanted(), reason="it starts an embedded engine")
def test_the_smallest_table_is_what_a_run_measures() -> None:
    count = min(SIZES)
    assert cells(tables.written(count)) == cells(tables.table(measured(count, [OWN, DJANGO])))


def test_every_question_is_in_both_tables() -> None:
    for count in SIZES:
        titles = [title for title, *_ in cells(tables.written(count))]
        assert titles[2:-2] == [question.title for question in QUESTIONS]
