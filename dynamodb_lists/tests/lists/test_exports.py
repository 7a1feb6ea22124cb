"""All rows of a list whose pages do not show every field."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from dynamodb_lists import ChangedMeanwhile, Field, KeptOrder, List, Record
from dynamodb_lists.connection import ledger
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.trials import new_org

pytestmark = pytest.mark.usefixtures("tables")


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    """A note with a text that its list does not show."""

    org: str
    number: str
    sort: str
    text: Annotated[str, Field("Text", listed=False)] = ""


notes = List(
    Note,
    owner="org",
    id="number",
    facets="sort",
    sparse={"told": KeptOrder("number", when=lambda note: bool(note.text))},
)


@pytest.fixture(scope="module")
def stored(tables: None) -> list[Note]:
    notes.create_table()
    org = new_org()
    rows = [Note(org=org, number=f"N-{n:03}", sort="rare" if n < 3 else "usual", text=f"text {n}") for n in range(300)]
    notes.save(rows)
    return rows


@pytest.mark.parametrize(("sort", "most"), [("usual", 20), ("rare", 5)])
def test_an_export_reads_the_table_or_few_rows_by_their_keys(stored: list[Note], sort: str, most: float) -> None:
    with ledger.recording() as calls:
        rows = list(notes.query(org=stored[0].org).where(sort=sort))
    assert rows == [note for note in stored if note.sort == sort]
    if not dynamodb_local.wanted():  # it charges the items beside the entries of an LSI
        assert calls.read_units <= most


def test_an_edit_of_a_row_of_a_list_keeps_what_the_list_does_not_show(stored: list[Note]) -> None:
    row = notes.query(org=stored[0].org).page(5).rows[4]
    assert row.text == ""
    told = [note.number for note in notes.query(org=row.org).only("told")]
    changed = notes.update(row, sort="rare")
    assert notes.get(org=row.org, id=row.number, consistent=True).text == "text 4"
    assert changed.text == "text 4", "it is returned as it is stored"
    assert [note.number for note in notes.query(org=row.org).only("told")] == told, "rules see what lists do not show"
    assert notes.update(row, sort="rare") == changed, "to send it again has no effect"
    with pytest.raises(ChangedMeanwhile):
        notes.update(row, sort="other")
    notes.update(changed, sort="usual")
