"""docs/costs.json is what the engine charges, and docs/requests.md has its figures. ``UPDATE_DOCS=1`` writes both."""

import json

import pytest

from dynamodb_lists.tests.helpers import dynamodb_local
from tests.costs import data, measuring
from tests.costs.documents import FILE, READ, documented, price, shown
from tests.helpers.documents import ROOT, assert_generated, assert_says, text_of, updating

REQUESTS = ROOT / "docs" / "requests.md"


@pytest.mark.timeout(300)  # it takes 10 s on a quiet machine
@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_the_costs_in_the_file_are_what_the_engine_charges() -> None:
    data.fill()
    measured = json.loads(json.dumps(measuring.measure()))
    if updating():
        FILE.write_text(measuring.in_lines(measured), encoding="utf-8")
    written = documented()
    assert list(measured) == list(written)
    if not dynamodb_local.wanted():  # it charges index entries of transactions, and reads of LSIs, in another way
        assert {name: cost for name, cost in measured.items() if cost != written[name]} == {}


def test_the_document_has_the_figures_of_the_file() -> None:
    assert len(assert_generated({"costs": shown})) == 1
    text = text_of(REQUESTS)
    assert_says(REQUESTS, READ.sub(lambda row: f"{row['before']}{price(row['name'])} |", text))
