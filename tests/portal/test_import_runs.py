"""Long imports: bounded memory, several writers, and imports that are interrupted."""

import gc
import json
import signal
import time
import tracemalloc
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists import List
from dynamodb_lists.django.importing import ImportCommand
from dynamodb_lists.lists.file_rows import MAX_CHARACTERS, Saved, lines_of
from dynamodb_lists.lists.files import Csv
from portal.imports import Save
from portal.imports.json_rows import JsonLines
from tests.helpers.things import Things, with_writers, write

WRITERS = 3
Thing = dict[str, Any]


class Counted(Things):
    """Keeps nothing but the bytes of Python objects that are in use at each batch."""

    batch_size = 10

    def __init__(self) -> None:
        super().__init__()
        self.bytes_in_use: list[int] = []

    def save(self, things: Sequence[Thing], save: Save = List.save) -> Saved:
        """Nowhere. What is garbage by now is not in use."""
        gc.collect()
        self.bytes_in_use.append(tracemalloc.get_traced_memory()[0])
        return len(things), {}


def things(folder: Path, *names: str) -> Path:
    return write(folder / "things.jsonl", *(json.dumps({"name": name}) for name in names))


def run(command: ImportCommand, file: Path, *, writers: int = WRITERS) -> str:
    """Return what the import says, or why it was stopped."""
    out = StringIO()
    try:
        with with_writers(writers):
            call_command(command, file, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error} [{error.returncode}]"
    return out.getvalue()


def refused(folder: Path) -> list[tuple[int, str]]:
    rows = map(json.loads, (folder / "things.rejected.jsonl").read_text("utf-8").splitlines())
    return [(row["line"], row["reason"]) for row in rows]


def failing(name: str) -> Things:
    """Return an import whose database does not answer when this thing is saved; blank for one that works."""
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
        def save(self, things: Sequence[Thing], save: Save = List.save) -> Saved:
            time.sleep(0.01 if things[0]["name"] == "a0" else 0)
            return super().save(things, save)

    command = Slow()
    assert run(command, things(tmp_path, *NAMES)).startswith("36 things read, 36 written")
    assert sorted(command.names) == sorted(NAMES)
    for letter in "abcdef":
        assert [name for name in command.names if name[0] == letter] == [f"{letter}{n}" for n in range(6)]
    assert max(command.sizes) <= command.batch_size


def test_an_error_of_one_writer_stops_all(tmp_path: Path) -> None:
    command = failing("c2")
    said = run(command, things(tmp_path, *NAMES))
    assert said == (
        "The database does not answer. 12 things are in, perhaps more. "
        "Run the same command again: rows that are in are left alone. [1]"
    )
    assert set(command.names) >= set(NAMES[:12])
    assert not set(command.names) & set(NAMES[24:])


# --- Interrupted imports --------------------------------------------------------------------------------


def test_ctrl_c_says_what_is_in_and_the_import_is_run_again(tmp_path: Path) -> None:
    class Interrupted(Things):
        def identity(self, entity: Thing) -> tuple[str, ...]:
            if entity["name"] == NAMES[20]:
                signal.raise_signal(signal.SIGINT)
            return super().identity(entity)

    file, first = things(tmp_path, *NAMES), Interrupted()
    said = run(first, file)
    assert said == (
        "Stopped. 12 things are in, perhaps more. Run the same command again: rows that are in are left alone. [130]"
    )
    assert {*first.names} == set(NAMES[:18]), "what had begun to be written is in"
    assert "36 things read, 36 written" in run(Things(), file)


def test_refused_rows_are_in_the_order_of_lines_whatever_portion_they_are_in(tmp_path: Path) -> None:
    file = things(tmp_path, "", "a0", *NAMES[:10], "a0", *NAMES[12:], "b0")
    assert "4 rows refused" in run(Things(), file)
    assert refused(tmp_path) == [
        (1, "name: This field is required."),
        (3, "line 2 already has the same thing"),
        (13, "line 2 already has the same thing"),
        (38, "line 4 already has the same thing"),
    ]
