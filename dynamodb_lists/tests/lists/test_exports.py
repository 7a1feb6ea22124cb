"""All rows of a list whose pages do not show every field."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from dynamodb_lists import ChangedMeanwhile, Field, KeptOrder, List, Record, at_least
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.ledger import spelt_out
from dynamodb_lists.declared.models import HEAD
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
    since: Annotated[str, Field("Since", listed=False)] = ""


notes = List(
    Note,
    owner="org",
    id="number",
    facets="sort",
    orders=[KeptOrder("sort"), KeptOrder("number", on_gsi=True)],
    sparse={"told": KeptOrder("since", when=lambda note: bool(note.text))},
)


@pytest.fixture(scope="module")
def stored(tables: None) -> list[Note]:
    notes.create_table()
    org = new_org()
    rows = [
        Note(org=org, number=f"N-{n:03}", sort="rare" if n < 3 else "usual", text=f"text {n}", since=f"{n % 7}")
        for n in range(300)
    ]
    notes.save(rows)
    return rows


@pytest.mark.parametrize(("sort", "most"), [("usual", 20), ("rare", 5)])
def test_an_export_reads_the_table_or_few_rows_by_their_keys(stored: list[Note], sort: str, most: float) -> None:
    with ledger.recording() as calls:
        rows = list(notes.query(org=stored[0].org).where(sort=sort))
    assert rows == [note for note in stored if note.sort == sort]
    if not dynamodb_local.wanted():  # it charges the items beside the entries of an LSI
        assert calls.read_units <= most


def few_notes() -> list[Note]:
    """Return the notes of an organisation."""
    org = new_org()
    rows = [Note(org=org, number=f"N-{n}", sort="usual", text=f"text {n}", since=f"{n}") for n in range(5)]
    notes.save(rows)
    return rows


def say_the_number(org: str, number: int) -> None:
    """Say that an organisation has so many notes."""
    heads, partition = notes.models.head, notes.declaration.counts_partition([org])
    heads.get(partition, HEAD).update(actions=[heads.items.set(number)])


def test_an_export_has_every_field_where_the_counts_are_wrong() -> None:
    rows = few_notes()
    say_the_number(rows[0].org, 7)
    query = notes.query(org=rows[0].org)
    assert query.page().counts_differ
    assert list(query) == [*query.showing("text", "since").page().rows] == rows
    assert [note.number for note in query.where(since="3").order_by("since").page().rows] == ["N-3"]


def test_a_page_goes_on_once_counts_that_were_wrong_are_right() -> None:
    rows = few_notes()
    say_the_number(rows[0].org, 7)
    query = notes.query(org=rows[0].org).where(since=at_least("1")).order_by("number")
    page = query.page(2)
    assert page.counts_differ
    say_the_number(rows[0].org, 5)
    assert [note.number for note in [*page.rows, *query.page(2, page.next).rows]] == ["N-1", "N-2", "N-3", "N-4"]


@pytest.mark.parametrize("sort", ["since", "number", "sort"])
def test_a_list_is_filtered_by_a_field_that_it_does_not_show(stored: list[Note], sort: str) -> None:
    query = notes.query(org=stored[0].org).where(since="3").order_by(sort)
    wanted = [note.number for note in stored if note.since == "3"]
    assert sorted(note.number for note in query.page(50).rows) == sorted(note.number for note in query) == wanted


def test_an_index_is_asked_for_nothing_that_it_lacks(stored: list[Note]) -> None:
    """DynamoDB refuses that for a GSI; for an LSI, it reads and charges the items, which are read by their keys."""
    with ledger.recording() as calls:
        rows = notes.query(org=stored[0].org).order_by("sort").showing("text").page(5).rows
    assert {row.text for row in rows} == {note.text for note in stored[:3]} | {"text 3", "text 4"}
    asked = [spelt_out(call.request["ProjectionExpression"], call.request) for call in calls.calls if call.index]
    assert asked or dynamodb_local.wanted(), "it charges LSIs in another way, so the table may be read"
    assert not any("text" in each.split(", ") for each in asked)


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
