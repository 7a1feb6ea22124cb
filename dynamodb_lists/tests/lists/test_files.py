"""CSV files of a declared list: what is written can be read, and bad rows say why."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists import Field, List, Record, WrongValue
from dynamodb_lists.lists.files import ListImport, cell, value_of_cell
from dynamodb_lists.schema.entities import cells, columns, fields
from dynamodb_lists.tests import trials

assert trials.trials, "the package is configured before a list is declared"


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


@dataclass(frozen=True, kw_only=True)
class Parcel(Record):
    number: str
    size: Size
    weight: Decimal
    label: str = ""
    pieces: int | None = None
    sent: date | None = None
    seen: datetime | None = None
    fragile: bool = False
    tags: frozenset[str] = frozenset()
    sides: Annotated[list[Any], Field("Sides", listed=False)] = field(default_factory=list)


parcels = List(Parcel, id="number", facets="size", sorts="sent")


@pytest.fixture
def table(endpoint: str) -> None:
    parcels.create_table()


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)


@given(
    label=TEXTS | st.sampled_from(["=1", "'=1", "''-1", "'", "-"]),
    pieces=st.none() | st.integers(),
    weight=st.decimals(allow_nan=False, allow_infinity=False),
    sent=st.none() | st.dates(),
    seen=st.none() | st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0)),
    size=st.sampled_from(Size),
    tags=st.frozensets(TEXTS, max_size=2),
    sides=st.lists(st.integers() | st.decimals(-99, 99, places=2) | TEXTS | st.none(), max_size=2),
)
def test_what_is_written_is_read_again(label: str, **others: Any) -> None:
    parcel = Parcel(number="P-1", label=label, **others)
    file = StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow([cell(value) for value in cells(parcel)])
    (written,) = csv.reader(StringIO(file.getvalue(), newline=""))
    described = [each for each in fields(Parcel) if each.column]
    values = {each.name: value_of_cell(each, text) for each, text in zip(described, written, strict=True)}
    assert Parcel(**values) == parcel
    assert not written[3].startswith(("=", "+", "@"))


def imported(lines: Sequence[str]) -> tuple[list[tuple[int, str]], int]:
    """Return the lines and reasons of bad rows, and how many of the others were new or different."""
    found = ListImport[Parcel](parcels)
    rows = [found.checked(row) for row in found.format.read(lines, "The file")]
    written, _ = found.save([row.entity for row in rows if not row.problem])
    return [(row.line, row.problem) for row in rows if row.problem], written


def test_a_file_is_imported_once_and_says_what_is_wrong(table: None) -> None:
    lines = [
        "weight,number,other,size,label\n",
        "1.5,P-1,x,small,Fine\n",
        "x,P-2,x,small,\n",
        "\n",
        "1,P-3,x,huge,\n",
        "1,P-4,x\n",
        "1,P#5,x,small,\n",
        ",P-6,x,small,\n",
        "1,,x,small,\n",
        '3,P-7,x,large,"two\nlines"\n',
    ]
    bad = [
        (3, "weight cannot be 'x'."),
        (5, "size cannot be 'huge'."),
        (6, "3 cells, the header has 5"),
        (7, "number: 'P#5' cannot be a part of a key: it is blank, or has a # or a control character."),
        (8, "weight is blank."),
        (9, "number: '' cannot be a part of a key: it is blank, or has a # or a control character."),
    ]
    assert imported(lines) == (bad, 2)
    assert parcels.get(number="P-7").label == "two\nlines"
    parcels.update(parcels.get(number="P-1"), pieces=4)
    assert imported(lines) == (bad, 0)
    assert parcels.get(number="P-1").pieces == 4  # the file has no such column


@pytest.mark.parametrize("number", ["1" + "0" * 20, "-1" + "0" * 126, "0." + "0" * 18 + "1", "0." + "1" * 39])
def test_a_number_of_more_digits_is_a_bad_row_and_others_are_imported(table: None, number: str) -> None:
    reasons, written = imported(["weight,number,size\n", f"{number},bad,small\n", f"1,{number[:7]},small\n"])
    assert "weight must be a number (Decimal) of at most 20 digits before the point" in dict(reasons)[2]
    assert (len(reasons), written) == (1, 1)


@pytest.mark.parametrize(
    "number", ["9" * 20 + "." + "9" * 18, "-0." + "0" * 17 + "1", "0." + "0" * 500, "1." + "1" * 18, "-1" + "0" * 19]
)
def test_the_largest_and_the_longest_numbers_are_imported(table: None, number: str) -> None:
    imported(["weight,number,size\n", f"{number},{number[:9]},small\n"])
    assert parcels.get(number=number[:9]).weight == Decimal(number)


def test_a_header_that_lacks_a_field_is_refused() -> None:
    with pytest.raises(WrongValue, match="The file has no column weight.* it has: number, size"):
        imported(["number,size\n"])
    with pytest.raises(WrongValue, match="it has: nothing"):
        imported([])
    assert "weight" in columns(Parcel)
