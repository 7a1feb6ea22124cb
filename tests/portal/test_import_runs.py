"""Long imports: bounded memory, several writers, and imports that are interrupted and go on."""

import gc
import json
import signal
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists.writing.changes import OPEN_GATE, Gate
from portal.imports.command import ImportCommand
from portal.imports.csv_rows import Csv
from portal.imports.file_rows import MAX_CHARACTERS, lines_of, version_of
from portal.imports.importer import Saved
from portal.imports.json_rows import JsonLines
from portal.imports.progress import Progress
from tests.helpers.things import Things, write

WRITERS = 3
Thing = dict[str, Any]


class Counted(Things):
    """Keeps nothing but the bytes of Python objects that are in use at each batch."""

    batch_size = 10

    def __init__(self) -> None:
        super().__init__()
        self.bytes_in_use: list[int] = []

    def save(self, things: Sequence[Thing], gate: Gate = OPEN_GATE) -> Saved:
        """Nowhere. What is garbage by now is not in use."""
        gc.collect()
        self.bytes_in_use.append(tracemalloc.get_traced_memory()[0])
        return len(things), {}


def things(folder: Path, *names: str) -> Path:
    return write(folder / "things.jsonl", *(json.dumps({"name": name}) for name in names))


def run(command: ImportCommand, file: Path, **options: Any) -> str:
    """What the import says, or why it was stopped."""
    out = StringIO()
    try:
        call_command(command, file, stdout=out, **options)
    except CommandError as error:
        return f"{out.getvalue()}{error} [{error.returncode}]"
    return out.getvalue()


def refused(folder: Path) -> list[tuple[int, str]]:
    rows = map(json.loads, (folder / "things.rejected.jsonl").read_text("utf-8").splitlines())
    return [(row["line"], row["reason"]) for row in rows]


def failing(name: str) -> Things:
    """An import whose database does not answer when this thing is saved; blank for one that works."""
    command = Things()
    command.down = name
    return command


NAMES = [f"{letter}{number}" for number in range(6) for letter in "abcdef"]


# --- Memory ---------------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """A set of identities would take a hundred bytes and more for each row."""
    command = Counted()
    file = things(tmp_path, *(f"t{n}" for n in range(150 * command.batch_size)))
    run(Counted(), write(tmp_path / "caches_are_filled.jsonl", '{"name": "a"}'))
    gc.freeze()  # so that each collection takes a moment only
    tracemalloc.start()
    said = run(command, file, writers=1)
    tracemalloc.stop()
    assert said.startswith("1,500 things read, 1,500 written")
    first, last = min(command.bytes_in_use[20:40]), min(command.bytes_in_use[-20:])
    growth = (last - first) / (110 * command.batch_size)
    assert growth < 40, f"{growth:.0f} bytes a row"


def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path) -> None:
    file = things(tmp_path, "a", "x" * 5 * MAX_CHARACTERS, "b")
    rows = list(JsonLines().read(lines_of(file, "\n"), "f"))
    assert [(row.line, row.problem) for row in rows] == [(1, ""), (2, "longer than 1,000,000 characters"), (3, "")]
    assert len(JsonLines().rejected(rows[1], "")) < MAX_CHARACTERS + 100


@pytest.mark.parametrize("bad", ["x" * 5 * MAX_CHARACTERS, "\n".join(['"' + "y" * 100_000, *["y" * 100_000] * 20])])
def test_a_csv_record_without_end_is_not_read_into_memory(tmp_path: Path, bad: str) -> None:
    file = write(tmp_path / "things.csv", "name", "a", bad, "b")
    rows = list(Csv(["name"]).read(lines_of(file, ""), "f"))
    assert [row.data["name"] for row in rows if not row.problem][-1] == "b"
    assert rows[0].data == {"name": "a"}
    assert rows[1].line == 3
    assert "longer than" in rows[1].problem or "field larger" in rows[1].problem
    assert max(len(Csv(["name"]).rejected(row, "")) for row in rows) < MAX_CHARACTERS + 100


# --- Several writers ------------------------------------------------------------------------------------


def test_several_writers_write_everything_once_and_a_lane_in_order(tmp_path: Path) -> None:
    class Slow(Things):
        def save(self, things: Sequence[Thing], gate: Gate = OPEN_GATE) -> Saved:
            time.sleep(0.01 if things[0]["name"] == "a0" else 0)
            return super().save(things, gate)

    command = Slow()
    assert run(command, things(tmp_path, *NAMES), writers=WRITERS).startswith("36 things read, 36 written")
    assert sorted(command.names) == sorted(NAMES)
    for letter in "abcdef":
        assert [name for name in command.names if name[0] == letter] == [f"{letter}{n}" for n in range(6)]
    assert max(command.sizes) <= command.batch_size


def test_an_error_of_one_writer_stops_all(tmp_path: Path) -> None:
    command = failing("c2")
    said = run(command, things(tmp_path, *NAMES), writers=WRITERS)
    assert said == (
        "The database does not answer. 12 things are in. Nobody knows which rows of lines 13 to 24 are in. "
        "Run the same command again to continue after line 12: rows that are in are left alone. [1]"
    )
    assert set(command.names) >= set(NAMES[:12])
    assert not set(command.names) & set(NAMES[24:])


# --- Interrupted imports --------------------------------------------------------------------------------


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[Path]:
    """A file of which 12 rows, two of them refused, are in."""
    file = things(tmp_path, "", "a0", *NAMES[:10], "a0", "down", *NAMES[12:], "b0")
    assert "10 things are in. Nobody knows which rows of lines" in run(Things(), file, writers=WRITERS)
    yield file
    assert list(tmp_path.glob("*.progress*")) == [], "the import is complete"


def test_ctrl_c_says_what_is_in_and_the_import_goes_on(tmp_path: Path) -> None:
    class Interrupted(Things):
        def identity(self, entity: Thing) -> tuple[str, ...]:
            if entity["name"] == NAMES[20]:
                signal.raise_signal(signal.SIGINT)
            return super().identity(entity)

    file, first, second = things(tmp_path, *NAMES), Interrupted(), Things()
    said = run(first, file, writers=WRITERS)
    assert said == (
        "Stopped. 6 things are in. Nobody knows which rows of lines 7 to 18 are in. "
        "Run the same command again to continue after line 6: rows that are in are left alone. [130]"
    ) or said.startswith("Stopped. 12 things are in. Nobody knows which rows of lines 13 to 18 are in.")
    assert said.endswith("[130]")
    assert "36 things read, 36 written" in run(second, file, writers=WRITERS)
    assert {*first.names, *second.names} == set(NAMES)
    assert not {*second.names} & set(NAMES[:6])


def test_an_import_goes_on_where_it_was_interrupted(interrupted: Path, tmp_path: Path) -> None:
    rejected = tmp_path / "things.rejected.jsonl"
    before = rejected.read_text("utf-8")
    with rejected.open("a") as later:
        later.write("rows that were refused after the point at which the import goes on\n")
    command = failing("")
    said = run(command, interrupted, writers=WRITERS)
    assert sorted(command.names) == sorted(["down", *NAMES[12:]]), "rows that are in are not written again"
    assert said.startswith(
        "The rows up to line 12 are in. The import continues after them.\n35 things read, 35 written"
    )
    assert refused(tmp_path) == [
        (1, "name: This field is required."),
        (3, "line 2 already has the same thing"),
        (13, "line 2 already has the same thing"),
        (39, "line 4 already has the same thing"),
    ]
    assert rejected.read_text("utf-8").startswith(before)
    assert "4 rows refused" in said, "with those of before the interruption"


@pytest.mark.parametrize("why", ["changed", "option", "tables"])
def test_an_import_begins_at_the_first_row_if_asked_or_if_file_or_tables_are_others(
    interrupted: Path, why: str
) -> None:
    class OtherTables(Things):
        down = ""

        def target(self) -> str:
            return "created again"

    if why == "changed":
        interrupted.write_text(interrupted.read_text("utf-8").replace("f5", "g5"), "utf-8")
    command = OtherTables() if why == "tables" else failing("")
    said = run(command, interrupted, writers=WRITERS, from_start=why == "option")
    assert said.startswith("35 things read, 35 written")
    assert command.names.count("a0") == 1


def test_a_csv_import_goes_on_at_a_record_of_several_lines(tmp_path: Path) -> None:
    class CsvThings(Things):
        format = Csv(["name"])  # type: ignore[assignment]
        batch_size = 1

    file = write(tmp_path / "things.csv", "name", "a", '"b', 'b"', '"c', "", 'c"', "down", "", '"d', 'd"', "a")
    assert "to continue after line 5" in run(CsvThings(), file, writers=1)
    command = CsvThings()
    command.down = ""
    assert "The rows up to line 5 are in." in run(command, file, writers=1)
    assert command.names == ["down", "d\nd"]
    assert "12,line 2 already has the same thing,a" in (tmp_path / "things.rejected.csv").read_text("utf-8")


def test_two_imports_of_one_file_do_not_share_progress(tmp_path: Path) -> None:
    file = things(tmp_path, *NAMES)
    with Progress(file, f"thing; {version_of(file)}; "):
        command = Things()
        said = run(command, file, writers=WRITERS)
        assert said.startswith("36 things read, 36 written")
        stopped = run(failing("c2"), file, writers=WRITERS)
        assert "again: rows that are in are left alone." in stopped
