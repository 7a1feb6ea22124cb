"""``python -m compared``: asks every list the same questions, and compares their rows. ``make compared`` calls it.

Without options it prints the tables. ``--write`` writes them into docs/compared.md, ``--check`` fails if they are not
the document's, ``--rooms`` measures with one number of rooms only.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compared import tables
from compared.questions import QUESTIONS, edited, rooms
from dynamodb_lists.connection import engine

ROOT = Path(__file__).resolve().parent.parent
SIZES = (200, 2000)
"""The numbers of rooms to measure with. The last page is full in both."""

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_REGION": "eu-west-1",
    "DATABASE_URL": "sqlite://:memory:",
    "DEBUG": "0",
    "DEMO": "1",
    "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
    "DYNAMODB_TABLE_PREFIX": "",
    "ENV_FILE": "",
    "LOG_LEVEL": "WARNING",
    "NODE_NO_WARNINGS": "1",
    "SECRET_KEY": "only-for-the-comparison-" * 3,
}

Answers = dict[str, Any]


def measured(count: int, names: Sequence[str] = tuple(tables.FILES)) -> Mapping[str, Answers]:
    """The answers of each list by its name, on a hotel of ``count`` rooms and an engine in memory.

    Raises :class:`SystemExit` if the rows of two lists differ.
    """
    stored = rooms(count)
    asked = json.dumps(
        {"rooms": stored, "questions": [asdict(question) for question in QUESTIONS], "edited": edited(stored[0])}
    )
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        answers = {name: answer(tables.FILES[name], asked, running.url) for name in names}
    for name, found in answers.items():
        for question in QUESTIONS:
            if found[question.name]["rows"] != answers[names[0]][question.name]["rows"]:
                raise SystemExit(f"{name} and {names[0]} differ in '{question.title}'.")
    return answers


def answer(file: str, asked: str, url: str) -> Answers:
    """What a program of this folder answers to the questions."""
    in_python = [sys.executable, "-m", f"compared.{Path(file).stem}"]
    program = in_python if file.endswith(".py") else ["node", f"compared/{file}"]
    environment = {**os.environ, **ENVIRONMENT, "DYNAMODB_ENDPOINT_URL": url}
    done = subprocess.run(
        program, input=asked, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment, check=True
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure, and print, write or check the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, nargs="*", default=SIZES)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    for count in options.rooms:
        text = tables.table(measured(count))
        print(f"{count}\n{text}")
        if options.write:
            tables.write(count, text)
        if options.check and tables.written(count) != text:
            raise SystemExit("docs/compared.md is not up to date. Run: make compared")


if __name__ == "__main__":
    main()
