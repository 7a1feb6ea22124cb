"""docs/costs.json is what the engine charges, and the documents say what follows from it.

``UPDATE_DOCS=1`` writes the file and the documents anew.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.examples import DEPTH
from tests.costs import growing, recording
from tests.costs.documents import FILE, FOLDER, RATIOS, brought_up_to_date, pays_from, recorded_on_aws, write_table
from tests.costs.measuring import in_lines

UPDATE = bool(os.environ.get("UPDATE_DOCS"))
DOCUMENTS = sorted(FOLDER.glob("*.md"))
OTHER_UNITS = {"read", "written", "requests", "waves"} if dynamodb_local.wanted() else set()
"""What is not compared: DynamoDB Local charges index entries of transactions, and reads of LSIs, in another way.

Plans follow the units, so requests differ, too.
"""

USUAL = 200
"""The most rooms of a hotel whose pages are measured. ``make fuzz`` and ``UPDATE_DOCS=1`` measure larger ones, too."""


def record(file: Path, prefix: str) -> subprocess.CompletedProcess[str]:
    """What ``make record-aws`` does, on the engine of the tests."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("DYNAMODB_", "DJANGO_"))}
    theirs = {"DYNAMODB_ENDPOINT_URL": str(settings.DYNAMODB_ENDPOINT_URL), "DYNAMODB_TABLE_PREFIX": prefix}
    command = [sys.executable, "-W", "error", "-m", "tests.costs", str(file)]
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env=ours | theirs, capture_output=True, text=True, check=False
    )


def documented() -> Mapping[str, Any]:
    costs: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return costs


def differing(cost: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What is not as the file has it, without the units that the engine of this run charges in its own way."""
    return {
        key: (value, written[key]) for key, value in cost.items() if key not in OTHER_UNITS and value != written[key]
    }


@pytest.mark.timeout(300)  # it takes 10 s on a quiet machine
@pytest.mark.usefixtures("empty_tables")
def test_the_costs_in_the_file_are_what_the_engine_charges(tmp_path: Path) -> None:
    recorded = tmp_path / "costs.json"
    run = record(recorded, f"{settings.DYNAMODB_TABLE_PREFIX}costs-")
    assert run.returncode == 0, run.stderr
    patterns = json.loads(recorded.read_text(encoding="utf-8"))["patterns"]
    hotels = {} if dynamodb_local.wanted() else growing.measure(growing.SIZES[-1] if DEPTH > 1 or UPDATE else USUAL)
    if UPDATE:
        text = f'{{"patterns": {in_lines(patterns)},\n"growing": {in_lines(hotels)}}}\n'
        FILE.write_text(text, encoding="utf-8")
    written = documented()["patterns"]
    assert list(patterns) == list(written)
    assert {name: found for name, cost in patterns.items() if (found := differing(cost, written[name]))} == {}
    assert hotels.items() <= documented()["growing"].items()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_documents_say_what_was_measured(document: Path) -> None:
    written = brought_up_to_date(document.stem, document.read_text(encoding="utf-8"), documented(), recorded_on_aws())
    if UPDATE:
        document.write_text(written, encoding="utf-8")
    assert document.read_text(encoding="utf-8") == written


def test_a_recording_needs_a_prefix_of_its_own(endpoint: str, tmp_path: Path) -> None:
    run = record(tmp_path / "costs.json", "")
    assert run.returncode == 1
    assert "throw-away prefix" in run.stderr
    assert not list(tmp_path.iterdir())
    with pytest.raises(SystemExit, match="tables with this prefix"), recording.throw_away_tables():
        pass


def test_where_aws_charges_other_units_the_table_shows_both() -> None:
    costs = documented()["patterns"]
    written = costs["tap"]["written"]
    dearer = {**costs["tap"], "written": {**written, "history": written["history"] + 3}}
    text = write_table(costs, ["tap", "tap-back"], {"patterns": {**costs, "tap": dearer}})
    _, _, first, second = text.splitlines()
    assert first.startswith(f"| `tap` {costs['tap']['title']} (on AWS {sum(written.values()) + 3:g} written) |")
    assert "on AWS" not in second


def test_local_indexes_pay_the_sooner_the_more_is_read() -> None:
    pay_from = [pays_from(documented(), ratio) for ratio in RATIOS]
    rooms = [float(cell.removeprefix("more than ").replace(",", "")) for cell in pay_from]
    assert rooms == sorted(rooms, reverse=True)
