"""Imports of JSON lines, and rows that are refused only when they are saved."""

import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import simplejson
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.lists.file_rows import REJECT_NAMES, FileRow, lines_of
from dynamodb_lists.tests.helpers.examples import examples
from portal.imports.json_rows import BLANK, JsonLines
from tests.helpers.things import Things, run, write

DEEP = 100_000


def run_refusing(file: Path, complaint: str) -> Things:
    command = Things()
    with pytest.raises(CommandError, match=complaint):
        call_command(command, file, stdout=StringIO())
    return command


def refused(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "things.rejected.jsonl").read_text(encoding="utf-8")
    return [json.loads(line, parse_float=Decimal) for line in text.splitlines()]


def read(file: Path) -> list[FileRow]:
    return list(JsonLines().read(lines_of(file, "\n"), file.name))


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "things.jsonl"
    file.write_bytes('\ufeff{"name": "ä"}\r\n\r\n \t\n{"name": "b\u2028c"}\r\n[]'.encode())
    assert run_refusing(file, "1 row refused").names == ["ä", "b\u2028c"]
    assert refused(tmp_path) == [{"line": 5, "reason": "not a JSON object", "text": "[]"}]


def test_a_member_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "things.jsonl", '{"name": "a", "parts": [{"n": 1, "n": 2}]}')
    assert run_refusing(file, "1 row refused").names == []
    assert refused(tmp_path)[0]["reason"] == "“n” is named twice. Keep one of them."


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes or '}' (column 2)"),
        ('{"name": "a"} {"name": "b"}', "not JSON: Extra data (column 15)"),
        ("null", "not a JSON object"),
        ('{"name": NaN}', "not JSON: Expecting value (column 10)"),
        ('{"name": [-Infinity]}', "not JSON: Expecting value (column 11)"),
        (f'{{"name": {"9" * 5000}}}', "not JSON: a number is too long or not finite"),
        ('{"name": 1e99999999999999999999}', "not JSON: a number is too long or not finite"),
        (f'{{"name": {"[" * DEEP}{"]" * DEEP}}}', "nested too deeply"),
    ],
)
def test_what_is_no_object_is_kept_as_it_stood_and_takes_no_other_line_with_it(
    tmp_path: Path, line: str, reason: str
) -> None:
    file = write(tmp_path / "things.jsonl", '{"name": "a"}', line, '{"name": "b"}')
    assert run_refusing(file, "1 row refused").names == ["a", "b"]
    assert refused(tmp_path) == [{"line": 2, "reason": reason, "text": line}]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"name": null}', "name: This field is required."),
        ('{"name": "b", "price": "dear"}', "price: Enter a number."),
        ('{"name": "a"}', "line 1 already has the same thing"),
        ('{"name": "sold", "price": 1.50}', "sold already"),
    ],
)
def test_a_bad_object_is_kept_with_its_line_and_reason_in_front(tmp_path: Path, line: str, reason: str) -> None:
    file = write(tmp_path / "things.jsonl", '{"name": "a"}', line, '{"name": "z"}')
    assert run_refusing(file, "1 row refused").names == ["a", "z"]
    assert refused(tmp_path) == [{"line": 2, "reason": reason, **json.loads(line)}]
    assert list(refused(tmp_path)[0])[:2] == ["line", "reason"]


def test_what_does_not_pass_is_to_be_mended_first(tmp_path: Path) -> None:
    complaint = "refused a call. Tell somebody. 0 things are in, perhaps more. When that is corrected, run the same"
    command = run_refusing(write(tmp_path / "things.jsonl", '{"name": "refused"}'), complaint)
    assert (command.saved, list(tmp_path.iterdir())) == ([], [tmp_path / "things.jsonl"])


def test_where_no_file_can_be_written_the_first_refused_row_ends_the_import(tmp_path: Path) -> None:
    (tmp_path / "things.rejected.jsonl").mkdir()
    run_refusing(write(tmp_path / "things.jsonl", "x", '{"name": "a"}'), r"rejected.jsonl, .* cannot be written \(Is a")
    assert run(write(tmp_path / "things.jsonl", '{"name": "a"}'))[1].startswith("1 thing read")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    run_refusing(tmp_path / "nowhere.jsonl", r"There is no file .*nowhere\.jsonl")
    run_refusing(tmp_path, "There is no file")
    run_refusing(Path("/dev/null"), "There is no file")
    assert list(tmp_path.iterdir()) == [], "no file of refused rows"


decimals = st.decimals(allow_nan=False, allow_infinity=False)
scalars = st.text() | st.integers() | decimals
keys = st.text().filter(lambda key: key not in REJECT_NAMES)
objects = st.dictionaries(keys, scalars | st.lists(st.dictionaries(keys, scalars, max_size=3), max_size=3))


@settings(max_examples=examples(20))
@given(st.lists(objects, max_size=5))
def test_any_object_comes_back_equal_from_its_line_and_from_the_refused_ones(
    tmp_path: Path, things: list[dict[str, Any]]
) -> None:
    rows = read(
        write(
            tmp_path / "things.jsonl",
            *(simplejson.dumps(thing, use_decimal=True, ensure_ascii=False) for thing in things),
        )
    )
    assert [(row.line, row.data, row.problem) for row in rows] == [
        (line, thing, "") for line, thing in enumerate(things, start=1)
    ]
    again = read(write(tmp_path / "again.jsonl", *(JsonLines().rejected(row, "no").removesuffix("\n") for row in rows)))
    assert [row.data for row in again] == things


no_objects = st.binary().filter(lambda line: line.strip(BLANK.encode()) and not set(line) & set(b"{\r\n"))


@given(st.lists(no_objects))
def test_any_bytes_are_a_problem_and_come_back_from_the_refused_ones(tmp_path: Path, lines: list[bytes]) -> None:
    rows = read(write(tmp_path / "things.jsonl", "{}", *lines))[1:]
    assert all(row.problem for row in rows)
    rejected = [json.loads(JsonLines().rejected(row, row.problem).encode()) for row in rows]
    assert [text["text"].encode(errors="surrogateescape") for text in rejected] == lines


def test_the_elements_of_an_array_have_the_lines_on_which_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "things.jsonl"
    file.write_text('[\n{"name": "a"},\n{"name":\n"b"}\n,\n{"name": "c"}\n]\n', encoding="utf-8")
    assert [row.line for row in JsonLines().read(lines_of(file, "\n"), file.name)] == [2, 4, 6]


def test_half_of_a_character_is_refused_and_a_whole_one_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "things.jsonl", r'{"name": "a", "parts": ["\ud83d"]}', r'{"name": "\ud83d\ude00"}')
    assert run_refusing(file, "1 row refused").names == ["😀"]
    assert refused(tmp_path) == [{"line": 1, "reason": "half of a character", "name": "a", "parts": ["\ud83d"]}]
