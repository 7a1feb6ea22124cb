"""``import_reviews``: it stores good rows, rejects bad ones with a reason, and importing again changes nothing."""

import csv
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists.tests.helpers.examples import DEPTH
from hotels import queries as hotels
from tests.helpers.reviews import (
    SHARED,
    assert_reviews_in_step,
    make_review,
    stored,
    summary,
)

pytestmark = [pytest.mark.usefixtures("empty_tables")]
HEADER = "review_id,hotel_id,room_number,language,rating,created_at,author,title,body"
GOOD = "{},abc,101,en,4,2023-01-15T10:22:31Z,Ann,Fine,Really."


def run(file: Path) -> str:
    out = StringIO()
    call_command("import_reviews", file, stdout=out)
    return out.getvalue()


def write(folder: Path, *lines: str, header: str = HEADER) -> Path:
    file = folder / "reviews.csv"
    file.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8", errors="surrogateescape")
    return file


def refused(folder: Path) -> list[dict[str, str]]:
    with (folder / "reviews.rejected.csv").open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.DictReader(file))


def test_a_review_comes_in_with_its_hotel(tmp_path: Path) -> None:
    assert run(write(tmp_path, GOOD.format("r-1"))) == "1 review read, 1 written, 0 left as they are.\n"
    at = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
    assert stored() == make_review(
        "r-1", "en", 4, at, author="Ann", title="Fine", body="Really.", room_number="101", revision=1
    )
    assert hotels.hotel("abc").name == "abc"
    assert_reviews_in_step()


def test_days_and_other_zones_are_utc(tmp_path: Path) -> None:
    at = GOOD.partition("2023")[0] + "{},Ann,,"
    run(write(tmp_path, at.format("r-1", "2023-01-15"), at.format("r-2", "2023-01-15T00:30:00+02:00")))
    assert stored("r-1").created_at == datetime(2023, 1, 15, tzinfo=UTC)
    assert stored("r-2").created_at == datetime(2023, 1, 14, 22, 30, tzinfo=UTC)


BAD = [
    (",abc,,en,4,2023-01-15,Ann,,", "review_id: This field is required"),
    ("x,,,en,4,2023-01-15,Ann,,", "hotel_id: This field is required"),
    ("x,abc,,english,4,2023-01-15,Ann,,", "language: Enter the language"),
    ("x,abc,,en,6,2023-01-15,Ann,,", "rating: “"),
    ("x,abc,,en,4,15.01.2023,Ann,,", "created_at: Enter a valid date/time"),
    ("x,abc,,en,4,0001-01-01,Ann,,", "created_at: The year must be"),
    (f"x,abc,,en,4,2023-01-15,Ann,{'t' * 201},", "title: Ensure this value has at most 200"),
    ("x,abc,,en,4,2023-01-15,Ann,", "8 cells, the header has 9"),
    ("r-9,abc,,en,1,2023-01-15,Ann,,", "line 2 already has the same review"),
    ("x,abc,,en,4,2023-01-15,Ann,\udcff,", "not UTF-8"),
]


def test_a_bad_row_is_refused_with_its_line_and_reason(tmp_path: Path) -> None:
    file = write(tmp_path, GOOD.format("r-9"), *(line for line, _ in BAD), GOOD.format("r-8"))
    with pytest.raises(CommandError, match=rf"{len(BAD)} rows refused; see .*reviews\.rejected\.csv") as caught:
        run(file)
    assert caught.value.returncode == 1
    for number, (row, (line, reason)) in enumerate(zip(refused(tmp_path), BAD, strict=True), start=3):
        assert row["line"] == str(number), line
        assert row["reason"].startswith(reason), line
    assert (stored("r-9").rating, stored("r-8").rating) == (4, 4)
    assert_reviews_in_step()


def test_very_long_reviews_come_in(tmp_path: Path) -> None:
    """Seventy such reviews have more than four megabytes, the limit of a transaction."""
    run(write(tmp_path, *(f"r-{n},abc,,ja,5,2023-01-15,Ann,,{'海' * 20_000}" for n in range(70))))
    assert summary("abc").total == 70
    assert_reviews_in_step()


def test_the_real_reviews_come_in_once(tmp_path: Path) -> None:
    if not SHARED.exists():
        pytest.skip("the shared data is not beside this clone")
    header, *rows = SHARED.read_text("utf-8").splitlines()
    some = rows[:: 1 if DEPTH > 1 else 60]
    file = write(tmp_path, *some, header=header)
    for written in (len(some), 0):
        assert run(file).startswith(f"{len(some):,} reviews read, {written:,} written")
    assert_reviews_in_step()
