"""``python -m compared ROOMS``: asks every list the same questions about so many rooms, and compares their rows.

Without options it prints the table. ``--write`` writes it into docs/compared.md, ``--check`` fails if it is not the
document's. ``make compared`` calls it for the table of the document.
"""

import argparse
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from compared import contender, tables
from compared.questions import QUESTIONS, rooms
from dynamodb_lists.connection import engine
from tests.helpers.own_portal import ROOT, boot

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "DATABASE_URL": "sqlite://:memory:",
    "LOG_LEVEL": "WARNING",
}


def measured(count: int) -> dict[str, contender.Answers]:
    """Return the answers of each list by its name, on a hotel of ``count`` rooms and an engine in memory.

    Raises :class:`SystemExit` if the rows of two lists differ.
    """
    answers = {}
    with TemporaryDirectory() as folder, engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        boot(Path(folder), DYNAMODB_ENDPOINT_URL=running.url, **ENVIRONMENT)
        for name, module in tables.MODULES.items():
            compared = import_module(f"compared.{module}")  # which needs the environment
            answers[name] = contender.answers(compared.List(), compared.used(), rooms(count))
    first, *others = answers
    for name in others:
        for question in QUESTIONS:
            if answers[name][question.name]["rows"] != answers[first][question.name]["rows"]:
                raise SystemExit(f"{name} and {first} differ in '{question.title}'.")
    return answers


def main() -> None:
    """Measure, and print, write or check the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = tables.table(measured(options.rooms))
    print(text)
    if options.write:
        tables.write(options.rooms, text)
    if options.check and text not in tables.DOCUMENT.read_text(encoding="utf-8"):
        raise SystemExit("docs/compared.md is not up to date. Run: make compared")


if __name__ == "__main__":
    main()
