"""docs/compared.md is right: all lists return the same rows, and its smaller tables are what a run measures."""

import shutil

import pytest
from django.conf import settings

from compared import tables
from compared.__main__ import SIZES, measured
from compared.questions import QUESTIONS
from dynamodb_lists.tests.helpers import dynamodb_local

PACKAGES = settings.BASE_DIR / "compared" / "node_modules"
measuring = pytest.mark.skipif(
    dynamodb_local.wanted() or not PACKAGES.exists() or not shutil.which("node"),
    reason="it has an engine of its own, and needs packages: make compared CHECK=1",
)


@measuring
def test_the_smallest_table_is_what_a_run_measures() -> None:
    assert tables.written(min(SIZES)) == tables.table(measured(min(SIZES)))


def test_every_question_is_in_both_tables() -> None:
    for count in SIZES:
        titles = [line.split("|")[1].strip() for line in tables.written(count).splitlines()]
        assert titles[2:-2] == [question.title for question in QUESTIONS]
