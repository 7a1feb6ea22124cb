"""The tables of docs/compared.md: what each question costs each list, and its lines."""

import ast
import re
from math import ceil
from pathlib import Path
from typing import Any

from compared.contender import Answers
from compared.questions import QUESTIONS

FOLDER = Path(__file__).resolve().parent
DOCUMENT = FOLDER.parent / "docs" / "compared.md"
MODULES = {"this project": "with_portal", "PynamoDB": "with_pynamodb", "Django, SQLite": "with_django"}
"""The module of each list. This project is the first."""

WRITE_PRICE = 5
"""The price of a write unit in read units, on demand: $0.625 and $0.125 a million in us-east-1."""


def table(answers: dict[str, Answers]) -> str:
    """Return the costs as Markdown, a row for each question and a column for each list."""
    links = [f"[{name}](../compared/{MODULES[name]}.py)" for name in answers]
    lines = [row("", links), row("---", ["--:"] * len(links))]
    for question in QUESTIONS:
        lines.append(row(question.title, [cost(found[question.name]) for found in answers.values()]))
    lines.append(row("pages with counts a save", [break_even(answers, name) for name in answers]))
    return "\n".join([*lines, row("lines of the list", [str(code_lines(MODULES[name])) for name in answers])])


def row(title: str, cells: list[str]) -> str:
    """Return a row of a table in Markdown, without spaces between cells: the words of the documents are counted."""
    return f"|{'|'.join([title, *cells])}|"


def cost(answer: dict[str, Any]) -> str:
    """Requests, items read and units: ``2/26/3.5``. Statements and rows reached, if nothing charges units."""
    units = [answer[name] for name in ("read_units", "write_units") if answer.get(name)]
    return "/".join(
        f"{part:,g}" for part in (answer["requests"], answer.get("items", 0), *([sum(units)] if units else []))
    )


def break_even(answers: dict[str, Answers], name: str) -> str:
    """How many first pages with a total and counts must be read for each save, before this project is cheaper."""
    own, other = next(iter(answers.values())), answers[name]
    if own is other or "read_units" not in other["first"]:
        return "-"
    saved = units(other["first"]) + units(other["facets"]) - units(own["first"])
    return f"{ceil((units(own['edit']) - units(other['edit'])) / saved):,}"


def units(answer: dict[str, Any]) -> float:
    """Return the price of an answer in read units."""
    return float(answer.get("read_units", 0) + WRITE_PRICE * answer.get("write_units", 0))


def code_lines(module: str) -> int:
    """Return the lines of a list without blank lines, comments, docstrings and what is there to measure it."""
    text, *_ = (FOLDER / f"{module}.py").read_text(encoding="utf-8").partition(" --- Measuring")
    lines = dict(enumerate(text.splitlines(), 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                del lines[number]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in lines.values())


def write(count: int, text: str) -> None:
    """Replace the table in the document, between two markers. The first marker has the number of rooms."""
    document, place = DOCUMENT.read_text(encoding="utf-8"), rf"(?<=<!-- compared: {count} -->\n).*?(?=<!-- end -->)"
    DOCUMENT.write_text(re.sub(place, lambda _: f"{text}\n", document, count=1, flags=re.DOTALL), encoding="utf-8")
