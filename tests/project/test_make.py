"""The Makefile and ``.ci/run``: every stage runs, whatever fails before it, and paths may have blanks."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.helpers.scheduling import FILE

ROOT = Path(settings.BASE_DIR)
FAILING = """#!/bin/sh
echo "$(basename $0) $*" >>"$LOG"
case "$*" in *tests.clock) echo 2027-01-01T00:10; echo 2028-02-29T12:00; exit;; esac
exit 1
"""
"""A program that writes down what it is called with, and fails. It knows the times of ``make days``."""

KINDS = ("", "-dev", "-tools", "-uv")
INSTALLED = (
    ".venv/dev",
    ".venv/runtime",
    "node_modules/.installed",
    ".dynamodb-local/amplify-dynamodb-simulator@2.9.30",
    ".tools/installed",
    ".tools/uv/bin/uv",
)
SOURCES = ("package.json", "package-lock.json", "requirements.in", *(f"requirements{each}.txt" for each in KINDS))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the Makefile and ``.ci/run``. Everything is installed in it, and every program fails."""
    folder = tmp_path / "a folder"
    for name in (*SOURCES, *INSTALLED):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
        if name not in INSTALLED:
            os.utime(folder / name, (1e9, 1e9))
    for name in ("Makefile", ".ci/run"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in (".venv/bin/python", "bin/make", "bin/node", "bin/psql", "bin/java"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(FAILING)
        (folder / name).chmod(0o755)
    return folder


def run(folder: Path, *command: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Return a command in the folder."""
    kept = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "ENGINE"}}
    return subprocess.run(
        command, cwd=folder, env={**kept, "LOG": "log", **env}, capture_output=True, text=True, check=False
    )


def make(folder: Path, *options: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Return the Makefile of the folder, with this Python."""
    return run(folder, "make", *options, f"PYTHON={sys.executable}", **env)


@pytest.mark.parametrize(
    ("target", "failed"),
    [
        ("test", "tests, tests of the package"),
        ("quick", "tests, tests of the package"),
        ("times", "tests, tests of the package"),
        ("fuzz", "tests, tests of the package"),
        ("days", "tests at 2027-01-01T00:10, tests at 2028-02-29T12:00"),
        ("benchmark", "mixed, server, imports, scale, group, clairvoyant"),
        (
            "nightly",
            "DynamoDB Local, the package on DynamoDB Local, days, benchmarks, comparison, random tests, storm",
        ),
    ],
)
def test_every_stage_runs_and_the_failed_ones_are_named(folder: Path, target: str, failed: str) -> None:
    chromium = folder / ".venv" / "bin" / "python"
    chromium.write_text(FAILING.replace("*tests.clock)", "*chromium) exit;; *tests.clock)"))
    done = make(folder, target, SMALLEST="1")
    assert done.returncode != 0
    assert f"Failed: {failed}" in done.stdout.splitlines()


def test_every_stage_of_ci_runs_and_the_failed_ones_are_named(folder: Path) -> None:
    done = run(folder, "bash", ".ci/run", PATH=f"{folder / 'bin'}:/usr/bin:/bin", HOME=str(folder))
    assert done.returncode == 1
    said = done.stdout.splitlines()
    stages = [line.removeprefix("== ") for line in said if line.startswith("== ")]
    (end,) = (number for number, line in enumerate(said) if line.startswith("Failed, at NOW=20"))
    assert [line.strip() for line in said[end + 1 :]] == [
        stage for stage in stages if stage != "the tests have created no data in this folder"
    ]
    assert len(stages) > 9
    assert "test ENGINE=dynamodb-local ARGS=-m engine" in (folder / "log").read_text()


def test_every_file_of_tests_is_measured() -> None:
    """A new file: ``make times ARGS=tests/.../test_new.py``."""
    files = {*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "dynamodb_lists" / "tests").rglob("test_*.py")}
    measured = {*json.loads(FILE.read_text(encoding="utf-8"))["files"]}
    assert {str(file.relative_to(ROOT)) for file in files} == measured, "run: make times"
