"""docs/costs.json is what the engine charges, and the documents say what follows from it.

``UPDATE_DOCS=1`` writes the file and the documents anew.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dynamodb_lists.tests.helpers import dynamodb_local
from tests.costs import data, measuring
from tests.costs.documents import FILE, FOLDER, brought_up_to_date
from tests.costs.measuring import in_lines
from tests.helpers.documents import assert_says

DOCUMENTS = sorted(FOLDER.glob("*.md"))
OTHER_UNITS = {"read", "written", "requests", "waves"} if dynamodb_local.wanted() else set()
"""What is not compared: DynamoDB Local charges index entries of transactions, and reads of LSIs, in another way.

Plans follow the units, so requests differ, too.
"""


def documented() -> Mapping[str, Any]:
    costs: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return costs


def differing(cost: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What is not as the file has it, without the units that the engine of this run charges in its own way."""
    return {
        key: (value, written[key]) for key, value in cost.items() if key not in OTHER_UNITS and value != written[key]
    }


@pytest.mark.timeout(300)  # it takes 10 s on a quiet machine
@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_the_costs_in_the_file_are_what_the_engine_charges() -> None:
    data.fill()
    patterns = json.loads(json.dumps(measuring.measure()))
    if os.environ.get("UPDATE_DOCS"):
        FILE.write_text(in_lines(patterns), encoding="utf-8")
    written = documented()
    assert list(patterns) == list(written)
    assert {name: found for name, cost in patterns.items() if (found := differing(cost, written[name]))} == {}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_documents_say_what_was_measured(document: Path) -> None:
    assert_says(document, brought_up_to_date(document.stem, document.read_text(encoding="utf-8"), documented()))
